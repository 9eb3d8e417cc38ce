"""Edits of entry points: one reminder a conversation, and every path in its state."""

from e2e.editors.editor import Editor
from e2e.expected import REMINDER

SKILL, COMMAND, OTHER = "skills/export/SKILL.md", "commands/export-all.md", "Documents/notes.md"


def test_entry_points_are_recorded_and_mentioned_once(editor: Editor) -> None:
    root = editor.workspace.scene.root
    prompt = editor.script(
        "Edit the plugin",
        [editor.write(root / OTHER, "Notes.\n")],
        [editor.read(root / SKILL)],
        [editor.edit(root / SKILL, "one row", "two rows")],
        [editor.write(root / COMMAND, "Export all.\n")],
    )

    run = editor.run(prompt)

    assert "two rows" in (root / SKILL).read_text("utf-8")
    assert [request.count(REMINDER) for request in run.requests] == [0, 0, 0, 1, 1]
    (state,) = editor.workspace.hygiene()
    assert state["touched_files"] == [SKILL, COMMAND]
    assert state["keying_strategy"] == "session_id"


def test_git_status_shows_the_agents_own_work_only(editor: Editor) -> None:
    root = editor.workspace.scene.root
    prompt = editor.script(
        "Work on #647",
        [editor.write(root / COMMAND, "Export all.\n")],
        [editor.shell("git status --porcelain --untracked-files=all")],
    )

    run = editor.run(prompt)

    shown = [line for line in run.last.text.splitlines() if line.startswith("?? ")]
    assert shown == [f"?? {COMMAND}"]
    assert editor.workspace.repository.status() == f"?? {COMMAND}"
    assert editor.workspace.hygiene()
    assert editor.workspace.markers()
