"""A clone of a real remote, with branches in every state, and programs that are watched."""

import atexit
import functools
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.startup import detect, report
from session_memory.startup.detect import Findings
from session_memory.startup.report import Report
from session_memory.startup.run import Run
from support import Repository

GIT = shutil.which("git") or "git"

MERGED = "merged:tree-equivalent"
UNMERGED = "definitively-unmerged"
CONFLICTED = "undetermined:merge-tree-conflicted"

# What a branch holds, by the verdict on it. The default branch has README "# Done" and done.txt.
CONTENTS: dict[str, dict[str, str]] = {
    MERGED: {"README.md": "# Done\n", "done.txt": "done\n"},
    "merged:tree-equivalent-cr-only": {"README.md": "# Done\r\n", "done.txt": "done\r\n"},
    "merged:merge-tree-noop": {"done.txt": "done\n"},
    UNMERGED: {"live.txt": "live\n"},
    CONFLICTED: {"README.md": "# Other\n"},
    "undetermined": {"README.md": "# Other\n"},
}


def _tag(verdict: str) -> str:
    return verdict.replace(":", "-")


@functools.cache
def _template() -> tuple[Path, str]:
    """A clone and its remote, and the commit where branches begin."""
    folder = Path(tempfile.mkdtemp(prefix="startup-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    remote = Repository.create(folder / "remote.git", "--bare", "--template=")
    primary = Repository.create(folder / "clone", "--template=")
    base = primary.git("rev-parse", "HEAD")
    for verdict, files in CONTENTS.items():
        primary.git("switch", "--quiet", "--detach", base)
        for name, text in files.items():
            primary.write(name, text)
        primary.commit("work")
        primary.git("tag", _tag(verdict))
    primary.git("switch", "--quiet", "main")
    primary.git("restore", "--source", _tag(MERGED), "--staged", "--worktree", "--", ".")
    primary.commit("squash")
    primary.git("remote", "add", "origin", str(remote.root))
    primary.git("push", "--quiet", "--set-upstream", "origin", "main")
    primary.git("remote", "set-head", "origin", "main")
    return folder, base


@dataclass(frozen=True)
class Looked:
    """One look: what was found, and what is said about it."""

    found: Findings
    report: Report
    run: Run

    @property
    def text(self) -> str:
        return self.report.text

    @property
    def names(self) -> set[str]:
        """The sections that tell of something."""
        return set(self.report.sections) - {"network-note", "overflow", "degraded-note"}

    def section(self, *names: str) -> str:
        return "\n".join(line for name in names for line in self.report.sections.get(name, []))

    def reasons(self) -> dict[str, str]:
        """Why candidates are not eligible, by branch."""
        results = {each.name: each.result for each in self.found.candidates}
        return {name: result.reason for name, result in results.items() if result}


@dataclass(frozen=True)
class Clone:
    """``primary`` is a clone of ``remote`` on ``main``, whose merged work came by a squash."""

    folder: Path
    primary: Repository
    remote: Repository
    base: str

    @classmethod
    def make(cls, folder: Path) -> "Clone":
        """A copy of one that was made before: making it takes a dozen processes."""
        template, base = _template()
        for name in ("remote.git", "clone"):
            shutil.copytree(template / name, folder / name)
        config = folder / "clone" / ".git" / "config"
        config.write_text(config.read_text().replace(str(template), str(folder)))
        return cls(folder, Repository(folder / "clone"), Repository(folder / "remote.git"), base)

    def branch(self, name: str, verdict: str = MERGED, unique: "int | None" = None) -> str:
        """A local branch, and its commit. Without commits of its own it is where ``main`` is."""
        tip = "main"
        if unique != 0:
            tree = f"refs/tags/{_tag(verdict)}^{{tree}}"
            tip = self.primary.git("commit-tree", tree, "-p", self.base, "-m", name)
        self.primary.git("branch", "--no-track", name, tip)
        return tip

    def follow(self, name: str, missing: bool = False, pruned: bool = False) -> None:
        """A branch was pushed; then somebody deleted it, and this clone may have heard of it."""
        if not missing and not pruned:
            self.primary.git("push", "--quiet", "--set-upstream", "origin", f"{name}:{name}")
            return
        settings = f'[branch "{name}"]\n\tremote = origin\n\tmerge = refs/heads/{name}\n'
        with (self.primary.root / ".git" / "config").open("a") as config:
            config.write(settings)
        if missing:
            self.primary.git("update-ref", f"refs/remotes/origin/{name}", name)

    def worktree(self, branch: str, path: "str | Path" = "") -> Repository:
        """A linked worktree of a branch."""
        root = Path(path) if path else self.folder / "wt" / branch.replace("/", "-")
        root.parent.mkdir(parents=True, exist_ok=True)
        self.primary.git("worktree", "add", "--quiet", str(root), branch)
        return Repository(root)

    def pretend_github(self) -> None:
        """The remote has an address on GitHub, which leads to the folder beside."""
        address = "https://github.com/octo/widgets.git"
        self.primary.git("config", "remote.origin.url", address)
        self.primary.git("config", f"url.{self.remote.root}.insteadOf", address)


def look(root: Path, network: bool = False, seconds: float = 20.0) -> Looked:
    """What the check finds in ``root``, by the real programs on ``PATH``."""
    session = Session(Event({"session_id": "look", "cwd": str(root)}))
    found = detect.look(session.root, session.checkout, lambda: network, seconds)
    return Looked(found, report.make(found), found.run or Run(lambda: network))


@dataclass(frozen=True)
class Programs:
    """Stand-ins first on ``PATH`` that note their arguments: git runs, gh plays a part."""

    folder: Path

    @classmethod
    @contextmanager
    def first(
        cls, folder: Path, *, git: str = "", gh: "dict[str, Any] | None" = None
    ) -> Iterator["Programs"]:
        """``git`` is shell code that runs before the real one; ``gh`` what gh knows."""
        made = cls(folder)
        folder.mkdir(parents=True)
        made._write("git", f'{git}\nexec {GIT} "$@"')
        if gh is not None:
            made._write("gh", made._gh(gh))
        with pytest.MonkeyPatch.context() as patch:
            rest = os.environ["PATH"] if gh is not None else _tools(made)
            patch.setenv("PATH", f"{folder}:{rest}")
            yield made

    def calls(self, program: str) -> list[str]:
        """The arguments of each run."""
        log = self.folder / f"{program}.log"
        return log.read_text().splitlines() if log.exists() else []

    def _write(self, name: str, code: str) -> None:
        script = self.folder / name
        script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> {self.folder}/{name}.log\n{code}\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)

    def _gh(self, known: dict[str, Any]) -> str:
        """``pulls`` and ``issues`` are answered, after ``delay`` seconds, with exit ``code``."""
        (self.folder / "pulls.json").write_text(json.dumps(known.get("pulls", [])))
        for number, state in known.get("issues", {}).items():
            (self.folder / f"issue-{number}.json").write_text(json.dumps({"state": state}))
        code, delay = known.get("code", 0), known.get("delay", 0)
        return (
            f"sleep {delay}\n[ {code} = 0 ] || exit {code}\n"
            f"for last; do :; done\ncd {self.folder}\n"
            'if [ "$1" = pr ]; then cat pulls.json; else cat "issue-$last.json"; fi; exit $?'
        )


def _tools(made: Programs) -> str:
    """A ``PATH`` with the usual tools, and without gh."""
    tools = made.folder / "tools"
    tools.mkdir()
    for name in ("sh", "sleep", "cat", "env"):
        found = shutil.which(name)
        if found:
            (tools / name).symlink_to(found)
    return str(tools)
