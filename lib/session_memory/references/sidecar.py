"""Sidecars: the ``*.ref.yml`` beside a document that says when the document is needed."""

import json
import posixpath
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from session_memory.references.index import PRIORITIES, Entry, Trigger
from session_memory.yaml_text import YamlError, load

SUFFIX = ".ref.yml"
SCHEMA_VERSION = "1"
GENERATED = "init-references"
MANUAL = "manual"

KEYS = (
    "schema_version",
    "target_path",
    "name",
    "description",
    "load-when",
    "load-priority",
    "triggers",
    "generated_by",
    "generated_at",
)
_TRIGGER_KEYS = ("labels", "globs", "keywords", "critical")


class InvalidSidecar(ValueError):
    """A sidecar that cannot be used; ``code`` names the check that it fails."""

    def __init__(self, path: str, line: int, reason: str, code: str = "invalid-sidecar") -> None:
        super().__init__(f"{path}:{line}: {reason}")
        self.path = path
        self.line = line
        self.reason = reason
        self.code = code


@dataclass(frozen=True)
class Sidecar:
    """A sidecar at ``path``, relative to the root."""

    path: str
    entry: Entry
    generated_by: str = MANUAL
    unknown_keys: tuple[str, ...] = ()

    @property
    def document(self) -> str:
        """The path of the document beside it."""
        return document_of(self.path)


def document_of(path: str) -> str:
    """The document that the sidecar at ``path`` lies beside."""
    return path[: -len(SUFFIX)]


def sidecar_of(document: str) -> str:
    """Where the sidecar of ``document`` lies."""
    return document + SUFFIX


def parse_sidecar(path: str, text: str) -> Sidecar:
    """The sidecar in ``text``; raises :class:`InvalidSidecar`."""
    try:
        mapping = load(text)
    except YamlError as error:
        raise InvalidSidecar(path, error.line, error.reason) from None
    if not isinstance(mapping, dict):
        raise InvalidSidecar(path, 1, "not a mapping")
    return _Reader(path, text, mapping).sidecar()


def generate(document: str, name: str, description: str, now: str) -> str:
    """The text of a sidecar for ``document``, to be completed by hand."""
    values = {
        "schema_version": 1,
        "target_path": document,
        "name": name,
        "description": description,
        "load-when": "",
        "load-priority": "optional",
        "triggers": [],
        "generated_by": GENERATED,
        "generated_at": now,
    }
    # JSON is YAML, and its quotes leave no reader anything to guess.
    return "".join(
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items()
    )


class _Reader:
    """Makes a sidecar of a mapping, or says in which line it cannot."""

    def __init__(self, path: str, text: str, mapping: dict[str, object]) -> None:
        self._path = path
        self._text = text
        self._mapping = mapping

    def sidecar(self) -> Sidecar:
        self._check_version()
        entry = self._entry()
        if entry.critical and not entry.triggers:
            raise self._error("a critical entry needs triggers", "load-priority")
        return Sidecar(
            self._path,
            entry,
            self._choice("generated_by", (GENERATED, MANUAL), MANUAL),
            tuple(key for key in self._mapping if key not in KEYS),
        )

    def _check_version(self) -> None:
        version = self._scalar("schema_version")
        if not version:
            raise self._error("schema_version is missing", "schema_version", "schema-version")
        if version != SCHEMA_VERSION:
            reason = f"schema_version {version[:20]} is not known; this version reads 1"
            raise self._error(reason, "schema_version", "schema-version")

    def _entry(self) -> Entry:
        document = document_of(self._path)
        return Entry(
            self._scalar("name") or PurePosixPath(document).stem,
            posixpath.normpath(self._scalar("target_path").replace("\\", "/") or document),
            description=self._scalar("description"),
            load_when=self._scalar("load-when"),
            load_priority=self._choice("load-priority", PRIORITIES, "optional"),
            triggers=self._triggers(),
        )

    def _triggers(self) -> tuple[Trigger, ...]:
        value = self._mapping.get("triggers") or []
        rows = value if isinstance(value, list) else [value]
        return tuple(self._trigger(row) for row in rows)

    def _trigger(self, row: object) -> Trigger:
        if not isinstance(row, dict):
            raise self._error("a trigger is not a mapping", "triggers")
        for key in row:
            if key not in _TRIGGER_KEYS:
                raise self._error("a trigger has an unknown key", key)
        critical = row.get("critical") or False
        if not isinstance(critical, bool):
            raise self._error("critical is neither true nor false", "critical")
        return Trigger(
            self._texts(row, "labels"),
            self._texts(row, "globs"),
            self._texts(row, "keywords"),
            critical,
        )

    def _texts(self, row: dict[str, object], key: str) -> tuple[str, ...]:
        value = row.get(key)
        items = value if isinstance(value, list) else [] if value is None else [value]
        texts = [_as_text(item) for item in items]
        if not all(texts):
            raise self._error(f"{key} is not a list of texts", key)
        return tuple(text for text in texts if text)

    def _choice(self, key: str, choices: tuple[str, ...], default: str) -> str:
        value = self._scalar(key) or default
        if value not in choices:
            raise self._error(f"{key} is none of {', '.join(choices)}", key)
        return value

    def _scalar(self, key: str) -> str:
        value = self._mapping.get(key)
        text = "" if value is None else _as_text(value)
        if text is None:
            raise self._error(f"{key} is not a text", key)
        return text

    def _error(self, reason: str, key: str, code: str = "invalid-sidecar") -> InvalidSidecar:
        # No part of it leaves its line, so that a text of nothing but blanks does not make it slow.
        spelling = rf"^[- \t\[{{]*[\"']?{re.escape(key)}[\"']?[ \t]*:"
        found = re.search(spelling, self._text, re.MULTILINE)
        line = self._text.count("\n", 0, found.end()) + 1 if found else 1
        return InvalidSidecar(self._path, line, reason, code)


def _as_text(value: object) -> str | None:
    """A scalar as it stands in the file; a label may be called ``42`` or ``true``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip() if isinstance(value, (str, int)) else None
