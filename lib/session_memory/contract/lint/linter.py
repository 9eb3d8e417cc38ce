"""One document through all the checks."""

import re
from collections.abc import Callable, Iterator

from session_memory.contract.lint import callouts, chains, fungible, labels, names, ownership, references
from session_memory.contract.lint.document import Document
from session_memory.contract.lint.finding import Fault, Finding

Check = Callable[[Document], Iterator[Fault]]

# Each check with what a document must have, in lower case, for the check to find anything.
_CHECKS: tuple[tuple[Check, tuple[str, ...]], ...] = (
    (references.check, ("smc-",)),
    (labels.check, ("survival", "within-", "per-dispatch", "per-process", "durable", "`per-")),
    (fungible.check, ("fungib",)),
    (
        ownership.check,
        ("memories/session", ".copilot-tracking", ".claude/.state", "<!--", "memory"),
    ),
    (callouts.check, ("survival", "contract:", "contract**:")),
    (names.check, ("code-review-complete",)),
    (chains.check, ("memories/session", ".copilot-tracking", "-issue", "review-", "lookup", "chain",
                    "precedence", "pipeline-metrics", "issue body", "comment", "session-")),
)  # fmt: skip

_HISTORY = re.compile(r"(?:changelog|changes|history|news|releases?|release[-_]notes)\b", re.IGNORECASE)
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
    found = set()
    for run, signs in _CHECKS:
        if past and run in (ownership.check, callouts.check, names.check, chains.check):
            continue
        if any(sign in lowered for sign in signs):
            found.update(run(document))
    if "contract-lint:" in lowered:
        found = {fault for fault in found if not _is_silenced(document, fault)}
    return sorted(
        Finding(path, *document.position(fault.offset), fault.code, fault.message) for fault in found
    )


def _is_silenced(document: Document, fault: Fault) -> bool:
    """Whether a comment on the line, on the line before, or around the passage says to ignore it."""
    line = document.line(fault.offset)
    for match in _IGNORED.finditer(document.text):
        codes = (match["codes"] or "").replace(",", " ").split()
        if document.line(match.start()) in (line, line - 1) and (not codes or fault.code in codes):
            return True
    states = [match["state"] for match in _SWITCHED.finditer(document.text, 0, fault.offset)]
    return bool(states) and states[-1] == "off"
