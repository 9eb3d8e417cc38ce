"""Area ``detector``: real repositories, real git, and a gh that plays a part."""

import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from session_memory.startup import limits, remote
from startup_support import CONFLICTED, MERGED, UNMERGED, Clone, Looked, Programs, look
from support import Hook, Repository
from vector_adapters import Operation, Workspace

Given = dict[str, Any]

# Waiting is a tenth of what it is outside; so is what a row allows.
_FASTER = 10


def _detect(row: dict[str, Any], workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    if given.get("repo_root") == "":
        _outside(workspace)
        return
    scene = _Scene(given, workspace.folder)
    began = time.monotonic()
    seen = scene.look()
    elapsed = time.monotonic() - began
    for name in expected.keys() & _CHECKS.keys():
        _CHECKS[name](scene, seen, expected[name])
    assert elapsed * _FASTER <= expected.get("wall_seconds_max", 1000)
    unknown = sorted(expected.keys() - _CHECKS.keys())
    if unknown:
        pytest.skip(f"not covered: {', '.join(unknown)}")


def _outside(workspace: Workspace) -> None:
    """Outside any repository a hook has nothing to say, and it always exits 0."""
    outside = workspace.folder / "outside"
    outside.mkdir()
    payload = {"session_id": "v", "source": "startup", "cwd": str(outside)}
    Hook.run("session_start", payload, home=workspace.folder / "home").assert_quiet()


class _Scene:
    """The repository that a row describes."""

    def __init__(self, given: Given, folder: Path) -> None:
        self.given = given
        self.folder = folder
        self.clone = Clone.make(folder)
        self.paths: dict[str, str] = {}
        self.pulls: list[dict[str, Any]] = list(given.get("merged_prs") or [])
        self.root = self.clone.primary.root
        self._branches()
        self._current()
        self._tracking()
        if given.get("remote_default_ref") == "missing":
            self.clone.primary.git("remote", "set-head", "origin", "--delete")
            self.clone.primary.git("update-ref", "-d", "refs/remotes/origin/main")
        if given.get("registered") and given.get("repo_root") == "<unregistered>":
            self._move_away()
        self.clone.pretend_github()
        self.programs = Programs(folder / "bin")

    def look(self) -> Looked:
        given = self.given
        gh = {"pulls": self.pulls, "issues": given.get("issues", {})}
        faults = self._faults()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(remote, "GIT_NETWORK_S", limits.GIT_NETWORK_S / _FASTER)
            patch.setenv("GIT_TERMINAL_PROMPT", "1")
            with Programs.first(self.programs.folder, git=faults, gh=gh):
                where = self.root / "nested" / "deep" if "launch_cwd" in given else self.root
                where.mkdir(parents=True, exist_ok=True)
                return look(where, network=True)

    def _faults(self) -> str:
        lines = [f'case "$*" in *ls-remote*) env > {self.programs.folder}/env;; esac']
        if self.given.get("ls_remote") == "timeout" or self.given.get("remote") == "blackholed":
            lines.append('case "$*" in *ls-remote*) exec sleep 60;; esac')
        elif isinstance(self.given.get("ls_remote"), str):
            lines.append('case "$*" in *ls-remote*) exit 128;; esac')
        if self.given.get("registered") == []:
            lines.append('case "$*" in *"worktree list"*) exit 0;; esac')
        if self.given.get("worktree_list"):
            lines.append('case "$*" in *"worktree list"*) exit 128;; esac')
        return "\n".join(lines)

    def _branches(self) -> None:
        given = self.given
        count = given.get("candidates")
        for index in range(count if isinstance(count, int) else 0):
            gone = {"upstream": "o", "remote_head": "missing"}
            self._orphan({"branch": f"feature/issue-{index + 1}-x", **gone})
        if given.get("session") == "all candidates definitively-unmerged":
            self._orphan({"branch": "claude/live", "verdict": UNMERGED})
            self._sibling({"branch": "claude/also", "verdict": UNMERGED})
        for orphan in given.get("orphans", []):
            self._orphan(orphan if isinstance(orphan, dict) else {"branch": orphan})
        for name in given.get("attached", []):
            self._sibling({"branch": name, "verdict": UNMERGED})
        for sibling in given.get("siblings", []):
            self._sibling(sibling)
        primary = given.get("primary")
        if isinstance(primary, dict):
            self.clone.branch(primary["branch"], primary.get("verdict", MERGED))

    def _make(self, spec: Given) -> None:
        verdict = spec.get("verdict") or self.given.get("verdict") or MERGED
        if spec.get("eligible") is False or spec.get("reason") == "inconclusive":
            verdict = CONFLICTED
        elif spec.get("eligible"):
            verdict = MERGED
        tip = self.clone.branch(spec["branch"], verdict, spec.get("unique"))
        for pull in spec.get("merged_prs") or []:
            own = pull.get("headRefOid") in ("tip", "cur", "t", None)
            self.pulls.append({**pull, "headRefOid": tip if own else pull["headRefOid"]})
        if spec.get("upstream") or spec.get("config"):
            self.clone.follow(spec["branch"], missing=spec.get("remote_head") == "missing")

    def _orphan(self, spec: Given) -> None:
        self._make(spec)

    def _sibling(self, spec: Given) -> None:
        if spec.get("bare"):
            # Git knows no bare linked worktree; the parser has a test of its own.
            return
        name = spec.get("branch") or "claude/detached"
        self._make({**spec, "branch": name})
        wanted = spec.get("path", "")
        path = self.folder / "w" / (wanted.strip("/<>").replace("/", "-") or name.replace("/", "-"))
        self.paths[wanted or name] = str(path)
        worktree = self.clone.worktree(name, path)
        if not spec.get("branch") or spec.get("detached"):
            worktree.git("switch", "--quiet", "--detach")
            self.clone.primary.git("branch", "-D", name)
        if spec.get("locked"):
            self._lock(spec["locked"], str(path))
        if spec.get("prunable"):
            shutil.rmtree(path)

    def _lock(self, reason: object, path: str) -> None:
        options = ["--reason", reason] if isinstance(reason, str) else []
        self.clone.primary.git("worktree", "lock", *options, path)

    def _current(self) -> None:
        given, primary = self.given, self.clone.primary
        name = given.get("branch", "main")
        linked = given.get("cwd") == "linked worktree" or "registered" in given
        if given.get("cwd") == "linked worktree on main":
            primary.git("switch", "--quiet", given["primary"]["branch"])
            self.root = self.clone.worktree("main").root
        elif name != "main":
            self._make({**given, "branch": name})
            if linked:
                self.root = self.clone.worktree(name).root
            else:
                primary.git("switch", "--quiet", name)

    def _move_away(self) -> None:
        moved = self.folder / "moved"
        os.rename(self.root, moved)
        self.root = moved

    def _tracking(self) -> None:
        listed = self.given.get("tracking", [])
        if isinstance(listed, dict):
            listed = [{"path": path, "issue_id": _issue(text)} for path, text in listed.items()]
        for item in listed:
            spec = item if isinstance(item, dict) else {"path": item}
            issue = _number(spec.get("issue_id") or spec.get("issue"))
            path = spec.get("path") or f".copilot-tracking/{spec.get('name', 'notes')}.md"
            Repository(self.root).write(path, f"issue_id: {issue}\n" if issue else "# Notes\n")
            if issue and "missing" in (spec.get("remote_head"), self.given.get("remote_head")):
                # Absence alone shows nothing; that it was merged does.
                head = {"headRefName": f"feature/issue-{issue}-x", "headRefOid": "0" * 40}
                self.pulls.append({"number": 1000 + issue, **head})

    def path_of(self, name: str) -> str:
        return self.paths.get(name, name)


def _number(value: object) -> int:
    return int(str(value)) if str(value or "").isdecimal() else 0


def _issue(text: object) -> str:
    found = re.search(r"issue_id: *[\"']?(\d+)", str(text))
    return found[1] if found else ""


def _argument(scene: _Scene, seen: Looked, argument: str) -> None:
    """What upstream's clean-up takes as an argument is in the text or in a command here."""
    name, _, value = argument.partition(" ")
    values = re.findall(r"'([^']*)'", value) or ([value] if value else [])
    fence = "\n".join(seen.report.fence)
    if name == "-IssueNumber":
        assert f"issue-{value}-" in seen.text or f"issue {value}" in seen.text
    elif name == "-SiblingWorktrees":
        assert "git worktree remove" in fence
        assert all(scene.path_of(each) in fence for each in values)
    elif name in ("-OrphanBranches", "-FeatureBranch"):
        assert "git branch -d" in fence or "git update-ref -d" in fence
        assert all(each in fence for each in values)
    elif name == "-UntaggedTrackingFiles":
        assert all(Path(each).name in seen.section("tracking") for each in values)


def _arguments(scene: _Scene, seen: Looked, arguments: list[str]) -> None:
    for argument in arguments:
        _argument(scene, seen, argument)


def _listed(scene: _Scene, seen: Looked, names: list[str]) -> None:
    assert all(f"`{name}`" in seen.text for name in names)


def _absent(scene: _Scene, seen: Looked, names: list[str]) -> None:
    assert not [name for name in names if name in seen.text]


def _fenced(seen: Looked, kind: str) -> list[str]:
    return [line for line in seen.report.fence if line.startswith("git worktree") is (kind == "w")]


def _orphan_arguments(scene: _Scene, seen: Looked, wanted: Any) -> None:
    found = _fenced(seen, "b")
    if isinstance(wanted, int):
        assert len(found) == wanted
    else:
        assert len(found) == len(wanted)
        assert all(any(name in line for line in found) for name in wanted)


def _sibling_arguments(scene: _Scene, seen: Looked, wanted: list[str]) -> None:
    found = _fenced(seen, "w")
    assert len(found) == len(wanted)
    assert all(any(scene.path_of(path) in line for line in found) for path in wanted)


def _reason(scene: _Scene, seen: Looked, reason: str) -> None:
    assert reason in seen.reasons().values()


def _never_asked(scene: _Scene, seen: Looked, wanted: dict[str, int]) -> None:
    """One question for the whole run names no branch at all."""
    asked = [call for call in scene.programs.calls("git") if "ls-remote" in call]
    for name, count in wanted.items():
        assert sum(name in call for call in asked) == count


def _calls(program: str, verb: str) -> "Callable[[_Scene, Looked, int], None]":
    def check(scene: _Scene, seen: Looked, most: int) -> None:
        """Nothing is ever fetched, so a row that allows one fetch has none."""
        assert len([call for call in scene.programs.calls(program) if verb in call]) <= most

    return check


def _environment(scene: _Scene, seen: Looked, wanted: dict[str, str]) -> None:
    lines = (scene.programs.folder / "env").read_text().splitlines()
    assert {f"{name}={value}" for name, value in wanted.items()} <= set(lines)


def _sections(scene: _Scene, seen: Looked, wanted: list[str]) -> None:
    assert seen.names == set(wanted)


def _line_count(*sections: str) -> "Callable[[_Scene, Looked, int], None]":
    def check(scene: _Scene, seen: Looked, wanted: int) -> None:
        assert sum(len(seen.report.sections.get(name, [])) for name in sections) == wanted

    return check


def _overflow(scene: _Scene, seen: Looked, wanted: "int | None") -> None:
    line = seen.section("overflow")
    assert line.startswith(f"- {wanted} ") if wanted else not line


_NOTHING_TO_RUN = "no command to run"
_CHECKS: dict[str, Callable[[_Scene, Looked, Any], None]] = {
    "stdout_json": lambda _, seen, wanted: _equal(bool(seen.text), bool(wanted)),
    "exit": lambda _scene, _seen, _wanted: None,
    "wall_seconds_max": lambda _scene, _seen, _wanted: None,
    "fetch_calls": _calls("git", "fetch"),
    "gh_calls": _calls("gh", ""),
    "env": _environment,
    "sections": _sections,
    "not_sections": lambda _, seen, names: _equal(set(seen.report.sections) & set(names), set()),
    "fence": lambda _, seen, wanted: _equal(bool(seen.report.fence), bool(wanted)),
    "fence_args": _arguments,
    "args": _arguments,
    "fence_excludes": lambda _, seen, texts: _equal(
        [text for text in texts if text in "\n".join(seen.report.fence)], []
    ),
    "inline_commands": lambda _, seen, texts: _equal(
        [text for text in texts if text not in seen.text], []
    ),
    "listed": _listed,
    "in_fence": lambda scene, seen, names: _equal(
        [name for name in names if name not in "\n".join(seen.report.fence)], []
    ),
    "absent": _absent,
    "lock_text_shown": lambda _, seen, text: _equal(text in seen.text, True),
    "ls_remote_calls_for": _never_asked,
    "orphan_args": _orphan_arguments,
    "sibling_args": _sibling_arguments,
    "orphan_lines": _line_count("orphan", "orphan-manual"),
    "sibling_lines": _line_count("sibling", "sibling-manual"),
    "overflow": _overflow,
    "cleanup_command_lines": lambda _, seen, wanted: _equal(seen.text.count("```sh"), wanted),
    "reason": _reason,
    "manual_reason": _reason,
    "sibling_reason": _reason,
    "manual": lambda _, seen, names: _equal(
        [n for n in names if n not in seen.section("sibling-manual", "orphan-manual")], []
    ),
    "current_section": lambda _, seen, wanted: _equal(
        bool(seen.section("current-worktree")), bool(wanted)
    ),
    "degraded_note": lambda _, seen, wanted: _equal(bool(seen.section("degraded-note")), wanted),
    "says_nothing_to_run": lambda _, seen, wanted: _equal(_NOTHING_TO_RUN in seen.text, wanted),
}


def _equal(found: object, wanted: object) -> None:
    assert found == wanted


OPERATIONS: dict[tuple[str, str], Operation] = {("detector", "*"): _detect}
