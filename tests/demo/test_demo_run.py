"""The demo as a user starts it, and the parts that print."""

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from session_memory import demo
from session_memory.cli.demo import command
from session_memory.demo import replay, report
from session_memory.demo.scene import Scene
from support import ROOT, Hook, clean_environment

Demo = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run_demo(tmp_path: Path) -> Demo:
    """Runs the demo from the clone, in its own temporary folder."""

    def run(*arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        here = {"PYTHONPATH": str(ROOT / "lib"), "TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
        return subprocess.run(
            [sys.executable, "-m", "session_memory.demo", *arguments],
            env={**clean_environment(tmp_path), **here, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> replay.Replay:
    return replay.run(Scene.build(str(tmp_path_factory.mktemp("scene"))))


def test_demo_passes_its_own_check(run_demo: Demo, tmp_path: Path) -> None:
    done = run_demo()

    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("Every event did what it should.\n")
    assert list(tmp_path.glob("session-memory-demo-*")) == []


def test_keep_leaves_the_folder_and_names_it(run_demo: Demo, tmp_path: Path) -> None:
    kept = json.loads(run_demo("--keep", "--json").stdout)["kept"]

    assert Path(kept).parent == tmp_path.resolve()
    assert (Path(kept) / "widgets" / "memories" / "session").is_dir()


def test_json_tells_what_every_hook_did(run_demo: Demo) -> None:
    document = json.loads(run_demo("--json").stdout)

    names = [event["name"] for event in document["events"]]
    assert names == [step.name for step in replay.conversation()]
    assert [event["title"] for event in document["events"]] == [
        step.title for step in replay.conversation()
    ]
    assert {event["exit_code"] for event in document["events"]} == {0}
    assert (document["git_status"], document["kept"]) == ("", None)


def test_wrong_option_is_a_usage_error(run_demo: Demo) -> None:
    done = run_demo("--nope")

    assert (done.returncode, done.stdout) == (64, "")
    assert done.stderr == (
        "session-memory demo: unrecognized arguments: --nope. See session-memory demo --help.\n"
    )


def test_demo_without_git_says_so(run_demo: Demo, tmp_path: Path) -> None:
    done = run_demo(PATH=str(tmp_path))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("session-memory demo: git is not on PATH")


@pytest.mark.skipif(os.name == "nt", reason="a script stands in for git")
def test_demo_with_a_git_that_fails_says_so(run_demo: Demo, tmp_path: Path) -> None:
    broken = tmp_path / "bin" / "git"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'fatal: no space' >&2\nexit 128\n")
    broken.chmod(0o755)

    done = run_demo(PATH=f"{broken.parent}{os.pathsep}{os.environ['PATH']}")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "session-memory demo: git failed: fatal: no space\n"


def test_demo_where_nothing_can_be_made_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))

    assert demo.main([]) == 2
    assert capsys.readouterr().err.startswith("session-memory demo: ")


def test_command_hands_its_options_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session_memory.demo.main", lambda given: f"called with {given}")

    done = CliRunner().invoke(command, ["--json", "--keep", "--verbose"])

    assert done.output == "called with ['--keep', '--verbose', '--json']\n"


def test_hooks_of_a_clone_are_its_entry_points() -> None:
    assert replay.hook_command("session_start")[-1] == str(ROOT / "hooks" / "session_start.py")


def test_hooks_of_an_installed_package_are_the_guard(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(replay, "_HOOKS", tmp_path)
    command_line = replay.hook_command("post_tool_use")

    done = subprocess.run(command_line, input=b"{}", capture_output=True, check=False, cwd=tmp_path)

    assert Hook(done.returncode, done.stdout, done.stderr) == Hook(0, b"", b"")


def test_a_hook_that_hangs_is_a_problem_and_not_the_end(
    monkeypatch: pytest.MonkeyPatch, replayed: replay.Replay
) -> None:
    monkeypatch.setattr(replay, "TIMEOUT_S", 0.05)

    done, _ = replay._timed(
        replayed.scene, [sys.executable, "-c", "import time; time.sleep(9)"], b""
    )

    assert (done.returncode, done.stderr) == (-1, b"took too long")


def test_text_is_plain_without_colours(replayed: replay.Replay) -> None:
    assert "\033" not in report.as_text(replayed, "", colours=False)
    assert "\033[1m" in report.as_text(replayed, "", colours=True)


@pytest.mark.parametrize("verbose", [False, True], ids=["brief", "verbose"])
def test_text_fits_80_columns(
    replayed: replay.Replay, monkeypatch: pytest.MonkeyPatch, verbose: bool
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = report.as_text(replayed, "", colours=False, verbose=verbose)

    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("columns", [80, 100])
def test_problems_fit_the_terminal(
    replayed: replay.Replay, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    why = "did not say " + "words " * 40
    first = dataclasses.replace(replayed.outcomes[0], problems=[why])
    text = report.as_text(dataclasses.replace(replayed, outcomes=[first]), "", colours=False)

    assert "   not as expected: did not say words" in text
    assert "\n1 thing was not as expected:\n  start: did not say words" in text
    assert columns - 10 < max(map(len, text.splitlines())) <= columns


def test_pipe_is_taken_for_80_columns(run_demo: Demo) -> None:
    assert max(map(len, run_demo("--verbose").stdout.splitlines())) <= 80


def test_silent_events_tell_what_they_recorded(replayed: replay.Replay) -> None:
    wrote = {outcome.step.name: outcome.wrote for outcome in replayed.outcomes}
    log = "memories/session/gate-events-s-d7e66472-78f9-49aa-b4f1-12aa08996c0c.jsonl"
    assert (wrote["question"], wrote["compact"]) == ([log], [])

    text = report.as_text(replayed, "", colours=False)
    folder, _, base = log.rpartition("/")
    assert f"     | nothing injected; recorded in {folder}:\n     |   {base}\n" in text
    assert "| nothing injected, nothing to record\n" in text


def test_disk_shows_one_file_of_each_kind(replayed: replay.Replay) -> None:
    text = report.as_text(replayed, "", colours=False).partition("What lies on disk")[2]

    assert text.count('"event_type"') == text.count("completed_at:") == 1
    assert text.count(".lock") == 0
    assert "2 lock files" in text


def test_verbose_shows_every_file(replayed: replay.Replay) -> None:
    text = report.as_text(replayed, "", colours=False, verbose=True)

    for name in replayed.written:
        assert f"    {name.rpartition('/')[2]}\n" in text
    assert "--verbose" not in text


def test_no_hook_is_faster_than_an_interpreter_that_does_nothing(replayed: replay.Replay) -> None:
    assert replayed.floor_ms <= min(outcome.milliseconds for outcome in replayed.outcomes)


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)],
    ids=["terminal", "dumb", "no-color"],
)
def test_colours(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], coloured: bool
) -> None:
    for name, value in {"TERM": "xterm", "NO_COLOR": "", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)

    assert demo._wants_colours() is coloured


def test_text_names_events_hosts_and_files(replayed: replay.Replay) -> None:
    text = report.as_text(replayed, "/kept", colours=False)

    for part in ("PostToolUse AskUserQuestion", "Claude Code", "Copilot CLI", "/kept"):
        assert part in text
    assert "gate-events-s-d7e66472-78f9-49aa-b4f1-12aa08996c0c.jsonl" in text


def test_a_long_text_is_shown_by_its_beginning_and_its_end() -> None:
    shown = report._excerpt("\n".join(str(number) for number in range(40)))

    assert (shown[0], shown[-1]) == ("0", "39")
    assert "[... 28 more lines ...]" in shown
    assert len(shown) == 13


@pytest.mark.parametrize(
    "words", [["demo", "--json"], ["--json"]], ids=["-m session_memory", "-m session_memory.demo"]
)
def test_own_arguments_are_those_behind_the_name(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["__main__.py", *words])

    assert demo._own_arguments() == ["--json"]
