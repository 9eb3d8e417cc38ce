"""Moving tracking files into the archive (SMC-13).

A file is moved by one rename onto a name that was reserved for it. So whatever interrupts a run,
each file is whole in the one place or the other, and none replaces another. What a run leaves at
worst is an empty file of that name in the archive.
"""

import errno
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from session_memory.core import ignore
from session_memory.core.folder import Folder
from session_memory.core.system import is_regular, native
from session_memory.tracking.layout import ARCHIVE, FOLDER
from session_memory.tracking.survey import TrackingFile

UNKNOWN = "unknown"
_MAX_NAMES = 1000
_TOO_MANY = f"the archive holds {_MAX_NAMES} files of this name and time"


@dataclass(frozen=True)
class Move:
    """One file and where it went, or would go; ``problem`` says why it stayed."""

    source: TrackingFile
    target: str
    problem: str = ""


def plan(root: str, files: Iterable[TrackingFile], now: float) -> Iterator[Move]:
    """What :func:`run` would do with ``files`` at the time ``now``, in seconds since 1970."""
    taken: set[str] = set()
    for file in files:
        folder = target_folder(file, now)
        try:
            path = _free(root, folder, _names(file), taken)
        except OSError as error:
            yield Move(file, "", _reason(error))
        else:
            taken.add(path)
            yield Move(file, path)


def run(root: str, files: Sequence[TrackingFile], now: float, hide: bool) -> Iterator[Move]:
    """Move ``files``, one after the other, then remove the folders that became empty.

    ``hide`` keeps an archive that is made now out of ``git status``.
    """
    moved: list[Move] = []
    if hide and files:
        _hide(root)
    for file in files:
        try:
            move = _move(root, file, now)
        except OSError as error:
            move = Move(file, "", _reason(error))
        else:
            moved.append(move)
        yield move
    _prune(root, [move.source for move in moved])


def target_folder(file: TrackingFile, now: float) -> tuple[str, ...]:
    """The folder of the archive for ``file``, below the checkout."""
    month = time.strftime("%Y/%m", time.gmtime(now)).split("/")
    if file.issue is None:
        return (ARCHIVE, *month, UNKNOWN)
    return (ARCHIVE, *month, f"issue-{file.issue}", *file.folders[1:])


def _names(file: TrackingFile) -> Iterator[str]:
    """The names to try, in order: the file's own, then with the time of its last change.

    Files without an issue come from anywhere, so that their own names say little.
    """
    if file.issue is not None:
        yield file.name
    stem, extension = os.path.splitext(file.name)
    stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime(file.modified))
    yield f"{stem}-{stamp}{extension}"
    for number in range(1, _MAX_NAMES):
        yield f"{stem}-{stamp}-{number}{extension}"


def _move(root: str, file: TrackingFile, now: float) -> Move:
    parts = target_folder(file, now)
    source = Folder(root, file.folders, create=False)
    try:
        facts = source.facts(file.name)
        if facts is None:
            raise FileNotFoundError(errno.ENOENT, "gone meanwhile")
        if not is_regular(facts.st_mode):
            raise OSError(errno.EINVAL, "not a plain file any more")
        target = Folder(root, parts, create=True)
        try:
            name = _reserve(target, _names(file))
            _rename(source, file.name, target, name)
        finally:
            target.close()
    finally:
        source.close()
    return Move(file, "/".join([*parts, name]))


def _reserve(target: Folder, names: Iterator[str]) -> str:
    for name in names:
        try:
            native.close(target.open(name, native.O_WRONLY | native.O_CREAT | native.O_EXCL))
        except FileExistsError:
            continue
        return name
    raise FileExistsError(errno.EEXIST, _TOO_MANY)


def _rename(source: Folder, name: str, target: Folder, reserved: str) -> None:
    empty = target.identity(reserved)
    try:
        source.move(name, target, reserved)
    except OSError:
        # A network file system may report a failure of what it did.
        if target.identity(reserved) == empty:
            target.remove(reserved)
        raise


def _hide(root: str) -> None:
    try:
        folder = Folder(root, (ARCHIVE,), create=True)
    except OSError:  # the moves will fail, and say so
        return
    try:
        if folder.created:
            ignore.hide(folder)
    except OSError:  # an untidy git status is better than none of the files moved
        pass
    finally:
        folder.close()


def _free(root: str, parts: tuple[str, ...], names: Iterator[str], taken: set[str]) -> str:
    for name in names:
        path = "/".join([*parts, name])
        if path not in taken and not _exists(root, parts, name):
            return path
    raise FileExistsError(errno.EEXIST, _TOO_MANY)


def _exists(root: str, parts: tuple[str, ...], name: str) -> bool:
    try:
        folder = Folder(root, parts, create=False)
    except FileNotFoundError:
        return False
    try:
        return folder.facts(name) is not None
    finally:
        folder.close()


def _prune(root: str, files: Iterable[TrackingFile]) -> None:
    """Remove folders that the files left empty, innermost first; never the tracking folder."""
    folders = {file.folders[:depth] for file in files for depth in range(2, len(file.folders) + 1)}
    for parts in sorted(folders, key=len, reverse=True):
        try:
            above = Folder(root, parts[:-1], create=False)
        except OSError:
            continue
        try:
            above.remove_folder(parts[-1])
        except OSError:  # something is left in it
            pass
        finally:
            above.close()


def _reason(error: OSError) -> str:
    if error.errno == errno.EXDEV:
        return f"{FOLDER} and {ARCHIVE} lie on different file systems"
    if error.errno in (errno.ENOTDIR, errno.ELOOP):
        return "a link or a file stands where a folder belongs"
    return error.strerror or str(error)
