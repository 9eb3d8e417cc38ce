"""A prompt that names an issue brings the documents that the issue needs."""

from e2e.editors.editor import Editor
from e2e.expected import REFERENCES


def test_references_reach_the_model_once(editor: Editor) -> None:
    run = editor.run("Work on #647", "Is issue 647 done")

    assert [request.count(REFERENCES) for request in run.requests] == [1, 1]
    assert editor.injections(REFERENCES) == 1
    assert run.last.count("RFC 4180") == 1
    assert run.last.count("The accent is teal.") == 0


def test_references_come_again_when_the_issue_has_changed(editor: Editor) -> None:
    first = editor.run("Work on #647")
    editor.workspace.change_issue("Every CSV has a column more.")

    again = editor.run("What about #647 now", "And issue #647 now", resume=first.session_id)

    assert first.last.count(REFERENCES) == 1
    assert [request.count(REFERENCES) for request in again.requests] == [2, 2]
    assert editor.injections(REFERENCES) == 2


def test_prompt_that_the_client_makes_brings_nothing(newest_claude: Editor) -> None:
    """A command in the background reports its end by way of a prompt."""
    command = newest_claude.shell("sleep 1")
    command.arguments.update(run_in_background=True, description="Work on #647")

    run = newest_claude.run(newest_claude.script("Start it", [command]))

    assert "<task-notification>" in run.last.text
    assert newest_claude.injections(REFERENCES) == 0
