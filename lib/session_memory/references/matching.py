"""Which entries an issue calls for."""

import re

from session_memory.references.globs import glob_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.settings import Lose
    from session_memory.references.index import Entry, Trigger
    from session_memory.references.issue import Issue

# GitHub's own limit for a body is a quarter of this.
_MAX_TEXT = 256 << 10
_TOKEN = re.compile(r"[A-Za-z0-9]{3,}")
# Words that say nothing about a subject, and those that the commands generate themselves.
_STOP_WORDS = frozenset(
    (
        *("and", "are", "doc", "docs", "document", "documents", "file", "files", "for", "from"),
        *("generated", "load", "manual", "markdown", "optional", "project", "reference"),
        *("references", "the", "this", "touches", "when", "work"),
    )
)

# The setting ``match``: what may choose documents.
ANY = "any"
LABELS = "labels"


class Matcher:
    """Compares entries with one issue.

    With ``labels_only`` nothing but labels counts: titles and bodies are written by anyone who may
    open an issue, labels by those who may triage it.
    """

    def __init__(self, issue: "Issue", labels_only: bool = False) -> None:
        self._labels = {label.casefold() for label in issue.labels}
        self._paths = [path.replace("\\", "/") for path in issue.changed_paths]
        text = issue.text[:_MAX_TEXT]
        self._text = text.casefold()
        self._tokens = tokens(text)
        self._labels_only = labels_only

    def matches(self, entry: "Entry") -> bool:
        """Whether ``entry`` belongs to the issue. Critical entries match by triggers alone."""
        if any([self._fires(trigger) for trigger in entry.triggers]):
            return True
        if entry.critical or self._labels_only:
            return False
        return self._touches(entry.target_path) or not self._tokens.isdisjoint(_subject(entry))

    def _fires(self, trigger: "Trigger") -> bool:
        if any([label.casefold() in self._labels for label in trigger.labels]):
            return True
        if self._labels_only:
            return False
        if any([keyword.casefold() in self._text for keyword in trigger.keywords]):
            return True
        return any([glob_matches(glob, path) for glob in trigger.globs for path in self._paths])

    def _touches(self, target: str) -> bool:
        """Paths may be given from above the root, as editors do."""
        return any([("/" + path).endswith("/" + target) for path in self._paths])


def only_labels(root: str, lose: "Lose") -> bool:
    """Whether the repository lets nothing but labels choose: ``match = "labels"``.

    ``lose`` is told of settings that cannot be used. Whoever writes ``match`` means to restrict, so
    a value that is not known restricts.
    """
    from session_memory.core.settings import read_settings

    table = read_settings(root, lose).get("references")
    match = table.get("match", ANY) if isinstance(table, dict) else ANY
    if match not in (ANY, LABELS):
        lose(f'settings: references.match is neither "{ANY}" nor "{LABELS}"; only labels choose')
    return bool(match != ANY)


def tokens(text: str) -> "set[str]":
    """The words of ``text`` that can tell one subject from another, in lower case."""
    return {word.lower() for word in _TOKEN.findall(text)} - _STOP_WORDS


def _subject(entry: "Entry") -> "set[str]":
    return tokens(f"{entry.name} {entry.description} {entry.load_when} {entry.target_path}")
