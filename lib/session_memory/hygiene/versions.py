"""Versions: their grammar and their order, those of Semantic Versioning with any number count."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    # The numbers; whether it is a final release; the pre-release identifiers.
    Precedence = tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]

# Longer texts are not versions. A number of this length is still quickly converted.
MAX_LENGTH = 128

_DIGITS = frozenset("0123456789")
_IDENTIFIER = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-")
CHARACTERS = _IDENTIFIER | frozenset(".+")


def precedence(version: str) -> "Precedence | None":
    """What to compare versions by; ``None`` for a text that is no version.

    Build metadata has no weight, and ``1.0`` equals ``1.0.0``.
    """
    if len(version) > MAX_LENGTH:
        return None
    rest, plus, build = version.partition("+")
    release, dash, pre = rest.partition("-")
    numbers, identifiers = release.split("."), pre.split(".")
    if not all([_is_number(number) for number in numbers]):
        return None
    if (plus and not _are_identifiers(build.split("."))) or (
        dash and not _are_identifiers(identifiers)
    ):
        return None
    ranks = tuple([_rank(identifier) for identifier in identifiers]) if dash else ()
    return _without_zeros([int(number) for number in numbers]), not dash, ranks


def _rank(identifier: str) -> "tuple[bool, int, str]":
    """Numbers come before words and are compared as numbers."""
    if _is_number(identifier):
        return False, int(identifier), ""
    return True, 0, identifier


def _without_zeros(numbers: "list[int]") -> "tuple[int, ...]":
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _is_number(text: str) -> bool:
    return bool(text) and _DIGITS.issuperset(text)


def _are_identifiers(texts: "list[str]") -> bool:
    return all([text and _IDENTIFIER.issuperset(text) for text in texts])
