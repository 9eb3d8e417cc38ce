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
_INDENT = 14
_BAR = "     | "

# Files whose content is shown, of each kind the first: a log, and a marker.
_SHOWN = (".jsonl", ".md")
_LOCK, _IGNORE = ".lock", ".gitignore"

_GH = (
    "a local stand-in that knows one issue; no network, no account. The times of prompts that name"
    " the issue include its start"
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


def as_text(replay: Replay, kept: str, colours: bool, verbose: bool = False) -> str:
    """The whole replay for a terminal; ``kept`` is the folder, when it is kept.

    ``verbose`` shows every file that was written, instead of one of each kind.
    """
    paint = _Paint(colours)
    parts = [_opening(replay, paint)]
    for number, outcome in enumerate(replay.outcomes, 1):
        parts.append(_event_text(number, outcome, paint))
    parts += [_disk(replay, paint, verbose), _closing(replay, kept, paint)]
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
    count = len(replay.outcomes)
    facts = {
        "events": "in the form recorded from Claude Code and Copilot CLI",
        "repository": f"{replay.scene.root.name}, in a scratch folder",
        "hooks": f"Python {platform.python_version()}, {sys.executable}",
        "yardstick": f"{replay.floor_ms:.1f} ms for a Python that does nothing, the fastest of"
        " several runs between the hooks",
        "gh": _GH,
    }
    lines = [paint.bold(f"{count} events of two conversations, replayed through the real hooks")]
    for name, fact in facts.items():
        lines += _wrapped(fact, f"  {name:<12}", " " * _INDENT)
    return "\n".join([*lines, ""])


def _event_text(number: int, outcome: Outcome, paint: _Paint) -> str:
    step = outcome.step
    name = f"{number}  {step.event}"
    time = f"{outcome.milliseconds:7.1f} ms"
    lines = [f"{paint.bold(name.ljust(_FIRST_COLUMN))}{step.host.ljust(12)}{time}"]
    lines += _wrapped(step.title, "   ", "   ")
    prompt = step.payload.get("prompt")
    if prompt:
        lines += _wrapped(f"prompt: {prompt}", "   ", "     ")
    shown = _excerpt(outcome.context) if outcome.context else _recorded(outcome)
    lines += [paint.dim(f"{_BAR}{line}".rstrip()) for line in shown]
    for why in outcome.problems:
        lines += [paint.bad(line) for line in _wrapped(f"not as expected: {why}", "   ", "     ")]
    return "\n".join([*lines, ""])


def _recorded(outcome: Outcome) -> "list[str]":
    """What a hook did that injected nothing."""
    if not outcome.wrote:
        return ["nothing injected, nothing to record"]
    lines: list[str] = []
    for name in outcome.wrote:
        folder, _, base = name.rpartition("/")
        lines += [f"nothing injected; recorded in {folder}:", f"  {base}"]
    return list(dict.fromkeys(lines))


def _excerpt(context: str) -> "list[str]":
    lines = [part for line in context.splitlines() for part in _quoted(line)]
    hidden = len(lines) - _HEAD - _TAIL
    if hidden <= 1:
        return lines
    return [*lines[:_HEAD], f"[... {hidden} more lines ...]", *lines[-_TAIL:]]


def _disk(replay: Replay, paint: _Paint, verbose: bool) -> str:
    lines = [paint.bold("What lies on disk")]
    folders: dict[str, list[str]] = {}
    for name in replay.written:
        folders.setdefault(name.rpartition("/")[0], []).append(name)
    for folder, names in folders.items():
        shown = _samples(names) if not verbose else names
        lines.append(f"  {folder}/")
        for name in shown:
            lines.append(f"    {name[len(folder) + 1 :]}")
            if verbose or name.endswith(_SHOWN):
                lines += [paint.dim(line) for line in _content(replay.written[name])]
        lines += [f"    ... and {rest}" for rest in _rest(names, shown)]
    return "\n".join([*lines, ""])


def _samples(names: "list[str]") -> "list[str]":
    """The first file of each kind; locks and ignore files are not worth a line."""
    kinds: dict[str, str] = {}
    for name in names:
        if not name.endswith((_LOCK, _IGNORE)):
            kinds.setdefault(_kind(name), name)
    return list(kinds.values())


def _kind(name: str) -> str:
    """What a name begins and ends with, around the key of the conversation."""
    base = name.rpartition("/")[2]
    return base[:8] + base.rpartition(".")[2]


def _rest(names: "list[str]", shown: "list[str]") -> "list[str]":
    hidden = [name for name in names if name not in shown]
    locks = sum(name.endswith(_LOCK) for name in hidden)
    ignored = sum(name.endswith(_IGNORE) for name in hidden)
    parts = [
        _counted(len(hidden) - locks - ignored, "more like them", "more like them"),
        _counted(locks, "lock file", "lock files"),
        _counted(ignored, ".gitignore", ".gitignore"),
    ]
    told = ", ".join(part for part in parts if part)
    return [f"{told} (--verbose shows them)"] if told else []


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}" if count else ""


def _content(text: str) -> "list[str]":
    """A file's lines, each wrapped."""
    shown = []
    for line in text.splitlines() or ["(empty)"]:
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
        things = _counted(len(replay.problems), "thing was", "things were")
        lines.append(paint.bad(f"{things} not as expected:"))
        for why in replay.problems:
            lines += [paint.bad(line) for line in _wrapped(why, "  ", "    ")]
    else:
        lines.append(paint.good("Every event did what it should."))
    return "\n".join(lines) + "\n"


def _event_document(outcome: Outcome) -> "dict[str, Any]":
    step = outcome.step
    return {
        "name": step.name,
        "title": step.title,
        "host": step.host,
        "event": step.event,
        "entry": step.entry,
        "milliseconds": round(outcome.milliseconds, 2),
        "exit_code": outcome.code,
        "injected": outcome.context,
        "wrote": outcome.wrote,
        "stderr": outcome.stderr,
        "problems": outcome.problems,
    }


def _quoted(line: str) -> "list[str]":
    """An injected line, with room left for the bar before it."""
    blank = " " * len(_BAR)
    return [part[len(_BAR) :] for part in _wrapped(line, blank, blank)]


def _wrapped(line: str, first: str, next_ones: str) -> "list[str]":
    found = textwrap.wrap(
        line,
        _width(),
        initial_indent=first,
        subsequent_indent=next_ones,
        break_on_hyphens=False,
    )
    return found or [""]


def _width() -> int:
    return max(60, min(100, shutil.get_terminal_size((80, 24)).columns))
