"""The ways to install the bundle, alone and all at once."""

import json

from e2e.editors.editor import Editor
from e2e.expected import REFERENCES, REMINDER, STARTUP
from e2e.workspace import copy_bundle
from session_memory.core.checkout import locate
from session_memory.doctor import registrations
from session_memory.doctor.registrations import Registry
from session_memory.editors.surroundings import Surroundings

NAME = "session-memory-hooks"
COMMAND = "commands/export-all.md"


def install_from_marketplace(editor: Editor) -> None:
    editor.plugin("marketplace", "add", str(editor.bundle))
    editor.plugin("install", f"{NAME}@{NAME}")


def assert_everything_happens_once(editor: Editor) -> None:
    command = editor.write(editor.workspace.scene.root / COMMAND, "Export all.\n")

    run = editor.run(editor.script("Work on #647", [command]))

    for text in (STARTUP, REFERENCES, REMINDER):
        assert (text, run.last.count(text), editor.injections(text)) == (text, 1, 1)
    assert editor.workspace.markers() == [f"session-startup-check-complete-{run.key}.md"]
    (state,) = editor.workspace.hygiene()
    assert state["touched_files"] == [COMMAND]
    assert not (editor.workspace.repository.session / "hook-diagnostics.jsonl").exists()


def test_plugin_from_a_marketplace(editor: Editor) -> None:
    editor.options = []
    install_from_marketplace(editor)

    assert_everything_happens_once(editor)


def test_settings_file(newest: Editor) -> None:
    newest.options = []
    newest.register()

    assert_everything_happens_once(newest)


def test_plugin_and_settings_file_at_once(editor: Editor) -> None:
    editor.register()

    assert_everything_happens_once(editor)


def test_question_is_recorded_once_by_both(claude: Editor) -> None:
    claude.register()

    claude.run(claude.script("Ask them", [claude.ask("Shall it be red?")]))

    assert len(claude.workspace.records()) == 1


def test_moved_clone_is_mended_as_doctor_says(editor: Editor) -> None:
    old, new = (editor.workspace.folder / name for name in ("old", "new"))
    editor.options = []
    editor.plugin("marketplace", "add", str(copy_bundle(old)))
    editor.plugin("install", f"{NAME}@{NAME}")
    old.rename(new)

    root = editor.workspace.scene.root
    around = Surroundings(root, editor.workspace.home, {}, locate(str(root)))
    (found,) = registrations.check(Registry(around))
    for command in found.mend.partition(": ")[2].split(" && "):
        editor.plugin(*command.replace(f"/path/to/{NAME}", str(new)).split()[2:])

    assert_everything_happens_once(editor)


def test_removed_plugin_is_silent(newest: Editor) -> None:
    install_from_marketplace(newest)
    newest.options = []
    newest.plugin("uninstall", NAME)

    run = newest.run("Work on #647")

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == 0
    assert newest.workspace.markers() == []


def test_switched_off(newest: Editor) -> None:
    newest.workspace.extra["SESSION_MEMORY_DISABLE"] = "1"

    run = newest.run("Work on #647")

    assert run.last.count(STARTUP) == run.last.count(REFERENCES) == 0
    assert newest.workspace.markers() == []


def test_claude_finds_the_manifests_valid(newest_claude: Editor) -> None:
    for path in (newest_claude.bundle, newest_claude.bundle / ".claude-plugin" / "plugin.json"):
        answer = newest_claude.plugin("validate", "--strict", "--json", str(path))
        assert json.loads(answer)["success"] is True
