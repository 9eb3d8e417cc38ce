"""Looking through the tracking folder and its archive, without following a link."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from session_memory.core.folder import Folder
from session_memory.core.system import is_directory, is_link, is_regular
from session_memory.startup.issue_id import leading_number
from session_memory.tracking.grouping import HEAD_BYTES, issue_of
from session_memory.tracking.layout import ARCHIVE, ARCHIVED, FOLDER, PLACEHOLDER, WORK, standing

# Standing of a file that lies in the archive, and of what is no plain file.
FILED = "filed"
PASSED_OVER = "passed-over"

MAX_FILES = 20_000
_MAX_DEPTH = 32
_NUMBERED = "issue-"


@dataclass(frozen=True)
class TrackingFile:
    """``path`` is relative to the checkout, ``modified`` in seconds since 1970.

    ``remark`` says why something was passed over.
    """

    path: str
    standing: str
    issue: int | None = None
    modified: float = 0.0
    remark: str = ""

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders below the checkout that hold the file."""
        return tuple(self.path.split("/")[:-1])

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass
class Survey:
    """All files, in order of their paths. Not complete when there are more than a bound."""

    files: list[TrackingFile] = field(default_factory=list)
    is_complete: bool = True

    def of(self, *standings: str) -> list[TrackingFile]:
        """The files of these standings."""
        return [file for file in self.files if file.standing in standings]


def survey(root: str) -> Survey:
    """What lies in the tracking folder of the checkout at ``root``.

    Raises :class:`OSError` when the folder is a link or cannot be entered.
    """
    return _collect(_walk(root, (FOLDER,)), _work)


def survey_archive(root: str) -> Survey:
    """What lies in the archive of the checkout at ``root``; raises as :func:`survey` does."""
    return _collect(_walk(root, (ARCHIVE,)), _filed)


@dataclass(frozen=True)
class _Entry:
    folder: Folder
    parts: tuple[str, ...]
    name: str
    facts: os.stat_result

    @property
    def path(self) -> str:
        return "/".join([*self.parts, self.name])


def _collect(entries: Iterator[_Entry], describe: Callable[[_Entry], TrackingFile]) -> Survey:
    found = Survey()
    for entry in entries:
        if len(found.files) >= MAX_FILES:
            found.is_complete = False
            break
        found.files.append(_remarkable(entry) or describe(entry))
    found.files.sort(key=lambda file: file.path)
    return found


def _walk(root: str, top: tuple[str, ...]) -> Iterator[_Entry]:
    """All that is no folder, and folders that are not entered."""
    pending = [top]
    while pending:
        parts = pending.pop()
        try:
            folder = Folder(root, parts, create=False)
        except FileNotFoundError:
            continue
        try:
            for name in _names(folder):
                facts = folder.facts(name)
                if facts and is_directory(facts.st_mode) and len(parts) < _MAX_DEPTH:
                    pending.append((*parts, name))
                elif facts:
                    yield _Entry(folder, parts, name, facts)
        finally:
            folder.close()


def _names(folder: Folder) -> list[str]:
    try:
        return folder.names()
    except FileNotFoundError:  # removed while it was open
        return []


def _remarkable(entry: _Entry) -> TrackingFile | None:
    """What is never touched, with the reason."""
    facts = entry.facts
    if is_link(facts.st_mode):
        remark = "a link"
    elif is_directory(facts.st_mode):
        remark = f"more than {_MAX_DEPTH} folders deep"
    elif not is_regular(facts.st_mode):
        remark = "not a plain file"
    elif facts.st_nlink > 1:
        remark = "a file with a second name (a hard link)"
    else:
        return None
    return TrackingFile(entry.path, PASSED_OVER, remark=remark)


def _work(entry: _Entry) -> TrackingFile:
    inner = "/".join([*entry.parts[1:], entry.name])
    kind = standing(inner)
    issue = None
    if kind in (WORK, ARCHIVED):
        try:
            issue = issue_of(entry.folder.read(entry.name, HEAD_BYTES) or b"")
        except OSError as error:
            return TrackingFile(entry.path, PASSED_OVER, remark=error.strerror or str(error))
    return TrackingFile(entry.path, kind, issue, entry.facts.st_mtime)


def _filed(entry: _Entry) -> TrackingFile:
    """The archive says in its folders which issue a file belonged to: yyyy/MM/issue-N."""
    label = entry.parts[3] if len(entry.parts) > 3 else ""
    numbered = label.startswith(_NUMBERED)
    issue = leading_number(label[len(_NUMBERED) :]) if numbered else None
    kind = PLACEHOLDER if standing(entry.name) == PLACEHOLDER else FILED
    return TrackingFile(entry.path, kind, issue, entry.facts.st_mtime)
