"""What the commands make of the folder and the repository that they are started in."""

import pytest

from command_line import Ran
from fake_github import Thread, World
from session_memory.core.system import WINDOWS
from support import Repository
from writer_support import METRICS, PLAN, Cli


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


def test_repository_that_is_not_there_is_said_to_be(cli: Cli) -> None:
    named = ("--issue", 7, "--repo", "acme/nothing", "--body-file", "-")

    written = cli("markers", "write", "plan-issue", *named, stdin=f"{PLAN}\n\nThe plan.\n")

    written.assert_fault(2, "reading acme/nothing#7: not found")


def test_what_will_not_pass_is_not_worth_another_attempt(
    cli: Cli, thread: Thread, world: World
) -> None:
    world.fault("POST", status=403, message="Repository was archived so is read-only.")

    written = cli(
        "markers", "write", "plan-issue", "--issue", 7, "--body-file", "-",
        stdin=f"{PLAN}\n\nThe plan.\n",
    )  # fmt: skip

    written.assert_fault(3, "unarchived", "Nothing was written.")
    assert "later" not in written.stderr


def show_metrics(cli: Cli, *options: str) -> Ran:
    return cli("markers", "show", "pipeline-metrics", "--pr", 9, *options)


def test_metrics_are_shown_out_of_their_description(cli: Cli, pull: Thread) -> None:
    pull.body = f"Above.\r\n\r\n{METRICS}\r\nBelow."

    shown = show_metrics(cli)

    assert (shown.code, shown.stdout) == (0, f"{METRICS}\n")
    assert show_metrics(cli, "--json").json == {
        "marker": "<!-- pipeline-metrics -->",
        "body": METRICS,
    }


@pytest.mark.parametrize(
    ("author", "body", "words"),
    [
        ("octo-dev", "Nothing.", "no pipeline-metrics that counts"),
        ("octo-dev", f"{METRICS}\n{METRICS}", "pull request 9:"),
        ("stranger", METRICS, "no pipeline-metrics that counts"),
    ],
    ids=["none", "two", "of a stranger"],
)
def test_no_metrics_to_show(cli: Cli, pull: Thread, author: str, body: str, words: str) -> None:
    pull.author, pull.body = author, body

    shown = show_metrics(cli)

    assert (shown.code, shown.stdout) == (2, "")
    assert words in shown.stderr


def test_hidden_comment_is_a_record_like_any_other(cli: Cli, thread: Thread) -> None:
    posted = thread.post(f"{PLAN}\n\nOld.")
    posted.minimized = "outdated"

    assert "plan-issue-7" in cli("markers", "list", "--issue", 7).stdout
    written = cli(
        "markers", "write", "plan-issue", "--issue", 7, "--body-file", "-",
        stdin=f"{PLAN}\n\nNew.\n",
    )  # fmt: skip

    assert (written.code, thread.bodies) == (0, [f"{PLAN}\n\nNew.\n"])
