"""Whether a sentence prescribes what it names, or only lists, inspects or quotes it."""

import re

from session_memory.contract.lint.document import Document, Fence
from session_memory.contract.lint.mentions import FOLDER, MARKER, VAGUE, Mention
from session_memory.contract.lint.wording import Pattern, any_of, any_word

_WRITE = (
    "writ(?:es?|ing)", "persist(?:s|ing)?", "stor(?:es?|ing)", "sav(?:es?|ing)", "creat(?:es?|ing)",
    "updat(?:es?|ing)", "append(?:s|ing)?", "record(?:s|ing)?", "cach(?:es?|ing)", "keep(?:s|ing)?",
    "puts?", "post(?:s|ing)?", "emits?", "overwrites?", "dumps?", "logs?", "marks?", "adds?",
    "stash(?:es)?", "leaves?", "maintains?", "mirrors?", "cop(?:y|ies)", "commits?", "replaces?",
    "upserts?", "generates?", "produces?", "outputs?", "sets?", "places?", "drops?", "moves?",
    "archives?", "serializes?",
)  # fmt: skip
_READ = (
    "read(?:s|ing)?", "load(?:s|ing)?", "checks?", "consumes?", "resumes?", "restores?", "parses?",
    "reuses?", "fetch(?:es)?", "looks? up", "consults?", "continues? (?:from|with)",
    "deletes?", "removes?", "clears?",
    "recovers?", "picks? up", "uses?", "using", "prefers?", "trusts?",
)  # fmt: skip
_HOLD = (
    "holds?", "contains?", "carries", "carry", "lives?", "resides?", "survives?", "tracks?",
    "go(?:es)? (?:in)?to", "(?:is|are) the", "is an?", "(?<!what )(?:is|are) (?:in|at|under|below)",
)  # fmt: skip
_BEING = (
    r"(?:is|are|be|being|gets?)(?:\s+(?:\w+ly|then|also|only|first|always|later|now|again))*\s+"
)
_WRITTEN = (
    "written|persisted|stored|saved|created|updated|appended|recorded|cached|kept|put|posted|emitted"
    "|overwritten|dumped|logged|marked|added|left|maintained|mirrored|copied|committed|replaced"
    "|upserted|set|generated|produced|archived|moved|placed"
)
_READ_FROM = (
    "read|loaded|checked|consumed|resumed|restored|parsed|reused|fetched|looked up|deleted|removed"
    "|used"
)


def _verbs(*alternatives: str) -> Pattern:
    return any_of(rf"(?<![\w/.-])(?:re-)?(?:{'|'.join(alternatives)})(?![\w/-])")


_ANY_VERB = _verbs(*_WRITE, *_READ, *_HOLD, rf"{_BEING}(?:{_WRITTEN}|{_READ_FROM})")
_WRITES = _verbs(*_WRITE, rf"{_BEING}(?:{_WRITTEN})")
_RUNS = _verbs("runs?", "executes?", "uses?", "invokes?", "calls?", "issues?", "types?")
_USES = _verbs("uses?", "using")
_USED = any_of(r"\b(?:uses?|using)\s+(?:the |your |its )?[`*_]*$")
_TO_WRITE = any_of(rf"[`*_/]*\s+(?:\w+\s+)?(?:to|for)\s+(?:\w+ly\s+)?(?:{'|'.join(_WRITE)})\b")
# What a command line has before that which it writes.
_BY_COMMAND = any_of(
    r"(?:[^-=<>]|^)>{1,2}[ \t\"']*$", r"\btee[ \t](?:-a[ \t]+)?[\"']?$",
    r"\bgh[ \t]+(?:issue|pr)[ \t]+(?:comment|edit|create)\b.*$",
    r"\b(?:cp|mv)[ \t].*[ \t\"']$", r"\btouch[ \t].*$",
)  # fmt: skip
_INTO = any_of(
    r"\b(?:to|in|into|under|below|at|inside|within)\s+(?:the |your |its |a |file )?[`*_\"'(]*$"
)
# Before a verb: a denial, a past, or an article, which makes it a noun.
_NOT_MEANT = any_of(
    r"\b(?:was|were|has|have|had|of|from|an?|the|this|that|each|every|its|your|our|their|these|those|any|no)\s+[`*_]*$",
    r"(?:\b(?:not|never|cannot|avoid|without|stop|nor|neither|no longer|rather than|instead of"
    r"|nothing|nobody|none"
    r"|no circumstances|forbidden|prohibited)\b|n't\b)[\s`*_]*(?:[\w`*-]+[\s`*_]+){0,3}$",
)
_LOOKING = any_word(
    "list", "inspect", "browse", "scan", "search", "look (?:in|into|at|through|for)", "see", "seen",
    "view", "open", "ls", "traverse", "explore", "finds?", "found", "lies", "exists?", "which",
    "what", "(?:names?|number|count|summary|report|overview|inventory) of",
)  # fmt: skip
# A looking word behind one of these, or behind what is written, names what is written.
_OBJECT = any_of(
    r"\b(?:an?|the|all|any|every|each|your|its|their|our|of|new|short|brief)\s+(?:[\w-]+\s+)?$"
)
_OF_FILES = any_of(
    r"\s+(?:of\s+)?(?:\w+\s+){0,2}(?:files?|entries|documents?|contents?|names?|folders?|paths?)\b"
)
# What a host does by itself is no prescription.
_HOST = any_of(r"\b(?:Copilot|VS ?Code|Claude(?: Code)?|GitHub|hosts?|editors?)\s+(?:\w+\s+)?$")
_NAMED = any_of(
    r"\b(?:path|location|file|key|cache|marker|state|store|log|target|destination|name)s?\b"
    r"[^:\n]{0,25}:[\s`*_\"']*$"
)
_QUOTED = any_word(r"e\.g", "for example", "for instance", "such as", "example", "like")
_DEFINED = re.compile(r"[`*_\"')\]]*[ \t]*(?:[-\N{EN DASH}\N{EM DASH}]+[ \t]|:[ \t\n])")
_OPENING = re.compile(r"[ \t>]*(?:[-*+]|[0-9]+[.)])?[ \t`*_\"']*")
_MARKUP = " \t`*_\"'>#-+"


def prescribes(document: Document, mention: Mention) -> bool:
    """Whether the document tells to write, read or keep what ``mention`` names."""
    fence = next((one for one in document.fences if one.start <= mention.start < one.end), None)
    if fence is not None:
        return _is_dictated(document, fence, mention)
    start, end = document.sentence(mention.start)
    sentence = document.prose[start:end]
    at, after = mention.start - start, mention.end - start
    if mention.kind in (FOLDER, VAGUE):
        return _is_written_into(sentence, at, after, mention.kind)
    if mention.kind != MARKER and _is_defined(document, mention):
        return True
    masked = sentence[:at] + "\0" * (after - at) + sentence[after:]
    return _tells(_ANY_VERB, masked)


def _tells(verbs: "re.Pattern[str]", text: str) -> bool:
    """Whether one of the verbs is meant: neither denied nor, behind an article, a noun."""
    return any(
        not _NOT_MEANT.search(text[max(0, verb.start() - 60) : verb.start()])
        for verb in verbs.finditer(text)
    )


def _is_written_into(sentence: str, at: int, after: int, kind: str) -> bool:
    before = sentence[:at]
    used = _USED.search(before)
    if used and _TO_WRITE.match(sentence, after):
        return not _HOST.search(before[: used.start()]) and _tells(_USES, before)
    if kind == FOLDER and not _INTO.search(before):
        return False
    if _looks(before):
        return False
    return any(
        not _HOST.search(before[: verb.start()]) for verb in _WRITES.finditer(before)
    ) and _tells(_WRITES, before)


def _looks(text: str) -> bool:
    """Whether a word of looking is meant, rather than a list or summary that is written."""
    return any(not _is_object(text, word) for word in _LOOKING.finditer(text))


def _is_object(text: str, word: "re.Match[str]") -> bool:
    before = text[: word.start()]
    verbs = list(_WRITES.finditer(before))
    if not verbs or _OF_FILES.match(text, word.end()):
        return False
    return not before[verbs[-1].end() :].strip() or bool(_OBJECT.search(before))


def _is_defined(document: Document, mention: Mention) -> bool:
    """Whether the name stands where something is defined: alone in a heading, first in a row."""
    start, end = document.block(mention.start)
    text = document.prose[start:end]
    before = document.prose[start : mention.start]
    after = document.prose[mention.end : end]
    if text.lstrip(" \t>").startswith("|"):
        return (
            not before.strip(_MARKUP + "|")
            and after.lstrip("`*_\"' \t").startswith("|")
            and before.count("|") == 1
        )
    if text.lstrip().startswith("#"):
        return not (before + after).strip(_MARKUP)
    if _OPENING.fullmatch(before) and _DEFINED.match(after):
        return True
    return bool(_NAMED.search(before)) and not _QUOTED.search(before)


def _is_dictated(document: Document, fence: Fence, mention: Mention) -> bool:
    """Whether the line above a block tells to write what it shows, or to run what writes it."""
    lead = lead_of(document, fence)
    if mention.kind == VAGUE or not is_instruction(lead):
        return False
    start, _ = document.span(document.line(mention.start))
    written = _BY_COMMAND.search(document.text[start : mention.start])
    return tells_to_write(lead) or bool(written and _tells(_RUNS, lead))


def lead_of(document: Document, fence: Fence) -> str:
    """The line that leads to a block; ``""`` where another block ends."""
    line = document.line(fence.start) - 1
    while line > 0 and not document.text[slice(*document.span(line))].strip():
        line -= 1
    return document.line_text(line).strip()


def is_instruction(lead: str) -> bool:
    """Whether a line that leads to a block may tell to do what the block shows."""
    return lead.endswith(":") and not _QUOTED.search(lead)


def tells_to_write(text: str) -> bool:
    """Whether a text has a verb of writing that is meant."""
    return _tells(_WRITES, text)
