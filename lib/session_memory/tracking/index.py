"""What the tracking folder and its archive hold, by issue (SMC-13)."""

from collections.abc import Iterable
from dataclasses import dataclass

from session_memory.core.folder import Folder
from session_memory.tracking.front_matter import FrontMatter, parse
from session_memory.tracking.survey import TrackingFile

MAX_BYTES = 1 << 20
_SHOWN = ("status", "priority", "created", "updated", "completed")


@dataclass(frozen=True)
class Entry:
    """A file, and what its front matter says of it; empty where it says nothing."""

    file: TrackingFile
    status: str
    priority: str
    created: str
    updated: str
    completed: str


def index(root: str, files: Iterable[TrackingFile]) -> dict[int | None, list[Entry]]:
    """The files by issue, in order of numbers; ``None``, for those that name none, comes last."""
    found: dict[int | None, list[Entry]] = {}
    for file in files:
        found.setdefault(file.issue, []).append(_entry(root, file))
    return dict(sorted(found.items(), key=lambda item: (item[0] is None, item[0] or 0)))


def read_text(root: str, file: TrackingFile) -> str:
    """The content of a file that is UTF-8, up to a bound.

    Raises :class:`OSError`, and :class:`ValueError` for other content.
    """
    folder = Folder(root, file.folders, create=False)
    try:
        data = folder.read(file.name, MAX_BYTES + 1) or b""
    finally:
        folder.close()
    if len(data) > MAX_BYTES:
        raise ValueError(f"more than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None


def _entry(root: str, file: TrackingFile) -> Entry:
    found = _front_matter(root, file)
    said = {key: found.text(key) if found else "" for key in _SHOWN}
    return Entry(file, **said)


def _front_matter(root: str, file: TrackingFile) -> FrontMatter | None:
    if not file.name.lower().endswith(".md"):
        return None
    try:
        return parse(read_text(root, file))
    except (OSError, ValueError):
        return None
