"""Values for cross-tool fungibility."""

import re
from collections.abc import Iterator

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.fields import Field, fields, is_stand_in
from session_memory.contract.lint.finding import Fault
from session_memory.contract.vocabulary import fungibility_problem

_NAME = r"[Ff]ungibility"
_HEADING = re.compile(r"(?:[a-z-]+ )?fungib(?:ility|le)(?: value)?", re.IGNORECASE)
_QUOTED = re.compile(r"[\s*_\"']*`(?P<value>[^`]+)`")
_END = re.compile(r";|[.!?](?=\s|$)|\s+(?:contract|survival)\s*:", re.IGNORECASE)
_WORD = re.compile(r"[\s*_\"']*(?P<word>[\w/-]+)")


def check(document: Document) -> Iterator[Fault]:
    """Every value that the vocabulary lacks, and every ``partial`` without its condition."""
    for field in fields(document, _NAME, _HEADING):
        if not _is_defined(field):
            yield from _of_field(field)


def _is_defined(field: Field) -> bool:
    """Whether a value is what its table row explains, and not what it says of something."""
    return field.line.lstrip(" \t>|*_`").startswith(field.value.strip("*_`"))


def _of_field(field: Field) -> Iterator[Fault]:
    if is_stand_in(field.value):
        return
    offset, value, sure = _value(field)
    problem = fungibility_problem(value[:1].lower() + value[1:] if value != "N/A" else "n/a")
    if not problem or is_stand_in(value) or not sure:
        return
    code = (
        "partial-without-condition"
        if value.lower().startswith("partial")
        else "unknown-fungibility"
    )
    if re.match(r"partial[\w-]", value.lower()):
        code = "unknown-fungibility"
    elif re.match(r"(?:yes|no|n/a)(?![\w/-])", value.lower()):
        return
    yield Fault(field.offset + offset, code, problem)


def _value(field: Field) -> tuple[int, str, bool]:
    """Where the value begins, the value, and whether a value is meant at all."""
    quoted = _QUOTED.match(field.value)
    if quoted:
        rest = field.value[quoted.end() :]
        reason = re.match(r"\s+[-\N{EN DASH}\N{EM DASH}]+\s+[^;]*\S", rest)
        return quoted.start("value"), quoted["value"].strip() + (reason[0] if reason else ""), True
    end = _END.search(field.value)
    text = field.value[: end.start()] if end else field.value
    word = _WORD.match(text)
    if word is None:
        return 0, "", False
    value = text[word.start("word") :].strip(" \t*_\"'")
    return word.start("word"), value, field.sure or word["word"].lower() == "partial"
