"""After an edit: which files it touched, and whether any of them could be an entry point.

Every edit of every conversation comes through here, so nothing is opened before a path has passed.
"""

from session_memory import preload
from session_memory.core.system import WINDOWS, is_absolute, join
from session_memory.hygiene import may_be_entry_point

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session

_PATHS = ("file_path", "filePath", "path", "notebook_path")
_LISTS = ("files", "edits", "replacements")
# Tools that take a patch name its member differently; others put other text there.
_PATCHES = ("input", "patch", "command")

_PATCH_HEADERS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")

_MAX_PATH = 4096
# Every folder of a path may be asked for a checkout; no work tree is this deep.
_MAX_PARTS = 64
# Files of one edit that are looked at.
MAX_FILES = 2000


def after_edit(session: "Session") -> str:
    """The reminder, or ``""`` when there is nothing to say."""
    touched = touched_files(session.event.tool_arguments(), session.cwd)
    if len(touched) > MAX_FILES:
        session.lose(f"release hygiene looked at {MAX_FILES} of {len(touched)} edited files")
    candidates = [path for path in touched[:MAX_FILES] if may_be_entry_point(path)]
    if not candidates:
        session.explain("hygiene", "no-entry-point")
        return ""
    preload.load("entry_point_edit")
    from session_memory.hygiene import review

    return review.review(session, candidates)


def touched_files(arguments: "dict[str, object] | str", cwd: str) -> "list[str]":
    """Absolute paths, each once, in the order of the call. ``cwd`` is where relative ones begin."""
    named = _in_patch(arguments) if isinstance(arguments, str) else _in_object(arguments)
    found = dict.fromkeys([absolute(path, cwd) for path in named])
    return [path for path in found if path]


def absolute(path: str, cwd: str) -> str:
    """``path`` without ``.`` and ``..``, separated by ``/``; ``""`` when it cannot be a file's."""
    if not path or "\0" in path or len(path) > _MAX_PATH:
        return ""
    path = path.replace("\\", "/")
    if not is_absolute(path):
        if not cwd:
            return ""
        path = join(cwd, path).replace("\\", "/")
    if path.count("/") > _MAX_PARTS:
        return ""
    return _normalised(path) if "/." in path or "//" in path else path


def _normalised(path: str) -> str:
    lead = "//" if WINDOWS and path.startswith("//") else "/" if path.startswith("/") else ""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return lead + "/".join(parts)


def _in_object(arguments: "dict[str, object]") -> "list[str]":
    named = _members(arguments)
    for name in _LISTS:
        items = arguments.get(name)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict):
                named += _members(item)
            elif isinstance(item, str) and name == "files":
                named.append(item)
    for name in _PATCHES:
        text = arguments.get(name)
        if isinstance(text, str):
            named += _in_patch(text)
    return named


def _members(item: "dict[str, object]") -> "list[str]":
    values = [item.get(name) for name in _PATHS]
    return [value for value in values if isinstance(value, str)]


def _in_patch(text: str) -> "list[str]":
    """The files in the headers of a patch; its content lines begin with a sign or a blank."""
    if "*** " not in text:
        return []
    lines = [line for line in text.split("\n") if line.startswith(_PATCH_HEADERS)]
    return [line.partition(": ")[2].strip() for line in lines]
