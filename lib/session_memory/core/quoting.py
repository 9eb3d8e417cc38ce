"""Putting names of a repository into text that a model reads.

Such a name is anybody's text. It is shown as a short code span on one line, and never as part of a
command.
"""

MAX_NAME = 80


def quoted(name: str, limit: int = MAX_NAME) -> str:
    """``name`` as a code span, unprintable characters and markup replaced, cut in its middle.

    ``limit`` is the number of characters that are shown.
    """
    shown = "".join([c if c.isprintable() and c not in "`<" else "?" for c in name])
    if len(shown) > limit:
        half = limit // 2
        shown = f"{shown[: half - 1]}\u2026{shown[-half:]}"
    return f"`{shown}`"
