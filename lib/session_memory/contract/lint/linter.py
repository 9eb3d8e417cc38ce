"""One document through all the checks."""

import re
from collections.abc import Callable, Iterator

from session_memory.contract.lint import (
    callouts,
    chains,
    fungible,
    labels,
    mentions,
    names,
    owned_state,
    references,
)
from session_memory.contract.lint.document import Document
from session_memory.contract.lint.finding import Fault, Finding

Check = Callable[[Document], Iterator[Fault]]


def _any_of(*signs: str) -> Callable[[str], bool]:
    return lambda lowered: any(sign in lowered for sign in signs)


# Each check, and whether a text in lower case may have anything for it to find.
_CHECKS: tuple[tuple[Check, Callable[[str], bool]], ...] = (
    (references.check, _any_of("smc-")),
    (
        labels.check,
        _any_of(
            "survival", "within-", "per-dispatch", "per-process", "`durable", "`per-", ":durable"
        ),
    ),
    (fungible.check, _any_of("fungib")),
    (owned_state.check, _any_of(*mentions.SIGNS)),
    (callouts.check, _any_of("survival", "contract:", "contract**:")),
    (names.check, _any_of("code-review-complete")),
    (chains.check, chains.may_have),
)

_HISTORY = re.compile(
    r"(?:changelog|changes|history|news|releases?|release[-_]notes)\b", re.IGNORECASE
)
_IGNORED = re.compile(r"<!--[ \t]*contract-lint:[ \t]*ignore(?P<codes>[ \t]+[a-z, -]*?)?[ \t]*-->")
_SWITCHED = re.compile(r"<!--[ \t]*contract-lint:[ \t]*(?P<state>off|on)[ \t]*-->")


def check(path: str, text: str) -> list[Finding]:
    """The findings in the text of the document ``path``, in the order of their lines.

    A changelog tells what was, and is not held to what is: its state needs no labels, and its names
    may be retired.
    """
    lowered = text.lower()
    past = bool(_HISTORY.match(re.split(r"[/\\]", path)[-1]))
    document = Document(text)
    found: set[Fault] = set()
    for run, may_find in _CHECKS:
        if past and run in (owned_state.check, callouts.check, names.check, chains.check):
            continue
        if may_find(lowered):
            found.update(run(document))
    if "contract-lint:" in lowered:
        found = {fault for fault in found if not _is_silenced(document, fault)}
    return sorted(
        Finding(path, *document.position(fault.offset), fault.code, fault.message)
        for fault in found
    )


def _is_silenced(document: Document, fault: Fault) -> bool:
    """Whether a comment on the line, on the line before, or around the passage says so."""
    line = document.line(fault.offset)
    for match in _IGNORED.finditer(document.text):
        codes = (match["codes"] or "").replace(",", " ").split()
        if document.line(match.start()) in (line, line - 1) and (not codes or fault.code in codes):
            return True
    states = [match["state"] for match in _SWITCHED.finditer(document.text, 0, fault.offset)]
    return bool(states) and states[-1] == "off"
