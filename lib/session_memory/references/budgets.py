"""How much is loaded at most, as ``.agent-orchestra.yml`` says.

The hook has no YAML library, and needs two scalars of one block. They are read by a scanner of
lines that knows just this form::

    references:
      max_critical_loaded: 10       # a number
      max_total_loaded_bytes: 100KB # a number, with KB or MB if you like

The command line reads the same file as YAML, and ``references validate`` tells when the two
readings differ.
"""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.references.tree import Tree

CONFIGURATION = ".agent-orchestra.yml"
MAX_CONFIGURATION = 256 << 10

# What a clone may ask for at most: the hook reads it all into memory.
MAX_TOTAL_BYTES = 8 << 20

_BLOCK = re.compile(r"references\s*:\s*(?:#.*)?")
_SCALAR = re.compile(r"""(max_\w+)\s*:\s*(["']?)([^"'#]*)\2\s*(?:#.*)?""")
_BYTES = re.compile(r"([0-9]{1,12})\s*(B|KB|MB)?", re.IGNORECASE)
_UNITS = {"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20}


class Budgets:
    """Limits of one load: critical entries, and bytes in all."""

    __slots__ = ("max_critical_loaded", "max_total_loaded_bytes")

    def __init__(self, max_critical_loaded: str = "", max_total_loaded_bytes: str = "") -> None:
        """The limits as a file spells them; what cannot be understood has the default."""
        critical = max_critical_loaded.strip()
        self.max_critical_loaded = int(critical) if re.fullmatch("[0-9]{1,6}", critical) else 10
        total = byte_count(max_total_loaded_bytes)
        self.max_total_loaded_bytes = min(102_400 if total is None else total, MAX_TOTAL_BYTES)

    def as_dict(self) -> "dict[str, int]":
        """The limits by the names that the file uses."""
        return {name: getattr(self, name) for name in self.__slots__}


def byte_count(text: str) -> "int | None":
    """A size such as ``102400``, ``100KB`` or ``1MB`` in bytes; ``None`` for anything else."""
    found = _BYTES.fullmatch(text.strip())
    return int(found[1]) * _UNITS[(found[2] or "").upper()] if found else None


def read_budgets(tree: "Tree") -> Budgets:
    """The limits of a repository, by the scanner."""
    data = tree.read(CONFIGURATION, MAX_CONFIGURATION) or b""
    return scan_budgets(data.decode("utf-8-sig", "replace"))


def scan_budgets(text: str) -> Budgets:
    """The limits in the text of a configuration file."""
    scalars: dict[str, str] = {}
    for line in _block_lines(text):
        found = _SCALAR.fullmatch(line)
        if found:
            scalars.setdefault(found[1], found[3])
    return Budgets(
        scalars.get("max_critical_loaded", ""), scalars.get("max_total_loaded_bytes", "")
    )


def _block_lines(text: str) -> "list[str]":
    """The lines of the block that are indented as its first one is, without that indent."""
    lines: list[str] = []
    inside, indent = False, ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if not line[0].isspace() and not (inside and bare.startswith("- ")):
            inside, indent = _BLOCK.fullmatch(bare) is not None, ""
        elif inside:
            margin = line[: len(line) - len(line.lstrip())]
            indent = indent or margin
            if margin == indent:
                lines.append(bare)
    return lines
