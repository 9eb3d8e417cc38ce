"""Areas ``tracking``, ``tracking-format`` and ``scratch-net``, and the archive of ``cleanup``.

What the original prints as arguments of its clean-up script is here a command of ours, so a row's
arguments are compared with what that command would be about.
"""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import Ran, run
from session_memory.core.checkout import locate
from session_memory.startup import refs
from session_memory.tracking.document_check import check
from session_memory.tracking.finished import finished
from session_memory.tracking.front_matter import priority
from session_memory.tracking.grouping import Groups, group
from session_memory.tracking.scratch import PATTERNS, ignore_scratch
from session_memory.tracking.survey import survey
from support import Repository
from vector_adapters import Operation, Workspace

Facts = dict[str, Any]


# --- tracking


def _detect(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    repo = workspace.repository()
    _write(repo, given["files"])
    groups = group(
        [file.path for file in survey(str(repo.root)).files],
        lambda path: (repo.root / path).read_bytes(),
    )
    left = finished(groups.tagged, _remote_heads(given), _branches(repo, given))
    _compare(_reported(groups, left), row["expect"])


def _reported(groups: Groups, left: dict[int, list[str]]) -> Facts:
    arguments = []
    for issue, branches in left.items():
        arguments.append(f"-IssueNumber {issue}")
        arguments += [] if branches else ["-SkipRemoteDelete", "-SkipLocalDelete"]
    if groups.untagged:
        listed = ",".join(f"'{path}'" for path in groups.untagged)
        arguments.append(f"-UntaggedTrackingFiles @({listed})")
    tagged = [path for issue in left for path in groups.tagged[issue]]
    return {
        "flagged": sorted([*groups.untagged, *tagged]),
        "untagged": sorted(groups.untagged),
        "issues": [{"id": str(issue), "branches": names} for issue, names in left.items()],
        "fence_args": arguments,
    }


def _write(repo: Repository, files: Any) -> None:
    contents = files if isinstance(files, dict) else dict.fromkeys(files, "")
    for path, content in contents.items():
        repo.write(path, content)


def _remote_heads(given: Facts) -> list[str] | None:
    if given.get("ls_remote", "ok") not in ("ok", "empty", 0):
        return None
    heads = given.get("remote_heads", {})
    return None if heads is None else [name for names in heads.values() for name in names or []]


def _branches(repo: Repository, given: Facts) -> list[tuple[str, bool]]:
    """Real branches; git marks in its list those that a worktree holds."""
    repo.git("remote", "add", "origin", "../nowhere.git")
    lists = [value for name, value in given.items() if "branch" in name and value]
    listed = lists[0] if lists else []
    for line in listed.split("\n") if isinstance(listed, str) else listed:
        mark, name = re.fullmatch(r"([+*] )?(.*)", line.strip()).groups()  # type: ignore[union-attr]
        repo.git("branch", name)
        if not given.get("never_pushed"):
            repo.git("config", f"branch.{name}.remote", "origin")
            repo.git("config", f"branch.{name}.merge", f"refs/heads/{name}")
        if mark == "+ " or given.get("held_by_worktree"):
            repo.git("worktree", "add", "--quiet", f"../{name.replace('/', '-')}", name)
    known = refs.read(str(repo.root))
    assert known
    return [(branch.name, bool(branch.upstream)) for branch in known.branches.values()]


def _compare(facts: Facts, expected: Facts) -> None:
    for name, value in expected.items():
        if name not in facts:
            pytest.skip(f"not covered: {name}")
        assert facts[name] == value


# --- tracking-format


def _priority(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    listed = [label for label in given.get("labels") or () if label.startswith("priority:")]
    assert priority(given.get("label") or next(iter(listed), None)) == row["expect"]


def _format(row: dict[str, Any], workspace: Workspace) -> None:
    """A document, as text or as the keys of its front matter."""
    given, expected = row["given"], row["expect"]
    values = given.get("front_matter", given)
    text = given.get("text", values if isinstance(values, str) else None)
    if text is None:
        lines = [f"{key}: {json.dumps(value)}" for key, value in values.items()]
        text = "\n".join(["---", *lines, "---", ""])
    faults = check(f".copilot-tracking/{given.get('name', 'notes.md')}", text)
    _compare({"valid": not faults}, expected if isinstance(expected, dict) else {"valid": expected})


# --- cleanup(untagged)


def _archive(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    if "registry_accessor" in given:
        pytest.skip("not covered: the registry is part of the code and cannot be missing")
    repo = workspace.repository()
    names = [re.sub(r" \(.*\)$", "", name) for name in given["files"]]
    paths = [
        name if name.startswith(".copilot-") else f".copilot-tracking/{name}" for name in names
    ]
    for path in paths:
        repo.write(os.path.normpath(path), "# Notes\n")
        os.utime(os.path.normpath(repo.root / path), (1_700_000_000, 1_700_000_000))
    done = run("tracking", "archive", *paths, cwd=repo.root)
    for name, value in row["expect"].items():
        _ARCHIVED[name](repo, done, value)


def _moved(repo: Repository) -> list[Path]:
    filed = (repo.root / ".copilot-tracking-archive").rglob("*")
    return sorted(path for path in filed if path.is_file() and path.name != ".gitignore")


def _has_moved(repo: Repository, _done: Ran, value: list[str]) -> None:
    assert [path.name for path in _moved(repo)] == value


def _is_refused(_repo: Repository, done: Ran, value: Any) -> None:
    words = {"traversal": "does not lie in", "persistent": "is persistent"}
    for reason in [value] if isinstance(value, str) else value:
        done.assert_fault(2, words[reason])


def _has_names(repo: Repository, _done: Ran, value: list[str]) -> None:
    patterns = [re.escape(name).replace("<yyyyMMddHHmmss>", "[0-9]{14}") for name in value]
    names = sorted((path.name for path in _moved(repo)), key=len)
    assert all(map(re.fullmatch, patterns, names))


def _is_in_folder(repo: Repository, _done: Ran, value: str) -> None:
    pattern = re.escape(value).replace("<yyyy>", "[0-9]{4}").replace("<MM>", "[0-9]{2}")
    for path in _moved(repo):
        assert re.fullmatch(pattern, path.parent.relative_to(repo.root).as_posix())


_ARCHIVED: dict[str, Callable[[Repository, Ran, Any], None]] = {
    "moved": _has_moved,
    "blocked": _is_refused,
    "warned": _is_refused,
    "archived_names": _has_names,
    "dir": _is_in_folder,
}


# --- scratch-net


def _ensure(row: dict[str, Any], workspace: Workspace) -> None:
    """The patterns go into the clone's own list, where the original edits a tracked file."""
    given = row["given"]
    outside = given.get("cwd") == "not a git repo"
    repo = Repository(workspace.folder) if outside else workspace.repository()
    ignored = given.get(".gitignore")
    if ignored is not None:
        repo.write(".gitignore", ignored)
    exclude = repo.root / ".git" / "info" / "exclude"
    before = exclude.read_text().splitlines() if exclude.exists() else []
    folder = repo.root
    if given.get("cwd") == "linked worktree":
        repo.git("worktree", "add", "--quiet", "../linked", "-b", "linked")
        folder = repo.root.parent / "linked"
    for _ in range(2 if given.get("run") == "twice" else 1):
        found = locate(str(folder))
        if found:
            ignore_scratch(found)
    after = exclude.read_text().splitlines() if exclude.exists() else []
    kept = repo.root / ".gitignore"
    lines = kept.read_text().splitlines() if kept.exists() else []
    _compare_scratch(row["expect"], after[len(before) :], lines, str(folder))


def _compare_scratch(expected: Facts, added: list[str], ignored: list[str], folder: str) -> None:
    common = (found := locate(folder)) and found.common_dir
    facts: Facts = {
        "duplicates": len(added) - len(set(added)),
        "created": added == list(PATTERNS),
        ".gitignore_has_goal_run": any("goal-run" in line for line in ignored),
        "written": f"<common-dir>{'/info/exclude' if common and added else ''}",
        "writes": added,
    }
    for name, value in expected.items():
        if name in ("added", ".git/info/exclude"):
            assert set(value) <= set(added)
        elif name == "kept":
            assert ignored == value
        elif name in facts:
            assert facts[name] == value
        else:
            pytest.skip(f"not covered: {name}")


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("tracking", "*"): _detect,
    ("tracking-format", "priority"): _priority,
    ("tracking-format", "*"): _format,
    ("cleanup", "cleanup(untagged)"): _archive,
    ("scratch-net", "*"): _ensure,
}
