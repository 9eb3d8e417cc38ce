"""The start-up check reaches the model once a conversation, however that goes on."""

from e2e.editors.copilot_cli import CopilotCli
from e2e.editors.editor import Editor
from e2e.editors.terminal import Terminal
from e2e.expected import STARTUP


def test_context_reaches_the_model_once(editor: Editor) -> None:
    run = editor.run("Good morning", "How do you do")

    assert run.requests[0].count(STARTUP) == 1
    assert "csv-header" in run.requests[0].text
    assert editor.injections(STARTUP) == 1
    assert editor.workspace.markers() == [f"session-startup-check-complete-{run.key}.md"]


def test_resumed_conversation_is_not_told_again(editor: Editor) -> None:
    first = editor.run("Good morning")

    editor.run("Still there", resume=first.session_id)

    assert first.last.count(STARTUP) == editor.injections(STARTUP) == 1
    assert len(editor.workspace.markers()) == 1


def test_compacted_conversation_is_not_told_again(claude: Editor) -> None:
    run = claude.run("Good morning", "/compact", "On we go")

    assert claude.model.asked("Good morning")[0].count(STARTUP) == 1
    assert run.last.place.prompt == "On we go"
    assert run.last.count(STARTUP) == 0
    assert claude.injections(STARTUP) == 1
    assert len(claude.workspace.markers()) == 1


def test_cleared_conversation_is_told_anew(newest_claude: Editor) -> None:
    run = newest_claude.run("Good morning", "/clear", "Begin anew")

    assert len(run.session_ids) == 2
    assert run.last.place.prompt == "Begin anew"
    assert run.last.count(STARTUP) == 1
    assert newest_claude.injections(STARTUP) == 2
    assert len(newest_claude.workspace.markers()) == 2


def test_forked_conversation_has_heard_it(newest_claude: Editor) -> None:
    first = newest_claude.run("Good morning")
    newest_claude.options.append("--fork-session")

    fork = newest_claude.run("Another way", resume=first.session_id)

    assert fork.session_id != first.session_id
    assert fork.last.count(STARTUP) == newest_claude.injections(STARTUP) == 1
    assert len(newest_claude.workspace.markers()) == 2


def test_copilot_compacts_and_clears(copilot: CopilotCli) -> None:
    copilot.script("Good morning")

    def work(terminal: Terminal) -> None:
        terminal.press_enter_until(lambda: copilot.logged("assistant.turn_end") == 1)
        terminal.enter("/compact", lambda: copilot.logged("session.compaction_complete") == 1)
        copilot.say(terminal, "On we go")
        terminal.enter("/clear", lambda: copilot.session_count() >= 2)
        copilot.say(terminal, "Begin anew")

    copilot.at_terminal("Good morning", work)

    assert copilot.model.asked("Good morning")[0].count(STARTUP) == 1
    assert copilot.model.asked("On we go")[0].count(STARTUP) == 0
    assert copilot.model.asked("Begin anew")[0].count(STARTUP) == 1
    assert copilot.injections(STARTUP) == 2
    assert len(copilot.workspace.markers()) == 2
