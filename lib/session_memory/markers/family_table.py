"""The registry of marker families as a table for people."""

from session_memory.markers.families import FAMILIES, PULL_REQUEST, Family

_HEADINGS = (
    "family", "marker", "where", "shape", "written", "checked as", "row", "survival", "writer",
    "readers",
)  # fmt: skip


def facts(family: Family) -> dict[str, object]:
    """A family as plain data."""
    return {
        "family": family.name,
        "marker": family.template,
        "surface": family.surface,
        "surface_of_review": family.surface_of("review") if family.part == "phase" else None,
        "shape": family.shape,
        "writable": family.writable,
        "validator": family.validator,
        "order": family.order,
        "edit_sensitive": family.edit_sensitive,
        "row": family.row,
        "survival": family.survival,
        "writer": family.writer,
        "readers": list(family.readers),
        "holds": list(family.holds),
    }


def markdown() -> str:
    """All families as a Markdown table, the writable ones first, without a final line end."""
    rows = [_HEADINGS, tuple("---" for _ in _HEADINGS), *map(_row, FAMILIES.values())]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _row(family: Family) -> tuple[str, ...]:
    return (
        family.name, f"`{family.template}`", _surface(family), family.shape,
        "yes" if family.writable else "no", family.validator or "-", family.row or "-",
        family.survival, family.writer or "-", ", ".join(family.readers) or "-",
    )  # fmt: skip


def _surface(family: Family) -> str:
    where = _words(family.surface) or "inside another text"
    return f"{where}; phase review: {_words(PULL_REQUEST)}" if family.part == "phase" else where


def _words(surface: str) -> str:
    return surface.replace("-", " ")
