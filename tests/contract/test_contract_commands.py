"""``contract list``, ``show`` and ``why``, and ``state``, as processes."""

import os
import time
from pathlib import Path

import pytest

from command_line import run
from session_memory.contract.table import contract
from support import Repository


def test_list_has_a_line_for_each_row(tmp_path: Path) -> None:
    done = run("contract", "list", cwd=tmp_path)
    assert (done.code, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(contract().rows)


def test_list_as_json_is_the_data(tmp_path: Path) -> None:
    data = run("contract", "list", "--json", cwd=tmp_path).json
    assert [row["id"] for row in data["rows"]] == list(contract().rows)


@pytest.mark.parametrize("name", contract().rows)
def test_show_ends_with_the_commands(name: str, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from session_memory.cli.contract import command

    done = CliRunner().invoke(command, ["show", name])
    row = contract().rows[name]
    endings = [f"read   session-memory {one}" for one in row.read]
    endings += [f"write  session-memory {one}" for one in row.write]
    assert done.exit_code == 0
    assert done.output.splitlines()[-len(endings) :] == endings


def test_show_as_json(tmp_path: Path) -> None:
    row = run("contract", "show", "smc-12", "--json", cwd=tmp_path).json
    assert (row["id"], row["read"]) == ("SMC-12", ["hygiene show"])


def test_show_says_that_there_is_no_fourth_row(tmp_path: Path) -> None:
    run("contract", "show", "SMC-04", cwd=tmp_path).assert_fault(2, "no row SMC-04", "SMC-05")


def test_why_tells_row_survival_and_writer(repo: Repository) -> None:
    done = run("contract", "why", "memories/session/review-state-9.md", cwd=repo.root)
    assert done.code == 0
    for words in ("SMC-05", "SMC-06", "survival     within-conversation", "written by"):
        assert words in done.stdout


def test_why_as_json(repo: Repository) -> None:
    repo.write("memories/session/gate-events-s-1.jsonl.lock", "")
    name = "memories/session/gate-events-s-1.jsonl.lock"
    told = run("contract", "why", name, "--json", cwd=repo.root).json
    assert (told["rows"], told["companion"], told["key"]) == (["SMC-21"], "lock", "s-1")
    assert (told["exists"], told["survival"]) == (True, "within-conversation")


def test_why_says_that_a_file_of_ours_is_no_row(repo: Repository) -> None:
    done = run("contract", "why", "memories/session/hook-diagnostics.jsonl", cwd=repo.root)
    assert done.code == 0
    assert done.stdout.startswith("no row: a file of ours")


@pytest.mark.parametrize("path", ["README.md", "/etc/passwd", "no\x1bsuch", "memories/session"])
def test_why_refuses_what_belongs_to_nobody(path: str, repo: Repository) -> None:
    done = run("contract", "why", path, cwd=repo.root)
    done.assert_fault(2, "no state of the contract", "contract list")
    assert "\x1b" not in done.stderr


@pytest.fixture
def kept(repo: Repository) -> Repository:
    """A checkout with state of this conversation, of another, and of none."""
    repo.write("memories/session/gate-events-s-mine.jsonl", '{"a": 1}\n')
    repo.write("memories/session/gate-events-s-other.jsonl", "")
    repo.write("memories/session/plan-issue-7.md", "# Plan\n")
    repo.write("memories/session/notes.md", "mine\n")
    repo.write(".copilot-tracking/research/one.md", "# One\n")
    repo.write(".claude/.state/release-hygiene-mine.json", "{}")
    repo.write(".claude/.state/release-hygiene-other.json", "{}")
    old = time.time() - 3 * 86400
    os.utime(repo.root / "memories/session/plan-issue-7.md", (old, old))
    return repo


def test_state_lists_this_conversation_and_what_belongs_to_none(kept: Repository) -> None:
    done = run("state", "--session", "mine", cwd=kept.root)
    names = [line.split()[0].rpartition("/")[2] for line in done.stdout.splitlines()]
    assert names == [
        "gate-events-s-mine.jsonl",
        "plan-issue-7.md",
        "one.md",
        "release-hygiene-mine.json",
    ]
    assert done.stderr == "2 files of other conversations; --all shows them\n"
    assert "SMC-01" in done.stdout
    assert "3 d" in done.stdout


def test_state_as_json(kept: Repository) -> None:
    told = run("state", "--session", "mine", "--all", "--json", cwd=kept.root).json
    assert (told["key"], told["complete"], told["of_other_conversations"]) == ("s-mine", True, 0)
    by_name = {Path(one["path"]).name: one for one in told["files"]}
    log = by_name["gate-events-s-mine.jsonl"]
    assert (log["rows"], log["key"], log["size"]) == (["SMC-21"], "s-mine", 9)
    assert (log["survival"], log["current"]) == ("within-conversation", True)
    assert by_name["gate-events-s-other.jsonl"]["current"] is False
    assert by_name["plan-issue-7.md"]["age_s"] > 3 * 86000
    assert "notes.md" not in by_name


def test_state_without_any_says_so(repo: Repository) -> None:
    done = run("state", cwd=repo.root)
    assert (done.code, done.stdout, done.stderr) == (0, "", "there are no state files here\n")
    assert repo.status() == ""


def test_state_follows_no_link(repo: Repository) -> None:
    outside = repo.root.parent / "outside"
    outside.mkdir()
    (outside / "plan-issue-1.md").write_text("x")
    (repo.root / "memories").mkdir()
    (repo.root / "memories" / "session").symlink_to(outside)
    tracking = repo.root / ".copilot-tracking"
    tracking.mkdir()
    (tracking / "link.md").symlink_to(outside / "plan-issue-1.md")
    (tracking / "folder").symlink_to(outside)
    assert run("state", "--json", cwd=repo.root).json["files"] == []


def test_state_outside_a_repository_is_refused(tmp_path: Path) -> None:
    run("state", cwd=tmp_path).assert_fault(2, "no git repository")
