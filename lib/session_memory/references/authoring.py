"""``references init``: a sidecar for every document that has none, and the way back."""

import time
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from session_memory.references.configuration import read_configuration
from session_memory.references.files import remove_file, write_file
from session_memory.references.inventory import list_files, markdown_documents, read_sidecars
from session_memory.references.sidecar import (
    GENERATED,
    SUFFIX,
    InvalidSidecar,
    generate,
    parse_sidecar,
    sidecar_of,
)
from session_memory.references.state import (
    NUDGE_DISMISSED,
    SETUP_COMPLETE,
    change_state,
    read_manifest,
    remove_manifest,
    write_manifest,
)
from session_memory.references.tree import Tree

_MAX_DOCUMENT = 64 << 10
_MAX_TITLE = 200


@dataclass
class Outcome:
    """The sidecars that were made or removed, and those that stayed as they are.

    ``roots`` is where documents were looked for.
    """

    changed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    roots: tuple[str, ...] = ()


def init(tree: Tree) -> Outcome:
    """Make the missing sidecars.

    What is going to be made is in the manifest first, so that a run which is cut off can be resumed
    or undone. Raises :class:`InvalidConfiguration`, :class:`Unwritable` and :class:`OSError`.
    """
    files = list_files(tree.root)
    present = set(files)
    outcome, missing = Outcome(roots=read_configuration(tree).declared_roots), []
    for document in markdown_documents(tree, files, outcome.roots):
        sidecar = sidecar_of(document)
        if sidecar in present:
            outcome.kept.append(sidecar)
        else:
            missing.append(document)
    if missing:
        outcome.changed = [sidecar_of(document) for document in missing]
        write_manifest(tree, read_manifest(tree) + outcome.changed)
        _write_sidecars(tree, files, missing)
    change_state(tree, SETUP_COMPLETE, True)
    return outcome


def undo(tree: Tree) -> Outcome:
    """Remove what :func:`init` made, but for sidecars that have become manual since.

    Raises :class:`Unwritable` and :class:`OSError`.
    """
    outcome = Outcome()
    for path in read_manifest(tree):
        if not path.endswith(SUFFIX):
            continue
        data = tree.read(path, _MAX_DOCUMENT)
        if data is None:
            continue
        if _is_generated(path, data):
            remove_file(tree, path)
            outcome.changed.append(path)
        else:
            outcome.kept.append(path)
    remove_manifest(tree)
    change_state(tree, SETUP_COMPLETE, False)
    return outcome


def dismiss_nudge(tree: Tree) -> None:
    """Remember that nobody wants to be reminded. Raises :class:`OSError`."""
    change_state(tree, NUDGE_DISMISSED, True)


def _write_sidecars(tree: Tree, files: list[str], documents: list[str]) -> None:
    names = {sidecar.entry.name for sidecar in read_sidecars(tree, files).usable}
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    for document in documents:
        name = _unique_name(document, names)
        names.add(name)
        text = generate(document, name, _title(tree, document), now)
        write_file(tree, sidecar_of(document), text)


def _unique_name(document: str, taken: set[str]) -> str:
    """The stem, with as many of its folders before it as make it unique."""
    path = PurePosixPath(document)
    parts = [*path.parts[:-1], path.stem]
    for count in range(1, len(parts) + 1):
        name = "-".join(parts[-count:])
        if name not in taken:
            return name
    return document


def _title(tree: Tree, document: str) -> str:
    """The first heading; what a sidecar says should come from its document."""
    text = (tree.read(document, _MAX_DOCUMENT) or b"").decode("utf-8-sig", "replace")
    title = next(filter(None, map(_heading, text.split("\n"))), "")
    return "".join(c for c in title[:_MAX_TITLE] if c.isprintable())


def _heading(line: str) -> str:
    """The text of a heading of the first level; ``""`` for any other line."""
    if not line.startswith(("# ", "#\t")):
        return ""
    text = line[1:].strip()
    # Marks may close a heading; one of nothing but marks is taken as it is.
    return " ".join((text.rstrip("# \t") or text[:1]).split())


def _is_generated(path: str, data: bytes) -> bool:
    try:
        return parse_sidecar(path, data.decode("utf-8")).generated_by == GENERATED
    except (InvalidSidecar, UnicodeDecodeError):
        return False
