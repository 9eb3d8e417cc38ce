"""The ``pipeline-metrics`` block of a pull request's body, read line by line (SMC-06, SMC-09)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from session_memory.markers.blocks import Block, blocks
from session_memory.markers.problem import Problem

HEAD = "pipeline-metrics"

_CREDIT = re.compile(r"[ \t]*(-[ \t]+)?([\w-]+):[ \t]*(.*?)[ \t]*")
_SCALAR = re.compile(r"([\w-]+):[ \t]*(.*?)[ \t]*")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&#96;", "`"), ("&amp;", "&"))


@dataclass(frozen=True)
class Metrics:
    """``version`` is 4, ``"pre-v4"``, ``"parse-error"``, or ``None`` without a block."""

    version: int | str | None
    detail: str = ""
    credits: tuple[dict[str, str], ...] = ()
    scalars: dict[str, str] = field(default_factory=dict)

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
    scalars = dict(_scalars(found[0].text))
    version = scalars.get("metrics_version", "")
    if not version:
        return Metrics("pre-v4", "no-version-field", scalars=scalars)
    if version != "4":
        return Metrics("pre-v4", "version-N-not-4", scalars=scalars)
    return Metrics(4, credits=tuple(_credits(found[0].text)), scalars=scalars)


def check_body(body: str) -> list[Problem]:
    """What a pull request's body lacks for its metrics to be read back."""
    metrics = read(body)
    if metrics.version != 4:
        reason = metrics.detail or "there is no block"
        return [Problem("bad-metrics", f"pipeline-metrics cannot be read: {reason}")]
    if not metrics.credits:
        return [Problem("no-credits", "pipeline-metrics holds no credit")]
    return []


def review_source(*, review_comment: bool, body_metrics: bool, session_file: bool) -> str | None:
    """Which evidence of a finished review counts after the pull request exists (SMC-06)."""
    if review_comment:
        return "review-comment"
    if body_metrics:
        return "pr-body-metrics"
    return "session-file" if session_file else None


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
        match = _SCALAR.fullmatch(line.rstrip("\r"))
        if match and match[2]:
            yield match[1], _value(match[2])


def _credits(text: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    inside = False
    for line in text.split("\n"):
        if line[:1].strip() and not line.startswith("-"):
            inside = re.fullmatch(r"credits:[ \t\r]*", line) is not None
            continue
        match = _CREDIT.fullmatch(line.rstrip("\r")) if inside else None
        if match and match[1]:
            rows.append({})
        if match and rows:
            rows[-1][match[2]] = _value(match[3])
    return rows


def _value(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == "'":
        text = text[1:-1].replace("''", "'")
    elif len(text) >= 2 and text[0] == text[-1] == '"':
        text = re.sub(r"\\(.)", r"\1", text[1:-1])
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text
