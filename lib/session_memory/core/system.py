"""The operating-system calls of the fast path, without the price of ``import os``.

``os`` costs an eighth of an empty interpreter's start. On POSIX everything needed here is in the
built-in ``posix``; on Windows ``os`` itself serves.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

    native = os
    WINDOWS = False
else:
    try:
        import posix as native

        WINDOWS = False
    except ImportError:
        import os as native

        WINDOWS = True

O_CLOEXEC = getattr(native, "O_CLOEXEC", 0)
O_BINARY = getattr(native, "O_BINARY", 0)
O_NOFOLLOW = getattr(native, "O_NOFOLLOW", 0)
O_NONBLOCK = getattr(native, "O_NONBLOCK", 0)
O_DIRECTORY = getattr(native, "O_DIRECTORY", 0)

# Opening a FIFO must not block, and a handle must not leak into git or gh.
READ_FLAGS = native.O_RDONLY | O_CLOEXEC | O_BINARY | O_NONBLOCK

_FILE_TYPE_MASK = 0o170000
_REGULAR = 0o100000
_DIRECTORY = 0o040000
_LINK = 0o120000


def environ(name: str) -> str:
    """Value of an environment variable, or ``""`` when it is unset."""
    if WINDOWS:
        return native.environ.get(name, "")
    raw: object = native.environ.get(name.encode())  # type: ignore[call-overload]
    return raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else ""


def is_absolute(path: str) -> bool:
    """Whether ``path`` is absolute on this system."""
    if WINDOWS:
        import ntpath

        return ntpath.isabs(path)
    return path[:1] == "/"


def join(folder: str, name: str) -> str:
    """``name`` below ``folder``; an absolute ``name`` stays as it is."""
    if is_absolute(name):
        return name
    separator = "\\" if WINDOWS else "/"
    return folder.rstrip(separator) + separator + name


def parent(path: str) -> str:
    """The folder that holds ``path``; a root is its own parent."""
    if WINDOWS:
        import ntpath

        return ntpath.dirname(path)
    head = path.rstrip("/").rpartition("/")[0]
    return head or "/"


def base_name(path: str) -> str:
    """The last component of ``path``."""
    if WINDOWS:
        path = path.replace("\\", "/")
    return path.rstrip("/").rpartition("/")[2]


def is_regular(mode: int) -> bool:
    """Whether a ``st_mode`` is that of a plain file."""
    return mode & _FILE_TYPE_MASK == _REGULAR


def is_directory(mode: int) -> bool:
    """Whether a ``st_mode`` is that of a directory."""
    return mode & _FILE_TYPE_MASK == _DIRECTORY


def is_folder(path: str) -> bool:
    """Whether ``path`` is a directory, links followed; any failure is a no."""
    try:
        return is_directory(native.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def is_link(mode: int) -> bool:
    """Whether a ``st_mode`` is that of a symbolic link."""
    return mode & _FILE_TYPE_MASK == _LINK


def read_fd(fd: int, limit: int) -> bytes:
    """Up to ``limit`` bytes from ``fd``."""
    chunks: list[bytes] = []
    while limit > 0:
        chunk = native.read(fd, min(limit, 1 << 20))
        if not chunk:
            break
        chunks.append(chunk)
        limit -= len(chunk)
    return b"".join(chunks)


def read_file(path: str, limit: int) -> "bytes | None":
    """The first ``limit`` bytes of a plain file; ``None`` for anything else or on any failure."""
    try:
        fd = native.open(path, READ_FLAGS)
    except (OSError, ValueError):
        return None
    try:
        if not is_regular(native.fstat(fd).st_mode):
            return None
        return read_fd(fd, limit)
    except OSError:
        return None
    finally:
        native.close(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write all of ``data``; a full disk raises :class:`OSError` with part of it written."""
    written = native.write(fd, data)
    while written < len(data):
        data = data[written:]
        written = native.write(fd, data)
