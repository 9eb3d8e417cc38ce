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

# Each file with its table, the later one first in rank.
SOURCES: "dict[str, tuple[str, ...]]" = {PROJECT: ("tool", "session-memory"), OWN: ()}

# The members; a test compares them with settings.schema.json.
KEYS = frozenset(("bump_command", "managed_files", "references"))

_MAX_SHOWN = 40


def read_settings(root: str, lose: "Lose | None" = None) -> "dict[str, object]":
    """The settings of the checkout at ``root``; empty when there are none.

    Values are as written, so whoever uses one checks it. A file that cannot be used and a key that
    is not known are passed over; ``lose`` is told.
    """
    settings: dict[str, object] = {}
    for name in SOURCES:
        try:
            found = read_source(root, name)
        except (OSError, ValueError) as error:
            if lose:
                lose(f"{name} ignored: {getattr(error, 'strerror', None) or error}")
            continue
        if lose:
            report_unknown(name, found, KEYS, lose)
        for key, value in found.items():
            settings[key] = _overridden(settings.get(key), value)
    return settings


def report_unknown(
    where: str, table: "dict[str, object]", keys: "frozenset[str]", lose: "Lose"
) -> None:
    """Tell ``lose`` of the keys in ``table`` that nobody reads: most are misspelt."""
    unknown = [key for key in table if key not in keys]
    if unknown:
        shown = ", ".join([ascii(key)[1:-1][:_MAX_SHOWN] for key in unknown[:3]])
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        lose(f"{where}: unknown setting {shown}{more}")


def _overridden(earlier: object, later: object) -> object:
    """Sub-tables are joined, everything else is replaced."""
    if isinstance(earlier, dict) and isinstance(later, dict):
        return {**earlier, **later}
    return later


def read_source(root: str, name: str) -> "dict[str, object]":
    """What one of :data:`SOURCES` says. Raises :class:`OSError` and :class:`ValueError`."""
    table = SOURCES[name]
    data = _read(join(root, name))
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
