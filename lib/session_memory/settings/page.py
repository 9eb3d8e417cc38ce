"""The tables of the documentation; as a program, it writes them into the pages it is given."""

import sys
from collections.abc import Iterator
from pathlib import Path

from session_memory.settings import table
from session_memory.settings.table import Setting

BEGIN = "<!-- settings: begin (python -m session_memory.settings.page docs/settings.md) -->"
END = "<!-- settings: end -->"


def render(page: str) -> str:
    """``page`` with the present tables between the two marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([before + BEGIN, "", *_lines(), END + after])


def _lines() -> Iterator[str]:
    yield from ("### In files", "", *_settings(table.IN_FILES))
    yield from (f"### In `{table.ORCHESTRA}`", "", *_settings(table.IN_ORCHESTRA))
    yield from ("### In git's configuration", "", *_settings(table.IN_GIT))
    yield from ("### In the environment", "", *_variables(table.IN_ENVIRONMENT))
    yield from ("### Given by editors and the system", "", *_variables(table.GIVEN))


def _settings(rows: tuple[Setting, ...]) -> Iterator[str]:
    yield "| Setting | Kind | Default | Where | What it does | If there are several |"
    yield "|---|---|---|---|---|---|"
    for row in rows:
        places = ", ".join(row.places)
        yield (
            f"| `{row.name}` | {row.kind} | {_default(row.default)} | {places} | {row.meaning}"
            f" | {row.precedence} |"
        )
    yield ""


def _variables(rows: tuple[Setting, ...]) -> Iterator[str]:
    yield "| Variable | Kind | What it does |"
    yield "|---|---|---|"
    for row in rows:
        yield f"| `{row.name}` | {row.kind} | {row.meaning} |"
    yield ""


def _default(value: object) -> str:
    if value in (None, []):
        return "none"
    if isinstance(value, list):
        return ", ".join(f"`{item}`" for item in value)
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(render(Path(name).read_text("utf-8")), "utf-8")
