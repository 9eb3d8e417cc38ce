"""Areas ``handshake`` and ``fingerprint``."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from command_line import run
from session_memory.handshake import block, capture, verification
from session_memory.handshake.block import Environment
from session_memory.handshake.fingerprint import of_status
from support import Repository
from vector_adapters import Operation, Workspace

Facts = dict[str, Any]

_SAMPLE = Environment("a" * 40, "feature/issue-383-x", "/c/Users/M/Code 2/repo", "abc123456789")
_FAILED = ("git_failed", "git_exit", "capture_failed", "capture")
_ISSUED_AT = "2026-04-20T22:19:47.0000000Z"
_NAMES = {
    "head": "parent_head",
    "branch": "parent_branch",
    "cwd": "parent_cwd",
    "fp": "parent_dirty_fingerprint",
    "fingerprint": "parent_dirty_fingerprint",
}


def _build(row: Facts, workspace: Workspace) -> None:
    expected = row["expect"]
    if expected.get("raises"):
        with pytest.raises(block.NotRepresentable):
            _built(row["given"])
        return
    text = _built(row["given"])
    facts = {
        "lines": text.split("\n"),
        "text": text,
        "block": text,
        "trailing_newline": text.endswith("\n"),
        "raises": False,
    }
    _compare(facts, expected)


def _built(given: Facts) -> str:
    changes = {_NAMES.get(name, name): value for name, value in given.items()}
    fields = {name: value or "" for name, value in changes.items() if name in block.TREE_FIELDS}
    issued_at = changes.get("issued_at", changes.get("handshake_issued_at", _ISSUED_AT))
    return block.build(replace(_SAMPLE, **fields), issued_at, given.get("workspace_mode", "shared"))


def _build_batch(row: Facts, workspace: Workspace) -> None:
    """One call of the command serves all members of a parallel block."""
    repo = workspace.repository()
    printed = run("handshake", "create", cwd=repo.root).stdout
    texts = [printed for _ in range(row["given"].get("parallel_batch", 3))]
    _compare({"identical_bytes": len(set(texts)) == 1, "captures": 1}, row["expect"])


def _dispatch(row: Facts, workspace: Workspace) -> None:
    """Git fails, as it does where no repository is."""
    done = run("handshake", "create", cwd=workspace.folder)
    assert done.code
    _compare({"block": done.stdout or None}, row["expect"])


def _verify(row: Facts, workspace: Workspace) -> None:
    given = row["given"]
    told = given.get("observed") or None
    observed = Environment(**told) if isinstance(told, dict) else None
    # A text in its place, or for the capture, says how that failed.
    failed = any(given.get(name) for name in _FAILED) or isinstance(told, str)
    found = block.find(given.get("prompt") or "")
    verdict = verification.verify(found, observed, failed)
    _compare(
        {
            "outcome": verdict.outcome,
            "reason": verdict.reason,
            "tag": verdict.tag or None,
            "diverged": list(verdict.diverged),
            "diverged_fields": list(verdict.diverged),
            "heading": verdict.text.split("\n")[0],
            "usable": found is not None,
            "parsed": found.environment.tree() if found else None,
        },
        row["expect"],
    )


def _fingerprint(row: Facts, workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    if "porcelain" in given:
        found = of_status(given["porcelain"].encode())
        assert found == (expected["fingerprint"] if isinstance(expected, dict) else expected)
        return
    before, after = _edited(workspace.repository(), "X"), _edited(Repository(_root(workspace)), "Y")
    same = before.parent_dirty_fingerprint == after.parent_dirty_fingerprint
    assert (expected["parity"] == "equal") is same
    assert expected["fixed"].startswith("different") is (before.content != after.content)


def _root(workspace: Workspace) -> Any:
    return workspace.folder / "repo"


def _edited(repo: Repository, content: str) -> Environment:
    repo.write("README.md", content)
    return capture.capture(str(repo.root))


def _compare(facts: Facts, expected: Facts) -> None:
    for name, value in expected.items():
        if name not in facts:
            pytest.skip(f"not covered: {name}")
        assert facts[name] == value


def _handshake(row: Facts, workspace: Workspace) -> None:
    operation = _BY_WHEN.get(row["when"].partition(" x")[0])
    if operation is None:
        pytest.skip(f"not covered: {row['when']}")
    (_build_batch if " x" in row["when"] else operation)(row, workspace)


_BY_WHEN: dict[str, Callable[[Facts, Workspace], None]] = {
    "build": _build,
    "dispatch": _dispatch,
    "parse": _verify,
    "verify": _verify,
}
OPERATIONS: dict[tuple[str, str], Operation] = {
    ("handshake", "*"): _handshake,
    ("fingerprint", "*"): _fingerprint,
}
