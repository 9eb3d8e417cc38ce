"""Loading a hook's modules out of one file, in a third of the time.

Python looks every module up in its folder, then opens, checks and reads its byte code, one module
after the other; that takes longer than all that a hook does. So the byte code of modules that are
needed together, a *part*, lies in one more file, beside the byte code of this module. A module is
taken from there only while its source has the size and the time that the part was made from. What
is missing or outdated, Python imports as ever, and the hook makes the part anew when its work is
done.
"""

import sys
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as native
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType

    # A name below the package; its source below the folder, with time (ns) and size; its byte code.
    Entry = tuple[str, str, int, int, CodeType]
else:
    try:
        import posix as native
    except ImportError:
        import os as native
    # In memory ever since the interpreter started, unlike importlib and types.
    ModuleSpec, ModuleType = type(__spec__), type(sys)

PACKAGE = "session_memory"

_SPINE = (
    *("core", "core.system", "core.deadline", "core.json_text", "core.stdin", "core.guard"),
    *("core.payload", "core.session", "events"),
)
_PLACE = ("core.checkout", "core.key", "core.places")
_STORE = ("core.folder", "core.lock", "core.store")

# The modules of each part, those first that others import. A test holds them against what the hooks
# import by themselves.
PARTS: "dict[str, tuple[str, ...]]" = {
    "session_start": (*_SPINE, *_PLACE, "startup", "events.session_start"),
    "user_prompt_submit": (*_SPINE, *_PLACE, "startup", "events.user_prompt_submit"),
    "post_tool_use": (*_SPINE, "events.post_tool_use"),
    "first_check": (
        *("core.hosts", *_STORE, "core.ignore", "core.runonce", "core.stale"),
        *("startup.glance", "startup.detect", "startup.record", "startup.check"),
    ),
    "question": (
        *("core.hosts", "core.digest", "gates", "gates.questions"),
        *(*_PLACE, *_STORE, "core.journal"),
    ),
    "edit": ("hygiene", "hygiene.watch"),
    "entry_point_edit": (
        *("core.checkout", "core.places", "core.settings"),
        *("hygiene.rules", "hygiene.review"),
    ),
    "release_record": (
        *("core.key", *_STORE, "core.document"),
        *("hygiene.compared", "hygiene.state", "hygiene.record"),
    ),
}

# The parts asked for that are not current.
outdated: "list[str]" = []

# The folder of the package, with its separator.
ROOT = __file__[: -len("preload.py")]

# Byte code of one version of Python is noise to another, which may crash on it.
STAMP: bytes = getattr(sys.modules.get("_frozen_importlib_external"), "MAGIC_NUMBER", b"")


def load(part: str) -> None:
    """Load the modules of ``part`` as far as it is current; else it joins :data:`outdated`."""
    current = 0
    for wanted, (name, path, changed_ns, size, code) in zip(PARTS[part], _read(part)):
        if name != wanted or facts(path) != (changed_ns, size):
            break
        if f"{PACKAGE}.{name}" not in sys.modules:
            _run(f"{PACKAGE}.{name}", ROOT + path, code)
        current += 1
    if current < len(PARTS[part]):
        outdated.append(part)


def cached(part: str) -> str:
    """The file of ``part``, one for each version of Python; empty where Python caches nothing."""
    own = __spec__.cached or ""
    return own and own[: -len("pyc")] + part


def facts(path: str) -> "tuple[int, int]":
    """Time, in nanoseconds, and size of the source at ``path`` below :data:`ROOT`; 0 if absent."""
    try:
        source = native.stat(ROOT + path)
    except OSError:
        return 0, 0
    return source.st_mtime_ns, source.st_size


def _read(part: str) -> "tuple[Entry, ...]":
    try:
        fd = native.open(cached(part), native.O_RDONLY | getattr(native, "O_BINARY", 0))
    except OSError:
        return ()
    try:
        data = native.read(fd, native.fstat(fd).st_size)
        if not data.startswith(STAMP):
            return ()
        # As trustworthy as the byte code that Python itself keeps in this folder.
        entries = loads(data[len(STAMP) :])  # noqa: S302
        return entries if isinstance(entries, tuple) else ()
    except (OSError, EOFError, ValueError, TypeError):  # torn
        return ()
    finally:
        native.close(fd)


def _run(name: str, path: str, code: "CodeType") -> None:
    """What the import statement does once it has found a module."""
    is_package = path.endswith("__init__.py")
    module, spec = ModuleType(name), ModuleSpec(name, None, origin=path, is_package=is_package)
    module.__spec__, module.__file__, module.__package__ = spec, path, spec.parent
    if is_package:
        spec.submodule_search_locations = module.__path__ = [path[: -len("/__init__.py")]]
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)  # noqa: S102 - byte code of ours, as Python runs it from its cache
    except BaseException:
        del sys.modules[name]
        raise
    parent, _, own = name.rpartition(".")
    setattr(sys.modules[parent], own, module)
