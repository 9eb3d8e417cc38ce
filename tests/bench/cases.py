"""What is timed: every entry point with nothing to do and with its usual work."""

import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.timing import Case
from session_memory.demo.scene import Scene
from support import HOOKS, ROOT, Repository

# What the shim of a version manager costs, at the lower end; seconds.
SHIM_S = 0.05

_ID = "6f0c1d5e-3a55-4b67-9c39-0d8e4c6f7a10"
_BIG = "0123456789abcdef\n" * 75_000

# The goals of the design, as multiples of the floor.
NOTHING, RECORD, GIT, BIG, REGISTERED = 1.10, 1.25, 1.40, 1.8, 1.5


@dataclass(frozen=True)
class Workplace:
    """The repositories that the cases run in, and the interpreter they run on."""

    folder: Path
    python: str
    plain: Repository
    scene: Scene

    @classmethod
    def make(cls, folder: Path, python: str) -> "Workplace":
        plain = Repository.create(folder / "plain")
        (folder / "demo").mkdir()
        return cls(folder, python, plain, Scene.build(str(folder / "demo")))

    @property
    def env(self) -> dict[str, str]:
        """Built from nothing: no PYTHONDONTWRITEBYTECODE, no variables of an editor."""
        return self.scene.environment()

    def hook(
        self,
        name: str,
        entry: str,
        payload: Callable[[int], dict[str, Any]],
        goal: float | None,
        quiet: bool = False,
    ) -> Case:
        argv = [self.python, "-I", "-S", str(HOOKS / f"{entry}.py")]
        return Case(name, argv, encoded(payload), self.env, goal, quiet)


def floor(place: Workplace) -> Case:
    """The interpreter that does nothing, to which everything is compared."""
    argv = [place.python, "-I", "-S", "-c", "pass"]
    return Case("python -I -S -c pass", argv, lambda _: b"", place.env)


def hooks(place: Workplace) -> list[Case]:
    """The entry points, as the launcher ends in running them."""
    plain, scene = str(place.plain.root), str(place.scene.root)
    bare = _without_session(plain)
    return [
        place.hook("session start, repeated", "session_start", _start(scene), NOTHING, quiet=True),
        place.hook("session start, first", "session_start", _first_start(plain), GIT, quiet=True),
        place.hook("session start, leftovers judged", "session_start", _first_start(scene), None),
        place.hook(
            "prompt, no issue", "user_prompt_submit", _prompt(scene, "Go on"), NOTHING, quiet=True
        ),
        place.hook(
            "prompt, issue but no index",
            "user_prompt_submit",
            _prompt(plain, "Work on #647"),
            NOTHING,
            quiet=True,
        ),
        place.hook(
            "prompt, issue unchanged (asks gh)",
            "user_prompt_submit",
            _prompt(scene, "Work on #647"),
            None,
            quiet=True,
        ),
        place.hook("tool of no interest", "post_tool_use", _bash(plain, "ok"), NOTHING, quiet=True),
        place.hook("question recorded", "post_tool_use", question(plain), RECORD, quiet=True),
        place.hook("question, key from branch", "post_tool_use", bare, RECORD, quiet=True),
        place.hook("entry-point edit, reminded", "post_tool_use", _edit(scene), GIT, quiet=True),
        place.hook("payload of 1.2 MB", "post_tool_use", _bash(plain, _BIG), BIG, quiet=True),
        _git_asked(place),
    ]


def registered(place: Workplace) -> list[Case]:
    """The command line that Claude Code runs, with and without a shim first on PATH."""
    command = _registered_command()
    if not command:
        return []
    shim = place.folder / "shim"
    _write_shim(shim, place.python)
    payload = encoded(question(str(place.plain.root)))
    root = {"CLAUDE_PLUGIN_ROOT": str(ROOT)}
    direct = {"SESSION_MEMORY_PYTHON": place.python, "CLAUDE_PLUGIN_DATA": _data(place, "direct")}
    shimmed = {
        "PATH": f"{shim}:{place.env['PATH']}",
        "CLAUDE_PLUGIN_DATA": _data(place, "shimmed"),
    }
    argv = ["/bin/sh", "-c", command]
    return [
        Case("registered command", argv, payload, {**place.env, **root, **direct}, REGISTERED),
        Case("the same, python3 is a shim", argv, payload, place.env | root | shimmed, REGISTERED),
    ]


def _registered_command() -> str:
    """The command of PostToolUse as Claude Code reads it, or ``""``."""
    registration = HOOKS / "hooks.json"
    if not registration.is_file() or not (HOOKS / "run").is_file():
        return ""
    events = json.loads(registration.read_text("utf-8"))["hooks"]
    hook = events["PostToolUse"][0]["hooks"][0]
    return str(hook["command"])


def _data(place: Workplace, name: str) -> str:
    folder = place.folder / "data" / name
    folder.mkdir(parents=True)
    return str(folder)


def _write_shim(folder: Path, python: str) -> None:
    folder.mkdir()
    script = folder / "python3"
    script.write_text(f'#!/bin/sh\nsleep {SHIM_S}\nexec {shlex.quote(python)} "$@"\n', "utf-8")
    script.chmod(0o755)


def _git_asked(place: Workplace) -> Case:
    """A repository whose HEAD only git can read; where this git has none, git is asked in vain."""
    root = place.folder / "reftable"
    made = subprocess.run(
        [shutil.which("git") or "git", "init", "--quiet", "--ref-format=reftable", str(root)],
        env=place.env,
        capture_output=True,
        check=False,
    )
    payload = question(str(root))
    if made.returncode == 0:
        return place.hook(
            "question, reftable (asks git)", "post_tool_use", payload, GIT, quiet=True
        )
    Repository.create(root).write(".git/HEAD", "ref: refs/heads/.invalid\n")
    # Two questions instead of one: an upper bound, to which the goal does not apply.
    name = "question, git asked twice in vain"
    return place.hook(name, "post_tool_use", payload, None, quiet=True)


def encoded(payload: Callable[[int], dict[str, Any]]) -> Callable[[int], bytes]:
    return lambda number: json.dumps(payload(number)).encode() + b"\n"


def _event(cwd: str, event: str, **members: object) -> dict[str, Any]:
    common = {"session_id": _ID, "transcript_path": f"{cwd}.jsonl", "cwd": cwd}
    return {**common, "hook_event_name": event, **members}


def _start(cwd: str) -> Callable[[int], dict[str, Any]]:
    return lambda _: _event(cwd, "SessionStart", source="startup")


def _first_start(cwd: str) -> Callable[[int], dict[str, Any]]:
    return lambda number: {**_start(cwd)(number), "session_id": f"first-{number}"}


def _prompt(cwd: str, text: str) -> Callable[[int], dict[str, Any]]:
    return lambda _: _event(cwd, "UserPromptSubmit", prompt=text, permission_mode="auto")


def _tool(cwd: str, name: str, arguments: object, answer: object) -> dict[str, Any]:
    return _event(
        cwd,
        "PostToolUse",
        tool_name=name,
        tool_input=arguments,
        tool_response=answer,
        duration_ms=1,
    )


def _bash(cwd: str, output: str) -> Callable[[int], dict[str, Any]]:
    return lambda _: _tool(cwd, "Bash", {"command": "cat log"}, {"stdout": output, "stderr": ""})


def question(cwd: str) -> Callable[[int], dict[str, Any]]:
    asked = {"questions": [{"question": "Which colour?", "header": "Colour", "options": []}]}
    return lambda number: {
        **_tool(cwd, "AskUserQuestion", asked, {"answers": {}}),
        "tool_use_id": f"toolu_{number}",
    }


def _without_session(cwd: str) -> Callable[[int], dict[str, Any]]:
    return lambda number: {**question(cwd)(number), "session_id": ""}


def _edit(cwd: str) -> Callable[[int], dict[str, Any]]:
    path = f"{cwd}/skills/export/SKILL.md"
    arguments = {"file_path": path, "old_string": "a", "new_string": "b"}
    return lambda _: _tool(cwd, "Edit", arguments, {"filePath": path})
