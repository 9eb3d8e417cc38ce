"""``install``, ``uninstall`` and ``status`` as a person uses them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from install_support import FILES, Machine
from support import Repository, clean_environment

needs_sh = pytest.mark.skipif(not shutil.which("sh"), reason="no POSIX shell")
QUESTION = {
    "hook_event_name": "PostToolUse",
    "tool_name": "AskUserQuestion",
    "tool_input": {"questions": [{"question": "Which?"}]},
    "tool_use_id": "t1",
}


def send(command: str, repo: Repository, home: Path) -> None:
    """Run a registered command as an editor does, on a question that was asked."""
    done = subprocess.run(
        ["sh", "-c", command],
        input=json.dumps({**QUESTION, "session_id": "one", "cwd": str(repo.root)}).encode(),
        env=clean_environment(home),
        cwd=repo.root,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@needs_sh
@pytest.mark.parametrize(("host", "scope"), FILES, ids="-".join)
def test_installed_hooks_run_and_go_without_a_trace(
    machine: Machine, host: str, scope: str
) -> None:
    repo = machine.repo
    exclude = (repo.root / ".git" / "info" / "exclude").read_bytes()
    ran = machine.install(host, scope)
    assert (ran.code, ran.stdout.split()[:2]) == (0, ["registered", "in"])
    assert repo.status() == ""
    send(machine.commands(host, scope)[-1], repo, machine.home)
    assert [event["tool_name"] for event in repo.log("s-one")] == ["AskUserQuestion"]
    shutil.rmtree(repo.root / "memories")
    ran = machine.uninstall(host, scope)
    assert (ran.code, ran.stdout.split()[0], ran.stderr) == (0, "removed", "")
    assert list(machine.home.iterdir()) == []
    assert sorted(p.name for p in repo.root.iterdir()) == [".git", "README.md"]
    assert (repo.root / ".git" / "info" / "exclude").read_bytes() == exclude


def test_second_install_changes_nothing(machine: Machine) -> None:
    first = machine.install("claude", "user", "--json").json
    path = machine.file("claude", "user")
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    second = machine.install("claude", "user", "--json").json
    assert (first["changed"], second["changed"]) == (True, False)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert machine.install().stdout.startswith("registered already in")


def test_second_uninstall_changes_nothing(machine: Machine) -> None:
    ran = machine.uninstall()
    assert (ran.code, ran.stdout.split()[:3]) == (0, ["not", "registered", "in"])


@pytest.mark.parametrize("scope", ["user", "project"])
def test_dry_run_writes_nothing(machine: Machine, scope: str) -> None:
    exclude = machine.repo.root / ".git" / "info" / "exclude"
    before = exclude.read_bytes()
    ran = machine.install("claude", scope, "--dry-run")
    assert (ran.code, ran.stdout.splitlines()[0]) == (0, "--- /dev/null")
    assert list(machine.home.iterdir()) == []
    assert (machine.repo.status(), exclude.read_bytes()) == ("", before)
    assert machine.install("claude", scope, "--dry-run", "--json").json["changed"] is False


def test_dry_run_of_the_removal(machine: Machine) -> None:
    assert machine.uninstall("claude", "user", "--dry-run").stdout == "nothing would change\n"
    machine.install()
    path = machine.file("claude", "user")
    before = path.read_bytes()
    ran = machine.uninstall("claude", "user", "--dry-run")
    assert ran.stdout.splitlines()[1] == "+++ /dev/null"
    assert path.read_bytes() == before


def settings(machine: Machine, text: str) -> Path:
    path = machine.file("claude", "user")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_malformed_settings_are_refused(machine: Machine) -> None:
    path = settings(machine, '{\n"a" 1}')
    for act in (machine.install, machine.uninstall):
        act().assert_fault(2, str(path), "line 2: expected a colon")
    assert path.read_text("utf-8") == '{\n"a" 1}'


def test_comments_stay_but_the_editor_will_not_read_them(machine: Machine) -> None:
    path = settings(machine, '{\n  // mine\n  "model": "x"\n}\n')
    ran = machine.install()
    assert ran.code == 0
    assert "line 2 has a comment" in ran.stderr
    assert "// mine" in path.read_text("utf-8")


def test_backup_is_named_when_others_changed_the_file(machine: Machine) -> None:
    path = settings(machine, '{"model": "x"}')
    machine.install()
    path.write_text(path.read_text("utf-8").replace('"x"', '"y"'), encoding="utf-8")
    ran = machine.uninstall("claude", "user", "--json")
    assert path.read_text("utf-8") == '{"model": "y"}'
    assert ran.json["restored"] is False
    assert Path(ran.json["backup"]).is_file()


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["install"], id="no-host"),
        pytest.param(["install", "--host", "emacs"], id="unknown-host"),
        pytest.param(["uninstall", "--host", "claude", "--scope", "world"], id="unknown-scope"),
        pytest.param(["status", "--host", "claude"], id="unknown-option"),
    ],
)
def test_bad_call(machine: Machine, arguments: list[str]) -> None:
    machine.run(*arguments).assert_fault(64)


def test_unusable_interpreter(machine: Machine) -> None:
    machine.install("claude", "user", "--python", "/nonexistent").assert_fault(2, "/nonexistent")


def test_no_home(machine: Machine) -> None:
    machine.install(HOME="relative").assert_fault(2, "HOME is not set")
    machine.run("status", HOME="relative").assert_fault(2, "HOME is not set")


def test_moved_configuration_folders(machine: Machine, tmp_path: Path) -> None:
    for host, variable, name in (
        ("claude", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("copilot", "COPILOT_HOME", "hooks/session-memory.json"),
    ):
        folder = tmp_path / host
        ran = machine.install(host, "user", "--json", **{variable: str(folder)})
        assert ran.json["file"] == str(folder / name)
        assert (folder / name).is_file()


def test_project_scope_from_a_folder_below_the_root(machine: Machine) -> None:
    (machine.repo.root / "deep").mkdir()
    ran = machine.run(
        "install",
        "--host",
        "claude",
        "--scope",
        "project",
        "--json",
        cwd=machine.repo.root / "deep",
    )
    assert ran.json["file"] == str(machine.file("claude", "project"))


def test_project_settings_of_a_linked_worktree(machine: Machine) -> None:
    tree = machine.repo.root.parent / "tree"
    machine.repo.git("worktree", "add", "--quiet", str(tree))
    machine.run("install", "--host", "claude", "--scope", "project", cwd=tree)
    assert (tree / ".claude" / "settings.local.json").is_file()
    assert machine.repo.git("-C", str(tree), "status", "--porcelain") == ""


def test_settings_that_git_tracks_are_told(machine: Machine) -> None:
    machine.repo.write(".claude/settings.local.json", "{}\n")
    machine.repo.commit("settings")
    assert "git tracks this file" in machine.install("claude", "project").stderr


def test_settings_that_git_ignores_need_no_exclusion(machine: Machine) -> None:
    machine.repo.write(".gitignore", ".claude/\n")
    machine.repo.commit("ignore")
    machine.install("claude", "project")
    exclude = (machine.repo.root / ".git" / "info" / "exclude").read_text("utf-8")
    assert ".claude" not in exclude


def test_link_planted_in_a_repository_is_refused(machine: Machine) -> None:
    target = machine.home / "settings.json"
    target.write_text("{}", encoding="utf-8")
    (machine.repo.root / ".claude").mkdir()
    (machine.repo.root / ".claude" / "settings.local.json").symlink_to(target)
    machine.install("claude", "project").assert_fault(2, "leads to", "outside")
    assert target.read_text("utf-8") == "{}"


@needs_sh
@pytest.mark.parametrize("host", ["claude", "copilot"])
@pytest.mark.parametrize("target", [".git", ".git/hooks", ".GIT"])
def test_folder_that_leads_into_git_is_refused(machine: Machine, host: str, target: str) -> None:
    folder = machine.file(host, "project").parent
    folder.parent.mkdir(exist_ok=True)
    (machine.repo.root / target).mkdir(exist_ok=True)
    folder.symlink_to(machine.repo.root / target)
    before = sorted(machine.repo.root.rglob("*"))
    for act in (machine.install, machine.uninstall):
        act(host, "project").assert_fault(2, "leads to", "which belongs to git")
    assert sorted(machine.repo.root.rglob("*")) == before


@needs_sh
def test_folder_that_leads_elsewhere_in_the_checkout_is_followed(machine: Machine) -> None:
    agents = machine.repo.root / ".agents"
    agents.mkdir()
    machine.repo.write(".agents/notes.md", "x")
    (machine.repo.root / ".claude").symlink_to(".agents")
    machine.repo.commit("folder")
    assert machine.install("claude", "project").code == 0
    assert machine.repo.status() == ""
    assert machine.uninstall("claude", "project").code == 0
    assert sorted(path.name for path in agents.iterdir()) == ["notes.md"]


@pytest.mark.parametrize("act", ["install", "uninstall"])
def test_home_that_does_not_exist_is_not_made(machine: Machine, act: str, tmp_path: Path) -> None:
    home = tmp_path / "nobody"
    ran = machine.run(act, "--host", "claude", HOME=str(home))
    if act == "install":
        ran.assert_fault(2, f"HOME is {home}, which is no folder")
    assert not home.exists()


@pytest.mark.parametrize("host", ["claude", "copilot"])
def test_empty_folders_of_the_user_stay(machine: Machine, host: str) -> None:
    folder = machine.file(host, "user").parent
    folder.mkdir(parents=True)
    machine.install(host)
    assert sorted(path.name for path in folder.iterdir()) == [machine.file(host, "user").name]
    machine.uninstall(host)
    assert list(folder.iterdir()) == []


def test_only_the_folders_that_were_made_go(machine: Machine) -> None:
    (machine.home / ".copilot").mkdir()
    machine.install("copilot")
    machine.uninstall("copilot")
    assert [path.name for path in machine.home.rglob("*")] == [".copilot"]


# --- registered twice ----------------------------------------------------------------------------


def test_with_the_plugin_only_by_force(machine: Machine) -> None:
    listed = {"enabledPlugins": {"session-memory-hooks@session-memory-hooks": True}}
    path = machine.home / ".copilot" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(listed), encoding="utf-8")
    machine.install("copilot").assert_fault(2, "already", "the plugin", "--force")
    assert machine.install("copilot", "user", "--force").code == 0
    state = machine.run("status", "--json").json["registrations"]
    assert [s["how"] for s in state if s["host"] == "copilot"] == ["both", "none"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(("copilot", "user"), ("copilot", "project"), id="scopes"),
        pytest.param(("claude", "project"), ("copilot", "user"), id="copilot-reads-claude"),
    ],
)
def test_registered_elsewhere_only_by_force(
    machine: Machine, first: tuple[str, str], second: tuple[str, str]
) -> None:
    machine.install(*first)
    machine.install(*second).assert_fault(2, str(machine.file(*first)), "--force")
    assert machine.install(*second, "--force").code == 0


def test_claude_runs_the_same_command_of_two_scopes_once(machine: Machine) -> None:
    machine.install("claude", "user")
    assert machine.install("claude", "project").code == 0
    assert machine.commands("claude", "user") == machine.commands("claude", "project")


def test_another_command_in_another_scope_only_by_force(machine: Machine) -> None:
    machine.install("claude", "user")
    path = machine.file("claude", "user")
    path.write_text(path.read_text("utf-8").replace("-S -X", "-S -B -X"), encoding="utf-8")
    machine.install("claude", "project").assert_fault(2, str(path), "--force")


def test_other_editor_that_then_has_the_hooks_twice_is_told(machine: Machine) -> None:
    machine.install("copilot", "user")
    ran = machine.install("claude", "project")
    assert ran.code == 0
    assert f"from {machine.file('copilot', 'user')}: twice" in ran.stderr


def test_vscode_shares_the_file_of_copilot(machine: Machine) -> None:
    machine.install("copilot")
    assert machine.install("vscode", "user", "--json").json["changed"] is False


# --- status --------------------------------------------------------------------------------------


def states(machine: Machine) -> dict[tuple[str, str], dict[str, object]]:
    found = machine.run("status", "--json").json
    return {(s["host"], s["scope"]): s for s in found["registrations"]}


def test_plugin_of_the_user_is_none_of_the_project(machine: Machine) -> None:
    name = "session-memory-hooks@session-memory-hooks"
    folder = machine.home / ".claude" / "plugins"
    folder.mkdir(parents=True)
    records = [{"scope": "user", "installPath": "/cache/0.1.0"}]
    (folder / "installed_plugins.json").write_text(json.dumps({"plugins": {name: records}}))
    settings(machine, json.dumps({"enabledPlugins": {name: True}}))
    found = states(machine)
    assert (found["claude", "user"]["how"], found["claude", "project"]["how"]) == ("plugin", "none")


def test_status_of_nothing(machine: Machine) -> None:
    found = states(machine)
    assert list(found) == list(FILES)
    assert {state["how"] for state in found.values()} == {"none"}
    assert machine.run("status").stdout.count("registered  no") == len(FILES)


def test_status_of_what_is_right(machine: Machine) -> None:
    machine.install()
    state = states(machine)["claude", "user"]
    assert state["entry_points"] == str(machine.bundle / "hooks")
    assert [state[k] for k in ("registered", "how", "interpreter_exists")] == [
        *(True, "settings", True)
    ]
    assert [state[k] for k in ("entry_points_present", "version", "up_to_date", "problem")] == [
        *(True, "0.1.0", True, "")
    ]


@pytest.mark.parametrize(
    ("old", "new", "facts"),
    [
        pytest.param(
            "exec /", "exec /gone/", {"interpreter_exists": False, "up_to_date": False}, id="python"
        ),
        pytest.param(
            "hooks/",
            "gone/x/",
            {"entry_points_present": False, "version": ""},
            id="entry-points",
        ),
        pytest.param('"timeout": 25', '"timeout": 1', {"up_to_date": False}, id="time-limit"),
    ],
)
def test_status_of_what_is_not(
    machine: Machine, old: str, new: str, facts: dict[str, object]
) -> None:
    machine.install()
    path = machine.file("claude", "user")
    path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
    state = states(machine)["claude", "user"]
    assert {name: state[name] for name in facts} == facts
    assert ("(missing)" in machine.run("status").stdout) == ('"timeout"' not in old)


def test_status_names_the_command_that_brings_up_to_date(machine: Machine) -> None:
    machine.install("claude", "project")
    path = machine.file("claude", "project")
    path.write_text(path.read_text("utf-8").replace('"timeout": 25', '"timeout": 1'), "utf-8")
    again = "no: session-memory install --host claude --scope project\n"
    # Once for Claude Code, once for Copilot CLI, which reads the file too.
    assert machine.run("status").stdout.count(again) == 2


def test_status_of_a_plugin_that_is_gone(machine: Machine) -> None:
    name = "session-memory-hooks@session-memory-hooks"
    books = machine.home / ".claude" / "plugins" / "installed_plugins.json"
    books.parent.mkdir(parents=True)
    books.write_text(json.dumps({"plugins": {name: [{"installPath": "/gone/0.1.0"}]}}))
    settings(machine, json.dumps({"enabledPlugins": {name: True}}))
    assert "/gone/0.1.0 (missing)\n" in machine.run("status").stdout


def test_status_of_a_file_that_cannot_be_read(machine: Machine) -> None:
    path = settings(machine, "{")
    state = states(machine)["claude", "user"]
    assert (state["registered"], state["file"]) == (False, str(path))
    assert "line 1" in str(state["problem"])


def test_status_of_a_registration_in_the_settings_that_a_project_shares(machine: Machine) -> None:
    machine.install("claude", "project")
    local = machine.file("claude", "project")
    local.rename(local.with_name("settings.json"))
    found = machine.run("status", "--json").json["registrations"]
    shared = [s for s in found if s["file"] == str(local.with_name("settings.json"))]
    assert [(s["host"], s["how"]) for s in shared] == [
        ("claude", "settings"),
        ("copilot", "settings"),
    ]
