"""Globs over paths relative to the root, with ``/`` as the separator on every system.

Patterns come from the clone, so no regular expression is made of them: one with many stars would
take for ever to fail.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Callable


def glob_matches(pattern: str, path: str) -> bool:
    """Whether ``path`` matches.

    ``*`` and ``?`` stay within a folder, ``**`` crosses folders. A pattern without ``/`` is
    compared with the last component, as in ``.gitignore``.
    """
    wanted = pattern.replace("\\", "/").strip("/").split("/")
    parts = path.replace("\\", "/").split("/")
    if wanted == [""]:
        return False
    if len(wanted) == 1 and wanted != ["**"]:
        parts = parts[-1:]
    if wanted[-1] == "**":
        wanted[-1:] = ["*", "**"]  # what is in the folder, not the folder itself
    return _matches(wanted, parts, "**", _same_part)


def _same_part(wanted: str, part: str) -> bool:
    return _matches(wanted, part, "*", _same_character)


def _same_character(wanted: str, character: str) -> bool:
    return wanted in ("?", character)


def _matches(
    wanted: "Sequence[str]", items: "Sequence[str]", star: str, same: "Callable[[str, str], bool]"
) -> bool:
    """Wildcard matching that only ever steps back to the last star."""
    at = item = 0
    last_star, resume = -1, 0
    while item < len(items):
        if at < len(wanted) and wanted[at] == star:
            last_star, resume = at, item
            at += 1
        elif at < len(wanted) and same(wanted[at], items[item]):
            at += 1
            item += 1
        elif last_star >= 0:
            resume += 1
            at, item = last_star + 1, resume
        else:
            return False
    return all([rest == star for rest in wanted[at:]])
