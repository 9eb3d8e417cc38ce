"""Repositories with references, and a stand-in for the gh executable."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import Hook, Repository

# Runs the prompt hook.
Run = Callable[..., Hook]

# A real executable: it answers as its plan says and keeps a record of how it was called.
_SCRIPT = """#!{python} -IS
import json, os, sys, time
here = os.path.dirname(os.path.abspath(__file__))
with open(here + "/plan.json", encoding="utf-8") as file:
    plan = json.load(file)
call = {{
    "arguments": sys.argv[1:],
    "cwd": os.getcwd(),
    "stdin": sys.stdin.read(),
    "environment": dict(os.environ),
}}
with open(here + "/calls.jsonl", "a", encoding="utf-8") as file:
    file.write(json.dumps(call) + "\\n")
time.sleep(plan.get("delay_s", 0))
sys.stdout.write(plan.get("stdout", ""))
sys.stderr.write(plan.get("stderr", ""))
sys.exit(plan.get("code", 0))
"""


@dataclass(frozen=True)
class Gh:
    """A ``gh`` in a folder of its own."""

    folder: Path

    @classmethod
    def create(cls, folder: Path) -> "Gh":
        folder.mkdir()
        made = cls(folder)
        (folder / "gh").write_text(_SCRIPT.format(python=sys.executable), encoding="utf-8")
        (folder / "gh").chmod(0o755)
        made.answer()
        return made

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": f"{self.folder}{os.pathsep}{os.environ['PATH']}"}

    def answer(self, body: str | None = "", title: str = "", labels: tuple[str, ...] = ()) -> None:
        """From now on the issue looks like this."""
        issue = {"title": title, "body": body, "labels": [{"name": name} for name in labels]}
        self.plan(stdout=json.dumps(issue))

    def plan(self, **plan: Any) -> None:
        (self.folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")

    @property
    def calls(self) -> list[dict[str, Any]]:
        path = self.folder / "calls.jsonl"
        return (
            [json.loads(line) for line in path.read_text("utf-8").splitlines()]
            if (path.exists())
            else []
        )


def entry(name: str, target: str = "", **fields: Any) -> dict[str, Any]:
    """An entry of an index; ``labels``, ``globs``, ``keywords`` make its only trigger."""
    trigger = {key: fields.pop(key) for key in ("labels", "globs", "keywords") if key in fields}
    made = {"name": name, "target_path": target or f"Documents/{name}.md", **fields}
    made["triggers"] = [trigger] if trigger else []
    return {key.replace("_", "-") if key.startswith("load") else key: v for key, v in made.items()}


def add_references(repo: Repository, *entries: dict[str, Any]) -> None:
    """Write and commit an index, and a short text for each target that is missing."""
    for row in entries:
        if (
            row["target_path"].startswith("Documents/")
            and not (repo.root / row["target_path"]).exists()
        ):
            repo.write(row["target_path"], f"Text of {row['name']}.\n")
    repo.write(".references/index.json", json.dumps(list(entries)))
    repo.commit("references")


def claude_prompt(repo: Repository, prompt: str, session: str = "abc") -> dict[str, Any]:
    return {
        "session_id": session,
        "transcript_path": "/t.jsonl",
        "cwd": str(repo.root),
        "hook_event_name": "UserPromptSubmit",
        "prompt": prompt,
    }


def marker(repo: Repository, key: str, number: int) -> dict[str, Any] | None:
    """The stored marker, or nothing."""
    path = repo.session / f"references-preflight-{key}-{number}.json"
    if not path.exists():
        return None
    stored: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return stored
