"""The ``pipeline-metrics`` block of a pull request's body, read line by line (SMC-06, SMC-09)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from session_memory.markers.blocks import Block, blocks
from session_memory.markers.problem import Problem

HEAD = "pipeline-metrics"

# Of lines without the blanks at their end.
_ROW = re.compile(r"[ \t]*(-[ \t]+)?([\w-]+):[ \t]*(.*)")
_SCALAR = re.compile(r"([\w-]+):[ \t]*(.*)")
_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')[ \t]*(?:#.*)?""")
_BLANKS = " \t\r"
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&#96;", "`"), ("&amp;", "&"))


@dataclass(frozen=True)
class Metrics:
    """``version`` is 4, ``"pre-v4"``, ``"parse-error"``, or ``None`` without a block.

    ``findings`` are the rows under that name, ``passes`` what ``pass_findings`` holds.
    """

    version: int | str | None
    detail: str = ""
    credits: tuple[dict[str, str], ...] = ()
    scalars: dict[str, str] = field(default_factory=dict)
    findings: tuple[dict[str, str], ...] = ()
    passes: dict[str, str] = field(default_factory=dict)

    @property
    def ports(self) -> list[str]:
        return [row.get("port", "") for row in self.credits]


def read(body: str) -> Metrics:
    """The metrics in a pull request's body; a mention in prose or in a code fence is none."""
    found = blocks(body, HEAD)
    if not found:
        return Metrics(None)
    if len(found) > 1:
        return Metrics("parse-error", "more-than-one-block")
    problem = _problem(found[0])
    if problem:
        return Metrics("parse-error", problem)
    text = found[0].text
    scalars = dict(_scalars(text))
    version = scalars.get("metrics_version", "")
    findings, passes = tuple(_rows(text, "findings")), _mapping(text, "pass_findings")
    if not version:
        return Metrics("pre-v4", "no-version-field", (), scalars, findings, passes)
    if version != "4":
        return Metrics("pre-v4", "version-N-not-4", (), scalars, findings, passes)
    return Metrics(4, "", tuple(_rows(text, "credits")), scalars, findings, passes)


def check_body(body: str) -> list[Problem]:
    """What a pull request's body lacks for its metrics to be read back."""
    metrics = read(body)
    if metrics.version != 4:
        reason = metrics.detail or "there is no block"
        return [Problem("bad-metrics", f"pipeline-metrics cannot be read: {reason}")]
    if not metrics.credits:
        return [Problem("no-credits", "pipeline-metrics holds no credit")]
    return []


# What counts as evidence of a review, strongest first.
REVIEW_COMMENT, BODY_METRICS, SESSION = "review-comment", "pr-body-metrics", "session"


def review_source(*, review_comment: bool, body_metrics: bool, session_file: bool) -> str | None:
    """Which evidence of a finished review counts after the pull request exists (SMC-06)."""
    if review_comment:
        return REVIEW_COMMENT
    if body_metrics:
        return BODY_METRICS
    return SESSION if session_file else None


def _problem(block: Block) -> str:
    if not block.terminated:
        return "unterminated-block"
    for line in block.text.split("\n"):
        text = line.strip()
        if not text or text.startswith(("- ", "#")) or text == "-":
            continue
        name, colon, value = text.partition(":")
        if not colon or not name:
            return "line-without-colon"
        if value.strip().startswith('"') and not _ends_quoted(value.strip()):
            return "unterminated-quote"
    return ""


def _ends_quoted(value: str) -> bool:
    return re.match(r'"(?:[^"\\]|\\.)*"', value) is not None


def _scalars(text: str) -> Iterator[tuple[str, str]]:
    """Everything that stands at the left margin with a value behind it."""
    for line in text.split("\n"):
        match = _SCALAR.fullmatch(line.rstrip(_BLANKS))
        if match and match[2]:
            yield match[1], _value(match[2])


def _rows(text: str, name: str) -> list[dict[str, str]]:
    """The mappings of the list ``name``."""
    rows: list[dict[str, str]] = []
    for match in _below(text, name):
        if match[1]:
            rows.append({})
        if rows:
            rows[-1][match[2]] = _value(match[3])
    return rows


def _mapping(text: str, name: str) -> dict[str, str]:
    return {match[2]: _value(match[3]) for match in _below(text, name)}


def _below(text: str, name: str) -> Iterator[re.Match[str]]:
    """The lines that belong to ``name``, which stands at the left margin without a value."""
    inside = False
    for line in text.split("\n"):
        if line[:1].strip() and not line.startswith("-"):
            inside = _value(line.rstrip(_BLANKS)) == f"{name}:"
            continue
        match = _ROW.fullmatch(line.rstrip(_BLANKS)) if inside else None
        if match:
            yield match


def _value(text: str) -> str:
    """A scalar without its quotes, and without the comment that may follow it."""
    quoted = _QUOTED.fullmatch(text)
    text = quoted[1] if quoted else text.partition(" #")[0].partition("\t#")[0].rstrip(_BLANKS)
    if len(text) >= 2 and text[0] == text[-1] == "'":
        text = text[1:-1].replace("''", "'")
    elif len(text) >= 2 and text[0] == text[-1] == '"':
        text = re.sub(r"\\(.)", r"\1", text[1:-1])
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text
