"""Shapes of state as prose names them, and the sources that a lookup chain may name for each."""

import re

from session_memory.contract.lint.wording import Pattern, any_word

PLAN, DESIGN, REVIEW, STARTUP = "plan", "design", "review", "startup"
CALIBRATION, TRACKING, HYGIENE = "calibration", "tracking", "release hygiene"
DEFERRED, PROMPT, GATES = "deferred work", "install prompt", "gate events"


_KEPT = r"(?:[- ](?:cache|state|snapshot|marker|lookup|record|file)s?)"
_STARTUP = (rf"start-?up(?:[- ]checks?)?{_KEPT}", r"start-?up[- ]checks?")
# How prose names each shape, and its rows.
_WORDS = {
    PLAN: (rf"plans?{_KEPT}?", "SMC-0[12]"),
    DESIGN: (rf"designs?{_KEPT}?", "SMC-03"),
    REVIEW: (r"review[- ](?:state|completion|progress|resume|stages?)", "SMC-0[56]"),
    STARTUP: (*_STARTUP, "SMC-07"),
    CALIBRATION: ("calibration", "SMC-(?:09|1[01])"),
    TRACKING: (r"tracking[- ](?:artifacts?|files?|state|documents?)", "SMC-13"),
    HYGIENE: ("release[- ]hygiene", "SMC-12"),
    DEFERRED: (
        r"(?:deferred|rate[- ]limit(?:ed)?)[- ](?:work|items?|findings?|state|payload)",
        "SMC-15",
    ),
    PROMPT: ("install[- ]prompt", "SMC-18"),
    GATES: (r"gate[- ](?:event|decision)s?(?:[- ]log)?", "SMC-21"),
}
# In a heading, a bare word may mean something else.
_STRICT = {
    **_WORDS,
    PLAN: (rf"plan(?:[- ]bundle)?{_KEPT}", "SMC-0[12]"),
    DESIGN: (rf"design{_KEPT}", "SMC-03"),
}


def _named(words: dict[str, tuple[str, ...]]) -> Pattern:
    """One pattern for all shapes; the number of its group tells which of them was found."""
    return any_word(*(f"({'|'.join(some)})" for some in words.values()))


_NAMES = tuple(_WORDS)
_IN_TEXT, _IN_HEADING = _named(_WORDS), _named(_STRICT)
# One bare word is enough where a chain is said to be for it.
WHICH = r"(?P<shape>plans?|designs?|reviews?(?:[- ]states?)?|start-?up|calibration|tracking)"

# Before a shape, what makes it a time or a way, and no subject.
_ASIDE = re.compile(
    r"\b(?:by|(?:after|before|during|once|when|while|at|until|since)"
    r"(?:\s+(?:the|a|an|every|each|any))?)\s+$",
    re.IGNORECASE,
)

_SESSION = r"(?:/?memories/session/)?\b"
_NAME = r"[\w{}<>*.-]*"
_MEMORY = {PLAN, DESIGN, REVIEW, STARTUP, DEFERRED, PROMPT, GATES}
SOURCES: tuple[tuple[Pattern, set[str]], ...] = (
    (re.compile(rf"{_SESSION}plan-(?:issue|bundle)-{_NAME}|<!-- *plan-issue[^>]*>"), {PLAN}),
    (re.compile(rf"{_SESSION}design-issue-{_NAME}|<!-- *design-(?:issue|phase)[^>]*>"), {DESIGN}),
    (re.compile(rf"{_SESSION}review-state-{_NAME}"), {REVIEW}),
    (re.compile(r"<!-- *pipeline-metrics *-->|\bpipeline-metrics\b"), {REVIEW, CALIBRATION}),
    (re.compile(rf"{_SESSION}session-startup-check-complete{_NAME}"), {STARTUP}),
    (re.compile(r"(?:\.copilot-tracking/calibration/)?\breview-data\.json"), {CALIBRATION}),
    (re.compile(rf"{_SESSION}rate-limit-deferred-{_NAME}"), {DEFERRED}),
    (re.compile(rf"{_SESSION}cost-collection-install-prompt-{_NAME}"), {PROMPT}),
    (re.compile(rf"(?:\.claude/\.state/)?\brelease-hygiene-{_NAME}"), {HYGIENE}),
    (re.compile(rf"(?:\.copilot-tracking/)?{_SESSION}gate-events{_NAME}\.jsonl"), {GATES}),
    (re.compile(r"\.copilot-tracking/(?!calibration|gate-events)[\w{}<>*./-]*"), {TRACKING}),
    (
        re.compile(
            r"/?memories/session/?(?![\w/])|\bsession[- ]memory\b|\bvscode/memory\b", re.IGNORECASE
        ),
        _MEMORY,
    ),
    (any_word("issue[- ]body", "body of the issue"), {PLAN, DESIGN}),
    (
        any_word("issue[- ]comments?", r"(?:GitHub|durable) (?:issue )?(?:comment|marker)s?"),
        {PLAN, DESIGN, REVIEW, CALIBRATION},
    ),
)

# What a text has to hold, in lower case, to name a source; then words that are ordinary, unless
# they stand beside a shape.
_SOURCE_SIGNS = (
    "plan-issue-", "plan-bundle-", "design-issue-", "design-phase-complete", "review-state-",
    "pipeline-metrics", "session-startup-check", "review-data.json", "rate-limit-deferred-",
    "cost-collection-install", "release-hygiene-", "gate-events", ".copilot-tracking/",
    "memories/session", "session memory", "issue body", "issue-body", "issue comment",
    "durable marker", "github comment",
)  # fmt: skip
# Further names of sources, too common for a passage to be looked at because of them.
_COMMON_SIGNS = ("session-memory", "vscode/memory", "issue-comment", "body of the issue", "github ")
_ORDINARY_SIGNS = ("chain", "precedence", "lookup", "look-up", "read order")
SIGNS = _SOURCE_SIGNS + _ORDINARY_SIGNS
_SHAPED = ("plan", "design", "review", "start-up", "startup", "calibration", "tracking")
_BESIDE = 80


def named(text: str, heading: bool = False, behind: "Pattern | None" = None) -> set[str]:
    """The shapes that a text names, apart from those that only tell when something happens.

    With ``behind``, only those whose name follows such words.
    """
    pattern = _IN_HEADING if heading else _IN_TEXT
    found = set()
    for match in pattern.finditer(text):
        before = text[max(0, match.start() - 30) : match.start()]
        if not _ASIDE.search(before) and (behind is None or behind.search(before)):
            found.add(_NAMES[(match.lastindex or 1) - 1])
    return found


def names_a_source(clause: str) -> bool:
    """Whether there can be any of :data:`SOURCES` in a clause; quicker than to look for them."""
    lowered = clause.lower()
    return any(sign in lowered for sign in (*_SOURCE_SIGNS, *_COMMON_SIGNS))


def plain(word: str) -> str:
    """The name of the shape that one of the words of :data:`WHICH` stands for."""
    name = re.sub(r"[- ]states?$", "", word.lower())
    return STARTUP if name.startswith("start") else name.removesuffix("s")


def next_sign(lowered: str, sign: str, at: int = 0) -> int:
    """Where a sign stands next, for an ordinary word only beside a shape; -1 when nowhere."""
    at = lowered.find(sign, at)
    while at >= 0 and sign in _ORDINARY_SIGNS:
        beside = lowered[max(0, at - _BESIDE) : at + _BESIDE]
        if any(word in beside for word in _SHAPED):
            break
        at = lowered.find(sign, at + len(sign))
    return at
