"""The index of reference documents, which the commands generate and the hook reads."""

from session_memory.core.json_text import first_value, well_formed
from session_memory.references.tree import Tree

PATH = ".references/index.json"
MAX_BYTES = 2 << 20
# An index with more entries is refused. Of one entry, further triggers and texts are passed over.
MAX_ENTRIES = 2000
MAX_TRIGGERS = 16
MAX_TEXTS = 64

CRITICAL = "critical"
PRIORITIES = (CRITICAL, "recommended", "optional")


class BadIndex(Exception):
    """There is no usable index; the text says why and quotes nothing of it."""


class Trigger:
    """What makes an entry match: any one label, glob or keyword."""

    __slots__ = ("critical", "globs", "keywords", "labels")

    def __init__(
        self,
        labels: "tuple[str, ...]" = (),
        globs: "tuple[str, ...]" = (),
        keywords: "tuple[str, ...]" = (),
        critical: bool = False,
    ) -> None:
        self.labels = labels
        self.globs = globs
        self.keywords = keywords
        self.critical = critical

    @property
    def texts(self) -> "tuple[tuple[str, ...], ...]":
        """What it compares with an issue, by kind."""
        return self.labels, self.globs, self.keywords

    def as_dict(self) -> "dict[str, object]":
        """The trigger as the index holds it."""
        return {
            "labels": list(self.labels),
            "globs": list(self.globs),
            "keywords": list(self.keywords),
            "critical": self.critical,
        }


class Entry:
    """One reference document."""

    __slots__ = ("description", "load_priority", "load_when", "name", "target_path", "triggers")

    def __init__(  # noqa: PLR0913 - the fields of a sidecar
        self,
        name: str,
        target_path: str,
        *,
        description: str = "",
        load_when: str = "",
        load_priority: str = "optional",
        triggers: "tuple[Trigger, ...]" = (),
    ) -> None:
        self.name = name
        self.target_path = target_path
        self.description = description
        self.load_when = load_when
        self.load_priority = load_priority
        self.triggers = triggers

    @property
    def critical(self) -> bool:
        """Critical by its priority or by one of its triggers."""
        return self.load_priority == CRITICAL or any([t.critical for t in self.triggers])

    @property
    def order(self) -> "tuple[int, str]":
        """Sorts entries as they are loaded: by priority, then by name."""
        return (0 if self.critical else PRIORITIES.index(self.load_priority), self.name)

    def as_dict(self) -> "dict[str, object]":
        """The entry as the index holds it."""
        return {
            "name": self.name,
            "target_path": self.target_path,
            "description": self.description,
            "load-when": self.load_when,
            "load-priority": self.load_priority,
            "triggers": [trigger.as_dict() for trigger in self.triggers],
        }


def read_index(tree: Tree) -> "list[Entry]":
    """The entries of the index of ``tree``; raises :class:`BadIndex`."""
    data = tree.read(PATH, MAX_BYTES + 1)
    if data is None:
        raise BadIndex("is not a plain file inside the repository")
    if len(data) > MAX_BYTES:
        raise BadIndex(f"exceeds {MAX_BYTES} bytes")
    text = data.decode("utf-8-sig", "replace")
    try:
        value, end = first_value(text)
    except ValueError as error:
        raise BadIndex(f"is not JSON: {error}") from None
    if text[end:].strip():
        raise BadIndex(f"is not JSON: more than one value, at character {end}")
    return parse_entries(value)


def parse_entries(value: object) -> "list[Entry]":
    """The usable entries of an index: an array, or an object with the array ``entries``."""
    rows = value.get("entries") if isinstance(value, dict) else value
    if not isinstance(rows, list):
        raise BadIndex("holds no list of entries")
    if len(rows) > MAX_ENTRIES:
        raise BadIndex(f"holds {len(rows)} entries, of which {MAX_ENTRIES} are allowed")
    entries = [_entry(row) for row in rows if isinstance(row, dict)]
    return [entry for entry in entries if entry.name and entry.target_path]


def _entry(row: "dict[str, object]") -> Entry:
    priority = _text(row, "load-priority").lower()
    return Entry(
        _text(row, "name"),
        _text(row, "target_path").replace("\\", "/"),
        description=_text(row, "description"),
        load_when=_text(row, "load-when"),
        load_priority=priority if priority in PRIORITIES else "optional",
        triggers=_triggers(row.get("triggers")),
    )


def _triggers(value: object) -> "tuple[Trigger, ...]":
    rows = value if isinstance(value, list) else [value]
    return tuple([_trigger(row) for row in rows[:MAX_TRIGGERS] if isinstance(row, dict)])


def _trigger(row: "dict[str, object]") -> Trigger:
    return Trigger(
        _texts(row, "labels"),
        _texts(row, "globs"),
        _texts(row, "keywords"),
        row.get("critical") is True,
    )


def _text(row: "dict[str, object]", key: str) -> str:
    value = row.get(key, row.get(key.replace("-", "_")))
    return well_formed(value).strip() if isinstance(value, str) else ""


def _texts(row: "dict[str, object]", key: str) -> "tuple[str, ...]":
    value = row.get(key)
    texts = value if isinstance(value, list) else [value]
    usable = [t for t in texts[:MAX_TEXTS] if isinstance(t, str) and t.strip()]
    return tuple([well_formed(text).strip() for text in usable])
