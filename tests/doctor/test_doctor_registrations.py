"""Planted faults in what editors read: each is named, and so is the way to mend it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from doctor_patient import Patient, copilot_hooks, find, troubles
from session_memory.core.checkout import locate
from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor import command_faults, registrations
from session_memory.editors.surroundings import Surroundings
from support import ROOT, Repository


def test_nothing_registered(patient: Patient) -> None:
    patient.claude.unlink()
    found = find(patient.look(), "No editor runs these hooks")
    assert found["level"] == "warning"
    assert "session-memory install" in found["mend"]


def test_settings_and_plugin_at_once(patient: Patient) -> None:
    patient.install_plugin(patient.bundle())
    found = find(
        patient.look(), "Claude Code runs PostToolUse, SessionStart, UserPromptSubmit twice"
    )
    assert found["level"] == "warning"
    assert "claude plugin uninstall session-memory-hooks@" in found["mend"]


def test_repository_and_user_hooks_of_copilot_at_once(patient: Patient) -> None:
    hooks = copilot_hooks()
    patient.write(patient.home / ".copilot" / "hooks" / "ours.json", hooks)
    patient.write(patient.repo.root / ".github" / "hooks" / "ours.json", hooks)
    made = patient.look()
    for host in ("Copilot CLI", "VS Code"):
        assert find(made, f"{host} runs PostToolUse")["level"] == "warning"
    assert "keeps the last" in find(made, "Copilot CLI runs PostToolUse")["why"]


def test_double_that_the_command_has_installed(patient: Patient) -> None:
    """The mend leaves Claude Code, which reads one of the two files, its only hooks."""
    uninstall = "remove one of the two: session-memory uninstall --host"
    patient.claude.unlink()
    runs = [
        subprocess.run(
            [sys.executable, "-m", "session_memory", *options],
            cwd=patient.repo.root,
            env={**patient.env, "PYTHONPATH": str(ROOT / "lib")},
            check=False,
            capture_output=True,
        )
        for options in (
            ["install", "--host", "claude", "--scope", "project"],
            ["install", "--host", "copilot", "--force"],
        )
    ]
    assert [done.returncode for done in runs] == [0, 0]
    found = find(patient.look(), "Copilot CLI runs PostToolUse, SessionStart, UserPromptSubmit")
    assert found["mend"] == f"{uninstall} copilot, from which VS Code has hooks too"
    patient.write(patient.claude, patient.registration())
    made = patient.look()
    found = find(made, "Copilot CLI runs PostToolUse, SessionStart, UserPromptSubmit")
    assert found["mend"] == f"{uninstall} claude --scope project"


def test_same_command_in_two_claude_files_runs_once(patient: Patient) -> None:
    patient.write(patient.repo.root / ".claude" / "settings.local.json", patient.registration())
    assert troubles(patient.look()) == []


def test_two_matchers_that_share_no_tool_are_no_double(patient: Patient) -> None:
    settings = patient.registration()
    (edits,) = settings["hooks"]["PostToolUse"]
    questions = {**edits, "matcher": "^AskUserQuestion$"}
    settings["hooks"]["PostToolUse"] = [{**edits, "matcher": "Edit|Write|MultiEdit"}, questions]
    patient.write(patient.claude, settings)
    assert troubles(patient.look()) == []


def test_plugin_alone_is_healthy(patient: Patient) -> None:
    patient.claude.unlink()
    patient.install_plugin(patient.bundle("a plug in"))
    made = patient.examine()
    assert troubles(made) == []
    assert made["registered"][0]["plugin"] == "session-memory-hooks@session-memory-hooks"


def test_copilot_plugin_of_a_folder_is_found(patient: Patient) -> None:
    name = "session-memory-hooks@session-memory-hooks"
    source = {"source": {"source": "directory", "path": str(patient.bundle())}}
    settings = {
        "enabledPlugins": {name: True},
        "extraKnownMarketplaces": {name.split("@")[1]: source},
    }
    patient.write(patient.home / ".copilot" / "settings.json", settings)
    made = patient.examine()
    assert troubles(made) == []
    assert [file["host"] for file in made["registered"]] == ["claude", "copilot"]


def test_copied_copilot_plugin_is_found(patient: Patient) -> None:
    record = {"name": "session-memory-hooks", "cache_path": str(patient.bundle()), "enabled": True}
    text = "// This file is managed automatically.\n" + json.dumps({"installedPlugins": [record]})
    patient.write(patient.home / ".copilot" / "config.json", text)
    made = patient.examine()
    assert troubles(made) == []
    assert made["registered"][1]["plugin"] == "session-memory-hooks"


def test_vscode_plugin_is_found(patient: Patient) -> None:
    hub = patient.home / ".config" / "Code" / "agentPlugins" / "github.com" / "someone"
    hub.mkdir(parents=True)
    shutil.move(patient.bundle(), hub / "session-memory-hooks")
    made = patient.examine()
    assert troubles(made) == []
    assert made["registered"][1]["host"] == "vscode"


def test_plugin_switched_off(patient: Patient) -> None:
    patient.install_plugin(patient.bundle(), enabled=False)
    found = find(patient.look(), "switched off")
    assert found["level"] == "note"
    assert found["mend"] == "claude plugin enable session-memory-hooks@session-memory-hooks"


def test_plugin_folder_gone(patient: Patient) -> None:
    patient.install_plugin(patient.folder / "gone")
    found = find(patient.look(), "has no hooks at")
    assert found["level"] == "fault"
    assert "&& claude plugin install session-memory-hooks@" in found["mend"]


def test_plugin_without_a_marketplace_is_gone(patient: Patient) -> None:
    record = {"name": "session-memory-hooks", "cache_path": "/opt/gone", "enabled": True}
    patient.write(patient.home / ".copilot" / "config.json", {"installedPlugins": [record]})
    found = find(patient.look(), "of Copilot CLI has no hooks at /opt/gone")
    assert found["mend"] == ("copilot plugin uninstall session-memory-hooks, then install it again")


def test_only_a_plugin_that_is_switched_off(patient: Patient) -> None:
    patient.claude.unlink()
    patient.install_plugin(patient.bundle(), enabled=False)
    made = patient.look()
    (trouble,) = troubles(made)
    assert "switched off" in trouble
    assert find(made, trouble)["level"] == "warning"


def live_plugin(patient: Patient, bundle: Path) -> None:
    """A plugin from a folder's marketplace: Claude Code runs the folder, not its own copy."""
    patient.claude.unlink()
    patient.install_plugin(ROOT)
    source = {"source": "directory", "path": str(bundle)}
    books = patient.home / ".claude" / "plugins" / "known_marketplaces.json"
    patient.write(books, {"session-memory-hooks": {"source": source}})


def test_plugin_is_judged_where_it_runs(patient: Patient) -> None:
    bundle = patient.bundle()
    live_plugin(patient, bundle)
    assert troubles(patient.look()) == []
    (bundle / "hooks" / "run").unlink()
    found = find(patient.look(), "A registered command runs")
    assert found["level"] == "fault"


def test_clone_of_a_plugin_was_moved(patient: Patient) -> None:
    live_plugin(patient, patient.folder / "moved-away")
    assert find(patient.look(), "has no hooks at")["level"] == "fault"


def test_broken_json(patient: Patient) -> None:
    text = patient.claude.read_text()
    patient.write(patient.claude, text.rstrip("}\n") + ",")
    found = find(patient.look(), "A settings file is broken: it is not JSON at line")
    assert (found["level"], found["where"]) == ("fault", str(patient.claude))
    assert "python3 -m json.tool" in found["mend"]


def test_broken_json_of_others_is_a_warning_where_hooks_run(patient: Patient) -> None:
    patient.write(patient.repo.root / ".github" / "hooks" / "others.json", "{")
    assert find(patient.look(), "A settings file is broken")["level"] == "warning"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"hooks": {', '// mine\n"hooks": {', "line 2 has a comment, or a comma"),
        ("]\n  }", "],\n  }", "line 35 has a comment, or a comma"),
        ('"hooks"', "hooks", "it is not JSON at line 2"),
    ],
    ids=["comment", "comma", "quotes"],
)
def test_broken_settings_come_first_and_nothing_else_is_blamed(
    patient: Patient, old: str, new: str, words: str
) -> None:
    patient.install_plugin(patient.bundle())
    text = patient.claude.read_text()
    assert old in text
    patient.write(patient.claude, text.replace(old, new, 1))
    made = patient.look()
    first = made["findings"][0]
    assert (first["level"], first["where"]) == ("fault", str(patient.claude))
    assert words in first["what"]
    assert len(troubles(made)) == 1
    assert made["registered"] == []


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        (None, "hooks.Stop is no list"),
        ({}, "hooks.Stop is no list"),
        ([None], "hooks.Stop[0] is no object"),
        ([{"hooks": None}], "hooks.Stop[0] has no list of hooks"),
        ([{"type": "command", "command": "true"}], "hooks.Stop[0] has no list of hooks"),
        ([{"matcher": 7, "hooks": []}], "hooks.Stop[0] has a matcher that is no text"),
        ([{"hooks": ["x"]}], "has a hook that is no object"),
        ([{"hooks": [{"type": "shell", "command": "true"}]}], "has a hook of no known type"),
        ([{"hooks": [{"type": "command"}]}], "has a command that is no text"),
        (
            [{"hooks": [{"type": "command", "command": "true", "timeout": "20"}]}],
            "has a hook with a timeout that is no number",
        ),
    ],
    ids=str,
)
def test_settings_that_an_older_claude_code_passes_over(
    patient: Patient, stop: object, words: str
) -> None:
    settings = patient.registration()
    settings["hooks"]["Stop"] = stop
    patient.write(patient.claude, settings)
    made = patient.look()
    first = made["findings"][0]
    assert (first["level"], first["mend"]) == ("fault", "correct or remove it")
    assert words in first["what"]
    assert "2.1.112 passes over the whole file" in first["why"]


@pytest.mark.parametrize(
    ("members", "words"), [({"env": 7}, "env is no object"), ({"hooks": []}, "hooks is no object")]
)
def test_settings_of_another_form(patient: Patient, members: dict[str, object], words: str) -> None:
    patient.write(patient.claude, {**patient.registration(), **members})
    assert words in patient.look()["findings"][0]["what"]


def test_null_in_place_of_all_hooks_is_harmless(patient: Patient) -> None:
    patient.write(patient.repo.root / ".claude" / "settings.json", {"hooks": None})
    assert troubles(patient.look()) == []


def test_comments_in_the_settings_of_copilot_are_no_fault(patient: Patient) -> None:
    text = "// mine\n" + json.dumps({"hooks": copilot_hooks()["hooks"]})[:-1] + ", /* x */ }"
    patient.write(patient.home / ".copilot" / "settings.json", text)
    made = patient.look()
    assert troubles(made) == []
    assert [file["host"] for file in made["registered"]] == ["claude", "copilot"]


def test_comments_in_a_hook_file_of_copilot_hide_it(patient: Patient) -> None:
    path = patient.home / ".copilot" / "hooks" / "ours.json"
    patient.write(path, "// mine\n" + json.dumps(copilot_hooks()))
    first = patient.look()["findings"][0]
    assert (first["level"], first["where"]) == ("fault", str(path))
    assert first["why"].startswith("Copilot CLI and VS Code pass over the whole file")


HOSTILE = (
    *("(a+)+$", "(x*)*y", "(.*)*(.*)*x", "^(([a-zA-Z_])+.)+$", "(a|a)*b", "a{1,9}{1,9}{1,9}z"),
    *(
        r"(\\w*)\\1(\\w*)\\2$",
        "(?=(a+))+b",
        "((((a?)?)?)?)+$" * 30,
        ".*.*.*.*.*.*.*.*x",
        "x" * 99_999,
    ),
)


@pytest.mark.parametrize("matcher", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_matcher_is_not_tried(patient: Patient, matcher: str) -> None:
    settings = patient.registration()
    settings["hooks"]["PostToolUse"][0]["matcher"] = matcher
    patient.write(patient.repo.root / ".claude" / "settings.json", settings)
    made = patient.look()
    assert made["seconds"] < 5


def test_byte_order_mark_is_no_fault_of_claude_code(patient: Patient) -> None:
    patient.claude.write_bytes(b"\xef\xbb\xbf" + patient.claude.read_bytes())
    assert troubles(patient.look()) == []


def test_byte_order_mark_hides_a_file_from_copilot(patient: Patient) -> None:
    path = patient.home / ".copilot" / "hooks" / "ours.json"
    patient.write(path, "\ufeff" + json.dumps(copilot_hooks()))
    made = patient.look()
    found = find(made, "byte order mark")
    assert (found["level"], found["mend"]) == ("fault", "save it as UTF-8 without BOM")
    assert "copilot" not in [file["host"] for file in made["registered"]]


@pytest.mark.parametrize(
    ("event", "level"), [("PostToolUsed", "warning"), ("PostToolBatch", "note")], ids=str
)
def test_event_for_which_old_clients_drop_a_plugin(
    patient: Patient, event: str, level: str
) -> None:
    patient.claude.unlink()
    root = patient.bundle()
    hooks = json.loads((root / "hooks" / "hooks.json").read_text())
    hooks["hooks"][event] = [{"hooks": [{"type": "command", "command": "true"}]}]
    patient.write(root / "hooks" / "hooks.json", hooks)
    patient.install_plugin(root)
    found = find(patient.look(), f"{event} is no event")
    assert found["level"] == level
    assert "drops every hook" in found["why"]


def test_unknown_event_in_settings_is_harmless(patient: Patient) -> None:
    settings = patient.registration()
    settings["hooks"]["PostToolUsed"] = [{"hooks": [{"type": "command", "command": "true"}]}]
    patient.write(patient.claude, settings)
    assert troubles(patient.look()) == []


def test_hook_under_the_wrong_event(patient: Patient) -> None:
    settings = patient.registration()
    settings["hooks"]["PreToolUse"] = settings["hooks"].pop("PostToolUse")
    patient.write(patient.claude, settings)
    made = patient.look()
    found = find(
        made, "post_tool_use is registered for an event that it does not answer (PreToolUse"
    )
    assert (found["level"], found["mend"]) == ("fault", "register it for PostToolUse")


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        ("UserPromptSubmit", "userPromptSubmitted", True),
        ("UserPromptSubmit", "userPromptSubmit", False),
        ("SessionStart", "sessionStart", True),
        ("SessionStart", "sessionstart", False),
    ],
)
def test_names_of_events_for_copilot(patient: Patient, old: str, new: str, runs: bool) -> None:
    hooks = copilot_hooks()
    hooks["hooks"][new] = hooks["hooks"].pop(old)
    patient.write(patient.home / ".copilot" / "hooks" / "ours.json", hooks)
    found = troubles(patient.look())
    assert len(found) == (0 if runs else 1)
    assert runs or "Copilot CLI and VS Code" in found[0] or "does not answer" in found[0]


def test_type_that_copilot_skips(patient: Patient) -> None:
    hooks = copilot_hooks()
    hooks["hooks"]["SessionStart"][0]["type"] = "comand"
    patient.write(patient.home / ".copilot" / "hooks" / "ours.json", hooks)
    found = find(patient.look(), "no type that Copilot CLI takes (SessionStart in ")
    assert (found["level"], found["mend"]) == ("fault", 'set "type" to "command"')


def test_type_may_be_missing_for_copilot(patient: Patient) -> None:
    hooks = copilot_hooks()
    del hooks["hooks"]["SessionStart"][0]["type"]
    patient.write(patient.home / ".copilot" / "hooks" / "ours.json", hooks)
    assert troubles(patient.look()) == []


@pytest.mark.parametrize("version", [2, "1", True, None], ids=repr)
def test_version_for_which_copilot_passes_over_a_hook_file(
    patient: Patient, version: object
) -> None:
    path = patient.home / ".copilot" / "hooks" / "ours.json"
    patient.write(path, {**copilot_hooks(), "version": version})
    made = patient.look()
    assert find(made, "The version of a hook file is not 1")["level"] == "fault"
    assert "copilot" not in [file["host"] for file in made["registered"]]


def test_settings_of_copilot_have_no_version(patient: Patient) -> None:
    path = patient.home / ".copilot" / "settings.json"
    patient.write(path, {**copilot_hooks(), "version": 2})
    assert troubles(patient.look()) == []


def test_folder_in_place_of_the_settings(patient: Patient) -> None:
    patient.claude.unlink()
    patient.claude.mkdir()
    found = find(patient.look(), "A settings file is broken: it cannot be read")
    assert found["mend"].endswith(f"ls -ld {patient.claude}")


def test_event_not_registered(patient: Patient) -> None:
    settings = patient.registration()
    del settings["hooks"]["SessionStart"]
    patient.write(patient.claude, settings)
    found = find(patient.look(), "SessionStart is not registered for Claude Code")
    assert (found["level"], found["mend"]) == ("note", "session-memory install --host claude")


def test_timeout_that_is_too_short(patient: Patient) -> None:
    patient.use(ROOT, timeout=3)
    found = find(patient.look(), "is 3 s, but the hook may take 8 s (SessionStart, PostToolUse in ")
    assert found["level"] == "warning"
    assert 'set "timeout" to 20' in found["mend"]


@pytest.mark.parametrize(("name", "level"), [("plug in", "fault"), ("plugin", "warning")], ids=str)
def test_plugin_root_outside_quotes(patient: Patient, name: str, level: str) -> None:
    patient.claude.unlink()
    root = patient.bundle(name)
    hooks = root / "hooks" / "hooks.json"
    patient.write(
        hooks,
        hooks.read_text().replace(
            '\\"${CLAUDE_PLUGIN_ROOT}/hooks/run\\"', "${CLAUDE_PLUGIN_ROOT}/hooks/run"
        ),
    )
    patient.install_plugin(root)
    found = find(patient.look(), "A registered command has the plugin's folder outside quotes")
    assert found["level"] == level
    assert '"${CLAUDE_PLUGIN_ROOT}/hooks/run"' in found["mend"]


def test_literal_path_outside_quotes(patient: Patient) -> None:
    root = patient.bundle("my bundle")
    patient.use(root, command=f"sh {root}/hooks/run session_start")
    found = find(patient.look(), "A registered command has a blank outside quotes")
    assert found["level"] == "fault"
    assert str(root) in found["what"]


def test_bundle_gone(patient: Patient) -> None:
    patient.use(patient.folder / "gone")
    found = find(
        patient.look(), f"run what lies in {patient.folder}/gone/hooks, which is not there"
    )
    assert "SessionStart, UserPromptSubmit, PostToolUse in ~/.claude/settings.json" in found["what"]
    assert (found["level"], found["mend"]) == ("fault", "session-memory install --host claude")


def test_script_of_a_clone_gone(patient: Patient) -> None:
    """An installation would name the same script again; git has it still."""
    bundle = patient.bundle()
    repo = Repository(bundle)
    repo.git("init", "--quiet")
    repo.commit("all")
    (bundle / "hooks" / "run").unlink()
    patient.use(bundle)
    found = find(
        patient.look(), f"A registered command runs {bundle}/hooks/run, which is not there"
    )
    assert (found["level"], found["mend"]) == (
        *("fault", f"git -C {bundle} checkout HEAD -- hooks/run"),
    )
    subprocess.run(["sh", "-c", found["mend"]], check=True, capture_output=True)
    assert troubles(patient.look()) == []


def test_relative_script(patient: Patient) -> None:
    patient.use(ROOT, command="python3 .claude/hooks/post_tool_use.py")
    found = find(patient.look(), "A registered command has a relative path")
    assert found["level"] == "warning"
    assert "as soon as the agent changes its folder" in found["why"]


def installed_command(python: str, entry: str) -> str:
    """As an installation writes it: a real interpreter, silent when the script is gone."""
    script = f"{ROOT}/hooks/{entry}.py"
    run = f"exec {python} -I -S -X utf8 {script} --registered-by=session-memory-hooks"
    return f"[ ! -f {script} ] || {{ [ -x {python} ] && {run}; echo 'no interpreter' >&2; }}"


def use_interpreter(patient: Patient, python: str) -> None:
    settings = patient.registration()
    for entry, event in EVENT_NAMES.items():
        settings["hooks"][event][0]["hooks"][0]["command"] = installed_command(python, entry)
    patient.write(patient.claude, settings)


def test_registered_interpreter_is_tried(patient: Patient) -> None:
    use_interpreter(patient, f"{patient.bin}/python3")
    made = patient.examine()
    assert troubles(made) == []
    assert find(made, "named in the registered command")["check"] == "interpreter"


def test_registered_interpreter_gone(patient: Patient) -> None:
    use_interpreter(patient, "/opt/gone/bin/python3.12")
    found = find(patient.look(), "A registered command starts /opt/gone/bin/python3.12")
    assert "SessionStart, UserPromptSubmit, PostToolUse in ~/.claude/settings.json" in found["what"]
    assert (found["level"], found["mend"]) == ("fault", "session-memory install --host claude")


def test_registered_interpreter_gone_is_told_once(patient: Patient) -> None:
    use_interpreter(patient, "/opt/gone/bin/python3.12")
    local = patient.repo.root / ".claude" / "settings.local.json"
    patient.write(local, patient.claude.read_text())
    found = find(patient.examine(), "/opt/gone/bin/python3.12")
    assert f"; SessionStart, UserPromptSubmit, PostToolUse in {local}" in found["what"]


def test_registered_interpreter_is_a_shim(patient: Patient) -> None:
    real = (patient.bin / "python3").resolve()
    shim = patient.program("python3", f'#!/bin/sh\nsleep 0.05\nexec "{real}" "$@"\n')
    use_interpreter(patient, str(shim))
    found = find(patient.examine(), f"{shim} is a shim")
    assert found["level"] == "warning"
    assert "at every hook" in found["why"]


def test_exec_form(patient: Patient) -> None:
    """A program and its arguments, without a shell."""
    settings = patient.registration()
    for entry, event in EVENT_NAMES.items():
        handler = settings["hooks"][event][0]["hooks"][0]
        handler["command"] = f"{patient.bin}/python3"
        handler["args"] = ["-I", "-S", f"{ROOT}/hooks/{entry}.py"]
    patient.write(patient.claude, settings)
    assert troubles(patient.examine()) == []


@pytest.mark.parametrize("matcher", ["write", "^(edit", 7], ids=str)
def test_matcher_that_fits_nothing(patient: Patient, matcher: object) -> None:
    settings = patient.registration()
    settings["hooks"]["PostToolUse"][0]["matcher"] = matcher
    patient.write(patient.claude, settings)
    found = find(patient.look(), "fits none of the tools")
    assert found["level"] == "warning"
    assert "AskUserQuestion" in found["mend"]


@pytest.mark.parametrize(
    ("matcher", "missing", "row"),
    [("Edit|Write", "questions", "SMC-21"), ("AskUserQuestion", "edits", "SMC-12")],
    ids=str,
)
def test_matcher_that_leaves_tools_out(
    patient: Patient, matcher: str, missing: str, row: str
) -> None:
    settings = patient.registration()
    settings["hooks"]["PostToolUse"][0]["matcher"] = matcher
    patient.write(patient.claude, settings)
    found = find(patient.look(), f"PostToolUse of {missing} is not registered")
    assert (found["level"], found["row"]) == ("note", row)


def test_all_hooks_switched_off(patient: Patient) -> None:
    patient.write(patient.claude, {**patient.registration(), "disableAllHooks": True})
    found = find(patient.look(), "switched off by disableAllHooks")
    assert (found["level"], found["where"]) == ("warning", str(patient.claude))


STRANGE = (
    *("[]", '{"hooks": []}', '{"hooks": {"SessionStart": {}}}', '{"hooks": {"SessionStart": [7]}}'),
    '{"hooks": {"SessionStart": [{"hooks": 7}]}}',
    '{"hooks": {"SessionStart": [{"hooks": [{"command": 7, "args": 7}]}]}}',
    '{"hooks": {"SessionStart": [{"hooks": [{"command": "x \'/hooks/session_start.py"}]}]}}',
    '{"enabledPlugins": 7, "extraKnownMarketplaces": 7}',
    "",
    "[" * 100_000,
)


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
@pytest.mark.parametrize(
    "name", [".claude/settings.json", ".copilot/hooks/x.json", ".copilot/settings.json"]
)
def test_strange_settings_are_survived(patient: Patient, name: str, text: str) -> None:
    patient.write(patient.home / name, text)
    root = patient.repo.root
    around = Surroundings(root, patient.home, patient.env, locate(str(root)))
    registry = registrations.Registry(around)
    checks = (registrations.broken, registrations.check, command_faults.check)
    found = [finding for check in checks for finding in check(registry)]
    assert {finding.check for finding in found} == {registrations.CHECK}


def test_matcher_that_cannot_be_judged_is_told(patient: Patient) -> None:
    settings = patient.registration()
    settings["hooks"]["PostToolUse"][0]["matcher"] = "^(Edit|Write){1}$"
    patient.write(patient.claude, settings)
    found = find(patient.look(), "is too involved to be tried")
    assert (found["level"], found["why"]) == ("note", "Which tools it fits is not known.")
