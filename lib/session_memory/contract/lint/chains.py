"""Lookup chains that belong to another shape than the one they are applied to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.finding import Fault


@dataclass(frozen=True)
class Shape:
    """A kind of state as prose names it; ``strict`` also where a word may mean something else."""

    name: str
    rows: tuple[str, ...]
    words: "re.Pattern[str]"
    strict: "re.Pattern[str]"


def _shape(name: str, rows: str, words: str, strict: str) -> Shape:
    cited = rows.split()
    alternatives = "|".join(cited)
    compiled = [re.compile(rf"\b(?:{one}|{alternatives})\b", re.IGNORECASE) for one in (words, strict)]
    return Shape(name, tuple(cited), *compiled)


_KEPT = r"(?:[- ](?:cache|state|snapshot|marker|lookup|record|file)s?)"
_SHAPES = (
    _shape("plan", "SMC-01 SMC-02", rf"plans?{_KEPT}?", rf"plan(?:[- ]bundle)?{_KEPT}"),
    _shape("design", "SMC-03", rf"designs?{_KEPT}?", rf"design{_KEPT}"),
    _shape(
        "review", "SMC-05 SMC-06", r"review[- ](?:state|completion|progress|resume|stages?)",
        r"review[- ](?:state|completion|resume)",
    ),
    _shape(
        "startup", "SMC-07", rf"(?:session[- ])?start-?up(?:[- ]checks?)?{_KEPT}|start-?up[- ]checks?",
        rf"start-?up(?:[- ]checks?)?{_KEPT}|start-?up[- ]checks?",
    ),
    _shape("calibration", "SMC-09 SMC-10 SMC-11", rf"calibration(?:[- ](?:data|history))?{_KEPT}?", r"calibration"),
    _shape("tracking", "SMC-13", r"tracking[- ](?:artifacts?|files?|state|documents?)", r"tracking[- ](?:artifacts?|files?|state)"),
    _shape("hygiene", "SMC-12", r"release[- ]hygiene", r"release[- ]hygiene"),
    _shape("deferred work", "SMC-15", r"(?:deferred|rate[- ]limit(?:ed)?)[- ](?:work|items?|findings?|state|payload)", r"deferred[- ](?:work|items?)"),
    _shape("install prompt", "SMC-18", r"install[- ]prompt", r"install[- ]prompt"),
    _shape("gate events", "SMC-21", r"gate[- ](?:event|decision)s?(?:[- ]log)?", r"gate[- ]events?(?:[- ]log)?"),
)  # fmt: skip
# A review, a plan and so on as what a chain is for, where nothing names their state.
_FOR = re.compile(
    r"(?:\bfor (?:the |a |an )?|^[\s>*_-]*)(plan|design|review|start-?up|calibration|tracking)s?\b[*_]*(?=\s*[,:]|\s+(?:use|read|look|check|apply|follow))",
    re.IGNORECASE,
)

# What a chain may name, and the shapes it may be part of.
_SOURCES = (
    (re.compile(r"(?:/?memories/session/)?\bplan-(?:issue|bundle)-[\w{}<>*.-]*|<!-- *plan-issue[^>]*>"), {"plan"}),
    (re.compile(r"(?:/?memories/session/)?\bdesign-issue-[\w{}<>*.-]*|<!-- *design-(?:issue|phase-complete)[^>]*>"), {"design"}),
    (re.compile(r"(?:/?memories/session/)?\breview-state-[\w{}<>*.-]*"), {"review"}),
    (re.compile(r"<!-- *pipeline-metrics *-->|\bpipeline-metrics\b"), {"review", "calibration"}),
    (re.compile(r"(?:/?memories/session/)?\bsession-startup-check-complete[\w{}<>*.-]*"), {"startup"}),
    (re.compile(r"(?:\.copilot-tracking/calibration/)?\breview-data\.json"), {"calibration"}),
    (re.compile(r"(?:/?memories/session/)?\brate-limit-deferred-[\w{}<>*.-]*"), {"deferred work"}),
    (re.compile(r"(?:/?memories/session/)?\bcost-collection-install-prompt-[\w{}<>*.-]*"), {"install prompt"}),
    (re.compile(r"(?:\.claude/\.state/)?\brelease-hygiene-[\w{}<>*.-]*"), {"hygiene"}),
    (re.compile(r"(?:/?memories/session/|\.copilot-tracking/)?\bgate-events[\w{}<>*.-]*\.jsonl"), {"gate events"}),
    (re.compile(r"\.copilot-tracking/(?!calibration|gate-events)[\w{}<>*./-]*"), {"tracking"}),
    (re.compile(r"/?memories/session/?(?![\w/])|\bsession[- ]memory\b|\bvscode/memory\b", re.IGNORECASE),
     {"plan", "design", "review", "startup", "deferred work", "install prompt", "gate events"}),
    (re.compile(r"\bissue[- ]body\b|\bbody of the issue\b", re.IGNORECASE), {"plan", "design"}),
    (re.compile(r"\bissue[- ]comments?\b|\b(?:GitHub|durable) (?:issue )?(?:comment|marker)s?\b", re.IGNORECASE),
     {"plan", "design", "review", "calibration"}),
)  # fmt: skip

_LOOKS_UP = re.compile(
    r"look(?:s|ed|ing)? ?up|look-?up|\b(?:read|reads|load|loads|fetch|fetches|find|finds|check|checks|prefer|prefers|consult"
    r"|consults|search|resolve[sd]?|restore[sd]?|recover|recovers|resum\w+|try|tries|retrieve[sd]?|source)\b|precedence|chain"
    r"|fall(?:s|ing)?[- ]?back|->|=>|\N{RIGHTWARDS ARROW}",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"->|=>|\N{RIGHTWARDS ARROW}|\b(?:then|first|finally|otherwise|next|last|fall(?:s|ing)?[- ]?back|else|precedence|chain|order"
    r"|look-?up)\b|\bif (?:it is |they are |that is )?(?:absent|missing|not there|none|unavailable)",
    re.IGNORECASE,
)
_WRITES = re.compile(r"^[\s>*_\d.)-]*(?:write|persist|save|store|post|create|update|append)\b", re.IGNORECASE)
_CUT = re.compile(r"\b(?:from|via|through|using|uses?|appl(?:y|ies)|reuses?|with|by|in)\b|\N{RIGHTWARDS ARROW}|->", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:not|never|cannot|avoid|instead|rather|unlike|differs?|different|separate|its own|their own|neither|nor)\b|n't\b",
    re.IGNORECASE,
)
_WHICH = r"(?P<shape>plans?|designs?|reviews?(?:[- ]states?)?|start-?up|calibration|tracking)"
_CHAIN = re.compile(
    rf"\b{_WHICH}(?:'s)?(?:[- ](?:cache|state|marker|bundle|file|check))*"
    r"[- ]+(?:(?:look-?up|read|resume|resolution|recovery)[- ]+)?(?:chain|order|precedence|look-?up)\b",
    re.IGNORECASE,
)
_CHAIN_OF = re.compile(
    rf"\b(?:chain|order|precedence|look-?up)[ \n]+(?:as|of|from)[ \n]+(?:for[ \n]+)?(?:the |a )?{_WHICH}\b(?:[- ]caches?)?",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\bby[ \n]+$|\b(?:after|before|during|once|when|while|at|until|since)[ \n]+(?:the |a |an |every |each |any )?$", re.IGNORECASE
)
_APPLIES = re.compile(
    r"\b(?:appl(?:y|ies|ied)|uses?|using|follow(?:s|ing)?|reuses?|reusing|same|via|through|with|by|shares?|works? for|as for)\b",
    re.IGNORECASE,
)
_NAMES = {"start-up": "startup", "startup": "startup"}
_AFTER_PR = re.compile(r"\bpost-?PR\b|\b(?:after|once) (?:the |a )?(?:PR|pull request)\b|\bSMC-06\b|\bPR exists\b", re.IGNORECASE)
_BEFORE_PR = re.compile(r"\bpre-?PR\b|\bbefore (?:the |a |there is a )?(?:PR|pull request)\b|\bSMC-05\b", re.IGNORECASE)
_LOCAL = re.compile(
    r"memories/session|session[- ]memory(?! (?:is|as|stays|remains) (?:a |an |the |only )?(?:final|last|optional|fallback|fall-back))"
    r"|review-state-|\bsession file\b|\blocal (?:file|cache)\b",
    re.IGNORECASE,
)
_DURABLE = re.compile(r"pipeline-metrics|\breview comment\b|\bPR[- ]body\b|\bpull[- ]request body\b|\bPR comment\b", re.IGNORECASE)


def check(document: Document) -> Iterator[Fault]:
    """Every chain that is applied to a shape of another row, once in a passage."""
    for start, end in _passages(document):
        text = document.prose[start:end]
        if not _LOOKS_UP.search(text) or not _ORDER.search(text) or _WRITES.match(text):
            continue
        fault = _borrowed(document, start, end) or _foreign(document, start, end)
        fault = fault or _misordered(document, start, end)
        if fault is not None:
            yield fault


def _passages(document: Document) -> Iterator[tuple[int, int]]:
    """Paragraphs, table rows, and lists together with the line that leads to them."""
    interesting = sorted(_lines_with_signs(document))
    done = -1
    for line in interesting:
        if line > done:
            first, last = _passage(document, line)
            done = last
            yield document.span(first)[0], document.span(last)[1]


def may_have(lowered: str) -> bool:
    """Whether a text in lower case names anything that a chain is made of."""
    return any(
        sign in lowered if sign not in _ORDINARY else next(_offsets(lowered, sign), -1) >= 0 for sign in SIGNS
    )


def _offsets(lowered: str, sign: str) -> Iterator[int]:
    """Where a sign stands; for an ordinary word, only where it stands beside a shape."""
    at = lowered.find(sign)
    while at >= 0:
        if sign not in _ORDINARY or _is_beside_a_shape(lowered, at):
            yield at
        at = lowered.find(sign, at + len(sign))


def _lines_with_signs(document: Document) -> set[int]:
    lowered = document.prose.lower()
    if len(lowered) != len(document.prose):  # a letter that is longer in lower case
        lowered = document.prose
    return {document.line(at) for sign in SIGNS for at in _offsets(lowered, sign)}


def _is_beside_a_shape(lowered: str, at: int) -> bool:
    beside = lowered[max(0, at - _BESIDE) : at + _BESIDE]
    return any(word in beside for word in _SHAPED)


# What a passage has to hold, in lower case, for any source or any chain to be in it.
SIGNS = (
    "plan-issue-", "plan-bundle-", "design-issue-", "design-phase-complete", "review-state-",
    "pipeline-metrics", "session-startup-check", "review-data.json", "rate-limit-deferred-",
    "cost-collection-install", "release-hygiene-", "gate-events", ".copilot-tracking/",
    "memories/session", "issue body", "issue-body", "issue comment", "durable marker", "github comment", "session memory",
    "chain", "precedence", "lookup", "look-up", "read order",
)  # fmt: skip
# The last of them are ordinary words, which count only beside a shape.
_ORDINARY = SIGNS[-5:]
_BESIDE = 80
_SHAPED = ("plan", "design", "review", "start-up", "startup", "calibration", "tracking")
_BORDER = re.compile(r";(?=\s)|(?<!\\)\|")
_LIST = re.compile(r"[ \t>]*(?:[-*+]|[0-9]+[.)])[ \t]")
_ITEMS = re.compile(r"^[ \t>]*(?:[-*+]|[0-9]+[.)])[ \t]", re.MULTILINE)
_NUMBERED = re.compile(r"[ \t>]*[0-9]+[.)][ \t]")


def _passage(document: Document, line: int) -> tuple[int, int]:
    text = document.line_text(line)
    if text.lstrip(" \t>").startswith(("|", "#")):
        return line, line
    first, last = line, line
    while _goes_on(document, first - 1, first):
        first -= 1
    while _goes_on(document, last, last + 1):
        last += 1
    if _NUMBERED.match(document.line_text(first)):
        first = _lead(document, first)
    elif _LIST.match(document.line_text(first)) and not _is_chain_list(document, first, last):
        return _item(document, line)
    return first, last


def _goes_on(document: Document, above: int, below: int) -> bool:
    texts = [document.line_text(line).strip(" \t>") for line in (above, below)]
    return all(texts) and not any(text.startswith(("|", "#")) for text in texts)


def _lead(document: Document, first: int) -> int:
    """The first line of the paragraph before a list, if it leads to the list by a colon."""
    line = first - 1
    while line > 0 and not document.line_text(line).strip():
        line -= 1
    if line < 0 or not document.line_text(line).rstrip(" *_").endswith(":"):
        return first
    while _goes_on(document, line - 1, line):
        line -= 1
    return line


def _is_chain_list(document: Document, first: int, last: int) -> bool:
    """Whether list items follow each other as a chain does, rather than stand side by side."""
    start, end = document.span(first)[0], document.span(last)[1]
    return bool(re.search(r"^[ \t>]*[-*+][ \t]+(?:first|then|finally|next|otherwise|else)\b", document.prose[start:end], re.IGNORECASE | re.MULTILINE))


def _item(document: Document, line: int) -> tuple[int, int]:
    start, end = document.block(document.span(line)[0])
    return document.line(start), document.line(max(start, end - 1))


def _borrowed(document: Document, start: int, end: int) -> Fault | None:
    """A chain that is named, and applied to another shape."""
    for begin, stop in document.sentences(start, end):
        sentence = document.prose[begin:stop]
        chains = [*_CHAIN.finditer(sentence), *_CHAIN_OF.finditer(sentence)]
        if not chains or _NEGATED.search(sentence) or not _APPLIES.search(sentence):
            continue
        owners = {_plain(chain["shape"]) for chain in chains}
        rest = _blanked(sentence, [chain.span() for chain in chains])
        named = _subjects(rest, heading=False) | _purposes(rest) | _for(rest)
        others = [name for name in named if name not in owners]
        if others and len(owners) == 1:
            text = f"the chain of the {owners.pop()} is not that of the {sorted(others)[0]}"
            return Fault(begin + chains[0].start(), "wrong-chain", text)
    return None


def _plain(word: str) -> str:
    name = word.lower().partition("-state")[0].partition(" state")[0]
    return _NAMES.get(name, name.rstrip("s"))


def _purposes(text: str) -> set[str]:
    """Shapes that are named by one bare word after "for", "to" and the like."""
    found = re.finditer(
        r"\b(?:for|to|on|when (?:reading|resuming|loading)|resume|resuming|read|reading|load|loading|find|resolve|restore)"
        r" (?:the |a |an |any |all )?(plan|design|review|start-?up|calibration|tracking)s?\b(?!-)(?! the\b)",
        text, re.IGNORECASE,
    )  # fmt: skip
    return {_plain(match[1]) for match in found}


def _foreign(document: Document, start: int, end: int) -> Fault | None:
    """A source in a chain that belongs to another shape than the chain is for."""
    heading = _subjects(document.enclosing(start)[0].title, heading=True)
    subjects = led = heading if len(heading) == 1 else set()
    for begin, stop in _clauses(document, start, end):
        if _LIST.match(document.prose, begin, stop):
            subjects = led  # what a list is about is said before it, not by another item
        sources = list(_sources(document.prose, begin, stop))
        subjects = _subject(document.prose[begin:stop], sources, begin) or subjects
        if not _LIST.match(document.prose, start, begin + 1) and not _ITEMS.search(document.prose, start, stop):
            led = subjects
        if not subjects or _NEGATED.search(document.prose[begin:stop]):
            continue
        for at, text, lawful in sources:
            if not lawful & subjects:
                whose = " or ".join(sorted(lawful))
                what = " ".join(text.split())
                message = f"{what} belongs to the chain of {whose}, not to that of {' and '.join(sorted(subjects))}"
                return Fault(at, "wrong-chain", message)
    return None


def _clauses(document: Document, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Sentences, cut at semicolons and at the borders of a table's cells."""
    for begin, stop in document.sentences(start, end):
        at = begin
        for match in _BORDER.finditer(document.prose, begin, stop):
            yield at, match.start()
            at = match.end()
        yield at, stop


def _sources(text: str, start: int, end: int) -> list[tuple[int, str, set[str]]]:
    found: dict[int, tuple[int, str, set[str]]] = {}
    covered: list[tuple[int, int]] = []
    for pattern, lawful in _SOURCES:
        for match in pattern.finditer(text, start, end):
            if not any(left <= match.start() < right for left, right in covered):
                covered.append(match.span())
                found[match.start()] = (match.start(), match[0].rstrip("."), lawful)
    return [found[at] for at in sorted(found)]


def _subject(sentence: str, sources: list[tuple[int, str, set[str]]], start: int) -> set[str]:
    """What a sentence looks up: told before the first source, or else anywhere beside them."""
    masked = _blanked(sentence, [(at - start, at - start + len(text)) for at, text, _ in sources])
    before = masked.partition("\0")[0]
    cut = _CUT.search(before)
    leading = before[: cut.start()] if cut else before
    return _subjects(leading, heading=False) or _for(leading) or _subjects(masked, heading=False)


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text


def _subjects(text: str, heading: bool) -> set[str]:
    """The shapes that a text names, apart from those that only tell when something happens."""
    return {
        one.name
        for one in _SHAPES
        for match in (one.strict if heading else one.words).finditer(text)
        if not _WHEN.search(text[max(0, match.start() - 30) : match.start()])
    }


def _for(text: str) -> set[str]:
    return {_plain(match[1]) for match in _FOR.finditer(text)}


def _steps(text: str) -> int:
    return len(_LOCAL.findall(text)) + len(_DURABLE.findall(text))


def _misordered(document: Document, start: int, end: int) -> Fault | None:
    """A review whose pull request exists, and whose local file is read before what is durable."""
    title = document.enclosing(start)[0].title
    text = document.prose[start:end]
    about = text + "\n" + title
    if text.lstrip(" \t>").startswith("|"):
        start, end = max(_clauses(document, start, end), key=lambda cell: _steps(document.prose[slice(*cell)]))
        text = document.prose[start:end]
    if "review" not in _subjects(about, heading=False) or _NEGATED.search(text):
        return None
    after, before = _AFTER_PR.search(about), _BEFORE_PR.search(about)
    local, durable = _LOCAL.search(text), _DURABLE.search(text)
    if after and not before and local and durable and local.start() < durable.start():
        message = "once there is a pull request, what is durable is read before the session's file"
        return Fault(start + local.start(), "wrong-chain", message)
    if before and not after and durable:
        message = "before the pull request there is the session's file only"
        return Fault(start + durable.start(), "wrong-chain", message)
    return None
