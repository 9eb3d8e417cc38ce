"""A user with a home, a repository and the hooks installed, all real and all well at first."""

import json
import os
import shutil
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from session_memory import schemas
from session_memory.core.checkout import locate
from session_memory.core.guard import EVENT_NAMES
from session_memory.doctor import examination, report
from session_memory.editors.surroundings import Surroundings
from support import ROOT, Repository, clean_environment

REAL_PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
SCHEMA = Draft202012Validator(schemas.load("doctor-report"))

_GH = """\
#!/bin/sh
case "$1 $2" in
"--version ") echo "gh version 2.60.1 (2024-10-25)" ;;
"auth token") echo gho_never_shown ;;
*) exit 1 ;;
esac
"""

Report = dict[str, Any]
Finding = dict[str, str]


@dataclass
class Patient:
    """``env`` is what a terminal of the user has set."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    @classmethod
    def healthy(cls, folder: Path) -> "Patient":
        made = cls(folder)
        for path in (made.home, made.bin):
            path.mkdir()
        made.env = {**clean_environment(made.home), "PATH": f"{made.bin}:/usr/bin:/bin"}
        made.program("python3", f'#!/bin/sh\nexec "{REAL_PYTHON}" "$@"\n').unlink()
        (made.bin / "python3").symlink_to(REAL_PYTHON)
        made.program("gh", _GH)
        Repository.create(made.repo.root)
        made.write(made.claude, made.registration())
        return made

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    @property
    def repo(self) -> Repository:
        return Repository(self.folder / "repo")

    @property
    def claude(self) -> Path:
        """Claude Code's settings of the user."""
        return self.home / ".claude" / "settings.json"

    @property
    def memory(self) -> Path:
        """Where the launcher remembers its interpreter."""
        return self.home / ".cache" / "session-memory-hooks" / "python"

    def program(self, name: str, text: str) -> Path:
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def write(self, path: Path, value: object) -> Path:
        """Write a text, or any other value as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        path.write_text(text, encoding="utf-8")
        return path

    def bundle(self, name: str = "bundle") -> Path:
        """A bundle of one's own, to be damaged."""
        root = self.folder / name
        for part in ("hooks", "lib", "hooks.json", ".claude-plugin", ".github/plugin"):
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            (root / part).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / part, root / part)
        for cache in list(root.rglob("__pycache__")):
            shutil.rmtree(cache)
        return root

    def registration(self, root: Path = ROOT, **changes: object) -> dict[str, Any]:
        """Claude Code's settings for the launcher of ``root``; ``changes`` go into each handler."""
        hooks = {}
        for entry, event in EVENT_NAMES.items():
            command = f'sh "{root}/hooks/run" {entry}'
            handler = {"type": "command", "command": command, "timeout": 25, **changes}
            hooks[event] = [{"hooks": [handler]}]
        return {"hooks": hooks}

    def use(self, root: Path, **changes: object) -> None:
        """Register the bundle at ``root`` in place of the present one."""
        self.write(self.claude, self.registration(root, **changes))

    def install_plugin(self, root: Path, enabled: bool = True) -> None:
        """What Claude Code 2.1.332 writes when it installs the plugin for the user."""
        name = "session-memory-hooks@session-memory-hooks"
        record = {"scope": "user", "installPath": str(root), "version": "0.1.0"}
        books = {"version": 2, "plugins": {name: [record]}}
        self.write(self.home / ".claude" / "plugins" / "installed_plugins.json", books)
        settings = json.loads(self.claude.read_text()) if self.claude.exists() else {}
        self.write(self.claude, {**settings, "enabledPlugins": {name: enabled}})

    def state(self, name: str, content: "bytes | str" = b"") -> Path:
        """A file of session state, hidden from git as hooks do it."""
        path = self.repo.session / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / ".gitignore").write_text("*\n", encoding="utf-8")
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod(0o600)
        return path

    def examine(
        self, cwd: "Path | None" = None, env: "dict[str, str] | None" = None, trials: bool = True
    ) -> Report:
        """The report of a real examination, as JSON has it; its form is checked."""
        folder = cwd or self.repo.root
        environ = {**self.env, **(env or {})}
        around = Surroundings(folder, self.home, environ, locate(str(folder)))
        done = examination.examine(around, trials)
        made: Report = json.loads(json.dumps(report.as_dict(done)))
        SCHEMA.validate(made)
        return made

    def look(self, cwd: "Path | None" = None, env: "dict[str, str] | None" = None) -> Report:
        """A report for which no hook was tried."""
        return self.examine(cwd, env, trials=False)


def find(made: Report, words: str) -> Finding:
    """The one finding that says ``words``."""
    (found,) = [one for one in made["findings"] if words in one["what"]]
    return dict(found)


def troubles(made: Report) -> list[str]:
    """What the report says apart from what is in order."""
    return [one["what"] for one in made["findings"] if one["level"] != "ok"]


def copilot_hooks(root: Path = ROOT) -> dict[str, Any]:
    """Copilot's form of the registration."""
    found = {
        event: [{"type": "command", "bash": f'sh "{root}/hooks/run" {entry}', "timeoutSec": 25}]
        for entry, event in EVENT_NAMES.items()
    }
    return {"version": 1, "hooks": found}
