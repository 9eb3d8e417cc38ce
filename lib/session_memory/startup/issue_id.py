"""Which issue a branch belongs to, by its name alone."""

_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdef")
_TOKEN_LENGTH = 6
# Far beyond any issue; keeps a hostile name from costing a huge conversion.
_MAX_DIGITS = 18


def derive_issue_id(branch: str) -> "int | None":
    """The issue of ``feature/issue-N-…`` and of ``claude/…-N-xxxxxx``, in any case.

    ``None`` for every other name, and for issue 0, which does not exist.
    """
    name = branch.lower()
    if name.startswith("feature/issue-"):
        number, dash, _ = name[len("feature/issue-") :].partition("-")
        return _positive(number) if dash else None
    if name.startswith("claude/"):
        parts = name[len("claude/") :].rsplit("-", 2)
        if len(parts) == 3 and len(parts[2]) == _TOKEN_LENGTH and _HEX.issuperset(parts[2]):
            return _positive(parts[1])
    return None


def linked_issue(branch: str) -> "int | None":
    """The issue of ``feature/issue-N-…`` only.

    In ``claude/…-N-xxxxxx`` the number may be a date or a counter: that an issue with this number
    is closed says nothing about the branch.
    """
    return derive_issue_id(branch) if branch.lower().startswith("feature/") else None


def leading_number(text: str) -> "int | None":
    """The decimal number that ``text`` begins with, if any."""
    digits = text[: len(text) - len(text.lstrip("0123456789"))]
    return int(digits) if 0 < len(digits) <= _MAX_DIGITS else None


def _positive(digits: str) -> "int | None":
    return (leading_number(digits) or None) if _DIGITS.issuperset(digits) else None
