"""What came of asking one source of a row, and what came of asking them all."""

from dataclasses import dataclass, field, replace

FOUND = "found"
ABSENT = "absent"
FAILED = "failed"
STALE = "stale"
NOT_ASKED = "not-asked"

# The sources by name, in the words of the rows.
SESSION = "session"
BUNDLE = "session-bundle"
COMMENT = "issue-comment"
BODY = "issue-body"
REVIEW_COMMENT = "review-comment"
METRICS = "pr-body-metrics"


@dataclass(frozen=True)
class Source:
    """One source: found, absent, failed, stale (found, but another one goes first), or not asked.

    Only ``absent`` says that there is nothing. ``where`` is a path or names a comment; ``text`` is
    what was found.
    """

    name: str
    outcome: str
    reason: str = ""
    where: str = ""
    text: str = field(default="", repr=False)
    notes: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        return self.outcome == FOUND

    @property
    def doubtful(self) -> bool:
        """Whether nothing may be concluded from what it did not give."""
        return self.outcome in (FAILED, NOT_ASKED)

    def outdated(self, reason: str) -> "Source":
        """The same source, which does not count because of ``reason``."""
        return replace(self, outcome=STALE, reason=reason)

    def spared(self, reason: str) -> "Source":
        """The same source, which was not needed because of ``reason``."""
        return replace(self, outcome=NOT_ASKED, reason=reason, text="")


@dataclass(frozen=True)
class Part:
    """A text of the answer. ``title`` tells it from the others; empty if it is the only one."""

    title: str
    text: str = field(repr=False)


@dataclass(frozen=True)
class Reading:
    """What a row's read chain gave.

    ``answer`` is the source that answered, or ``None``. ``freshness`` says how cache and durable
    record relate, ``next_write`` from which source the next durable write is taken ("" when there
    is nothing to write).
    """

    row: str
    subject: str
    sources: tuple[Source, ...]
    answer: Source | None
    parts: tuple[Part, ...] = ()
    freshness: str = ""
    next_write: str = ""
    gaps: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether nothing answered, and it is not certain that there is nothing."""
        return self.answer is None and any(source.doubtful for source in self.sources)
