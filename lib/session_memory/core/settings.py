"""The settings of a repository.

They are the table ``[tool.session-memory]`` of ``pyproject.toml`` and the members of
``.session-memory.toml``, which go first. All are data from a clone: they may narrow or redirect
what hooks look at and quote; nothing in them is run.
"""

from session_memory.core.system import O_NOFOLLOW, READ_FLAGS, is_regular, join, native, read_fd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    Lose = Callable[[str], None]

PROJECT = "pyproject.toml"
OWN = ".session-memory.toml"
MAX_BYTES = 256 << 10

_SOURCES = ((PROJECT, ("tool", "session-memory")), (OWN, ()))


def read_settings(root: str, lose: "Lose | None" = None) -> "dict[str, object]":
    """The settings of the checkout at ``root``; empty when there are none.

    Values are as written, so whoever uses one checks it. A file that cannot be used is passed over;
    ``lose`` is told why.
    """
    settings: dict[str, object] = {}
    for name, table in _SOURCES:
        try:
            found = _read_table(join(root, name), table)
        except (OSError, ValueError) as error:
            if lose:
                lose(f"{name} ignored: {getattr(error, 'strerror', None) or error}")
            continue
        for key, value in found.items():
            settings[key] = _overridden(settings.get(key), value)
    return settings


def _overridden(earlier: object, later: object) -> object:
    """Sub-tables are joined, everything else is replaced."""
    if isinstance(earlier, dict) and isinstance(later, dict):
        return {**earlier, **later}
    return later


def _read_table(path: str, table: "tuple[str, ...]") -> "dict[str, object]":
    data = _read(path)
    # Most projects have no settings of ours, and need no parser to find that out.
    if not data or (table and table[-1].encode() not in data):
        return {}
    from session_memory.core.toml_subset import read_table

    return read_table(data.decode("utf-8-sig"), table)


def _read(path: str) -> bytes:
    """The content of a plain file; empty when it is absent. Links are not followed."""
    try:
        if not is_regular(native.lstat(path).st_mode):
            raise ValueError("not a plain file")
        fd = native.open(path, READ_FLAGS | O_NOFOLLOW)
    except FileNotFoundError:
        return b""
    try:
        data = read_fd(fd, MAX_BYTES + 1)
    finally:
        native.close(fd)
    if len(data) > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES} bytes")
    return data
