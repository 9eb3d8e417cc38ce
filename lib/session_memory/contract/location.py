"""From a path as people write it to the row that owns it."""

import os
import re
from collections.abc import Iterator
from pathlib import PurePath

from session_memory.contract.ownership import Owner, owner, rows_of_marker
from session_memory.contract.table import CHECKOUT, MAIN_WORKTREE, Place, Row
from session_memory.core.checkout import Checkout, locate

# How Copilot's memory tool writes the folder of session memory.
_VIRTUAL = "/memories/session/"
_NAMESPACES = (
    (CHECKOUT, "memories/session"),
    (CHECKOUT, ".copilot-tracking"),
    (CHECKOUT, ".copilot-tracking-archive"),
    (MAIN_WORKTREE, ".claude/.state"),
)
_MARKER = re.compile(r"<!--\s*([a-z-]+?)(?:\s+v[0-9]+)?(?:-(?:[0-9]+|\{\w+\}|<\w+>|[A-Z]+))?\s*-->")


def find(path: str, cwd: str) -> Owner | None:
    """Who owns ``path``, be it absolute, relative to ``cwd`` or to the root of the checkout.

    The file need not exist. A marker such as ``<!-- plan-issue-42 -->`` has an owner, too. ``None``
    for what belongs to nobody of ours.
    """
    if path.lstrip().startswith("<!--"):
        return _of_marker(path.strip())
    for where, relative in _candidates(path, cwd):
        found = owner(where, relative)
        if found is not None:
            return found
    return None


def _candidates(path: str, cwd: str) -> Iterator[tuple[str, str]]:
    """Where a path may mean to lie, in the order of likelihood."""
    if path.startswith(_VIRTUAL):
        yield CHECKOUT, path[1:]
    absolute = os.path.normpath(os.path.join(cwd, path))
    folders = (
        absolute,
        os.path.join(os.path.realpath(os.path.dirname(absolute)), os.path.basename(absolute)),
    )
    checkout = locate(_existing(absolute))
    if checkout is not None:
        for folder in folders:
            yield from _below(checkout, folder)
    if not os.path.isabs(path):
        yield from _as_written(path)
    elif checkout is None:
        yield from _by_namespace(PurePath(absolute).as_posix())


def _existing(path: str) -> str:
    while not os.path.isdir(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path


def _below(checkout: Checkout, path: str) -> Iterator[tuple[str, str]]:
    for where, root in ((CHECKOUT, checkout.root), (MAIN_WORKTREE, checkout.shared_root)):
        relative = os.path.relpath(path, root)
        if not relative.startswith(os.pardir) and not os.path.isabs(relative):
            yield where, PurePath(relative).as_posix()


def _as_written(path: str) -> Iterator[tuple[str, str]]:
    """A path from the root of a checkout, or the bare name of a file that has not been written."""
    relative = PurePath(os.path.normpath(path)).as_posix()
    for where in (CHECKOUT, MAIN_WORKTREE):
        yield where, relative
    if "/" not in relative:
        for where, folder in _NAMESPACES:
            if folder != ".copilot-tracking" and not folder.endswith("-archive"):
                yield where, f"{folder}/{relative}"


def _by_namespace(path: str) -> Iterator[tuple[str, str]]:
    """Outside any repository the editor's project folder takes the place of the root."""
    for where, folder in _NAMESPACES:
        _, found, rest = path.rpartition(f"/{folder}/")
        if found:
            yield where, f"{folder}/{rest}"


def _of_marker(literal: str) -> Owner | None:
    match = _MARKER.fullmatch(literal)
    if match is None:
        return None
    name = match[1]
    for ending in ("", "-review", "-experience", "-design", "-plan", "-orchestration"):
        if not name.endswith(ending):
            continue
        rows = rows_of_marker(name.removesuffix(ending) if ending else name)
        if rows:
            return Owner(_place(rows, name), _of_review(rows, name))
    return None


def _of_review(rows: tuple[Row, ...], name: str) -> tuple[Row, ...]:
    """A record of a review has a row of its own."""
    if name.startswith("engagement-record-"):
        return (rows[-1],) if name.endswith("-review") else (rows[0],)
    return rows


def _place(rows: tuple[Row, ...], name: str) -> Place:
    places = [place for row in _of_review(rows, name) for place in row.places]
    stem = name.partition("-{")[0]
    fitting = (place for place in places if place.path.startswith(f"<!-- {stem}"))
    return next(fitting, next(place for place in places if place.path.startswith("<!--")))
