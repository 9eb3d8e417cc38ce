"""Running the recorded conversation: every event a real process, bytes in and bytes out."""

import compileall
import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from session_memory.demo import expected
from session_memory.demo.scene import Scene

if TYPE_CHECKING:
    _Done = subprocess.CompletedProcess[bytes]

TIMEOUT_S = 30

_HERE = Path(__file__).resolve().parent
_LIBRARY = _HERE.parents[1]
# In a clone the entry points lie beside the library; a wheel has none, there the guard is called.
_HOOKS = _LIBRARY.parent / "hooks"
_GUARD = """\
import sys
sys.path.insert(0, {library!r})
from session_memory.core.guard import main
main({entry!r})
"""

_RECORDED_ROOT = "/home/dev/widgets"
_FLOOR_RUNS = 5


@dataclass(frozen=True)
class Step:
    """One event of the recorded conversation."""

    name: str
    title: str
    host: str
    event: str
    entry: str
    payload: "dict[str, Any]"


@dataclass(frozen=True)
class Outcome:
    """What a hook did with a step."""

    step: Step
    milliseconds: float
    code: int
    stdout: bytes
    stderr: str
    context: str
    problems: "list[str]"


@dataclass(frozen=True)
class Replay:
    """The whole conversation, and what it left behind."""

    scene: Scene
    floor_ms: float
    outcomes: "list[Outcome]"
    written: "dict[str, str]"
    status: str
    leftovers: "list[str]"

    @property
    def problems(self) -> "list[str]":
        """All that was not as expected; empty when the hooks work."""
        steps = [f"{each.step.name}: {why}" for each in self.outcomes for why in each.problems]
        return steps + self.leftovers


def conversation() -> "list[Step]":
    """The recorded events, in order."""
    text = (_HERE / "conversation.json").read_text(encoding="utf-8")
    return [Step(**row) for row in json.loads(text)]


def compile_hooks() -> None:
    """Do the first run's compiling, so that the times are those of every later run."""
    compileall.compile_dir(str(_HERE.parent), quiet=2)


def run(scene: Scene) -> Replay:
    """Replay the conversation in ``scene``."""
    before = scene.files()
    floor = _floor_ms(scene)
    outcomes = [_send(scene, step) for step in conversation()]
    written = {
        name: (scene.root / name).read_text(encoding="utf-8", errors="replace")
        for name in sorted(scene.files() - before)
    }
    status = scene.git("status", "--porcelain", "--untracked-files=all")
    return Replay(scene, floor, outcomes, written, status, expected.on_disk(written, status))


def hook_command(entry: str) -> "list[str]":
    """How a host runs the hook ``entry``."""
    script = _HOOKS / f"{entry}.py"
    isolated = [sys.executable, "-I", "-S"]
    if script.is_file():
        return [*isolated, str(script)]
    return [*isolated, "-c", _GUARD.format(library=str(_LIBRARY), entry=entry)]


def _send(scene: Scene, step: Step) -> Outcome:
    done, milliseconds = _timed(scene, hook_command(step.entry), _payload(scene, step))
    context, problems = expected.of_event(step.name, done.returncode, done.stdout, done.stderr)
    stderr = done.stderr.decode("utf-8", "replace")
    return Outcome(step, milliseconds, done.returncode, done.stdout, stderr, context, problems)


def _payload(scene: Scene, step: Step) -> bytes:
    here = json.dumps(str(scene.root))[1:-1]
    return json.dumps(step.payload).replace(_RECORDED_ROOT, here).encode() + b"\n"


def _floor_ms(scene: Scene) -> float:
    """An interpreter of this version that does nothing, for comparison; milliseconds."""
    command = [sys.executable, "-I", "-S", "-c", "pass"]
    return statistics.median([_timed(scene, command, b"")[1] for _ in range(_FLOOR_RUNS)])


def _timed(scene: Scene, command: "list[str]", payload: bytes) -> "tuple[_Done, float]":
    started = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            input=payload,
            env=scene.environment(),
            cwd=scene.root,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        done = subprocess.CompletedProcess(command, -1, b"", b"took too long")
    return done, (time.perf_counter() - started) * 1000
