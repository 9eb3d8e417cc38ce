"""Subagents are told nothing, and what they do counts."""

from e2e.editors.editor import Editor
from e2e.expected import REFERENCES, STARTUP

COMMAND = "commands/export-all.md"
TASK = "Look into issue #647"


def test_subagent_is_told_nothing_and_its_edits_count(editor: Editor) -> None:
    prompt = editor.script("Have it done", [editor.delegate(TASK)])
    editor.script(TASK, [editor.write(editor.workspace.scene.root / COMMAND, "Export all.\n")])

    run = editor.run(prompt)

    assert run.last.count(STARTUP) == 1
    told = [request.text for request in editor.model.asked(TASK)]
    assert len(told) == 2
    assert not [text for text in told if STARTUP in text or REFERENCES in text]
    assert editor.workspace.markers() == [f"session-startup-check-complete-{run.key}.md"]
    (state,) = editor.workspace.hygiene()
    assert state["touched_files"] == [COMMAND]
