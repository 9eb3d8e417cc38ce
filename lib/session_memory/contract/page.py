"""The contract as the part of a Markdown page that is generated."""

from collections.abc import Iterable, Iterator

from session_memory.contract.table import HOSTS, Contract, Host, Row

_SURFACES = (
    "Where survival depends on the surface, a label is followed by a colon and that surface, such"
    " as {surfaces}.\nLabels that take one are {bases}."
)
_OVERVIEW = ("row", "shape", "survival", "works in", "read", "written", "honest gap")


def markdown(known: Contract) -> str:
    """Vocabulary, rules and rows, without a final line end."""
    parts = [_vocabulary(known), _rules(known), _overview(known), *map(_row, known.rows.values())]
    return "\n\n".join(parts)


def _vocabulary(known: Contract) -> str:
    bases = ", ".join(f"`{base}`" for base in known.bases)
    surfaces = ", ".join(f"`{surface}`" for surface in known.surfaces)
    return "\n\n".join(
        [
            "## Words",
            _table(("label", "how long it survives"), _quoted(known.labels.items())),
            _SURFACES.format(surfaces=surfaces, bases=bases),
            _table(
                ("fungibility", "whether one tool reads what another wrote"),
                _quoted(known.fungibility.items()),
            ),
            "A value may be followed by a dash and its reason; `partial` has to be.",
        ]
    )


def _rules(known: Contract) -> str:
    rules = [
        f"{number}. **{name.capitalize()}.** {text}"
        for number, (name, text) in enumerate(known.rules.items(), 1)
    ]
    return "## Rules\n\n" + "\n".join(rules)


def _overview(known: Contract) -> str:
    rows = [
        (
            f"[{row.id}](#{_anchor(row)})",
            row.shape,
            _labels(row),
            _working(row),
            *_commands(row),
            row.gap,
        )
        for row in known.rows.values()
    ]
    return "## All rows\n\n" + _table(_OVERVIEW, rows)


def _row(row: Row) -> str:
    survival = "; ".join(f"`{one.label}`" + f" {one.when}".rstrip() for one in row.survival)
    hosts = [(name, *_host(row.hosts[host])) for host, name in HOSTS.items()]
    return "\n\n".join(
        [
            f"## {row.id} {row.shape}",
            f"{row.about} Survival: {survival}; contract: {row.id}.",
            _table(("place", "name", "survival", "holds"), _places(row)),
            "\n".join(_facts(row)),
            _table(("host", "works", "how", "what is missing"), hosts),
            f"Honest gap: {row.gap}",
            _closing(row),
        ]
    )


def _facts(row: Row) -> Iterator[str]:
    yield f"- Owner: {row.owner}. Written by: {row.written_by}. {row.write_rule}"
    yield f"- Read: {', then '.join(row.read_chain)}."
    yield f"- Fungibility: `{row.fungibility}`"
    yield f"- Sources: {'; '.join(row.citations)}."


def _closing(row: Row) -> str:
    read, write = _commands(row)
    return f"Read it with {read}, write it with {write}."


def _places(row: Row) -> list[tuple[str, ...]]:
    return [
        (place.where, _quoted_name(place.path), f"`{place.survival}`", place.holds)
        for place in row.places
    ]


def _quoted_name(path: str) -> str:
    """Names of files and markers as code; a description stays as it is."""
    return f"`{path}`" if any(mark in path for mark in "{</") else path


def _host(host: Host) -> tuple[str, str, str]:
    return host.works, host.mechanism, host.gap or "-"


def _labels(row: Row) -> str:
    return "; ".join(f"`{one.label}`" for one in row.survival)


def _working(row: Row) -> str:
    """The hosts, grouped by whether the row works there."""
    groups: dict[str, list[str]] = {}
    for host, name in HOSTS.items():
        groups.setdefault(row.hosts[host].works, []).append(name)
    return "; ".join(f"{works}: {', '.join(names)}" for works, names in groups.items())


def _commands(row: Row) -> tuple[str, str]:
    read, write = (
        ", ".join(f"`{command}`" for command in named) for named in (row.read, row.write)
    )
    return read, write


def _anchor(row: Row) -> str:
    plain = "".join(c for c in f"{row.id} {row.shape}".lower() if c.isalnum() or c in "- _")
    return plain.replace(" ", "-")


def _quoted(items: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    return [(f"`{name}`", text) for name, text in items]


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [headings, tuple("---" for _ in headings), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )
