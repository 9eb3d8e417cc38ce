"""Which files an archive run is about. It is all or nothing: one bad choice refuses the run."""

from dataclasses import dataclass

from session_memory.tracking.layout import (
    ARCHIVED,
    FOLDER,
    PERSISTENT,
    PLACEHOLDER,
    STATE,
    WORK,
)
from session_memory.tracking.survey import PASSED_OVER, Survey, TrackingFile

_REASONS = {
    PERSISTENT: "is persistent: it is never archived",
    STATE: "is state of the hooks, which remove what is old themselves",
    PLACEHOLDER: "keeps the folder or hides its files from git",
}


class NotArchivable(ValueError):
    """A file was named that cannot be archived. The message says which and why."""


@dataclass(frozen=True)
class Selection:
    """Work of these issues, work without an issue, and files named one by one.

    ``paths`` are relative to the checkout and separated by ``/``.
    """

    issues: frozenset[int] = frozenset()
    untagged: bool = False
    paths: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is selected."""
        return not (self.issues or self.untagged or self.paths)


def select(found: Survey, selection: Selection) -> list[TrackingFile]:
    """The selected files, in order of their paths. Raises :class:`NotArchivable`."""
    named = {path: _named(found, path) for path in selection.paths}
    for file in found.of(WORK):
        if file.issue in selection.issues or (file.issue is None and selection.untagged):
            named.setdefault(file.path, file)
    return [named[path] for path in sorted(named)]


def _named(found: Survey, path: str) -> TrackingFile:
    parts = path.split("/")
    if parts[0] != FOLDER or ".." in parts or len(parts) < 2:
        raise NotArchivable(f"{path} does not lie in {FOLDER}")
    file = next((file for file in found.files if file.path == path), None)
    if file is None:
        raise NotArchivable(f"{path} is no file that is there")
    if file.standing == PASSED_OVER:
        raise NotArchivable(f"{path} is {file.remark}")
    if file.standing not in (WORK, ARCHIVED):
        raise NotArchivable(f"{path} {_REASONS[file.standing]}")
    return file
