"""How much is loaded at most, as ``.agent-orchestra.yml`` says.

The hook has no YAML library, and needs two scalars of one block. They are read by a scanner of
lines that knows just this form::

    references:
      max_critical_loaded: 10       # a number
      max_total_loaded_bytes: 100KB # a number, with KB or MB if you like

The command line reads the same file as YAML, and ``references validate`` tells when the two
readings differ.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.references.tree import Tree

CONFIGURATION = ".agent-orchestra.yml"
MAX_CONFIGURATION = 256 << 10

# What a clone may ask for at most. A reply has room for a hundredth of it, and all is read.
MAX_TOTAL_BYTES = 1 << 20

# No regular expressions here: the text is the clone's, and those for YAML invite backtracking.
_DIGITS = "0123456789"
_MAX_DIGITS = 12
_UNITS = {"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20}


class Budgets:
    """Limits of one load: critical entries, and bytes in all."""

    __slots__ = ("max_critical_loaded", "max_total_loaded_bytes")

    def __init__(self, max_critical_loaded: str = "", max_total_loaded_bytes: str = "") -> None:
        """The limits as a file spells them; what cannot be understood has the default."""
        critical = max_critical_loaded.strip()
        plain = 0 < len(critical) <= 6 and not critical.strip(_DIGITS)
        self.max_critical_loaded = int(critical) if plain else 10
        total = byte_count(max_total_loaded_bytes)
        self.max_total_loaded_bytes = min(102_400 if total is None else total, MAX_TOTAL_BYTES)

    def as_dict(self) -> "dict[str, int]":
        """The limits by the names that the file uses."""
        return {name: getattr(self, name) for name in self.__slots__}


def byte_count(text: str) -> "int | None":
    """A size such as ``102400``, ``100KB`` or ``1MB`` in bytes; ``None`` for anything else."""
    text = text.strip()
    unit = text.lstrip(_DIGITS)
    digits = text[: len(text) - len(unit)]
    factor = _UNITS.get(unit.strip().upper())
    if factor is None or not 0 < len(digits) <= _MAX_DIGITS:
        return None
    return int(digits) * factor


def read_budgets(tree: "Tree") -> Budgets:
    """The limits of a repository, by the scanner."""
    return scan_budgets(read_text(tree))


def read_text(tree: "Tree") -> str:
    """The text of the configuration file, ``""`` when there is none."""
    data = tree.read(CONFIGURATION, MAX_CONFIGURATION) or b""
    return data.decode("utf-8-sig", "replace")


def scan_budgets(text: str) -> Budgets:
    """The limits in the text of a configuration file."""
    scalars: dict[str, str] = {}
    for line in _block_lines(text):
        key, colon, rest = line.partition(":")
        value = _scalar(rest) if colon else None
        if value is not None:
            scalars.setdefault(key.rstrip(), value)
    return Budgets(
        scalars.get("max_critical_loaded", ""), scalars.get("max_total_loaded_bytes", "")
    )


def _scalar(text: str) -> "str | None":
    """The plain or quoted scalar in ``text``, a comment behind it left out; else ``None``."""
    value = text.partition("#")[0].strip()
    if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
        value = value[1:-1]
    return None if '"' in value or "'" in value else value


def _opens_block(line: str) -> bool:
    key, colon, rest = line.partition(":")
    return bool(colon) and key.rstrip() == "references" and rest.strip()[:1] in ("", "#")


def _block_lines(text: str) -> "list[str]":
    """The lines of the block that are indented as its first one is, without that indent."""
    lines: list[str] = []
    inside, indent = False, ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if not line[0].isspace() and not (inside and bare.startswith("- ")):
            inside, indent = _opens_block(bare), ""
        elif inside:
            margin = line[: len(line) - len(line.lstrip())]
            indent = indent or margin
            if margin == indent:
                lines.append(bare)
    return lines
