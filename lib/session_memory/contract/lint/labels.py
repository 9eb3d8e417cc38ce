"""Survival labels in a document: those that the vocabulary lacks, and those of another row."""

import re
from collections.abc import Iterator

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.fields import Field, fields, is_stand_in
from session_memory.contract.lint.finding import Fault
from session_memory.contract.lint.references import citations
from session_memory.contract.lint.wording import Pattern, any_of
from session_memory.contract.table import contract
from session_memory.contract.vocabulary import is_malformed, label_problem

_NAME = r"[Ss]urvival(?:[ -][Ll]abels?)?"
_HEADING = re.compile(r"(?:[a-z]+ )?survival(?: labels?)?", re.IGNORECASE)

_FIRST = re.compile(r"[\s*_\"']*(?:`(?P<quoted>[^`]*)`|(?P<bare>[^\s,;()|`*\"'#]+))")
_NEXT = re.compile(
    r"[\s*_\"']*(?:,|/|\+|&|\band\b|\bor\b)[\s*_\"']*"
    r"(?:`(?P<quoted>[^`]*)`|(?P<bare>[A-Za-z][\w:-]*))(?=[\s*_\"']*(?:$|[,/+&;.(|]|and\b|or\b))"
)
_GLOSS = re.compile(r"[\s*_]*\([\s*_`\"']*([a-z-]+(?::[a-z-]+)?)")
_LABEL = r"per-dispatch|within-conversation|within-worktree|durable|per-process"
_LABELLIKE = re.compile(
    rf"(?:within|per|across|cross|until)-[a-z-]+(?::.*)?|(?:{_LABEL})\W.*|[\w-]+:(?:{_LABEL})"
)
_QUOTED = re.compile(r"`(?P<label>[^`\n]{1,80})`")

# Labels in running text. Words like per-issue are ordinary, so these need a sign beside them.
_IN_PROSE = (
    re.compile(r"`(?P<label>(?:within|per)-[^`\n]{1,60}|durable[ :][^`\n]{1,40})`"),
    re.compile(
        r"(?P<label>(?:within-conversation|within-worktree|per-dispatch|per-process)"
        r":[^\s`|,;)\]\"'*]+)"
    ),
)
_REVERSED = re.compile(rf"`(?P<label>[^`\s:]{{1,40}}:(?:{_LABEL}))`")
_SIGN = re.compile(r"surviv|\bSMC-[0-9]", re.IGNORECASE)
_SURVIVAL = re.compile(r"surviv", re.IGNORECASE)
_COMPARED = re.compile(r"[\s`*_-]*(?:style|like|similar)\b", re.IGNORECASE)
_DISOWNED_BEFORE = any_of(
    r"\b(?:not|never|no|instead of|rather than|unlike|replac\w+|formerly|invalid|unknown|wrong)\b"
    r"[^`.;]{0,30}$"
)
_DISOWNED_AFTER = any_of(
    r"[\s`*_\"']*(?:is|are|was|were)\s+(?:not|never|no|wrong|invalid|retired|gone|unknown)\b",
    r"[\s`]*is\s?n't",
)
_MENTION = re.compile(
    r"within-(?:conversation|worktree)(?![\w-])|per-(?:dispatch|process)(?![\w-])"
    r"|`durable(?::[^`\n]*)?`|[Ss]urvival[*_`\"]*\s*[:=]"
)
_DURABLE = re.compile(r"\bdurable\b")


def check(document: Document) -> Iterator[Fault]:
    """Every label that is not one, and every label that its row does not have."""
    told: set[int] = set()
    for field in fields(document, _NAME, _HEADING):
        for fault in _of_field(field):
            if fault.offset not in told:
                told.add(fault.offset)
                yield fault
    for fault in _of_prose(document):
        if fault.offset not in told:
            yield fault


def callouts(document: Document) -> Iterator[Field]:
    """The fields that say how long something survives, right or wrong."""
    return (one for one in fields(document, _NAME, _HEADING) if not is_stand_in(one.value))


def lines_with_label(document: Document) -> Iterator[int]:
    """The lines that carry a survival label, or mean to."""
    for match in _MENTION.finditer(document.prose):
        yield document.line(match.start())
    for match in citations(document.prose):
        line = document.line(match.start())
        if _DURABLE.search(document.line_text(line)):
            yield line
    if "urvival" in document.prose:
        for field in callouts(document):
            yield document.line(field.offset)


def _of_field(field: Field) -> Iterator[Fault]:
    if is_stand_in(field.value):
        return
    labels = list(_labels(field))
    for offset, label in labels:
        problem = label_problem(label)
        if problem:
            code = "malformed-label" if is_malformed(label) else "unknown-label"
            yield Fault(field.offset + offset, code, problem)
    if labels and not any(label_problem(label) for _, label in labels):
        yield from _of_another_row(field, labels)


def _of_another_row(field: Field, labels: list[tuple[int, str]]) -> Iterator[Fault]:
    cited = {
        match[0] for match in citations(field.line) if not _COMPARED.match(field.line, match.end())
    }
    row = contract().rows.get(cited.pop()) if len(cited) == 1 else None
    bases = {label.partition(":")[0] for _, label in labels}
    if row and not bases & {*row.bases, "per-process"}:
        known = ", ".join(one.label for one in row.survival)
        offset, label = labels[0]
        text = f"{label} is not a label of {row.id}, which survives {known}"
        yield Fault(field.offset + offset, "label-mismatch", text)


def _labels(field: Field) -> Iterator[tuple[int, str]]:
    """The labels that a field gives, right or wrong, with their offsets in its value."""
    value = field.value
    first = _FIRST.match(value)
    if first is None:
        return
    label, at, end = _completed(value, first)
    known = not label_problem(label)
    if not known and not (_is_meant(field, first, label) and not _is_glossed(value, end)):
        label = ""
    if label:
        yield at, label
    if known or label:
        while further := _NEXT.match(value, end):
            end = further.end()
            yield further.start("quoted" if further["quoted"] else "bare"), _text(further)
    for match in _QUOTED.finditer(value, end):
        if _LABELLIKE.fullmatch(match["label"]):
            yield match.start("label"), match["label"]


def _completed(value: str, first: "re.Match[str]") -> tuple[str, int, int]:
    """The first label, with what belongs to it: a surface behind a blank, or all of a phrase."""
    label = _text(first)
    at = first.start("quoted" if first["quoted"] is not None else "bare")
    if first["bare"] and not label_problem(label.rstrip(":")) and first["bare"].endswith(":"):
        surface = re.match(r"\s*[\w-]+(?=\s*(?:$|[;,.(]))", value[first.end() :])
        return (
            (label + surface[0], at, first.end() + surface.end())
            if surface
            else (label[:-1], at, first.end())
        )
    return label, at, first.end()


def _text(match: "re.Match[str]") -> str:
    return (match["quoted"] or "").strip() or (match["bare"] or "").rstrip(".!?")


def _is_meant(field: Field, first: "re.Match[str]", label: str) -> bool:
    """Whether a word that is no label stands where a label has to."""
    if is_stand_in(label):
        return False
    if first["quoted"] is not None or field.sure or _LABELLIKE.fullmatch(label):
        return True
    return any(citations(field.line))


def _is_glossed(value: str, end: int) -> bool:
    """Whether a label in brackets explains a word, as in ``session (within-conversation)``."""
    gloss = _GLOSS.match(value, end)
    return gloss is not None and not label_problem(gloss[1])


def _of_prose(document: Document) -> Iterator[Fault]:
    patterns: tuple[Pattern, ...] = _IN_PROSE
    if any(f":{label}`" in document.prose for label in contract().labels):
        patterns = (*_IN_PROSE, _REVERSED)
    for pattern in patterns:
        for match in pattern.finditer(document.prose):
            label = match["label"].rstrip(".:!?") if match[0][0] != "`" else match["label"]
            problem = label_problem(label)
            if not problem or "{" in label or "<" in label or _is_part(document, match):
                continue
            if _is_label_here(document, match, label) and not _is_disowned(document, match):
                code = "malformed-label" if is_malformed(label) else "unknown-label"
                yield Fault(match.start("label"), code, problem)


def _is_part(document: Document, match: "re.Match[str]") -> bool:
    """Whether a bare label is part of a longer word, or quoted and so found already."""
    before = document.prose[max(0, match.start() - 1) : match.start()]
    return match[0][0] != "`" and bool(re.match(r"[\w`-]", before))


def _is_label_here(document: Document, match: "re.Match[str]", label: str) -> bool:
    parts = label.partition(":")
    if is_malformed(label):
        if parts[0].strip() == "durable" and not _has(_SIGN, document, match.start()):
            return False  # of a message queue, for example
        # A sentence in quotation marks may begin with a label.
        return " " not in parts[2].strip()
    if parts[2] in contract().surfaces:
        return True
    return _has(_SIGN if label.startswith("within-") else _SURVIVAL, document, match.start())


def _has(sign: "re.Pattern[str]", document: Document, offset: int) -> bool:
    """Whether the passage or its heading is about survival."""
    title = document.enclosing(offset)[0].title
    return bool(sign.search(document.prose, *document.block(offset)) or _SURVIVAL.search(title))


def _is_disowned(document: Document, match: "re.Match[str]") -> bool:
    start, _ = document.sentence(match.start())
    before = document.prose[start : match.start()]
    return bool(
        _DISOWNED_BEFORE.search(before) or _DISOWNED_AFTER.match(document.prose, match.end())
    )
