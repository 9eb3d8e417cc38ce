"""Where the agent works, where state goes, and where the plugin lies."""

from pathlib import Path

from e2e.editors.editor import Editor
from e2e.expected import REFERENCES, REMINDER, STARTUP
from e2e.workspace import copy_bundle
from support import Repository

COMMAND = "commands/export-all.md"


def test_agent_changes_directory(editor: Editor) -> None:
    root = editor.workspace.scene.root
    prompt = editor.script(
        "Go there",
        [editor.shell(f"cd {root / 'skills'}")],
        [editor.write(root / COMMAND, "Export all.\n")],
    )

    run = editor.run(prompt, "Work on #647")

    assert run.last.count(REMINDER) == run.last.count(REFERENCES) == 1
    assert len(editor.workspace.markers()) == len(editor.workspace.hygiene()) == 1
    assert sorted(path.name for path in (root / "skills").iterdir()) == ["export"]


def test_client_starts_below_the_root(newest: Editor) -> None:
    root = newest.workspace.scene.root

    run = newest.run("Work on #647", cwd=root / "skills")

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == 1
    assert len(newest.workspace.markers()) == 1
    assert sorted(path.name for path in (root / "skills").iterdir()) == ["export"]


def test_linked_worktree_has_its_own_session_state(editor: Editor) -> None:
    workspace = editor.workspace
    linked = Repository(workspace.folder / "linked")
    workspace.repository.git("worktree", "add", "--quiet", str(linked.root))
    prompt = editor.script("Work on #647", [editor.write(linked.root / COMMAND, "Export all.\n")])

    run = editor.run(prompt, cwd=linked.root)

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == run.last.count(REMINDER) == 1
    assert workspace.markers() == []
    assert len(list(linked.session.glob("*.md"))) == 1
    (state,) = workspace.hygiene()
    assert state["touched_files"] == [COMMAND]
    assert linked.status() == f"?? {COMMAND}"
    assert workspace.repository.status() == ""


def test_plugin_folder_has_an_odd_name(editor: Editor) -> None:
    bundle = copy_bundle(editor.workspace.folder / "it's one & (more)" / "session-memory-hooks")
    editor.options = ["--plugin-dir", str(bundle)]

    run = editor.run("Work on #647")

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == 1


def test_nothing_can_be_written(editor: Editor) -> None:
    """What is to be said is said; plain files are where the folders would be."""
    workspace = editor.workspace
    root = workspace.scene.root
    workspace.repository.git("clean", "-fdxq")
    for name in ("memories", ".copilot-tracking", ".claude"):
        (root / name).write_text("Not a folder.\n", "utf-8")
    prompt = editor.script("Work on #647", [editor.write(root / COMMAND, "Export all.\n")])

    run = editor.run(prompt)

    assert (root / COMMAND).exists()
    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == run.last.count(REMINDER) == 1
    assert {_kind(root / name) for name in ("memories", ".copilot-tracking", ".claude")} == {"file"}


def test_nothing_is_written_outside_of_a_repository(newest: Editor) -> None:
    folder = newest.workspace.folder / "plain"
    folder.mkdir()

    run = newest.run("Work on #647", cwd=folder)

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == 0


def _kind(path: Path) -> str:
    return "file" if path.is_file() else "folder"
