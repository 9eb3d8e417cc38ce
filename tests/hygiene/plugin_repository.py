"""A plugin's repository as its maintainer has it: managed files, a bump script, entry points."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import Repository, clean_environment

BUMP_SCRIPT = ".github/scripts/bump-version.ps1"
MANAGED = {
    "plugin.json": 1,
    ".claude-plugin/plugin.json": 1,
    ".claude-plugin/marketplace.json": 2,
    ".github/plugin/marketplace.json": 2,
    "README.md": 1,
}


def managed_text(path: str, version: str) -> str:
    """A managed file that states ``version`` as often as it should."""
    if path == "README.md":
        escaped = version.replace("-", "--")
        return f"# Plugin\n\n![v](https://img.shields.io/badge/version-v{escaped}-blue)\n"
    if MANAGED[path] == 1:
        return json.dumps({"name": "plugin", "version": version}, indent=2)
    plugins = [{"name": "plugin", "version": version}]
    return json.dumps({"metadata": {"version": version}, "plugins": plugins}, indent=2)


@dataclass(frozen=True)
class PluginRepository(Repository):
    """A repository with the default managed files."""

    @classmethod
    def released(cls, root: Path, version: str = "1.0.0") -> "PluginRepository":
        """One whose default branch has the bump script and states ``version``."""
        made = cls(Repository.create(root).root)
        made.write(BUMP_SCRIPT, "# bump\n")
        made.write("agents/a.md", "# Agent\n")
        made.write(".gitignore", ".claude/.state/\n")
        made.bump(version)
        made.commit(f"release {version}")
        return made

    def bump(self, version: str) -> None:
        """State ``version`` in every managed file of the work tree."""
        self.state(dict.fromkeys(MANAGED, version))

    def state(self, versions: Mapping[str, str]) -> None:
        """State a version of its own in each of these files."""
        for path, version in versions.items():
            self.write(path, managed_text(path, version))

    def worktree(self, name: str, branch: str) -> "PluginRepository":
        """A linked worktree beside this one."""
        self.git("worktree", "add", "--quiet", "-b", branch, f"../{name}")
        return PluginRepository(self.root.parent / name)

    @property
    def state_folder(self) -> Path:
        return self.root / ".claude" / ".state"

    def decision(self, key: str) -> dict[str, Any]:
        """The state file with this key."""
        parsed = json.loads((self.state_folder / f"release-hygiene-{key}.json").read_bytes())
        assert isinstance(parsed, dict)
        return parsed

    def decisions(self) -> list[str]:
        """The names of the state files, locks and the like left out."""
        return sorted(path.name for path in self.state_folder.glob("release-hygiene-*.json"))


def edit(
    *paths: object, cwd: object = "/", session_id: str = "s", tool: str = "Edit"
) -> dict[str, Any]:
    """A payload of Claude Code for the edit of a file, or of several at once."""
    names = [str(path) for path in paths]
    arguments = {"file_path": names[0]} if len(names) == 1 else {"files": names}
    payload = {
        "session_id": session_id,
        "cwd": str(cwd),
        "hook_event_name": "PostToolUse",
        "tool_name": tool,
        "tool_input": arguments,
        "tool_response": {"success": True},
    }
    return {name: value for name, value in payload.items() if value != ""}


@dataclass(frozen=True)
class CountedGit:
    """A ``git`` that notes each of its runs."""

    folder: Path

    @classmethod
    def install(cls, folder: Path) -> "CountedGit":
        folder.mkdir()
        real = shutil.which("git")
        script = folder / "git"
        script.write_text(f'#!/bin/sh\necho "$*" >> "{folder}/calls"\nexec "{real}" "$@"\n')
        script.chmod(0o755)
        return cls(folder)

    @property
    def env(self) -> dict[str, str]:
        return {"PATH": f"{self.folder}:{clean_environment(self.folder)['PATH']}"}

    @property
    def calls(self) -> list[str]:
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []
