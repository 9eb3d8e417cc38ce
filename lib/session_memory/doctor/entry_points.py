"""Each hook run for real on a sample payload in a scratch repository, checked and timed."""

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import median

from session_memory.core.guard import EVENT_NAMES
from session_memory.core.system import WINDOWS
from session_memory.doctor import timing
from session_memory.doctor.finding import Finding, Level, reason
from session_memory.doctor.interpreter import Python
from session_memory.doctor.launches import Launch
from session_memory.doctor.scratch import Scratch

CHECK = "entry points"

_ROUNDS = 3
_LIMIT_S = 3.0
_SLOW = 6.0  # times an empty interpreter, however a busy machine is reckoned with
_MAX_QUOTED = 200
# What a hook says when code of its own bundle is missing or damaged.
_DAMAGE = ("ModuleNotFoundError", "ImportError", "SyntaxError", "cannot read the hook")


@dataclass
class Trial:
    """The runs of one hook. ``faults`` are sentences, ``ms`` the times."""

    entry: str
    faults: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)


def check(
    launch: Launch, python: Python, environ: Mapping[str, str], compiles: bool
) -> Iterator[Finding]:
    """What each hook does, and how long it takes.

    ``compiles`` tells that compiled modules, which are missing, would be kept by the next hooks.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="session-memory-doctor-") as folder:
            scratch = Scratch.build(folder, compiles)
            if not WINDOWS:
                scratch.remember(launch, python)
            yield from _findings(launch, python, scratch, scratch.environment(environ))
    except OSError as error:
        what = f"The hooks could not be tried: {reason(error)}."
        where = error.filename or tempfile.gettempdir()
        yield Finding(CHECK, Level.WARNING, what, mend="make room for temporary files", where=where)


def _findings(
    launch: Launch, python: Python, scratch: Scratch, env: dict[str, str]
) -> Iterator[Finding]:
    trials = [Trial(entry) for entry in EVENT_NAMES]
    floors: list[float] = []
    for number in range(_ROUNDS):
        floors += timing.paired_ms([scratch.floor(launch, python)], env, 1)
        for trial in trials:
            _run(trial, scratch, scratch.command(launch, python, trial.entry), number, env)
    _count_records(trials[-1], scratch)
    for trial in trials:
        yield _finding(launch, trial, floors)


def _run(
    trial: Trial, scratch: Scratch, command: list[str], number: int, env: dict[str, str]
) -> None:
    if trial.faults:  # once is enough, and it may have taken long
        return
    payload = json.dumps(sample(trial.entry, str(scratch.repository), f"doctor-{number}")).encode()
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            input=payload,
            env=env,
            cwd=scratch.repository,
            capture_output=True,
            timeout=_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        trial.faults.append(f"takes longer than {_LIMIT_S:g} s")
        return
    except OSError as error:
        trial.faults.append(f"cannot be started: {reason(error)}")
        return
    trial.ms.append((time.perf_counter() - start) * 1000)
    _judge(trial, done)


def _judge(trial: Trial, done: "subprocess.CompletedProcess[bytes]") -> None:
    said = done.stderr.decode("utf-8", "replace").strip()
    last = said.rpartition("\n")[2][:_MAX_QUOTED]
    if done.returncode:
        trial.faults.append(f"ends with exit code {done.returncode}: {last or 'without a word'}")
    elif done.stdout and not _is_answer(done.stdout):
        trial.faults.append("prints something that is not one JSON object")
    elif said and last not in trial.complaints:
        trial.complaints.append(last)


def _is_answer(output: bytes) -> bool:
    try:
        return isinstance(json.loads(output), dict)
    except ValueError:
        return False


def _count_records(trial: Trial, scratch: Scratch) -> None:
    """The last hook logs one question a round."""
    found = len(list(scratch.log.glob("gate-events-s-doctor-*.jsonl")))
    if found < _ROUNDS and not trial.faults:
        why = f": {trial.complaints[0]}" if trial.complaints else ""
        trial.faults.append(f"does not log a question{why}")


def sample(entry: str, cwd: str, session_id: str) -> dict[str, object]:
    """A payload such as Claude Code sends."""
    common = {"session_id": session_id, "cwd": cwd, "hook_event_name": EVENT_NAMES[entry]}
    question = {"question": "Is all well?", "header": "Doctor", "options": [{"label": "yes"}]}
    own: dict[str, dict[str, object]] = {
        "session_start": {"source": "startup"},
        "user_prompt_submit": {"prompt": "Is all well?"},
        "post_tool_use": {
            "tool_name": "AskUserQuestion",
            "tool_input": {"questions": [question]},
            "tool_response": {"answers": {"Is all well?": "yes"}},
            "tool_use_id": f"toolu-{session_id}",
        },
    }
    return {**common, **own[entry]}


def _finding(launch: Launch, trial: Trial, floors: list[float]) -> Finding:
    name, where = EVENT_NAMES[trial.entry], str(launch.hooks)
    if trial.faults:
        why = "In an editor that is silent: nothing is injected and nothing recorded."
        mend = f"see what comes before this; else: {launch.library.mend()}"
        return Finding(CHECK, Level.FAULT, f"{name} {trial.faults[0]}.", why, mend, where)
    ratios = [taken / floor for taken, floor in zip(trial.ms, floors)]
    cost = f"{median(trial.ms):.1f} ms, {median(ratios):.1f} times an empty interpreter"
    if trial.complaints:
        complaint = trial.complaints[0]
        what = f"{name} runs, but complains: {complaint}"
        damaged = any(words in complaint for words in _DAMAGE)
        mend = launch.library.mend() if damaged else "mend what it names"
        return Finding(CHECK, Level.WARNING, what, mend=mend, where=where)
    if min(*ratios, min(trial.ms) / min(floors)) > _SLOW:
        why = "Every event of the editor waits for that."
        mend = "run it again on an idle machine; then see byte code and interpreter"
        return Finding(CHECK, Level.WARNING, f"{name} is slow: {cost}.", why, mend, where)
    return Finding(CHECK, Level.OK, f"{name} works: {cost}.", where=where)
