"""Putting names from a repository into text that a model reads.

Such a name is anybody's text. It is shown as a short code span on one line, and never as part of a
command.
"""

MAX_NAME = 80
MAX_LISTED = 5


def quoted(name: str) -> str:
    """``name`` as a code span, unprintable characters and markup replaced, cut in its middle."""
    shown = "".join([c if c.isprintable() and c not in "`<" else "?" for c in name])
    if len(shown) > MAX_NAME:
        half = MAX_NAME // 2
        shown = f"{shown[: half - 1]}…{shown[-half:]}"
    return f"`{shown}`"


def listed(items: "list[str]") -> str:
    """The first few of ``items``, and how many more there are."""
    more = len(items) - MAX_LISTED
    return ", ".join(items[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")


def counted(count: int, one: str, many: str) -> str:
    """``count`` with the noun in its number."""
    return f"{count} {one if count == 1 else many}"
