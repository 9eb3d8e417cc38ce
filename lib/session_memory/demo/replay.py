"""Running the recorded events: every one a real process, bytes in and bytes out."""

import compileall
import json
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
# Before each event, so that the comparison meets the machine in the same state.
_FLOOR_RUNS = 2


@dataclass(frozen=True)
class Step:
    """One recorded event."""

    name: str
    title: str
    host: str
    event: str
    entry: str
    payload: "dict[str, Any]"


@dataclass(frozen=True)
class Outcome:
    """What a hook did with a step; ``wrote`` are the files that are new or changed after it."""

    step: Step
    milliseconds: float
    code: int
    stdout: bytes
    stderr: str
    context: str
    wrote: "list[str]"
    problems: "list[str]"


@dataclass(frozen=True)
class Replay:
    """All events, and what they left behind.

    ``floor_ms`` is the least that an interpreter takes that does nothing.
    """

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
    """Replay the events in ``scene``."""
    before = scene.files()
    floors = []
    outcomes = []
    for step in conversation():
        floors += [_floor_ms(scene) for _ in range(_FLOOR_RUNS)]
        outcomes.append(_send(scene, step))
    written = {
        name: (scene.root / name).read_text(encoding="utf-8", errors="replace")
        for name in sorted(scene.files() - before)
    }
    status = scene.git("status", "--porcelain", "--untracked-files=all")
    return Replay(scene, min(floors), outcomes, written, status, expected.on_disk(written, status))


def hook_command(entry: str) -> "list[str]":
    """How a host runs the hook ``entry``."""
    script = _HOOKS / f"{entry}.py"
    isolated = [sys.executable, "-I", "-S"]
    if script.is_file():
        return [*isolated, str(script)]
    return [*isolated, "-c", _GUARD.format(library=str(_LIBRARY), entry=entry)]


def _send(scene: Scene, step: Step) -> Outcome:
    before = _state(scene)
    done, milliseconds = _timed(scene, hook_command(step.entry), _payload(scene, step))
    context, problems = expected.of_event(step.name, done.returncode, done.stdout, done.stderr)
    stderr = done.stderr.decode("utf-8", "replace")
    wrote = sorted(name for name, _ in _state(scene) - before)
    return Outcome(
        step, milliseconds, done.returncode, done.stdout, stderr, context, wrote, problems
    )


def _state(scene: Scene) -> "set[tuple[str, bytes]]":
    """Files and their content; locks and ignore files, which record nothing, left out."""
    names = [name for name in scene.files() if not name.endswith((".lock", ".gitignore"))]
    return {(name, (scene.root / name).read_bytes()) for name in names}


def _payload(scene: Scene, step: Step) -> bytes:
    here = json.dumps(str(scene.root))[1:-1]
    return json.dumps(step.payload).replace(_RECORDED_ROOT, here).encode() + b"\n"


def _floor_ms(scene: Scene) -> float:
    """An interpreter of this version that does nothing, for comparison; milliseconds."""
    return _timed(scene, [sys.executable, "-I", "-S", "-c", "pass"], b"")[1]


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
