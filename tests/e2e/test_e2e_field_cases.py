"""Reports from users of such hooks, replayed in the real clients.

Cases of the kinds that need a host, and the test that covers each:

| case    | kind           | test                                                                 |
|---------|----------------|----------------------------------------------------------------------|
| BUG-034 | env            | test_stable_id_holds_over_processes                                  |
| BUG-042 | env            | test_inherited_git_variables_do_not_mislead                          |
| BUG-046 | hooks_json     | test_e2e_places: test_agent_changes_directory                        |
| BUG-061 | stdin_sequence | test_start_at_every_prompt_speaks_once                               |
| BUG-062 | stdin_sequence | test_prompt_makes_up_for_a_start_that_never_came                     |
| BUG-093 | hooks_json     | test_hook_that_fails_is_not_run_again                                |
| BUG-094 | env            | test_e2e_interpreter: test_interpreter_that_cannot_read_the_plugin…  |
| BUG-095 | env            | test_e2e_interpreter: test_interpreter_that_sleeps…, test_shim…      |
| BUG-096 | hooks_json     | test_shipped_json_has_no_byte_order_mark; test_e2e_installation      |
| BUG-097 | hooks_json     | test_e2e_installation: test_plugin_from_a_marketplace, per client    |
| BUG-099 | env            | Windows: tests/hooks/test_hooks_run.py, with a stand-in for cygpath  |
"""

from e2e.editors.editor import Editor
from e2e.expected import REFERENCES, STARTUP


def test_stable_id_holds_over_processes(claude: Editor) -> None:
    """A hosted conversation is a new process, with a new session id, at every turn."""
    claude.workspace.extra["CLAUDE_CODE_REMOTE_SESSION_ID"] = "remote/1"

    turns = [claude.run("Work on #647"), claude.run("Go on with #647")]

    assert turns[0].session_id != turns[1].session_id
    assert [turn.last.count(STARTUP) for turn in turns] == [1, 0]
    assert [turn.last.count(REFERENCES) for turn in turns] == [1, 0]
    assert claude.workspace.markers() == ["session-startup-check-complete-s-remote-1.md"]


def test_inherited_git_variables_do_not_mislead(editor: Editor) -> None:
    """The client was started from a hook of git in another repository."""
    other = editor.workspace.repository.create(editor.workspace.folder / "other")
    editor.workspace.extra |= {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(other.root / ".git" / "index"),
    }

    run = editor.run("Work on #647")

    assert "csv-header" in run.last.text
    assert run.last.count(REFERENCES) == 1
    assert len(editor.workspace.markers()) == 1
    assert not (other.root / "memories").exists()


def test_start_at_every_prompt_speaks_once(copilot: Editor) -> None:
    """Each of its processes tells that the conversation starts."""
    run = copilot.run("Good morning", "How do you do", "Good evening")

    assert run.requests[0].count(STARTUP) == copilot.injections(STARTUP) == 1
    assert len(copilot.workspace.markers()) == 1


def test_prompt_makes_up_for_a_start_that_never_came(newest: Editor) -> None:
    newest.options = []
    newest.register(["UserPromptSubmit"])

    run = newest.run("Good morning", "How do you do")

    assert [request.count(STARTUP) for request in run.requests] == [1, 1]


def test_hook_that_fails_is_not_run_again(newest: Editor) -> None:
    """The payload can be read once, so no other interpreter may take over."""
    calls = newest.workspace.folder / "calls"
    broken = f'case "$*" in *--probe*) exit 0 ;; esac\necho "$*" >>"{calls}"\nexit 1'
    newest.workspace.program("python3", broken)

    newest.run("Good morning")

    entries = [call.rpartition("/")[2] for call in calls.read_text("utf-8").splitlines()]
    assert sorted(entries) == ["session_start.py", "user_prompt_submit.py"]


def test_shipped_json_has_no_byte_order_mark(newest: Editor) -> None:
    files = [path for path in newest.bundle.rglob("*.json") if "lib" not in path.parts]

    run = newest.run("Good morning")

    assert len(files) >= 4
    assert not [path for path in files if not path.read_bytes().startswith(b"{")]
    assert run.last.count(STARTUP) == 1
