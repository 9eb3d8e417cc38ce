"""The settings that hooks read: the user's file, two files of the repository, the environment.

The files of a repository are data from a clone. They may narrow what hooks do and redirect what
they look at and quote; nothing in them is run. A setting that narrows is in force wherever it is
made, so that no file takes back what another one forbids. A value that cannot be used narrows, too:
whoever wrote it meant to change something.
"""

from session_memory.core import places
from session_memory.core.system import (
    O_NOFOLLOW,
    READ_FLAGS,
    environ,
    is_regular,
    join,
    native,
    read_fd,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

    Lose = Callable[[str], None]
    Table = dict[str, object]

PROJECT, OWN = places.SETTINGS
# How messages call the user's file: its path would tell the name of the user.
USER = "user settings"
MAX_BYTES = 32 << 10
MAX_PROJECT_BYTES = places.MAX_PROJECT_BYTES

# Each file of the repository with its table, the later one first in rank.
SOURCES: "dict[str, tuple[str, ...]]" = {
    PROJECT: ("tool", places.PROJECT_TABLE.decode()),
    OWN: (),
}

# What only a repository can know: a user's file that has it is told so.
OF_THE_REPOSITORY = frozenset(("bump_command", "managed_files"))
# The settings that narrow, by table, each with the one value that does not.
NARROWING: "dict[str, dict[str, object]]" = {
    "": {"enabled": True},
    "gates": {"enabled": True},
    "hygiene": {"enabled": True},
    "references": {"enabled": True, "match": "any"},
    "startup": {"enabled": True, "network": True},
}
TABLES = frozenset(NARROWING) - {""}
KEYS = OF_THE_REPOSITORY | TABLES | frozenset(NARROWING[""])

# The environment has the last word on whether the start-up check may use the network.
NETWORK = "SESSION_MEMORY_NETWORK"
_WORDS = {"1": True, "true": True, "0": False, "false": False}

_MAX_SHOWN = 40


def read_settings(
    root: str, lose: "Lose | None" = None, variable: "Callable[[str], str]" = environ
) -> "Table":
    """The settings for the checkout at ``root``, or the user's alone; empty when there are none.

    Tables are tables. Other values are as written, so whoever uses one checks it. A file that
    cannot be used and a key that does not belong there are passed over; ``lose`` is told.
    ``variable`` gives the value of an environment variable, ``""`` for one that is not set.
    """
    tell = lose or _ignore
    settings: Table = {}
    for name in (USER, *(SOURCES if root else ())):
        try:
            found = read_user(variable) if name == USER else read_source(root, name)
        except (OSError, ValueError) as error:
            tell(f"{name} ignored: {getattr(error, 'strerror', None) or error}")
            continue
        if found:
            settings = joined(settings, usable(name, found, tell))
    network = network_word(variable, tell)
    if network is not None:
        settings["startup"] = {**_table(settings, "startup"), "network": network}
    return settings


def is_on(settings: "Table", feature: str, lose: "Lose") -> bool:
    """Whether ``feature``, one of :data:`TABLES`, is on in what :func:`read_settings` gave."""
    switches = {"enabled": settings, f"{feature}.enabled": _table(settings, feature)}
    values = {name: table.get("enabled", True) for name, table in switches.items()}
    for name, value in values.items():
        if not isinstance(value, bool):
            lose(f"settings: {name} is neither true nor false; taken as false")
    return all([value is True for value in values.values()])


def network_word(variable: "Callable[[str], str]", lose: "Lose") -> "bool | None":
    """What :data:`NETWORK` says; ``None`` when it is not set. What is no such word is a no."""
    word = variable(NETWORK).strip().lower()
    if word not in ("", *_WORDS):
        lose(f"{NETWORK} is neither 1 nor 0; taken as 0")
    return _WORDS.get(word, False) if word else None


def usable(name: str, found: "Table", lose: "Lose") -> "Table":
    """What of the file ``name`` counts; ``lose`` is told of the rest."""
    report_unknown(name, found, KEYS, lose)
    kept = dict(found)
    for key in found:
        if name == USER and key in OF_THE_REPOSITORY:
            lose(f"{name}: {key} counts only in the settings of a repository")
            del kept[key]
        elif key in TABLES:
            kept[key] = _usable_table(name, key, found[key], lose)
    return kept


def _usable_table(name: str, key: str, value: object, lose: "Lose") -> "Table":
    if not isinstance(value, dict):
        lose(f"{name}: {key} is not a table; taken as {key}.enabled = false")
        return {"enabled": False}
    report_unknown(f"{name}: {key}", value, frozenset(NARROWING[key]), lose)
    return value


def joined(earlier: "Table", later: "Table") -> "Table":
    """Two files' settings as one: what narrows stays, all else is replaced."""
    made = _joined_table("", earlier, later)
    for key in TABLES.intersection(earlier, later):
        made[key] = _joined_table(key, _table(earlier, key), _table(later, key))
    return made


def _joined_table(table: str, earlier: "Table", later: "Table") -> "Table":
    made = {**earlier, **later}
    for key, wide in NARROWING[table].items():
        # Exact types: 1 equals True, and is a value that cannot be used.
        if key in earlier and (type(earlier[key]) is not type(wide) or earlier[key] != wide):
            made[key] = earlier[key]
    return made


def _table(settings: "Table", key: str) -> "Table":
    table = settings.get(key)
    return table if isinstance(table, dict) else {}


def report_unknown(where: str, table: "Table", keys: "frozenset[str]", lose: "Lose") -> None:
    """Tell ``lose`` of the keys in ``table`` that nobody reads: most are misspelt."""
    unknown = [key for key in table if key not in keys]
    if unknown:
        shown = ", ".join([ascii(key)[1:-1][:_MAX_SHOWN] for key in unknown[:3]])
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        lose(f"{where}: unknown setting {shown}{more}")


def _ignore(_loss: str) -> None:
    pass


def read_source(root: str, name: str) -> "Table":
    """What one of :data:`SOURCES` says. Raises :class:`OSError` and :class:`ValueError`."""
    return parsed(content_of_source(root, name), SOURCES[name])


def read_user(variable: "Callable[[str], str]" = environ) -> "Table":
    """What the user's file says. Raises :class:`OSError` and :class:`ValueError`."""
    return parsed(content_of_user(variable), ())


def content_of_source(root: str, name: str) -> bytes:
    """The content of one of :data:`SOURCES`; raises as :func:`read_source` does."""
    limit = MAX_PROJECT_BYTES if name == PROJECT else MAX_BYTES
    return _read(join(root, name), limit, O_NOFOLLOW)


def content_of_user(variable: "Callable[[str], str]") -> bytes:
    """The content of the user's file; raises as :func:`read_user` does.

    Links are followed: it is the user's own, and people keep such files elsewhere.
    """
    path = places.user_settings(variable)
    return _read(path, MAX_BYTES) if path else b""


def parsed(content: bytes, table: "tuple[str, ...]") -> "Table":
    """The table of that name in a file; raises :class:`ValueError`."""
    # Most projects have no settings of ours, and need no parser to find that out.
    if not content or (table and table[-1].encode() not in content):
        return {}
    from session_memory.core.toml_subset import read_table

    return read_table(content.decode("utf-8-sig"), table)


def _read(path: str, limit: int, no_link: int = 0) -> bytes:
    """The content of a plain file; empty when it is absent."""
    look = native.lstat if no_link else native.stat
    try:
        if not is_regular(look(path).st_mode):
            raise ValueError("not a plain file")
        fd = native.open(path, READ_FLAGS | no_link)
    except FileNotFoundError:
        return b""
    try:
        data = read_fd(fd, limit + 1)
    finally:
        native.close(fd)
    if len(data) > limit:
        raise ValueError(f"larger than {limit} bytes")
    return data
