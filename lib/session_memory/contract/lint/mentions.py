"""Where a document names state: a file of it, the folder that holds such files, or a marker."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from session_memory.contract.lint.document import Document
from session_memory.contract.ownership import owner, rows_of_marker
from session_memory.contract.table import CHECKOUT, MAIN_WORKTREE, contract

FILE = "file"
FOLDER = "folder"
MARKER = "marker"
VAGUE = "session memory"

_PART = r"(?:[\w.\-~*+/]|\{[^}\s]*\}|<[^>\s]*>|\$\{?\w+\}?|\N{HORIZONTAL ELLIPSIS})*"
# Each begins with a literal, which makes searching a long text fast.
_PATHS = tuple(
    re.compile(rf"(?P<folder>{folder})(?P<rest>/{_PART})?(?![\w-])")
    for folder in (r"memories/session", r"\.copilot-tracking(?:-archive)?", r"\.claude/\.state")
)
# What stands for any name, so that no file in particular is meant.
_ANY_NAME = re.compile(
    r"\.{2,}|[*.]*\*[*.\w]*|\N{HORIZONTAL ELLIPSIS}|(?:\{[^}]*\}|<[^>]*>)(?:\.\w+)?"
)
_HAS_SUFFIX = re.compile(r".*(?:\.\w+|[}>])")
_VAGUE = re.compile(
    r"session memory(?! (?:hook|contract|skill|file|path|wording|folder|name)s?\b)|vscode/memory"
)
_INTO = re.compile(
    r"\b(?:to|in|into|inside|with|via|through|uses?|using|by)\s+(?:the |your |its )?`?$",
    re.IGNORECASE,
)


# What a document has to hold, in lower case, to mention anything.
SIGNS = (
    "memories/session", ".copilot-tracking", ".claude/.state", "session memory", "vscode/memory",
    *sorted({match[1] for row in contract().rows.values() for place in row.places
             if (match := re.match(r"<!-- ([a-z]+-[a-z]+)", place.path))}),
)  # fmt: skip


@dataclass(frozen=True)
class Mention:
    """State that is named from ``start`` to ``end``.

    ``owners`` are its rows, and ``rows`` those that may be cited for it; empty: any.
    """

    start: int
    end: int
    kind: str
    name: str
    owners: frozenset[str]
    rows: frozenset[str]


def mentions(document: Document) -> Iterator[Mention]:
    """Everything that is named, fenced code included, except what is ours and no state."""
    yield from _paths(document.text)
    for match in _markers().finditer(document.text):
        kept, read = _rows_about(match["name"])
        yield Mention(match.start(), match.end(), MARKER, match["name"], kept, kept | read)
    for match in _VAGUE.finditer(document.prose):
        if _INTO.search(document.prose[max(0, match.start() - 30) : match.start()]):
            yield Mention(match.start(), match.end(), VAGUE, VAGUE, frozenset(), frozenset())


def _paths(text: str) -> Iterator[Mention]:
    for pattern in _PATHS:
        for match in pattern.finditer(text):
            found = _path(text, match)
            if found is not None:
                yield found


def _path(text: str, match: "re.Match[str]") -> Mention | None:
    start = match.start()
    if text[max(0, start - 1) : start] == "/":
        start -= 1
    if re.match(r"[\w-]", text[max(0, match.start() - 1) : match.start()]):
        return None
    path = match[0].rstrip(".:/")
    end = match.start() + len(path)
    if not _is_file(match["folder"], match["rest"] or ""):
        owners, rows = _rows_below(match["folder"])
        return Mention(start, end, FOLDER, path, owners, rows)
    owned = owner(_root(path), path)
    if owned is None:
        return Mention(start, end, FILE, path, frozenset(), frozenset())
    owners = frozenset(row.id for row in owned.rows)
    rows = owners | _rows_below(match["folder"])[1]
    return Mention(start, end, FILE, path, owners, rows) if owners else None


def _is_file(folder: str, rest: str) -> bool:
    name = rest.rstrip(".:").rpartition("/")[2]
    if not name or (_ANY_NAME.fullmatch(name) and not folder.startswith(".copilot")):
        return False
    return "memories" in folder or bool(_HAS_SUFFIX.fullmatch(name) and not name.startswith("*"))


def _root(path: str) -> str:
    return MAIN_WORKTREE if path.startswith(".claude") else CHECKOUT


@cache
def _rows_below(folder: str) -> tuple[frozenset[str], frozenset[str]]:
    """The rows that own whatever lies in a folder, and all that have something in it."""
    if "memories" in folder:
        return frozenset(), frozenset()
    owned = owner(_root(folder), f"{folder}/any.md")
    owners = frozenset(row.id for row in owned.rows) if owned else frozenset[str]()
    within = frozenset(
        row.id
        for row in contract().rows.values()
        if any(place.path.startswith(folder + "/") for place in row.places)
    )
    return owners or within, within


@cache
def _rows_about(marker: str) -> tuple[frozenset[str], frozenset[str]]:
    """The rows that keep state in a marker, and those that read it to find theirs."""
    kept = frozenset(row.id for row in rows_of_marker(marker))
    rows = contract().rows.values()
    return kept, frozenset(row.id for row in rows if marker in " ".join(row.read_chain))


@cache
def _markers() -> "re.Pattern[str]":
    literals = [place.path for row in contract().rows.values() for place in row.places]
    names = {match[1] for match in map(re.compile(r"<!-- ([a-z-]*[a-z])").match, literals) if match}
    names = {re.sub(r"-review$", "", name) for name in names if name != "engagement-record-review"}
    known = "|".join(sorted(names, key=len, reverse=True))
    return re.compile(rf"<!--[ \t]*(?P<name>{known})(?=[ \t-])(?:-[^\s>]*|[ \t]+v[0-9]+)?[ \t]*-->")
