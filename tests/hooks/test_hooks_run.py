"""The launcher, with real shims on PATH: it finds a real Python, once, and runs the hook once."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from support import ROOT, SWITCH

pytestmark = pytest.mark.skipif(os.name == "nt", reason="shims are shell scripts here")

REAL = sys.executable
SHELLS = [name for name in ("sh", "dash", "bash", "mksh", "yash") if shutil.which(name)]
PAYLOAD = b'{"session_id": "s", "cwd": "/"}'

# Stands in for an entry point: answers the probe as one does, else writes down how it was run.
HOOK = """
import json, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../lib")
if "--probe" in sys.argv:
    from session_memory.core.guard import main
    main("post_tool_use")
record = {
    "script": sys.argv[0],
    "python": sys.executable,
    "stdin": sys.stdin.read(),
    "isolated": sys.flags.isolated,
    "no_site": sys.flags.no_site,
    "utf8": sys.flags.utf8_mode,
    "pycache": sys.pycache_prefix,
}
with open(os.environ["RUNS"], "a", encoding="utf-8") as log:
    log.write(json.dumps(record) + "\\n")
"""


@dataclass
class Machine:
    """A plugin folder, a PATH of our own making, and a record of what ran."""

    folder: Path
    plugin: Path
    path: list[Path] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    shell: str = "sh"

    @classmethod
    def create(cls, folder: Path, plugin: str = "plugin") -> "Machine":
        made = cls(folder, folder / plugin)
        hooks = made.plugin / "hooks"
        hooks.mkdir(parents=True)
        shutil.copy(ROOT / "hooks" / "run", hooks)
        (hooks / "post_tool_use.py").write_text(HOOK, encoding="utf-8")
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "lib", made.plugin / "lib", ignore=ignored)
        made.env["CLAUDE_PLUGIN_DATA"] = str(folder / "data")
        return made

    def shim(self, name: str, body: str, where: str = "bin") -> Path:
        """An executable on PATH that notes its calls before it does ``body``."""
        path = self.folder / where / name
        path.parent.mkdir(exist_ok=True)
        note = f'echo "{name} $3" >>{shlex.quote(str(self.calls_log))}'
        path.write_text(f"#!/bin/sh\n{note}\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        if path.parent not in self.path:
            self.path.append(path.parent)
        return path

    def real(self, name: str = "python3", where: str = "real") -> Path:
        """A shim that is replaced by this test's own interpreter."""
        return self.shim(name, f'exec {shlex.quote(REAL)} "$@"', where)

    def run(
        self, entry: str = "post_tool_use", cwd: Path | None = None, user: int | None = None
    ) -> "Outcome":
        started = time.monotonic()
        done = subprocess.run(
            [shutil.which(self.shell) or "sh", str(self.plugin / "hooks" / "run"), entry],
            input=PAYLOAD,
            env={"PATH": self.search_path, "RUNS": str(self.runs_log), **self.env},
            cwd=cwd or self.folder,
            capture_output=True,
            timeout=30,
            user=user,
            check=False,
        )
        took = time.monotonic() - started
        return Outcome(done.returncode, done.stdout, done.stderr.decode(), took)

    @property
    def search_path(self) -> str:
        return ":".join([*(str(folder) for folder in self.path), str(self.tools())])

    def tools(self) -> Path:
        """The programs that the first call needs; none of them is a Python."""
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        for name in ("sleep", "mkdir"):
            if not (tools / name).exists():
                (tools / name).symlink_to(shutil.which(name) or name)
        return tools

    @property
    def runs_log(self) -> Path:
        return self.folder / "runs.jsonl"

    @property
    def calls_log(self) -> Path:
        return self.folder / "calls.txt"

    @property
    def runs(self) -> list[dict[str, object]]:
        if not self.runs_log.exists():
            return []
        return [json.loads(line) for line in self.runs_log.read_text("utf-8").splitlines()]

    @property
    def calls(self) -> list[str]:
        return self.calls_log.read_text("utf-8").splitlines() if self.calls_log.exists() else []

    @property
    def memory(self) -> Path:
        return Path(self.env["CLAUDE_PLUGIN_DATA"]) / "python"

    def remembered(self) -> list[str]:
        return self.memory.read_text("utf-8").splitlines() if self.memory.exists() else []


@dataclass(frozen=True)
class Outcome:
    code: int
    stdout: bytes
    stderr: str
    seconds: float

    def assert_quiet(self) -> None:
        assert (self.code, self.stdout, self.stderr) == (0, b"", "")

    def assert_told(self, words: str) -> None:
        """Exit 0 and exactly one line on stderr, which holds ``words``."""
        assert (self.code, self.stdout) == (0, b"")
        assert words in self.stderr
        assert self.stderr.count("\n") == 1


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine.create(tmp_path)


@pytest.fixture
def warm(machine: Machine) -> Machine:
    """A machine on which the hook has run once already."""
    machine.real()
    machine.run().assert_quiet()
    machine.calls_log.unlink()
    machine.runs_log.unlink()
    return machine


@pytest.mark.parametrize("shell", SHELLS)
def test_hook_runs_once_and_gets_the_payload(machine: Machine, shell: str) -> None:
    machine.shell = shell
    machine.real()
    machine.run().assert_quiet()
    (run,) = machine.runs
    assert str(run["stdin"]).encode() == PAYLOAD
    assert (run["isolated"], run["no_site"], run["utf8"]) == (1, 1, 1)


def test_first_call_remembers_the_interpreter_behind_the_shim(machine: Machine) -> None:
    machine.real()
    machine.run().assert_quiet()
    assert machine.remembered() == [REAL, ""]
    assert machine.memory.stat().st_mode & 0o777 == 0o600
    assert len(machine.calls) == 1


@pytest.mark.parametrize("shell", SHELLS)
def test_second_call_starts_nothing_but_the_hook(warm: Machine, shell: str) -> None:
    warm.shell = shell
    warm.path = []
    shutil.rmtree(warm.folder / "tools")
    warm.run().assert_quiet()
    assert (warm.calls, len(warm.runs)) == ([], 1)


def test_only_the_data_folder_is_written(machine: Machine, tmp_path: Path) -> None:
    machine.real()
    before = {path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts}
    machine.run().assert_quiet()
    made = {path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts} - before
    ours = {machine.runs_log, machine.calls_log, tmp_path / "tools"}
    assert {path for path in made - ours if path.parent.name != "tools"} == {
        tmp_path / "data",
        machine.memory,
    }


@pytest.mark.parametrize("shell", SHELLS)
def test_sleeping_shim_is_given_up(machine: Machine, shell: str) -> None:
    machine.shell = shell
    machine.shim("python3", f'sleep 20; exec {REAL} "$@"', "slow")
    machine.real()
    outcome = machine.run()
    outcome.assert_quiet()
    assert outcome.seconds < 6
    assert (machine.remembered(), len(machine.runs)) == ([REAL, ""], 1)


def test_sleeping_shim_is_given_up_without_a_sleep_on_path(machine: Machine) -> None:
    machine.shim("python3", "exec /bin/sleep 20")
    (machine.tools() / "sleep").unlink()
    machine.env["PATH"] = f"{machine.path[0]}:{machine.folder / 'tools'}"
    outcome = machine.run()
    outcome.assert_told("no Python")
    assert outcome.seconds < 6


def test_shim_whose_child_keeps_the_pipes_is_not_waited_for(machine: Machine) -> None:
    machine.shim("python3", f'sleep 20 & exec {REAL} "$@"')
    outcome = machine.run()
    outcome.assert_quiet()
    assert outcome.seconds < 6
    assert len(machine.runs) == 1


_OLD = "import runpy, sys; sys.version_info = (3, 8, 18); sys.argv = sys.argv[1:]; "


@pytest.mark.parametrize(
    "body",
    [
        pytest.param('echo "Unknown option: -I" >&2; exit 2', id="python-2"),
        pytest.param(
            f"shift 4; exec {REAL} -I -S -c '{_OLD}runpy.run_path(sys.argv[0])' \"$@\"",
            id="python-3.8",
        ),
        pytest.param("echo 'use uv instead'; exit 1", id="refuses"),
        pytest.param("kill -9 $$", id="crashes"),
        pytest.param('exec /nonexistent/python "$@"', id="dangling"),
    ],
)
def test_unusable_python3_is_passed_over(machine: Machine, body: str) -> None:
    machine.shim("python3", body)
    machine.real("python")
    machine.run().assert_quiet()
    assert (machine.remembered(), len(machine.runs)) == ([REAL, ""], 1)


def test_an_interpreter_that_cannot_read_the_plugin_is_passed_over(machine: Machine) -> None:
    machine.shim("python3", f'case $* in *-c*) exec {REAL} "$@" ;; esac; exit 2')
    machine.real("python")
    machine.run().assert_quiet()
    assert len(machine.runs) == 1


@pytest.mark.parametrize("shell", SHELLS)
def test_without_python_one_line_and_exit_0(machine: Machine, shell: str) -> None:
    machine.shell = shell
    machine.run().assert_told("no Python 3.9 or newer on PATH")
    assert not machine.memory.exists()


def test_search_ends_after_a_few_candidates(machine: Machine) -> None:
    for number in range(7):
        machine.shim("python3", "exit 1", f"bin{number}")
    machine.run().assert_told("no Python")
    assert len(machine.calls) == 4


@pytest.mark.parametrize("search_path", [".", "", "nested"], ids=["dot", "empty", "relative"])
def test_python_of_the_repository_is_not_run(machine: Machine, search_path: str) -> None:
    repository = machine.folder / "repository"
    planted = machine.shim("python3", f'exec {REAL} "$@"', "planted")
    (repository / "nested").mkdir(parents=True)
    for folder in (repository, repository / "nested"):
        shutil.copy(planted, folder)
    machine.env["PATH"] = f"{search_path}:{machine.tools()}"
    machine.run(cwd=repository).assert_told("no Python")
    assert machine.calls == []


@pytest.mark.parametrize(
    "left",
    [
        pytest.param("/nonexistent/bin/python3\n\n", id="deleted"),
        pytest.param("/tmp\n\n", id="folder"),
        pytest.param("/etc/passwd\n\n", id="not-executable"),
        pytest.param("", id="empty"),
        pytest.param(REAL, id="torn"),
        pytest.param("\0\xff\n", id="garbage"),
    ],
)
def test_useless_memory_is_renewed(warm: Machine, left: str) -> None:
    warm.memory.write_bytes(left.encode("latin-1"))
    warm.run().assert_quiet()
    assert (warm.remembered(), len(warm.runs)) == ([REAL, ""], 1)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"#!/nonexistent/interpreter\n", id="bad-shebang"),
        pytest.param(b"\x7fELF\x02\x01\x01" + b"\0" * 100, id="foreign-binary"),
        pytest.param(b"#!/bin/sh\nexit 3\n", id="exits-3"),
        pytest.param(b"#!/bin/sh\necho 'Unknown option: -I' >&2\nexit 2\n", id="python-2"),
        pytest.param(b"#!/bin/sh\nkill -9 $$\n", id="crashes"),
    ],
)
def test_a_remembered_interpreter_gone_bad_is_forgotten(
    warm: Machine, content: bytes, shell: str
) -> None:
    warm.shell = shell
    bad = warm.folder / "bad"
    bad.write_bytes(content)
    bad.chmod(0o755)
    warm.memory.write_text(f"{bad}\n\n", encoding="utf-8")
    failed = warm.run()
    assert (failed.code, failed.stdout, len(warm.runs)) == (0, b"", 0)
    warm.run().assert_quiet()
    assert (warm.remembered(), len(warm.runs)) == ([REAL, ""], 1)


def test_a_failing_interpreter_without_a_memory(machine: Machine) -> None:
    machine.shim("python3", f'case $* in *--probe*) exec {REAL} "$@" ;; esac; exit 2')
    machine.env = {}
    assert machine.run().code == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_hook_that_may_not_be_read(warm: Machine) -> None:
    (warm.plugin / "hooks" / "post_tool_use.py").chmod(0o600)
    for folder in (warm.folder, *warm.folder.parents[:-2]):
        folder.chmod(0o755)
    warm.run(user=65534).assert_told("cannot read the hook post_tool_use")
    assert warm.remembered() == [REAL, ""]


def test_memory_that_is_a_fifo_is_not_opened(machine: Machine) -> None:
    machine.real()
    machine.memory.parent.mkdir()
    os.mkfifo(machine.memory)
    machine.run().assert_quiet()
    assert (machine.remembered(), len(machine.runs)) == ([REAL, ""], 1)


def test_setting_is_preferred_to_path_and_memory(warm: Machine) -> None:
    warm.env["SESSION_MEMORY_PYTHON"] = str(warm.real("chosen", "elsewhere"))
    warm.run().assert_quiet()
    assert warm.calls == ["chosen -X"]
    assert warm.remembered() == [REAL, warm.env["SESSION_MEMORY_PYTHON"]]


def test_setting_is_remembered_too(warm: Machine) -> None:
    warm.env["SESSION_MEMORY_PYTHON"] = str(warm.real("chosen", "elsewhere"))
    for _ in range(3):
        warm.run().assert_quiet()
    assert (warm.calls, len(warm.runs)) == (["chosen -X"], 3)


def test_setting_may_be_a_name_on_path(machine: Machine) -> None:
    machine.real("python3.99")
    machine.env["SESSION_MEMORY_PYTHON"] = "python3.99"
    machine.run().assert_quiet()
    assert machine.calls == ["python3.99 -X"]


def test_wrong_setting_is_named_and_another_python_taken(machine: Machine) -> None:
    machine.real()
    machine.env["SESSION_MEMORY_PYTHON"] = "/nonexistent/python"
    for _ in range(2):
        machine.run().assert_told("SESSION_MEMORY_PYTHON")
    assert (len(machine.calls), len(machine.runs)) == (1, 2)


def test_wrong_setting_without_any_python_is_one_line(machine: Machine) -> None:
    machine.env["SESSION_MEMORY_PYTHON"] = "/nonexistent/python"
    machine.run().assert_told("no Python 3.9 or newer on PATH")


@pytest.mark.parametrize(
    "name",
    ["with space", "it's", 'say "hi"', "$HOME `id` \\", "ünïcode", "a&b;(c)", "*[a]?"],
)
def test_plugin_folder_of_any_name(tmp_path: Path, name: str) -> None:
    machine = Machine.create(tmp_path, name)
    machine.real()
    machine.env["CLAUDE_PLUGIN_DATA"] = str(tmp_path / f"data {name}")
    for _ in range(2):
        machine.run().assert_quiet()
    assert (len(machine.calls), len(machine.runs)) == (1, 2)


def test_started_from_its_own_folder(machine: Machine) -> None:
    machine.real()
    hooks = machine.plugin / "hooks"
    done = subprocess.run(
        [shutil.which("sh") or "sh", "run", "post_tool_use"],
        input=PAYLOAD,
        env={"PATH": machine.search_path, "RUNS": str(machine.runs_log), **machine.env},
        cwd=hooks,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr, len(machine.runs)) == (0, b"", 1)


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        pytest.param({"COPILOT_PLUGIN_DATA": "{}/copilot"}, "copilot", id="copilot"),
        pytest.param(
            {"XDG_CACHE_HOME": "{}/xdg", "HOME": "{}/home"}, "xdg/session-memory-hooks", id="xdg"
        ),
        pytest.param({"HOME": "{}/home"}, "home/.cache/session-memory-hooks", id="home"),
    ],
)
def test_memory_lies_in_the_first_folder_that_is_named(
    machine: Machine, variables: dict[str, str], folder: str
) -> None:
    machine.real()
    machine.env = {name: value.format(machine.folder) for name, value in variables.items()}
    machine.run().assert_quiet()
    assert (machine.folder / folder / "python").read_text("utf-8") == REAL + "\n\n"


@pytest.mark.parametrize(
    "variables",
    [
        pytest.param({}, id="no-home"),
        pytest.param({"CLAUDE_PLUGIN_DATA": "relative"}, id="relative"),
        pytest.param({"CLAUDE_PLUGIN_DATA": "/dev/null/data"}, id="cannot-be-made"),
    ],
)
def test_without_a_data_folder_the_hook_still_runs(
    machine: Machine, variables: dict[str, str]
) -> None:
    machine.real()
    machine.env = variables
    cwd = machine.folder / "cwd"
    cwd.mkdir()
    machine.run(cwd=cwd).assert_quiet()
    assert (len(machine.runs), list(cwd.iterdir())) == (1, [])


def test_compiled_modules_go_to_the_data_folder_when_the_plugin_is_read_only(
    machine: Machine,
) -> None:
    machine.real()
    core = machine.plugin / "lib" / "session_memory" / "core"
    core.chmod(0o555)
    if os.access(core, os.W_OK):
        pytest.skip("this user writes to read-only folders")
    for _ in range(2):
        machine.run().assert_quiet()
    assert {run["pycache"] for run in machine.runs} == {str(machine.memory.parent / "pycache")}


def test_compiled_modules_lie_next_to_their_sources_otherwise(machine: Machine) -> None:
    machine.real()
    machine.run().assert_quiet()
    assert machine.runs[0]["pycache"] is None


def test_unknown_entry(machine: Machine) -> None:
    machine.real()
    machine.run("no_such_hook").assert_told("no hook called no_such_hook")
    assert machine.calls == []


@pytest.mark.parametrize(("variables", "on"), SWITCH.values(), ids=SWITCH)
def test_hook_that_is_off_starts_no_python(
    machine: Machine, variables: dict[str, str], on: bool
) -> None:
    machine.env.update(variables)
    machine.real()
    machine.run().assert_quiet()
    assert (len(machine.runs), len(machine.calls)) == (on, on)


def test_git_bash_hands_over_a_windows_path(machine: Machine) -> None:
    """The converted path is used for the probe and for the run."""
    native = shutil.copytree(machine.plugin, machine.folder / "native")
    machine.real()
    machine.shim("cygpath", f'[ "$1" = -m ] && echo {native}"${{2#{machine.plugin}}}"')
    machine.run().assert_quiet()
    assert machine.runs[0]["script"] == str(native / "hooks" / "post_tool_use.py")
