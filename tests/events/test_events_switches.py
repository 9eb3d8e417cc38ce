"""Features that settings switch off, through the real hooks."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hygiene.plugin_repository import PluginRepository, edit
from reference_support import Gh, add_references, entry
from support import Hook, Repository, question

RunHook = Callable[..., Hook]

FEATURES = ("startup", "references", "hygiene", "gates")
# What a place says, with {} for the feature.
PLACES = {
    "user": ("home/.config/session-memory/settings.toml", "{}.enabled = false\n"),
    "user, whole bundle": ("home/.config/session-memory/settings.toml", "enabled = false\n"),
    "own file": ("repo/.session-memory.toml", "[{}]\nenabled = false\n"),
    "own file, whole bundle": ("repo/.session-memory.toml", "enabled = false\n"),
    "project": ("repo/pyproject.toml", "[tool.session-memory.{}]\nenabled = false\n"),
}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a script stands in for gh")


@dataclass
class Scene:
    """A repository in which every feature has something to do."""

    folder: Path
    repo: PluginRepository
    run: RunHook
    gh: Gh

    def act(self, feature: str) -> tuple[Hook, bool]:
        """Run the hook of ``feature``, and whether the feature did anything."""
        base = {"session_id": "s", "cwd": str(self.repo.root)}
        if feature == "gates":
            ran = self.run("post_tool_use", question(self.repo, session_id="s"))
            return ran, bool(self.repo.log("s-s"))
        if feature == "hygiene":
            ran = self.run("post_tool_use", edit(self.repo.root / "agents" / "a.md"))
            return ran, bool(ran.context)
        if feature == "startup":
            ran = self.run("session_start", {**base, "hook_event_name": "SessionStart"})
            return ran, bool(ran.context or list(self.repo.session.glob("session-startup-*")))
        prompt = {**base, "hook_event_name": "UserPromptSubmit", "prompt": "Work on issue #5"}
        ran = self.run("user_prompt_submit", prompt, env=self.gh.environment)
        return ran, bool(self.gh.calls)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@pytest.fixture
def scene(tmp_path: Path, hook: RunHook) -> Scene:
    repo = PluginRepository.released(tmp_path / "repo")
    repo.write(".copilot-tracking/notes.md", "# Notes\n")
    add_references(repo, entry("guide", keywords=["parser"]))
    gh = Gh.create(tmp_path / "bin")
    gh.answer("The parser crashes.")
    return Scene(tmp_path, repo, hook, gh)


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_is_on(scene: Scene, feature: str) -> None:
    ran, acted = scene.act(feature)
    assert (ran.code, ran.stderr, acted) == (0, b"", True)


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize(("name", "text"), PLACES.values(), ids=PLACES)
def test_feature_is_off(scene: Scene, feature: str, name: str, text: str) -> None:
    scene.write(name, text.replace("{}", feature))
    ran, acted = scene.act(feature)
    ran_twice, acted_twice = scene.act(feature)
    assert (ran.code, ran.stderr, acted) == (0, b"", False)
    assert (ran_twice.code, ran_twice.stderr, acted_twice) == (0, b"", False)


@pytest.mark.parametrize("feature", FEATURES)
def test_other_features_stay_on(scene: Scene, feature: str) -> None:
    off = "".join(f"{other}.enabled = false\n" for other in FEATURES if other != feature)
    scene.write("repo/.session-memory.toml", off)
    ran, acted = scene.act(feature)
    assert (ran.stderr, acted) == (b"", True)


@pytest.mark.parametrize("feature", FEATURES)
def test_repository_does_not_switch_on_what_the_user_switched_off(
    scene: Scene, feature: str
) -> None:
    scene.write(*[text.replace("{}", feature) for text in PLACES["user"]])
    scene.write("repo/.session-memory.toml", f"enabled = true\n{feature}.enabled = true\n")
    assert not scene.act(feature)[1]


@pytest.mark.parametrize("feature", FEATURES)
def test_unusable_switch_is_off_and_told_in_one_line(scene: Scene, feature: str) -> None:
    scene.write("repo/.session-memory.toml", f'{feature}.enabled = "no"\n')
    ran, acted = scene.act(feature)
    assert not acted
    told = f"settings: {feature}.enabled is neither true nor false; taken as false"
    assert told in ran.stderr.decode()
    assert ran.stderr.count(b"\n") == 1


@pytest.mark.parametrize("feature", FEATURES)
def test_misplaced_key_is_told_in_one_line(scene: Scene, feature: str) -> None:
    scene.write("home/.config/session-memory/settings.toml", 'bump_command = "x"\n')
    ran, acted = scene.act(feature)
    assert acted
    told = b"user settings: bump_command counts only in the settings of a repository"
    assert (ran.stderr.count(told), ran.stderr.count(b"\n")) == (1, 1)


QUIET: dict[str, tuple[str, dict[str, Any]]] = {
    "prompt": ("user_prompt_submit", {"hook_event_name": "UserPromptSubmit", "prompt": "hi"}),
    "start": ("session_start", {"hook_event_name": "SessionStart", "source": "resume"}),
    "tool": ("post_tool_use", {"hook_event_name": "PostToolUse", "tool_name": "Read"}),
    "edit": (
        "post_tool_use",
        {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"file_path": "a"}},
    ),
}


@pytest.mark.parametrize(("name", "payload"), QUIET.values(), ids=QUIET)
def test_hook_without_anything_to_do_reads_no_settings(
    repo: Repository, hook: RunHook, name: str, payload: dict[str, Any]
) -> None:
    sent = {"session_id": "s", "cwd": str(repo.root), **payload}
    hook("session_start", {**sent, "hook_event_name": "SessionStart"}).assert_quiet()
    repo.write(".session-memory.toml", "broken")  # which would be told
    hook(name, sent).assert_quiet()


HOSTILE = {
    "link": lambda path: path.symlink_to("/etc/passwd"),
    "fifo": os.mkfifo,
    "folder": lambda path: path.mkdir(),
    "large": lambda path: path.write_text("#" * (1 << 20)),
    "deep": lambda path: path.write_text("[" + ".".join(["startup"] * 8000) + "]"),
    "huge key": lambda path: path.write_text("k" * 30_000 + " = 1"),
    "many keys": lambda path: path.write_text("".join(f"{n} = 1\n" for n in range(4000))),
    "not text": lambda path: path.write_bytes(bytes(range(256)) * 100),
}


@pytest.mark.parametrize("plant", HOSTILE.values(), ids=HOSTILE)
def test_hostile_file_is_told_in_one_line_and_nothing_else_changes(
    scene: Scene, plant: Callable[[Path], object]
) -> None:
    plant(scene.repo.root / ".session-memory.toml")
    ran, acted = scene.act("gates")
    assert (ran.code, ran.stdout, acted) == (0, b"", True)
    assert (ran.stderr.count(b"\n"), ran.stderr.count(b".session-memory.toml")) == (1, 1)
    assert len(ran.stderr) < 400
    assert b"root:" not in ran.stderr
