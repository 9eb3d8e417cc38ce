"""The folder of one test: a repository, a home, and the few programs that an editor sees."""

import json
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from session_memory.demo import scene_files
from session_memory.demo.scene import Scene
from support import ROOT, Repository

# What a user installs; the rest of a clone is not needed to run the hooks.
_SHIPPED = ("hooks", "lib", "hooks.json", ".claude-plugin", ".github/plugin")

_PROGRAMS = (
    *("git", "sh", "bash", "env", "cat", "cp", "mv", "rm", "mkdir", "ls", "sleep", "uname", "ps"),
    *("chmod", "dirname", "basename", "readlink", "realpath", "head", "tail", "sed", "grep", "tr"),
)

# Nothing listens there: whatever is not on the loopback interface fails at once.
_NO_NETWORK = "http://127.0.0.1:9"
_LOOPBACK = "127.0.0.1,localhost"


def copy_bundle(target: Path) -> Path:
    """A copy of the plugin, without what a clone holds besides."""
    for name in _SHIPPED:
        source, copy = ROOT / name, target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    return target


@dataclass
class Workspace:
    """A scene and an environment built from nothing, to which a test adds in ``extra``."""

    scene: Scene
    extra: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, folder: Path) -> "Workspace":
        made = cls(Scene.build(str(folder)))
        for name in ("tools", "tmp"):
            (made.folder / name).mkdir()
        for program in _PROGRAMS:
            found = shutil.which(program)
            if found:
                (made.tools / program).symlink_to(found)
        # Not the shim of a version manager, nor the link of a virtual environment.
        made.python.symlink_to(Path(sys.executable).resolve())
        return made

    def copy(self, folder: Path) -> "Workspace":
        """The same, and untouched by what the other one sees, in ``folder``, which is made."""
        shutil.copytree(self.folder, folder, symlinks=True)
        return Workspace(Scene(folder.resolve()))

    @property
    def folder(self) -> Path:
        return self.scene.folder

    @property
    def repository(self) -> Repository:
        return Repository(self.scene.root)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def tools(self) -> Path:
        """The last folder of ``PATH``; before it comes the stand-in for ``gh``."""
        return self.folder / "tools"

    @property
    def python(self) -> Path:
        return self.tools / "python3"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": f"{self.folder / 'bin'}:{self.tools}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TMPDIR": str(self.folder / "tmp"),
            "HTTP_PROXY": _NO_NETWORK,
            "HTTPS_PROXY": _NO_NETWORK,
            "NO_PROXY": _LOOPBACK,
            **self.extra,
        }

    def change_issue(self, body: str) -> None:
        """Someone edits the issue on GitHub."""
        answer = json.dumps({**scene_files.issue(), "body": body})
        (self.folder / "bin" / f"issue-{scene_files.ISSUE}.json").write_text(answer, "utf-8")

    def program(self, name: str, script: str) -> Path:
        """A program of one's own first on ``PATH``, in place of a real one."""
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)
        return path

    def markers(self) -> list[str]:
        """The names of the start-up markers, one a conversation."""
        found = self.repository.session.glob("session-startup-check-complete-*.md")
        return sorted(path.name for path in found)

    def records(self) -> list[dict[str, Any]]:
        """The gate events of all conversations; every line must parse."""
        found = sorted(self.repository.session.glob("gate-events-*.jsonl"))
        return [json.loads(line) for path in found for line in path.read_bytes().splitlines()]

    def hygiene(self) -> list[dict[str, Any]]:
        """The release-hygiene states, one a conversation."""
        found = sorted((self.scene.root / ".claude" / ".state").glob("release-hygiene-*.json"))
        return [json.loads(path.read_text("utf-8")) for path in found]
