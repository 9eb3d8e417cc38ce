"""What the commands make of the folder and the repository that they are started in."""

import pytest

from fake_github import Thread
from session_memory.core.system import WINDOWS
from support import Repository
from writer_support import Cli


@pytest.mark.skipif(WINDOWS, reason="a folder in use cannot be removed")
@pytest.mark.parametrize(
    "arguments",
    [
        "markers write plan-issue --issue 7 --body-file .tmp/plan.md",
        "markers write --burst .tmp/burst.json",
        "resume --issue 7",
        "reconcile --issue 7",
    ],
)
def test_folder_that_is_gone(
    cli: Cli, clone: Repository, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    gone = clone.root / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    cli(*arguments.split()).assert_fault(2, "the current folder cannot be used")


def test_remote_that_was_guessed_is_named(cli: Cli, clone: Repository, thread: Thread) -> None:
    clone.git("remote", "add", "fork", "https://github.com/me/widgets.git")

    guessed, named = (
        cli("resume", "--issue", 7),
        cli("resume", "--issue", 7, "--repo", "acme/widgets"),
    )

    assert guessed.stderr == "note: acme/widgets, from git remote origin, before fork\n"
    assert (guessed.stdout, named.stderr) == (named.stdout, "")


def test_resume_needs_a_number(cli: Cli) -> None:
    cli("resume").assert_fault(64, "--issue")
