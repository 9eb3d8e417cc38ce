"""Real repositories and real hook processes for the tests."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOOKS = ROOT / "hooks"
PAYLOADS = ROOT / "tests" / "payloads"

# Values of the switch, and whether hooks then run; launchers, guard and explanation must agree.
SWITCH: dict[str, tuple[dict[str, str], bool]] = {
    "unset": ({}, True),
    "empty": ({"SESSION_MEMORY_DISABLE": ""}, True),
    "0": ({"SESSION_MEMORY_DISABLE": "0"}, True),
    "00": ({"SESSION_MEMORY_DISABLE": "00"}, False),
    "1": ({"SESSION_MEMORY_DISABLE": "1"}, False),
    "true": ({"SESSION_MEMORY_DISABLE": "true"}, False),
    "false": ({"SESSION_MEMORY_DISABLE": "false"}, False),
}


def clean_environment(home: Path) -> dict[str, str]:
    """An environment built from nothing, so that no test depends on the caller's."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP") if name in os.environ}
    coverage = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
    identity = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "Dev",
        "GIT_AUTHOR_EMAIL": "dev@example.test",
        "GIT_COMMITTER_NAME": "Dev",
        "GIT_COMMITTER_EMAIL": "dev@example.test",
    }
    return {**kept, **coverage, **identity, "HOME": str(home), "LANG": "C.UTF-8"}


@dataclass(frozen=True)
class Repository:
    """A real git repository."""

    root: Path

    @classmethod
    def create(cls, root: Path, *options: str) -> "Repository":
        root.mkdir(parents=True)
        made = cls(root)
        made.git("init", "--quiet", "--initial-branch=main", *options)
        if "--bare" not in options:
            made.write("README.md", "# Test\n")
            made.commit("first")
        return made

    def git(self, *arguments: str) -> str:
        """Run git here; its output without the last line end."""
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            env=clean_environment(self.root.parent),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.rstrip("\n")

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def commit(self, message: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def status(self) -> str:
        """What ``git status`` would bother its user with."""
        return self.git("status", "--porcelain", "--untracked-files=all")

    @property
    def session(self) -> Path:
        return self.root / "memories" / "session"

    def log(self, key: str) -> list[dict[str, Any]]:
        """The gate events of a conversation; every line must parse."""
        path = self.session / f"gate-events-{key}.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


@dataclass(frozen=True)
class Hook:
    """What one run of an entry point did."""

    code: int
    stdout: bytes
    stderr: bytes

    @classmethod
    def run(
        cls,
        entry: str,
        payload: object,
        *,
        home: Path,
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
        python: str = sys.executable,
        user: "int | None" = None,
        timeout: float = 30,
    ) -> "Hook":
        """Run ``hooks/<entry>.py``. A payload that is not bytes is sent as JSON."""
        home.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            hook_command(entry, python),
            input=payload if isinstance(payload, bytes) else json.dumps(payload).encode(),
            env={**clean_environment(home), **(env or {})},
            cwd=cwd or home,
            capture_output=True,
            timeout=timeout,
            user=user,
            check=False,
        )
        return cls(done.returncode, done.stdout, done.stderr)

    @property
    def answer(self) -> dict[str, Any] | None:
        """Standard output as the one JSON document that it must be; ``None`` when empty."""
        if not self.stdout:
            return None
        parsed = json.loads(self.stdout)
        assert isinstance(parsed, dict)
        return parsed

    @property
    def context(self) -> str:
        """The injected context in whichever dialect; ``""`` when there is none."""
        answer = self.answer or {}
        nested = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
        return str(answer.get("additionalContext", nested))

    def assert_quiet(self) -> None:
        """Nothing to say: exit 0, nothing on stdout, nothing on stderr."""
        assert (self.code, self.stdout, self.stderr) == (0, b"", b"")

    def assert_failed_open(self) -> None:
        """Exit 0, nothing on stdout, one short line on stderr."""
        assert (self.code, self.stdout) == (0, b"")
        assert self.stderr.count(b"\n") == 1
        assert len(self.stderr) < 600
        assert b"Traceback" not in self.stderr


def question(repo: Repository, **fields: object) -> dict[str, Any]:
    """A payload of Claude Code: a structured question was answered."""
    asked = {"questions": [{"question": "Which way?"}]}
    payload = {"session_id": "s1", "cwd": str(repo.root), "hook_event_name": "PostToolUse"}
    return {**payload, "tool_name": "AskUserQuestion", "tool_input": asked, **fields}


def hook_command(entry: str, python: str = sys.executable) -> list[str]:
    """How an editor runs an entry point, under coverage when that is being measured."""
    script = str(HOOKS / f"{entry}.py")
    if "COVERAGE_PROCESS_CONFIG" in os.environ and python == sys.executable:
        return [python, str(ROOT / "tests" / "covered_hook.py"), script]
    return [python, "-I", "-S", script]
