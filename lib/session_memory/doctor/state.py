"""Whether state can be written, where it belongs, and out of git's sight."""

import os
import shlex
import shutil
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from session_memory.core import git, places
from session_memory.core.checkout import Checkout
from session_memory.core.ignore import MEMORY_NAMES, OUR_NAMES, names_in
from session_memory.doctor.finding import Finding, Level, reason
from session_memory.editors.surroundings import Surroundings

CHECK = "state"

Place = tuple[str, ...]

_LITTLE = 100 << 20
_NONE = 1 << 20


def check(around: Surroundings) -> Iterator[Finding]:
    """The places, the disk, and git."""
    checkout = around.checkout
    if checkout is None:
        what = "This folder is in no git repository."
        why = "Hooks write nothing here, unless the editor names a project folder."
        mend = "run doctor in the repository that you work in"
        yield Finding(CHECK, Level.NOTE, what, why, mend, str(around.cwd))
        return
    yield _place(checkout.root, places.SESSION, "session state", "SMC-21")
    yield _place(checkout.shared_root, places.HYGIENE, "release hygiene", "SMC-12")
    yield from _disk(Path(checkout.root))
    yield from _seen_by_git(checkout)


def _place(root: str, where: tuple[Place, ...], purpose: str, row: str) -> Finding:
    usable = places.first_usable(root, where)
    if usable == 0:
        path = os.path.join(root, *where[0])
        return Finding(CHECK, Level.OK, f"There is a place for {purpose}.", where=path, row=row)
    obstacle, what = _obstacle(root, where[0])
    if usable > 0:
        level, why = Level.WARNING, f"It goes to {'/'.join(where[usable])} instead."
    else:
        # Few repositories have releases to watch; all have conversations.
        level = Level.FAULT if where is places.SESSION else Level.WARNING
        why = f"Hooks cannot keep {purpose} anywhere."
    step = _step(obstacle)
    name = os.path.relpath(obstacle, root) if obstacle != root else "The repository's folder"
    said = f"{name} {what}, so {purpose} is not kept there."
    return Finding(CHECK, level, said, why, step, obstacle, row)


def _obstacle(root: str, place: Place) -> tuple[str, str]:
    """The first component that is in the way, and what is wrong with it."""
    path = root
    for part in place:
        inner = os.path.join(path, part)
        if os.path.islink(inner):
            return inner, "is a link, and hooks follow none"
        if os.path.lexists(inner) and not os.path.isdir(inner):
            return inner, "is not a folder"
        if not os.path.lexists(inner):
            break
        path = inner
    return path, "cannot be written"


def _step(obstacle: str) -> str:
    quoted = shlex.quote(obstacle)
    if os.path.islink(obstacle):
        return f"replace the link by a folder: rm {quoted} && mkdir {quoted}"
    if os.path.isdir(obstacle):
        return f"chmod u+rwx {quoted}, or mount the disk for writing"
    return f"move it away: mv {quoted} {shlex.quote(obstacle + '.old')}"


def _disk(root: Path) -> Iterator[Finding]:
    try:
        free = shutil.disk_usage(root).free
    except OSError as error:
        yield Finding(
            CHECK, Level.NOTE, f"Free space is unknown: {reason(error)}.", where=str(root)
        )
        return
    yield disk_finding(free, _free_inodes(root), str(root))


def disk_finding(free: int, inodes: "int | None", where: str) -> Finding:
    """What ``free`` bytes and ``inodes`` (``None``: not told) left on a disk mean."""
    if inodes == 0 or free < _NONE:
        what = "The disk is full." if free < _NONE else "The disk takes no more files (inodes)."
        why = "Hooks cannot record anything."
        return Finding(CHECK, Level.FAULT, what, why, "free some space", where)
    if free < _LITTLE:
        what = f"Only {free >> 20} MiB are free on the disk."
        return Finding(CHECK, Level.WARNING, what, "Records will be lost soon.", "free some", where)
    return Finding(CHECK, Level.OK, f"{free >> 30} GiB are free on the disk.", where=where)


def _free_inodes(root: Path) -> "int | None":
    try:
        facts = os.statvfs(root)
    except (OSError, AttributeError):
        return None
    return facts.f_favail if facts.f_files else None


def _seen_by_git(checkout: Checkout) -> Iterator[Finding]:
    for root, where in ((checkout.root, places.SESSION), (checkout.shared_root, places.HYGIENE)):
        folders = ["/".join(place) for place in where]
        tracked = git.run(root, "ls-files", "-z", "--", *folders)
        if tracked is None:
            yield _silent(root)
            return
        others = ("--others", "--exclude-standard")
        untracked = git.run(root, "ls-files", "-z", *others, "--", *folders)
        yield from _committed(root, _ours(tracked))
        yield from _untidy(checkout, root, _ours(untracked or b""))


def _silent(root: str) -> Finding:
    what = "git gives no answer in this repository."
    why = "Whether it overlooks state files is unknown; the start-up check sees nothing."
    return Finding(CHECK, Level.WARNING, what, why, f"git -C {shlex.quote(root)} status", root)


def _committed(root: str, names: list[str]) -> Iterator[Finding]:
    if names:
        what = f"{_count(names)} of session state {_is(names)} committed to the repository."
        why = "Every conversation changes them, and everybody gets them."
        mend = f"git rm --cached {' '.join(map(shlex.quote, names[:3]))}"
        yield Finding(CHECK, Level.WARNING, what, why, mend, os.path.join(root, names[0]))


def _untidy(checkout: Checkout, root: str, names: list[str]) -> Iterator[Finding]:
    if names:
        folders = sorted({name.rpartition("/")[0] for name in names})
        patterns = [
            f"/{folder}/{pattern}"
            for folder in folders
            for pattern in names_in((*folder.split("/"),))
        ]
        exclude = os.path.join(checkout.common_dir, "info", "exclude")
        what = f"git status shows {_count(names)} of session state."
        why = "They may be committed by mistake."
        mend = f"printf '%s\\n' {shlex.join(patterns)} >> {shlex.quote(exclude)}"
        yield Finding(CHECK, Level.WARNING, what, why, mend, os.path.join(root, names[0]))


def _count(names: list[str]) -> str:
    return f"{len(names)} file{'s' * (len(names) > 1)}"


def _is(names: list[str]) -> str:
    return "are" if len(names) > 1 else "is"


def _ours(listed: bytes) -> list[str]:
    names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    return [name for name in names if is_ours(name.rpartition("/")[2])]


def is_ours(name: str) -> bool:
    """Whether the bundle writes files of this name."""
    return any(fnmatchcase(name, pattern) for pattern in (*OUR_NAMES, *MEMORY_NAMES))
