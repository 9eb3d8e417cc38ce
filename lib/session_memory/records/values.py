"""Values out of YAML, as the payload rules look at them."""

import re

_VERSION = re.compile(r"[1-9][0-9]?")


def version_number(value: object) -> int | None:
    """A schema version, written as a number or as its digits; ``None`` for anything else."""
    if isinstance(value, str) and _VERSION.fullmatch(value):
        return int(value)
    return value if is_integer(value) else None  # type: ignore[return-value]


def is_integer(value: object) -> bool:
    """Whether ``value`` is a whole number. ``true`` is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    """Whether ``value`` is text with something in it."""
    return isinstance(value, str) and bool(value.strip())


def is_among(value: object, allowed: tuple[str, ...] | frozenset[str]) -> bool:
    """Whether ``value`` is one of the allowed words, in exactly this spelling."""
    return isinstance(value, str) and value in allowed
