"""Whose a file is, whether it is there or not."""

from pathlib import Path

import pytest

from session_memory.contract import location
from session_memory.contract.ownership import owner
from session_memory.contract.table import CHECKOUT, MAIN_WORKTREE
from support import Repository

SESSION = "memories/session"
STATE = ".claude/.state/release-hygiene-one.json"


@pytest.mark.parametrize(
    ("path", "rows", "companion", "key"),
    [
        (f"{SESSION}/plan-issue-42.md", "01", "", ""),
        (f"{SESSION}/plan-issue-{{ID}}.md", "01", "", ""),
        (f"{SESSION}/plan-issue-<ID>.md", "01", "", ""),
        (f"{SESSION}/plan-bundle-1-22-333.md", "02", "", ""),
        (f"{SESSION}/design-issue-7.md", "03", "", ""),
        (f"{SESSION}/review-state-7.md", "05 06", "", ""),
        (f"{SESSION}/session-startup-check-complete.md", "07", "", ""),
        (f"{SESSION}/session-startup-check-complete-b-main.md", "07", "", "b-main"),
        (f"{SESSION}/rate-limit-deferred-review-7.md", "15", "", ""),
        (f"{SESSION}/cost-collection-install-prompt-ab12", "18", "", ""),
        (f"{SESSION}/gate-events-s-1f.jsonl", "21", "", "s-1f"),
        (f"{SESSION}/gate-events-KEY.jsonl", "21", "", ""),
        (f"{SESSION}/gate-events-session.jsonl", "21", "", "session"),
        (f"{SESSION}/gate-events-s-1f~1.jsonl", "21", "generation before", "s-1f"),
        (f"{SESSION}/gate-events-s-1f.jsonl.lock", "21", "lock", "s-1f"),
        (f"{SESSION}/references-preflight-s-a-1-647.json", "22", "", "s-a-1"),
        (f"{SESSION}/references-preflight-s-a-1-6.json.12-99.tmp", "22", "being written", "s-a-1"),
        (".copilot-tracking/gate-events.jsonl", "21", "", ""),
        (".copilot-tracking/calibration/review-data.json", "10 11", "", ""),
        (".copilot-tracking/calibration/review-data.json.lock", "10 11", "lock", ""),
        (
            ".copilot-tracking/calibration/review-data.json.corrupt-17",
            "10 11", "set aside, because it could not be parsed", "",
        ),
        (".copilot-tracking/research/2026-11-30-cache.md", "13", "", ""),
        (".copilot-tracking/research/yarn.lock", "13", "", ""),
        (".copilot-tracking-archive/2026/11/issue-7/notes.md", "13", "", ""),
    ],
)  # fmt: skip
def test_state_has_its_row(path: str, rows: str, companion: str, key: str) -> None:
    found = owner(CHECKOUT, path)
    assert found is not None
    assert [row.id for row in found.rows] == [f"SMC-{number}" for number in rows.split()]
    assert (found.companion, found.key) == (companion, key)


@pytest.mark.parametrize(
    "path",
    [
        f"{SESSION}/hook-diagnostics.jsonl",
        f"{SESSION}/hook-diagnostics~1.jsonl",
        f"{SESSION}/.gitignore",
        f"{SESSION}/memory-seen.json",
        ".references/index.json",
        "Documents/INDEX.md",
        "Documents/deep/csv.md.ref.yml",
        ".session-memory.toml",
        ".copilot-tracking/references-state.yml",
    ],
)
def test_file_of_ours_that_is_no_row(path: str) -> None:
    found = owner(CHECKOUT, path)
    assert found is not None
    assert found.rows == ()
    assert found.place.written_by


@pytest.mark.parametrize(
    ("where", "path"),
    [
        (CHECKOUT, "README.md"),
        (CHECKOUT, f"{SESSION}/notes.md"),
        (CHECKOUT, f"docs/{SESSION}/plan-issue-1.md"),
        (CHECKOUT, f"{SESSION}/plan-issue-0.md"),
        (CHECKOUT, f"{SESSION}/plan-issue-1.md.bak"),
        (CHECKOUT, f"{SESSION}/plan-bundle-1.md"),
        (CHECKOUT, f"{SESSION}/gate-events-x-1.jsonl"),
        (CHECKOUT, f"{SESSION}/gate-events-.jsonl"),
        (CHECKOUT, STATE),
        (MAIN_WORKTREE, f"{SESSION}/plan-issue-1.md"),
        (MAIN_WORKTREE, ".claude/.state/other.json"),
        (CHECKOUT, f"{SESSION}/.lock"),
        (CHECKOUT, ""),
    ],
)
def test_what_belongs_to_nobody_here(where: str, path: str) -> None:
    assert owner(where, path) is None


def row_of(path: object, cwd: Path) -> list[str]:
    found = location.find(str(path), str(cwd))
    return [row.id for row in found.rows] if found else []


def test_path_may_be_absolute_or_relative_to_the_folder_or_the_root(repo: Repository) -> None:
    inner = repo.root / "docs" / "deep"
    inner.mkdir(parents=True)
    plan = repo.root / SESSION / "plan-issue-1.md"
    assert row_of(plan, repo.root.parent) == ["SMC-01"]
    assert row_of(f"../../{SESSION}/plan-issue-1.md", inner) == ["SMC-01"]
    assert row_of(f"{SESSION}/plan-issue-1.md", inner) == ["SMC-01"]
    assert row_of("plan-issue-1.md", inner) == ["SMC-01"]
    assert row_of(f"./{SESSION}/../session/plan-issue-1.md", repo.root) == ["SMC-01"]


def test_folder_of_the_memory_tool_is_that_of_the_checkout(repo: Repository) -> None:
    assert row_of("/memories/session/design-issue-3.md", repo.root) == ["SMC-03"]


def test_linked_worktree_shares_release_hygiene_with_the_main_one(repo: Repository) -> None:
    linked = repo.root.parent / "linked"
    repo.git("worktree", "add", "--quiet", str(linked))
    assert row_of(repo.root / STATE, linked) == ["SMC-12"]
    assert row_of(STATE, linked) == ["SMC-12"]
    assert row_of(linked / SESSION / "gate-events-s-1.jsonl", repo.root) == ["SMC-21"]


def test_path_through_a_link_to_the_checkout(repo: Repository) -> None:
    alias = repo.root.parent / "alias"
    alias.symlink_to(repo.root)
    assert row_of(alias / SESSION / "plan-issue-1.md", repo.root.parent) == ["SMC-01"]


def test_outside_a_repository_the_folders_tell(tmp_path: Path) -> None:
    log = tmp_path / "project" / SESSION / "gate-events-s-1.jsonl"
    assert row_of(log, tmp_path) == ["SMC-21"]
    assert row_of(tmp_path / "project" / "gate-events-s-1.jsonl", tmp_path) == []


@pytest.mark.parametrize(
    ("marker", "rows"),
    [
        ("<!-- plan-issue-42 -->", ["SMC-01", "SMC-02", "SMC-08"]),
        ("<!-- engagement-record-design-42 -->", ["SMC-20"]),
        ("<!-- engagement-record-review-9 -->", ["SMC-23"]),
        ("<!-- credit-input-plan-42 -->", ["SMC-17"]),
        ("<!-- proposed-followups-{N} -->", ["SMC-24"]),
        ("<!-- pipeline-metrics -->", ["SMC-06", "SMC-09"]),
        ("<!-- subagent-env-handshake v1 -->", ["SMC-14"]),
        ("<!-- code-review-complete-9 -->", []),
        ("<!-- a comment -->", []),
    ],
)
def test_marker_has_its_rows(marker: str, rows: list[str], tmp_path: Path) -> None:
    assert row_of(marker, tmp_path) == rows
