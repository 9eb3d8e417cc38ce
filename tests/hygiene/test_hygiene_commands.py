"""The decision by hand, beside the hook that shares its file."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from command_line import COMMAND, Ran, environment, run_here
from command_line import run as run_command
from hygiene.plugin_repository import MANAGED, PluginRepository, edit
from session_memory import schemas
from support import Hook, Repository

NAME = ".claude/.state/release-hygiene-s.json"


@pytest.fixture
def plugin(tmp_path: Path) -> PluginRepository:
    return PluginRepository.released(tmp_path / "plugin")


@pytest.fixture
def run(plugin: PluginRepository) -> Callable[..., Ran]:
    def command(*arguments: str, cwd: Path | None = None) -> Ran:
        return run_here("hygiene", *arguments, cwd=cwd or plugin.root)

    return command


@pytest.fixture
def touch(plugin: PluginRepository, hook: Callable[..., Hook]) -> Callable[[], Hook]:
    """The hook after the edit of an entry point."""

    def after() -> Hook:
        return hook("post_tool_use", edit(plugin.root / "agents/a.md", cwd=plugin.root))

    return after


def test_show_without_any_state(plugin: PluginRepository, run: Callable[..., Ran]) -> None:
    done = run("show", "--session", "s")

    assert done.stdout == f"file      {plugin.root}/{NAME} (absent: nothing was proposed)\n"
    assert run("show", "--session", "s", "--json").json["state"] is None


def test_show_what_the_hook_proposed(
    plugin: PluginRepository, run: Callable[..., Ran], touch: Callable[[], Hook]
) -> None:
    assert touch().context

    assert run("show", "--session", "s").stdout.splitlines() == [
        f"file      {plugin.root}/{NAME}",
        "proposed  patch",
        "chosen    not yet",
        "key from  session_id",
        "touched   agents/a.md",
    ]


def test_show_the_credit(
    plugin: PluginRepository, run: Callable[..., Ran], touch: Callable[[], Hook]
) -> None:
    plugin.bump("1.0.1")
    touch()

    assert "bump      not-applicable\n" in run("show", "--session", "s").stdout


def test_choice_keeps_everything_else(
    plugin: PluginRepository, run: Callable[..., Ran], touch: Callable[[], Hook]
) -> None:
    touch()
    path = plugin.root / NAME
    before = {**json.loads(path.read_text()), "owner": {"of": "another tool"}}
    path.write_text(json.dumps(before))
    done = run("choose", "minor", "--session", "s")

    assert (done.code, done.stdout) == (0, f"file    {path}\nchosen  minor\n")
    assert json.loads(path.read_text()) == {**before, "chosen_level": "minor"}


def test_later_choice_tells_the_earlier_one(run: Callable[..., Ran]) -> None:
    run("choose", "minor", "--session", "s")

    assert run("choose", "skip", "--session", "s", "--json").json["before"] == "minor"
    assert "before  skip\n" in run("choose", "patch", "--session", "s").stdout


@pytest.mark.parametrize("level", ["patch", "minor", "major", "skip"])
def test_choice_without_any_state_is_of_the_schema(
    plugin: PluginRepository, run: Callable[..., Ran], level: str
) -> None:
    run("choose", level, "--session", "s")

    jsonschema.validate(plugin.decision("s"), schemas.load("release-hygiene-state"))
    assert plugin.decision("s")["chosen_level"] == level
    assert plugin.status() == ""


def test_hook_is_silent_after_a_choice(run: Callable[..., Ran], touch: Callable[[], Hook]) -> None:
    run("choose", "skip", "--session", "s")

    touch().assert_quiet()


def test_without_a_session_the_issue_of_the_branch_counts(
    plugin: PluginRepository, run: Callable[..., Ran]
) -> None:
    plugin.git("switch", "--quiet", "--create", "feature/issue-42-x")
    run("choose", "major")

    assert plugin.decision("42")["keying_strategy"] == "branch_slug"


def test_worktrees_share_the_decision(plugin: PluginRepository, run: Callable[..., Ran]) -> None:
    linked = plugin.worktree("linked", "other")
    run("choose", "major", "--session", "s", cwd=linked.root)

    assert run("show", "--session", "s", "--json").json["state"]["chosen_level"] == "major"


def test_unreadable_file_is_told_and_set_aside_by_a_choice(
    plugin: PluginRepository, run: Callable[..., Ran]
) -> None:
    plugin.write(NAME, "{")

    run("show", "--session", "s").assert_fault(3, "is no JSON object")
    assert run("choose", "patch", "--session", "s").code == 0
    assert [path.read_text() for path in plugin.state_folder.glob("*.corrupt-*")] == ["{"]


def test_planted_document_that_cannot_be_written_again(
    plugin: PluginRepository, run: Callable[..., Ran]
) -> None:
    plugin.write(NAME, '{"a": ' + "[" * 900 + "]" * 900 + "}")

    run("choose", "patch", "--session", "s").assert_fault(3, "no JSON object that can be used")


def test_folder_that_takes_no_file_is_told(
    plugin: PluginRepository, run: Callable[..., Ran], tmp_path: Path
) -> None:
    (plugin.root / ".claude").symlink_to(tmp_path)
    done = run("choose", "patch", "--session", "s")
    done.assert_fault(3, str(plugin.root), "Nothing was written (SMC-12)")


def test_unknown_level(run: Callable[..., Ran]) -> None:
    run("choose", "huge").assert_fault(64, "huge")


def test_key_of_another_branch(run: Callable[..., Ran]) -> None:
    run("show", "--key", "b-other").assert_fault(64, "--key is here b-main or begins with s-")
    assert run("show", "--key", "b-main").code == 0


def test_outside_any_repository(tmp_path: Path) -> None:
    run_command("hygiene", "show", cwd=tmp_path).assert_fault(2, "outside any repository")


def test_choices_and_hooks_at_the_same_time(
    plugin: PluginRepository, run: Callable[..., Ran], touch: Callable[[], Hook]
) -> None:
    env = environment(plugin.root.parent / "home")
    command = [*COMMAND, "hygiene", "choose", "minor", "--session", "s"]
    running = [subprocess.Popen(command, cwd=plugin.root, env=env, stdout=subprocess.DEVNULL)
               for _ in range(4)]  # fmt: skip
    touch()

    assert [process.wait() for process in running] == [0] * 4
    assert plugin.decision("s")["chosen_level"] == "minor"
    assert plugin.decision("s")["touched_files"] == ["agents/a.md"]


@pytest.mark.parametrize(
    ("version", "arguments", "code", "status"),
    [
        ("1.0.0", [], 0, "passed: "),
        ("1.0.1", [], 1, "failed: drift: "),
        ("1.0.1", ["agents/a.md"], 0, "not-applicable: "),
        ("1.0.1", ["README.md"], 1, "failed: drift: "),
    ],
)
def test_verify(
    plugin: PluginRepository, version: str, arguments: list[str], code: int, status: str
) -> None:
    plugin.state({"plugin.json": version})
    done = run_here("hygiene", "verify", *arguments, cwd=plugin.root)

    assert (done.code, done.stdout.startswith(status)) == (code, True)
    assert not plugin.state_folder.exists()


def test_verify_takes_the_files_that_were_touched(
    plugin: PluginRepository, run: Callable[..., Ran], touch: Callable[[], Hook]
) -> None:
    touch()

    assert run("verify", "--session", "s", "--json").json["status"] == "not-applicable"


def test_verify_without_releases(run: Callable[..., Ran], tmp_path: Path) -> None:
    plain = Repository.create(tmp_path / "plain")

    run("verify", cwd=plain.root).assert_fault(2, "no releases are made")


def test_verify_tells_of_settings_that_it_cannot_use(
    plugin: PluginRepository, run: Callable[..., Ran]
) -> None:
    plugin.write(".session-memory.toml", 'managed_files = "all"\n')
    done = run("verify")

    assert (done.code, len(MANAGED)) == (0, 5)
    assert done.stderr.startswith("warning: settings: managed_files: not a list")
