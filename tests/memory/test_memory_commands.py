"""The commands by hand: what they write, print, list, and refuse."""

import json
from pathlib import Path

import pytest

from command_line import run_here
from memory_support import Cli, outcomes
from session_memory.memory import names
from support import Repository

WORK = {
    "phase": "review",
    "step": "defense",
    "resume_point": "finding F1",
    "deferred": [{"id": "F1", "severity": "high", "summary": "Look \x1b[2J again."}],
}


@pytest.mark.parametrize(
    ("shape", "file"),
    [
        (["plan", "--issue", "7"], "plan-issue-7.md"),
        (["plan-bundle", "7-8"], "plan-bundle-7-8.md"),
        (["design", "--issue", "7"], "design-issue-7.md"),
    ],
)
def test_a_text_is_written_where_the_path_says(
    local: Cli, here: Repository, shape: list[str], file: str
) -> None:
    here.write(".tmp/text.md", "# Text\n\n\n")
    ran = local("write", *shape, "--body-file", ".tmp/text.md", "--json")
    path = here.session / file
    assert (ran.code, ran.json["written"]) == (0, str(path))
    assert local("path", *shape).stdout == f"{path}\n"
    assert local("path", *shape, "--json").json["namespace"] == f"/memories/session/{file}"
    assert path.read_text("utf-8") == "# Text\n"
    assert "makes it durable" in ran.json["gaps"][0]
    assert ".tmp" in here.status()
    assert "memories" not in here.status()


def test_a_body_outside_the_scratch_folder_is_not_read(local: Cli, here: Repository) -> None:
    ran = local("write", "plan", "--issue", 7, "--body-file", "README.md")
    ran.assert_fault(2, "outside the scratch root")
    assert not here.session.exists()


@pytest.mark.parametrize(("text", "words"), [("", "empty"), (" \n", "empty")])
def test_an_empty_text_is_no_cache(local: Cli, text: str, words: str) -> None:
    local("write", "plan", "--issue", 7, "--body-file", "-", stdin=text).assert_fault(2, words)


def test_a_text_longer_than_a_comment_is_kept_and_said(local: Cli) -> None:
    ran = local("write", "plan", "--issue", 7, "--body-file", "-", stdin="x" * 70_000)
    assert ran.code == 0
    assert "longer than a comment" in ran.stderr


def test_a_text_that_no_reader_takes_is_refused(local: Cli, here: Repository) -> None:
    ran = local("write", "plan", "--issue", 7, "--body-file", "-", stdin="é" * 140_000)
    assert ran.code == 2
    assert not here.session.exists()


def test_a_file_that_cannot_be_used_is_set_aside(local: Cli, here: Repository) -> None:
    here.session.mkdir(parents=True)
    (here.session / "plan-issue-7.md").write_bytes(b"\xff\n")
    ran = local("write", "plan", "--issue", 7, "--body-file", "-", stdin="new")
    (aside,) = here.session.glob("plan-issue-7.md.corrupt-*")
    assert aside.name in ran.stderr
    assert aside.read_bytes() == b"\xff\n"


def test_deferred_work_is_written_read_and_finished(local: Cli) -> None:
    scope = ("--scope", "review-pr-9")
    written = local(
        "write", "deferred-work", *scope, "--body-file", "-", "--json", stdin=json.dumps(WORK)
    )
    assert written.json["payload"]["deferred"] == WORK["deferred"]
    ran = local("read", "deferred-work", *scope)
    assert "- high F1: Look \\x1b[2J again.\n" in ran.stdout
    assert "lost with the conversation" in ran.stderr
    assert local("read", "deferred-work", *scope, "--json").json["payload"]["scope"] == scope[1]
    assert local("write", "deferred-work", *scope, "--done", "F1").code == 0
    left = local("read", "deferred-work", *scope).stdout
    assert left.startswith("Nothing is left of review-pr-9: review, defense.")
    assert "high F1" not in left


def test_nothing_deferred(local: Cli) -> None:
    ran = local("read", "deferred-work", "--scope", "review-pr-9")
    assert (ran.code, ran.stdout) == (0, "nothing is deferred\n")


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_deferred_work_without_a_place_is_printed(
    local: Cli, here: Repository, as_json: list[str]
) -> None:
    here.write("memories", "a file")
    given = ("write", "deferred-work", "--scope", "s", "--body-file", "-", *as_json)
    ran = local(*given, stdin=json.dumps(WORK))
    assert ran.code == 3
    assert "carry the items" in ran.stderr
    assert "high F1: Look" in ran.stdout
    assert "\x1b" not in ran.stdout


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--scope", "s"], 64),
        (["--scope", "../s", "--done", "F1"], 64),
        (["--scope", "s", "--done", "F1"], 2),
        (["--scope", "s", "--body-file", "-"], 2),
    ],
)
def test_deferred_work_that_does_not_fit(local: Cli, options: list[str], code: int) -> None:
    assert local("write", "deferred-work", *options).code == code


def test_damaged_deferred_work_is_a_failure(local: Cli, here: Repository) -> None:
    here.write("memories/session/rate-limit-deferred-s.md", "?")
    ran = local("read", "deferred-work", "--scope", "s")
    assert (ran.code, ran.stdout) == (3, "")
    assert "a write sets it aside" in ran.stderr


def test_the_install_prompt_is_shown_once(local: Cli) -> None:
    assert local("read", "install-prompt").stdout.startswith("prompt: ")
    assert local("write", "install-prompt", "--answer", "install").code == 0
    found = local("read", "install-prompt", "--json").json
    assert found["decision"] == "skip"
    assert local("read", "install-prompt", "--platform", "claude").stdout.startswith("skip: only")


def test_a_shell_of_claude_code_is_claude(local: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert local("read", "install-prompt").stdout.startswith("skip: only Copilot")


def test_without_memory_the_prompt_may_be_shown_again(local: Cli, here: Repository) -> None:
    here.write("memories", "a file")
    assert "may be asked again" in local("read", "install-prompt").stdout
    assert local("write", "install-prompt").code == 3


def test_the_list_tells_what_names_stand_for(local: Cli, here: Repository) -> None:
    local("write", "install-prompt")
    local("write", "review-state", "--stage", "all")
    here.write("memories/session/plan-bundle-7-8.md", "x")
    here.write("memories/session/rate-limit-deferred-s.md", "x")
    here.write("memories/session/notes.md", "x")
    other = names.install_prompt("/somewhere/else")
    here.write(f"memories/session/{other}", "yes")
    rows = {row["file"]: row["stands_for"] for row in local("list", "--json").json}
    assert rows == {
        names.install_prompt(str(here.root)): str(here.root),
        other: "a folder that its file does not tell",
        "plan-bundle-7-8.md": "issues 7, 8",
        "rate-limit-deferred-s.md": "scope s",
        "review-state-7.md": "issue 7",
    }
    assert "SMC-05  review-state-7.md  issue 7\n" in local("list").stdout


def test_a_file_cannot_pass_off_another_folder(local: Cli, here: Repository) -> None:
    own = names.install_prompt(str(here.root))
    here.write(f"memories/session/{own}", '{"root": "/somewhere/else"}')
    assert local("list", "--json").json[0]["stands_for"] == str(here.root)


def test_an_empty_list_is_said(local: Cli) -> None:
    ran = local("list")
    assert (ran.code, ran.stdout) == (0, "")
    assert "no files" in ran.stderr


@pytest.mark.parametrize(
    ("options", "stdout"),
    [
        (["--attempt", "1"], "wait 60 s (attempt 1 failed)\n"),
        (["--attempt", "2"], "offer: defer (2 attempts failed)\n"),
        (["--attempt", "2", "--output", "--error", "-"], "wait 120 s (attempt 2 failed)\n"),
    ],
)
def test_advice(local: Cli, options: list[str], stdout: str) -> None:
    assert local("advise", *options, stdin="throttled").stdout == stdout


def test_advice_as_data(local: Cli) -> None:
    ran = local("advise", "--error", "-", "--repeated", "--json", stdin="syntax error")
    assert ran.json == {
        "step": "other-path",
        "wait_s": None,
        "options": [],
        "reason": "not a rate limit: mend it, do not wait",
    }


@pytest.mark.parametrize(
    "options", [["plan"], ["plan-bundle"], ["deferred-work", "--scope", "A"], ["other"]]
)
def test_a_path_needs_a_valid_id(local: Cli, options: list[str]) -> None:
    assert local("path", *options).code == 64


def test_outside_a_repository_there_is_no_memory(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    writing = ("write", "plan", "--issue", "7", "--body-file", "-")
    ran = run_here("memory", *writing, cwd=outside, stdin=b"x")
    ran.assert_fault(3, "no repository here", "Nothing was written")
    for reading in (["path", "plan", "--issue", "7"], ["list"]):
        run_here("memory", *reading, cwd=outside).assert_fault(2, "no repository")
    ran = run_here("memory", "read", "plan", "--issue", "7", "--offline", "--json", cwd=outside)
    assert outcomes(ran.json)["session-bundle"] == "failed"
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    ["read plan", "read design", "write plan --body-file -", "write design --body-file -"],
)
def test_the_number_of_the_issue_is_required(local: Cli, command: str) -> None:
    local(*command.split()).assert_fault(64, "Missing option '--issue'")


@pytest.mark.parametrize("group", [[], ["read"], ["write"]])
def test_help_cuts_no_sentence(local: Cli, group: list[str]) -> None:
    commands = local(*group, "--help").stdout.partition("Commands:")[2]
    assert commands
    assert "..." not in commands
