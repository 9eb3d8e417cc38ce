"""Making the files out of which :mod:`session_memory.preload` loads modules."""

from marshal import dumps

from session_memory import preload
from session_memory.core import document
from session_memory.core.folder import Folder
from session_memory.core.system import base_name, native, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType


def make(part: str) -> None:
    """Write the file of ``part`` if byte code can be kept.

    A failure is not told, as Python is silent about a cache that it cannot write.
    """
    path = preload.cached(part)
    if not path or not native.access(parent(path), native.W_OK):
        return
    try:
        data = dumps(tuple([_entry(name) for name in preload.PARTS[part]]))
        folder = Folder(parent(path), (), create=False)
        try:
            document.replace(folder, base_name(path), preload.STAMP + data)
        finally:
            folder.close()
    except (OSError, EOFError, ValueError, SyntaxError, ImportError):
        pass


def _entry(name: str) -> "tuple[str, str, int, int, CodeType | None]":
    stem = name.replace(".", "/")
    package = stem + "/__init__.py"
    path = package if preload.facts(package)[1] else stem + ".py"
    changed_ns, size = preload.facts(path)
    from importlib.machinery import SourceFileLoader

    full = f"{preload.PACKAGE}.{name}"
    code = SourceFileLoader(full, preload.ROOT + path).get_code(full)
    return name, path, changed_ns, size, code
