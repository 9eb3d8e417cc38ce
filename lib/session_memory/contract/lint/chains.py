"""Lookup chains that are applied to another shape than the one they belong to."""

import re
from collections.abc import Iterator

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.finding import Fault
from session_memory.contract.lint.passages import begins_item, clauses, holds_item, passages
from session_memory.contract.lint.shapes import (
    REVIEW,
    SIGNS,
    SOURCES,
    WHICH,
    named,
    names_a_source,
    next_sign,
    plain,
)
from session_memory.contract.lint.wording import any_of, any_word

_ARROW = r"->|=>|\N{RIGHTWARDS ARROW}"
_BACK = r"fall(?:s|ing)?[- ]?back"
# Words of reading, and words of an order; a chain has both.
_LOOKS_UP = any_of(
    _ARROW, r"look(?:s|ed|ing)? ?up", "look-?up", "precedence", "chain", _BACK,
    r"\b(?:reads?|loads?|fetch(?:es)?|finds?|checks?|prefers?|consults?|search|resolved?|resolves"
    r"|restored?|restores|recovers?|resum\w+|try|tries|retrieved?|retrieves|source)\b",
)  # fmt: skip
_ORDER = any_of(
    _ARROW,
    rf"\b(?:then|first|finally|otherwise|next|last|{_BACK}|else|precedence|chain|order|look-?up)\b",
    r"\bif (?:it is |they are |that is )?(?:absent|missing|not there|none|unavailable)",
)
_STEP = re.compile(r"^[ \t>]*[0-9]+[.)][ \t]+(.{1,80})$", re.MULTILINE)
_WRITES = any_of(r"[\s>*_\d.)-]*(?:write|persist|save|store|post|create|update|append)\b")
_NEGATED = any_of(
    r"\b(?:not|never|cannot|avoid|instead|rather|unlike|differs?|different|separate|its own"
    r"|their own|neither|nor)\b",
    r"n't\b",
)

# A chain by name, and the shape it belongs to.
_CHAIN_NAMES = (
    any_of(
        rf"\b{WHICH}(?:'s)?(?:[- ](?:cache|state|marker|bundle|file|check)(?:'s)?)*[- ]+"
        r"(?:(?:look-?up|read|resume|resolution|recovery)[- ]+)?"
        r"(?:chain|order|precedence|look-?up)\b"
    ),
    any_of(
        r"\b(?:chain|order|precedence|look-?up)\s+(?:as|of|from)\s+(?:for\s+)?(?:the |a )?"
        rf"{WHICH}\b(?:[- ]caches?)?"
    ),
)
# What all of these names end with, or begin with.
_CHAIN = any_of("chain", "order", "precedence", "look-?up")
_APPLIES = any_word(
    "appl(?:y|ies|ied)", "uses?", "using", "follow(?:s|ing)?", "reuses?", "reusing", "same", "via",
    "through", "with", "by", "shares?", "works? for", "as for",
)  # fmt: skip
# A bare word as the purpose of a chain, after a verb or before a comma.
_PURPOSES = (
    any_of(
        r"\b(?:for|to|on|when (?:reading|resuming|loading)|resume|resuming|read|reading|load"
        rf"|loading|find|resolve|restore) (?:the |a |an |any |all )?{WHICH}\b(?!-)(?! the\b)"
    ),
    re.compile(
        rf"(?:\bfor (?:the |a |an )?|^[\s>*_-]*){WHICH}\b[*_]*"
        r"(?=\s*[,:]|\s+(?:use|read|look|check|apply|follow))",
        re.IGNORECASE,
    ),
)
# Before a shape that is named behind its sources, what makes it their purpose.
_PURPOSE = any_of(r"\b(?:for|of|to \w+|\w+ing)\s+(?:(?:the|an?|any|all|its)\s+)?$")
# Where what is looked up ends, and where it is looked up begins.
_CUT = any_of(r"\b(?:from|via|through|using|uses?|appl(?:y|ies)|reuses?|with|by|in)\b", _ARROW)

_AFTER_PR = any_word("post-?PR", "(?:after|once) (?:the |a )?(?:PR|pull request)", "PR exists")
_BEFORE_PR = any_word("pre-?PR", "before (?:the |a |there is a )?(?:PR|pull request)")
_LOCAL = any_of(
    "memories/session", "review-state-", r"\bsession file\b", r"\blocal (?:file|cache)\b",
    r"session[- ]memory(?! (?:is|as|stays) (?:an? |the |only )?(?:final|last|optional|fall))",
)  # fmt: skip
_DURABLE = any_of(
    "pipeline-metrics", r"\breview comment\b", r"\b(?:PR|pull[- ]request)[- ]body\b",
    r"\bPR comment\b",
)  # fmt: skip

Source = tuple[int, str, set[str]]


def may_have(lowered: str) -> bool:
    """Whether a text in lower case names anything that a chain is made of."""
    return any(next_sign(lowered, sign) >= 0 for sign in SIGNS)


def check(document: Document) -> Iterator[Fault]:
    """Every chain that is applied to a shape of another row, once in a passage."""
    for start, end in passages(document):
        text = document.prose[start:end]
        if not _is_chain(text, document.head_of(start)) or _WRITES.match(text):
            continue
        for find in (_borrowed, _foreign, _misordered):
            fault = find(document, start, end)
            if fault is not None:
                yield fault
                break


def _is_chain(text: str, head: str) -> bool:
    """Whether something is looked up in some order; ``head`` is that of a table's row."""
    if not _LOOKS_UP.search(text) and not _LOOKS_UP.search(head):
        return False
    return bool(_ORDER.search(text)) or len(_steps_of(text)) > 1


def _steps_of(text: str) -> list[str]:
    """The items of a numbered list that are nothing but a source."""
    return [
        item
        for item in _STEP.findall(text)
        if not _LOOKS_UP.search(item) and not _WRITES.match(item) and _stands_first(item)
    ]


def _stands_first(item: str) -> bool:
    return any(len(item[:at].split()) < 3 for at, _, _ in _sources(item))


def _borrowed(document: Document, start: int, end: int) -> Fault | None:
    """A chain that is named, and applied to another shape."""
    if not _CHAIN.search(document.prose, start, end):
        return None
    for begin, stop in document.sentences(start, end):
        sentence = document.prose[begin:stop]
        chains = [match for pattern in _CHAIN_NAMES for match in pattern.finditer(sentence)]
        if not chains or _NEGATED.search(sentence) or not _APPLIES.search(sentence):
            continue
        owners = {plain(chain["shape"]) for chain in chains}
        rest = _blanked(sentence, [chain.span() for chain in chains])
        others = (named(rest) | _purposes(rest)) - owners
        if others and len(owners) == 1:
            text = f"the chain of {owners.pop()} is not that of {min(others)}"
            return Fault(begin + chains[0].start(), "wrong-chain", text)
    return None


def _purposes(text: str) -> set[str]:
    return {plain(match["shape"]) for one in _PURPOSES for match in one.finditer(text)}


def _foreign(document: Document, start: int, end: int) -> Fault | None:
    """A source in a chain that belongs to another shape than the chain is for."""
    if not names_a_source(document.prose[start:end]):
        return None
    heading = named(document.enclosing(start)[0].title, heading=True)
    subjects = led = heading if len(heading) == 1 else set()
    for begin, stop in clauses(document, start, end):
        if begins_item(document.prose, begin, stop):
            subjects = led  # what a list is about is said before it, not by another item
        clause = document.prose[begin:stop]
        sources = _sources(clause)
        subjects = _subjects(clause, sources) or subjects
        if not holds_item(document.prose, start, stop):
            led = subjects
        foreign = next((one for one in sources if subjects and not one[2] & subjects), None)
        if foreign is not None and not _NEGATED.search(clause):
            return _fault(begin, foreign, subjects)
    return None


def _fault(begin: int, source: Source, subjects: set[str]) -> Fault:
    at, name, lawful = source
    whose, whom = " or ".join(sorted(lawful)), " and ".join(sorted(subjects))
    text = f"{' '.join(name.split())} belongs to the chain of {whose}, not to that of {whom}"
    return Fault(begin + at, "wrong-chain", text)


def _sources(clause: str) -> list[Source]:
    """Where each source stands, how it is named, and the shapes it may serve."""
    found: list[Source] = []
    if not names_a_source(clause):
        return found
    covered: list[tuple[int, int]] = []
    for pattern, lawful in SOURCES:
        for match in pattern.finditer(clause):
            if not any(left <= match.start() < right for left, right in covered):
                covered.append(match.span())
                found.append((match.start(), match[0].rstrip("."), lawful))
    return sorted(found, key=lambda source: source[0])


def _subjects(clause: str, sources: list[Source]) -> set[str]:
    """What a clause looks up: told before the first source, or else anywhere beside them."""
    masked = _blanked(clause, [(at, at + len(name)) for at, name, _ in sources])
    before = masked.partition("\0")[0]
    cut = _CUT.search(before)
    leading = before[: cut.start()] if cut else before
    led = {plain(match["shape"]) for match in _PURPOSES[1].finditer(leading)}
    return named(leading) or led or named(masked, behind=_PURPOSE)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text


def _misordered(document: Document, start: int, end: int) -> Fault | None:
    """A review whose pull request exists, and whose local file is read before what is durable."""
    about = document.prose[start:end] + "\n" + document.enclosing(start)[0].title
    after, before = _moment(about)
    if REVIEW not in named(about) or after == before:
        return None
    if document.prose[start:end].lstrip(" \t>").startswith("|"):
        cells = clauses(document, start, end)
        start, end = max(cells, key=lambda cell: _steps(document.prose[slice(*cell)]))
    text = document.prose[start:end]
    local, durable = _LOCAL.search(text), _DURABLE.search(text)
    if durable is None or _NEGATED.search(text):
        return None
    if before:
        told = "before the pull request there is the session's file only"
        return Fault(start + durable.start(), "wrong-chain", told)
    if local and local.start() < durable.start():
        told = "once there is a pull request, what is durable is read before the session's file"
        return Fault(start + local.start(), "wrong-chain", told)
    return None


def _moment(about: str) -> tuple[bool, bool]:
    """Whether a text speaks of after, and of before the pull request; else its rows tell."""
    after, before = bool(_AFTER_PR.search(about)), bool(_BEFORE_PR.search(about))
    return (after, before) if after or before else ("SMC-06" in about, "SMC-05" in about)


def _steps(text: str) -> int:
    return len(_LOCAL.findall(text)) + len(_DURABLE.findall(text))
