"""The demo as a person reads it, and as one JSON document."""

import platform
import shutil
import sys
import textwrap
from typing import Any

from session_memory.demo.replay import Outcome, Replay
from session_memory.demo.scene_files import HAS_STAND_IN

# Lines shown of an injected text: its beginning, and its end with the sentinel.
_HEAD, _TAIL = 10, 2
_FIRST_COLUMN = 34
_MARGIN = 7

_GH = (
    "a local stand-in that knows one issue; no network, no account"
    if HAS_STAND_IN
    else "no stand-in on Windows, so references are left out; no network, no account"
)


def as_document(replay: Replay, kept: str) -> "dict[str, Any]":
    """The whole replay as JSON values; ``kept`` is the folder, when it is kept."""
    return {
        "python": platform.python_version(),
        "executable": sys.executable,
        "floor_ms": round(replay.floor_ms, 2),
        "events": [_event_document(outcome) for outcome in replay.outcomes],
        "written": replay.written,
        "git_status": replay.status,
        "kept": kept or None,
        "problems": replay.problems,
        "ok": not replay.problems,
    }


def as_text(replay: Replay, kept: str, colours: bool) -> str:
    """The whole replay for a terminal; ``kept`` is the folder, when it is kept."""
    paint = _Paint(colours)
    parts = [_opening(replay, paint)]
    for number, outcome in enumerate(replay.outcomes, 1):
        parts.append(_event_text(number, outcome, paint))
    parts += [_disk(replay, paint), _closing(replay, kept, paint)]
    return "\n".join(parts)


class _Paint:
    """Colours, or none."""

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self.on else text

    def bold(self, text: str) -> str:
        return self("1", text)

    def dim(self, text: str) -> str:
        return self("2", text)

    def good(self, text: str) -> str:
        return self("32", text)

    def bad(self, text: str) -> str:
        return self("31", text)


def _opening(replay: Replay, paint: _Paint) -> str:
    python = f"Python {platform.python_version()}"
    return "\n".join(
        [
            paint.bold("One recorded conversation, replayed through the real hooks"),
            f"  repository  {replay.scene.root}",
            f"  hooks       {python}, {sys.executable}",
            f"  yardstick   {replay.floor_ms:.1f} ms for a Python that does nothing",
            f"  gh          {_GH}",
            "",
        ]
    )


def _event_text(number: int, outcome: Outcome, paint: _Paint) -> str:
    step = outcome.step
    name = f"{number}  {step.event}"
    time = f"{outcome.milliseconds:7.1f} ms"
    lines = [f"{paint.bold(name.ljust(_FIRST_COLUMN))}{step.host.ljust(12)}{time}"]
    lines += [f"   {line}" for line in step.title.split("\n")]
    prompt = step.payload.get("prompt")
    if prompt:
        lines.append(f"   prompt: {prompt}")
    shown = _excerpt(outcome.context) if outcome.context else ["(nothing injected)"]
    lines += [paint.dim(f"     | {line}".rstrip()) for line in shown]
    lines += [paint.bad(f"   not as expected: {why}") for why in outcome.problems]
    return "\n".join([*lines, ""])


def _excerpt(context: str) -> "list[str]":
    lines = [part for line in context.splitlines() for part in _wrapped(line, "", "")]
    hidden = len(lines) - _HEAD - _TAIL
    if hidden <= 1:
        return lines
    return [*lines[:_HEAD], f"[... {hidden} more lines ...]", *lines[-_TAIL:]]


def _disk(replay: Replay, paint: _Paint) -> str:
    lines = [paint.bold("What lies on disk")]
    folder = ""
    for name, text in replay.written.items():
        here, _, base = name.rpartition("/")
        if here != folder:
            lines.append(f"  {here}/")
            folder = here
        lines.append(f"    {base}" if text else f"    {base}  (empty)")
        lines += [paint.dim(line) for line in _content(text)]
    return "\n".join([*lines, ""])


def _content(text: str) -> "list[str]":
    """A file's lines, each wrapped."""
    shown = []
    for line in text.splitlines():
        shown += _wrapped(line, " " * 6, " " * 8)
    return shown


def _closing(replay: Replay, kept: str, paint: _Paint) -> str:
    status = "clean" if not replay.status else "NOT clean"
    spent = sum(outcome.milliseconds for outcome in replay.outcomes)
    lines = [
        f"git status: {status}",
        f"folder:     {kept or 'removed; --keep keeps it'}",
        f"time:       {spent:.0f} ms in {len(replay.outcomes)} hooks",
    ]
    if replay.problems:
        lines.append(paint.bad(f"{len(replay.problems)} things were not as expected:"))
        lines += [paint.bad(f"  {why}") for why in replay.problems]
    else:
        lines.append(paint.good("Every event did what it should."))
    return "\n".join(lines) + "\n"


def _event_document(outcome: Outcome) -> "dict[str, Any]":
    step = outcome.step
    return {
        "name": step.name,
        "host": step.host,
        "event": step.event,
        "entry": step.entry,
        "milliseconds": round(outcome.milliseconds, 2),
        "exit_code": outcome.code,
        "injected": outcome.context,
        "stderr": outcome.stderr,
        "problems": outcome.problems,
    }


def _wrapped(line: str, first: str, next_ones: str) -> "list[str]":
    found = textwrap.wrap(
        line,
        _width() - _MARGIN,
        initial_indent=first,
        subsequent_indent=next_ones,
        break_on_hyphens=False,
    )
    return found or [""]


def _width() -> int:
    return max(60, min(100, shutil.get_terminal_size((100, 24)).columns))
