"""The commands, and the survey that they print."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from command_line import Ran, run_here
from command_line import run as run_command
from session_memory import schemas
from session_memory.tracking import survey as surveys
from session_memory.tracking.survey import survey
from support import Repository

DOCUMENT = '---\nstatus: blocked\npriority: p1\nissue_id: "185"\ncreated: 2026-04-20\n---\n'
# Root may read everything.
needs_modes = pytest.mark.skipif(os.geteuid() == 0, reason="root may do what this forbids")


@pytest.fixture
def tracking(repo: Repository) -> Repository:
    """A tracking folder with one file of each kind."""
    repo.write(".copilot-tracking/research/issue-185-export.md", DOCUMENT)
    repo.write(".copilot-tracking/notes.md", "# Note\n")
    repo.write(".copilot-tracking/calibration/review-data.json", "{}")
    repo.write(".copilot-tracking/archived/issue-3-x.md", DOCUMENT.replace("185", "3"))
    repo.write(".copilot-tracking-archive/2026/04/issue-2/old.md", DOCUMENT)
    return repo


@pytest.fixture
def run(repo: Repository) -> Callable[..., Ran]:
    def command(*arguments: str, cwd: Path | None = None) -> Ran:
        return run_here("tracking", *arguments, cwd=cwd or repo.root)

    return command


def test_list(tracking: Repository, run: Callable[..., Ran]) -> None:
    assert run("list").stdout.splitlines() == [
        "archived       #3        .copilot-tracking/archived/issue-3-x.md",
        "persistent     -         .copilot-tracking/calibration/review-data.json",
        "work           -         .copilot-tracking/notes.md",
        "work           #185      .copilot-tracking/research/issue-185-export.md",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux alone")
def test_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    root = Repository.create(Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))).root
    assert run_here("tracking", "list", cwd=root).code == 0
    writing = ("write", "review-state", "--issue", "7", "--stage", "all")
    assert run_here("memory", *writing, cwd=root).code == 0
    assert (root / "memories" / "session" / "review-state-7.md").exists()


def test_that_there_is_nothing_is_said(repo: Repository, run: Callable[..., Ran]) -> None:
    assert run("list") == Ran(0, "", "there are no files in .copilot-tracking\n")
    assert run("index").stderr == "nothing belongs to an issue, here or in the archive\n"
    repo.write(".copilot-tracking/notes.md", "# Note\n")
    assert run("list", "--issue", "1").stderr == "there are no such files in .copilot-tracking\n"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--issue", "185"], [".copilot-tracking/research/issue-185-export.md"]),
        (["--issue", "4"], []),
        (["--untagged"], [".copilot-tracking/notes.md"]),
    ],
)
def test_list_of_some(
    tracking: Repository, run: Callable[..., Ran], options: list[str], expected: list[str]
) -> None:
    found = run("list", *options, "--json").json

    assert [file["path"] for file in found["files"]] == expected
    assert found["complete"] is True


def test_list_says_why_something_is_passed_over(repo: Repository, run: Callable[..., Ran]) -> None:
    (repo.root / ".copilot-tracking").mkdir()
    (repo.root / ".copilot-tracking" / "x\x1b[31m").symlink_to("/etc/hostname")

    assert run("list").stdout == "passed-over    -         .copilot-tracking/x\\x1b[31m (a link)\n"


def test_list_from_a_folder_below(tracking: Repository, run: Callable[..., Ran]) -> None:
    below = run("list", cwd=tracking.root / ".copilot-tracking" / "research")

    assert below.stdout == run("list").stdout


def test_index(tracking: Repository, run: Callable[..., Ran]) -> None:
    assert run("index").stdout.splitlines() == [
        "issue 2:",
        "  .copilot-tracking-archive/2026/04/issue-2/old.md  (blocked, p1)",
        "issue 3:",
        "  .copilot-tracking/archived/issue-3-x.md  (blocked, p1)",
        "issue 185:",
        "  .copilot-tracking/research/issue-185-export.md  (blocked, p1)",
        "without an issue:",
        "  .copilot-tracking/notes.md",
    ]


def test_index_is_of_its_schema(tracking: Repository, run: Callable[..., Ran]) -> None:
    tracking.write(".copilot-tracking/data.bin", "issue_id: 185\n")
    found = run("index", "--json").json

    jsonschema.validate(found, schemas.load("tracking-index"))
    assert [group["issue"] for group in found["issues"]] == [2, 3, 185, None]
    assert [file["created"] for file in found["issues"][2]["files"]] == [None, "2026-04-20"]


def test_empty_index_is_of_its_schema(repo: Repository, run: Callable[..., Ran]) -> None:
    jsonschema.validate(run("index", "--json").json, schemas.load("tracking-index"))


def test_check(tracking: Repository, run: Callable[..., Ran]) -> None:
    done = run("check")

    assert done.code == 1
    assert done.stdout.splitlines() == [
        ".copilot-tracking/archived/issue-3-x.md:1: completed is missing: the document is archived",
        ".copilot-tracking/notes.md:1: the first line is not ---: there is no front matter",
    ]
    assert done.stderr == "3 documents checked, 2 faults\n"


def test_check_of_one_file(tracking: Repository, run: Callable[..., Ran]) -> None:
    done = run("check", "issue-185-export.md", cwd=tracking.root / ".copilot-tracking/research")

    assert (done.code, done.stdout) == (0, "")
    assert done.stderr == "1 document checked, 0 faults\n"


def test_check_as_json(tracking: Repository, run: Callable[..., Ran]) -> None:
    done = run("check", ".copilot-tracking/notes.md", "--json")

    assert (done.code, done.json["checked"]) == (1, 1)
    assert [fault["line"] for fault in done.json["faults"]] == [1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"---\nstatus: \xff\n---\n", ":1: not UTF-8 at byte 12"),
        (b"x" * ((1 << 20) + 1), ":1: more than 1048576 bytes"),
    ],
    ids=["not-utf-8", "too-long"],
)
def test_check_of_a_file_that_cannot_be_read(
    repo: Repository, run: Callable[..., Ran], content: bytes, message: str
) -> None:
    repo.write(".copilot-tracking/a.md", "").write_bytes(content)

    assert run("check").stdout == f".copilot-tracking/a.md{message}\n"


@pytest.mark.parametrize("path", ["README.md", "absent.md", ".copilot-tracking/link.md"])
def test_check_of_no_tracking_file(
    tracking: Repository, run: Callable[..., Ran], path: str
) -> None:
    (tracking.root / ".copilot-tracking" / "link.md").symlink_to("notes.md")

    run("check", path).assert_fault(2, path, "SMC-13")


def test_archive(tracking: Repository, run: Callable[..., Ran]) -> None:
    planned = run("archive", "--issue", "185", "--dry-run")
    done = run_command("tracking", "archive", "--issue", "185", cwd=tracking.root)

    assert (planned.code, done.code) == (0, 0)
    assert planned.stdout.replace("would move", "moved") == done.stdout
    assert done.stdout.startswith("moved .copilot-tracking/research/issue-185-export.md to ")
    assert run("list", "--issue", "185").stdout == ""


def test_archive_of_named_files(tracking: Repository, run: Callable[..., Ran]) -> None:
    done = run("archive", "notes.md", "--json", cwd=tracking.root / ".copilot-tracking")
    (move,) = done.json["moves"]

    assert (move["source"], move["tracked"]) == (".copilot-tracking/notes.md", False)
    assert (tracking.root / move["target"]).read_text() == "# Note\n"


def test_one_bad_name_refuses_all(tracking: Repository, run: Callable[..., Ran]) -> None:
    done = run("archive", ".copilot-tracking/notes.md", ".copilot-tracking/../README.md")

    done.assert_fault(2, "README.md does not lie in .copilot-tracking", "nothing was moved")
    assert (tracking.root / ".copilot-tracking" / "notes.md").exists()


def test_file_reached_through_a_link_is_refused(
    tracking: Repository, run: Callable[..., Ran]
) -> None:
    tracking.write("Documents/a.md", "# A\n")
    (tracking.root / ".copilot-tracking" / "docs").symlink_to("../Documents")

    run("archive", ".copilot-tracking/docs/a.md").assert_fault(2, "Documents/a.md does not lie in")


def test_nothing_selected_is_wrong_usage(tracking: Repository, run: Callable[..., Ran]) -> None:
    run("archive").assert_fault(64, "Say what to archive")


def test_nothing_found(tracking: Repository, run: Callable[..., Ran]) -> None:
    done = run("archive", "--issue", "4")

    assert (done.code, done.stdout, done.stderr) == (0, "", "nothing to archive\n")


def test_files_under_version_control_are_told(
    tracking: Repository, run: Callable[..., Ran]
) -> None:
    tracking.git("add", "--force", ".copilot-tracking/notes.md")
    tracking.git("commit", "--quiet", "--message", "notes")
    done = run("archive", "--untagged")

    assert done.stderr.startswith(
        "note: 1 file is under version control: git shows each as deleted"
    )
    assert " D .copilot-tracking/notes.md" in tracking.status()


def test_archive_of_committed_files_is_not_hidden(
    repo: Repository, run: Callable[..., Ran]
) -> None:
    repo.write(".copilot-tracking/notes.md", "# Note\n")
    repo.commit("notes")

    (move,) = run("archive", "--untagged", "--json").json["moves"]

    assert move["tracked"] is True
    assert f"?? {move['target']}" in repo.status()


def test_issue_of_the_current_branch_is_told(tracking: Repository, run: Callable[..., Ran]) -> None:
    tracking.git("switch", "--quiet", "--create", "feature/issue-185-export")

    assert run("archive", "--issue", "185").stderr == (
        "note: the current branch belongs to issue 185.\n"
    )


def test_archive_that_takes_nothing(tracking: Repository, run: Callable[..., Ran]) -> None:
    (tracking.root / ".copilot-tracking-archive").rename(tracking.root / "elsewhere")
    tracking.write(".copilot-tracking-archive", "a file")
    done = run("archive", "--untagged")

    assert (done.code, done.stdout) == (3, "")
    assert done.stderr.startswith("left .copilot-tracking/notes.md: a link or a file stands where")


def test_archive_that_takes_some(tracking: Repository, run: Callable[..., Ran]) -> None:
    tracking.write(".copilot-tracking/" + "n" * 250 + ".md", "# Long\n")
    done = run("archive", "--untagged")

    assert done.code == 5
    assert done.stdout.startswith("moved .copilot-tracking/notes.md to ")
    assert "File name too long" in done.stderr


@pytest.mark.parametrize("command", ["list", "index", "check", "archive"])
def test_tracking_folder_that_is_a_link(
    repo: Repository, run: Callable[..., Ran], command: str, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (repo.root / ".copilot-tracking").symlink_to(tmp_path / "outside")
    options = ["--untagged"] if command == "archive" else []

    run(command, *options).assert_fault(2, ".copilot-tracking is a link or no folder")


@pytest.mark.parametrize("command", ["list", "archive", "ignore-scratch"])
def test_outside_any_repository(tmp_path: Path, command: str) -> None:
    options = ["--untagged"] if command == "archive" else []

    done = run_command("tracking", command, *options, cwd=tmp_path)
    done.assert_fault(2, "outside any repository")


def test_scratch_patterns_go_into_the_exclude_list_once(
    repo: Repository, run: Callable[..., Ran]
) -> None:
    first, second = run("ignore-scratch"), run("ignore-scratch", "--json")
    repo.write(".tmp/a", "")
    repo.write("CUsersDev/x", "")

    assert first.stdout.splitlines()[0] == ".tmp/"
    assert second.json["added"] == []
    assert Path(second.json["file"]).samefile(repo.root / ".git" / "info" / "exclude")
    assert repo.status() == ""


def test_scratch_patterns_of_a_worktree_go_into_the_clone(
    repo: Repository, run: Callable[..., Ran]
) -> None:
    repo.git("worktree", "add", "--quiet", "../linked")
    linked = Repository(repo.root.parent / "linked")

    run("ignore-scratch", cwd=linked.root)
    linked.write(".tmp/a", "")

    assert linked.status() == ""


def test_scratch_patterns_need_a_clone(tmp_path: Path) -> None:
    env = {"CLAUDE_PROJECT_DIR": str(tmp_path)}
    done = run_command("tracking", "ignore-scratch", cwd=tmp_path, env=env)

    done.assert_fault(2, "outside any repository there is no exclude list")


def test_archive_in_a_project_without_a_repository(tmp_path: Path) -> None:
    (tmp_path / ".copilot-tracking").mkdir()
    (tmp_path / ".copilot-tracking" / "a.md").write_text("# A\n")
    env = {"CLAUDE_PROJECT_DIR": str(tmp_path)}
    done = run_command("tracking", "archive", "--untagged", "--json", cwd=tmp_path, env=env)

    assert [move["tracked"] for move in done.json["moves"]] == [None]


def test_scratch_patterns_are_not_written_to_a_foreign_clone(
    repo: Repository, run: Callable[..., Ran], tmp_path: Path
) -> None:
    planted = tmp_path / "planted"
    planted.mkdir()
    (planted / ".git").write_text(f"gitdir: {repo.root}/.git\n")
    before = (repo.root / ".git" / "info" / "exclude").read_text()

    run("ignore-scratch", cwd=planted).assert_fault(2, "nothing was written")
    assert (repo.root / ".git" / "info" / "exclude").read_text() == before


def test_bound_of_the_survey(tracking: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surveys, "MAX_FILES", 2)
    found = survey(str(tracking.root))

    assert (len(found.files), found.is_complete) == (2, False)


def test_bound_is_told(
    tracking: Repository, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surveys, "MAX_FILES", 2)

    assert run("list").stderr.startswith("warning: only the first ")
    assert run("index", "--json").json["complete"] is False


def test_folders_that_are_too_deep_are_passed_over(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surveys, "_MAX_DEPTH", 2)
    repo.write(".copilot-tracking/a/b/c.md", "")
    (found,) = survey(str(repo.root)).files

    assert (found.path, found.remark) == (".copilot-tracking/a/b", "more than 2 folders deep")


@needs_modes
def test_file_that_may_not_be_read_is_passed_over(repo: Repository) -> None:
    repo.write(".copilot-tracking/a.md", "").chmod(0)
    found: Any = survey(str(repo.root)).files[0]

    assert (found.standing, found.remark) == ("passed-over", "Permission denied")
