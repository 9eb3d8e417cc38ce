"""The prompt hook when gh fails, time runs out, or the clone is hostile."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from reference_support import Gh, Run, add_references, claude_prompt, entry, marker
from support import ROOT, Hook, Repository, clean_environment

ENTRY = "user_prompt_submit"
PROMPT = "Work on issue #5"


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ({"code": 4}, b"gh is not signed in"),
        (
            {"code": 1, "stderr": "Could not resolve to an Issue: hunter2"},
            b"there is no such issue",
        ),
        ({"code": 1, "stderr": "hunter2"}, b"gh failed with exit code 1"),
        ({"stdout": "hunter2"}, b"gh gave no JSON object"),
    ],
    ids=["signed-out", "no-issue", "other", "no-json"],
)
def test_failed_fetch(
    run: Run, repo: Repository, gh: Gh, plan: dict[str, Any], reason: bytes
) -> None:
    gh.plan(**plan)
    result = run(f"{PROMPT} password=hunter2")
    result.assert_failed_open()
    assert b"references of issue 5 not loaded: " + reason in result.stderr
    assert b"hunter2" not in result.stderr
    assert marker(repo, "s-abc", 5) is None
    assert all(b"hunter2" not in path.read_bytes() for path in repo.session.iterdir())


def test_without_gh(hook: Run, run: Run, repo: Repository, tmp_path: Path) -> None:
    result = hook(ENTRY, claude_prompt(repo, PROMPT), env={"PATH": str(tmp_path)})
    result.assert_failed_open()
    assert b"gh is not installed" in result.stderr


def _run_with_budget(repo: Repository, gh: Gh, home: Path, seconds: float) -> Hook:
    """The real entry with a shorter deadline, so that the test need not wait for the real one."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'lib')!r})\n"
        "from session_memory.core import deadline, guard\n"
        f"deadline.BUDGET_S[{ENTRY!r}] = {seconds}\n"
        f"guard.main({ENTRY!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(claude_prompt(repo, PROMPT)).encode(),
        env={**clean_environment(home), **gh.environment},
        capture_output=True,
        timeout=20,
        check=False,
    )
    return Hook(done.returncode, done.stdout, done.stderr)


def test_slow_gh_respects_the_deadline(run: Run, repo: Repository, gh: Gh, tmp_path: Path) -> None:
    gh.plan(delay_s=30)
    start = time.monotonic()
    result = _run_with_budget(repo, gh, tmp_path, 2.2)
    assert time.monotonic() - start < 4
    result.assert_failed_open()
    assert b"gh took longer than 0." in result.stderr


def test_no_time_left_for_gh(run: Run, repo: Repository, gh: Gh, tmp_path: Path) -> None:
    result = _run_with_budget(repo, gh, tmp_path, 1.6)
    result.assert_failed_open()
    assert b"left no time to ask gh" in result.stderr
    assert gh.calls == []


@pytest.mark.parametrize("text", ["{", "5", "[" * 99_999], ids=["cut", "number", "deep"])
def test_unusable_index(run: Run, repo: Repository, gh: Gh, text: str) -> None:
    repo.write(".references/index.json", text)
    result = run()
    result.assert_failed_open()
    assert b"reference index " in result.stderr
    assert gh.calls == []


@pytest.mark.parametrize("kind", ["link-out", "fifo", "folder"])
def test_planted_index(run: Run, repo: Repository, gh: Gh, tmp_path: Path, kind: str) -> None:
    path = repo.root / ".references/index.json"
    rows = path.read_text()
    path.unlink()
    if kind == "link-out":
        (tmp_path / "index.json").write_text(rows)
        path.symlink_to(tmp_path / "index.json")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    start = time.monotonic()
    result = run()
    assert time.monotonic() - start < 2
    result.assert_failed_open()
    assert b"is not a plain file inside the repository" in result.stderr


def test_hostile_targets_are_stale_and_unread(run: Run, repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter2")
    (repo.root / "link.md").symlink_to(tmp_path / "secret")
    os.mkfifo(repo.root / "fifo.md")
    targets = ["../secret", str(tmp_path / "secret"), "link.md", "fifo.md", ".", ".git/config"]
    rows = [entry(f"bad{n}", target, labels=["bug"]) for n, target in enumerate(targets)]
    add_references(repo, entry("guide", labels=["bug"]), *rows)
    text = run().context
    assert "Text of guide." in text
    assert "hunter2" not in text
    assert text.count("[stale-ref: bad") == len(targets)


def test_only_stale_matches_are_still_told(run: Run, repo: Repository) -> None:
    add_references(repo, entry("gone", "gone.md", labels=["bug"]))
    assert "[stale-ref: gone \u2192 gone.md]" in run().context


def test_corrupt_marker_is_set_aside(run: Run, repo: Repository) -> None:
    run()
    path = repo.session / "references-preflight-s-abc-5.json"
    path.write_text("{")
    assert run().context
    assert marker(repo, "s-abc", 5) is not None
    assert len(list(repo.session.glob("*.corrupt-*"))) == 1


def test_marker_that_cannot_be_stored_does_not_stop_the_injection(
    run: Run, repo: Repository
) -> None:
    for folder in ("memories/session", ".copilot-tracking"):
        (repo.root / folder / "references-preflight-s-abc-5.json.lock").mkdir(parents=True)
    result = run()
    assert result.context
    assert b"reference marker not stored" in result.stderr


def test_an_index_made_to_be_slow(repo: Repository, gh: Gh, hook: Run) -> None:
    gh.answer("a" * 60_000)
    rows = [
        entry(f"e{at}", "Documents/a.md", keywords=[f"aab{at}x{word}" for word in range(64)])
        for at in range(1000)
    ]
    add_references(repo, *rows)
    start = time.monotonic()
    ran = hook(ENTRY, claude_prompt(repo, PROMPT), env=gh.environment)
    assert time.monotonic() - start < 6
    assert ran.code == 0
    assert b"of 1000 references not compared" in ran.stderr
