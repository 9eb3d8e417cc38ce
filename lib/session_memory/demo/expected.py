"""What the demo's events must do and leave behind. The table is here, and only here."""

import fnmatch
import json
from dataclasses import dataclass
from typing import Any

from session_memory.demo.scene_files import HAS_STAND_IN, ISSUE, OLD_BRANCH

# Where the injected text lies in a host's dialect.
NESTED = ("hookSpecificOutput", "additionalContext")
FLAT = ("additionalContext",)

_SENTINEL = f"<!-- refs-injected-{ISSUE} -->"
_REFERENCES = ("RFC 4180", "Round trip", _SENTINEL) if HAS_STAND_IN else ()


@dataclass(frozen=True)
class Expected:
    """What one event injects: texts that occur in it, texts that do not, and its dialect."""

    says: "tuple[str, ...]" = ()
    hides: "tuple[str, ...]" = ()
    dialect: "tuple[str, ...]" = NESTED


SILENT = Expected()

EVENTS = {
    "start": Expected(says=(OLD_BRANCH, ".copilot-tracking")),
    "prompt": Expected(says=_REFERENCES, hides=("teal", OLD_BRANCH)),
    "edit": Expected(says=("skills/export/SKILL.md",)),
    "second-edit": SILENT,
    "question": SILENT,
    "same-prompt": SILENT,
    "compact": SILENT,
    "copilot-prompt": Expected(says=(OLD_BRANCH, *_REFERENCES), dialect=FLAT),
    "copilot-question": SILENT,
}

_CLAUDE = "s-d7e66472-78f9-49aa-b4f1-12aa08996c0c"
_COPILOT = "s-5cf15136-82e3-4612-96b2-7657f15f1d8f"

# File pattern, how many of them, and texts that each of them holds.
FILES: "tuple[tuple[str, int, tuple[str, ...]], ...]" = (
    (f"memories/session/gate-events-{_CLAUDE}.jsonl", 1, (_CLAUDE, '"AskUserQuestion"')),
    (f"memories/session/gate-events-{_COPILOT}.jsonl", 1, (_COPILOT, '"ask_user"')),
    ("memories/session/session-startup-check-complete-s-*.md", 2, ()),
    (f"memories/session/references-preflight-s-*-{ISSUE}.json", 2 * HAS_STAND_IN, ("body_hash",)),
    (
        ".claude/.state/release-hygiene-*.json",
        1,
        ("skills/export/SKILL.md", "commands/export.md"),
    ),
)
ONLY_BELOW = ("memories/session/", ".claude/.state/")

# Of prompts and questions, digests may be kept; the words may not.
NEVER_WRITTEN = ("Which fields", "Which line end", "ask before you choose", "continue with")


def of_event(name: str, code: int, stdout: bytes, stderr: bytes) -> "tuple[str, list[str]]":
    """What the event ``name`` injected, and what was wrong with it."""
    want = EVENTS[name]
    problems = [f"exit code {code}"] if code else []
    if stderr:
        problems.append("said on stderr: " + stderr.decode("utf-8", "replace").strip())
    context = _context(stdout, want.dialect)
    if context is None:
        return "", [*problems, "stdout is not one answer in the host's dialect"]
    if want == SILENT and context:
        problems.append("expected silence")
    problems += [f"did not say {text!r}" for text in want.says if text not in context]
    problems += [f"should not say {text!r}" for text in want.hides if text in context]
    return context, problems


def on_disk(written: "dict[str, str]", status: str) -> "list[str]":
    """What is wrong with the files that the hooks wrote, or with ``git status`` afterwards."""
    problems = [why for row in FILES for why in _missing(written, *row)]
    for name, text in written.items():
        if not name.startswith(ONLY_BELOW):
            problems.append(f"{name}: written outside the folders for state")
        problems += [f"{name}: holds {words!r}" for words in NEVER_WRITTEN if words in text]
    if status:
        problems.append("git status is not clean: " + "; ".join(status.splitlines()))
    return problems


def _context(stdout: bytes, dialect: "tuple[str, ...]") -> "str | None":
    """The injected text; ``None`` when stdout is neither empty nor in ``dialect``."""
    if not stdout:
        return ""
    try:
        found: Any = json.loads(stdout)
        for member in dialect:
            found = found[member]
    except (ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, str) else None


def _missing(
    written: "dict[str, str]", pattern: str, count: int, holds: "tuple[str, ...]"
) -> "list[str]":
    found = fnmatch.filter(written, pattern)
    problems = [] if len(found) == count else [f"{pattern}: {len(found)} files, expected {count}"]
    return problems + [
        f"{name}: does not hold {text!r}"
        for name in found
        for text in holds
        if text not in written[name]
    ]
