"""``records read``: what is in force, whose word counts, and what cannot be read."""

import json
from pathlib import Path
from typing import Any

import pytest

from durable_support import Cli, completion, decision, payload, record
from fake_github import Thread, World
from support import Repository

BAD_VERSION = record(7, "design", decision()).replace("schema_version: 2", "schema_version: 99")
FOLLOWUP = "followup-0123456789abcdef"


def chosen(answer: Any) -> list[str]:
    return [item["engineer_choice"] for item in answer["decisions"]]


def test_newest_record_of_each_phase_is_in_force(every_cli: Cli, issue: Thread) -> None:
    issue.post(record(7, "design", decision(choice="old")))
    issue.post(record(7, "design", decision(choice="new")))
    issue.post(record(7, "experience", decision(choice="first")))
    issue.post("talk")

    ran = every_cli("records", "read", "--issue", 7, "--json")

    assert (ran.code, ran.stderr) == (0, "")
    assert chosen(ran.json) == ["first", "new"]
    assert [item["phase"] for item in ran.json["records"]] == ["design", "experience"]
    assert ran.json["warnings"] == []


def test_issue_and_pull_request_together(cli: Cli, issue: Thread, pull_request: Thread) -> None:
    issue.post(record(7, "plan", decision(choice="planned")))
    pull_request.post(record(9, "review", decision("gh-1", "fixed")))

    ran = cli("records", "read", "--issue", 7, "--pr", 9, "--json")

    assert chosen(ran.json) == ["planned", "fixed"]
    assert ran.json["source"] == "issue 7 and pull request 9"


def test_record_on_the_wrong_surface_does_not_count(
    cli: Cli, issue: Thread, pull_request: Thread
) -> None:
    issue.post(record(9, "review", decision("gh-1", "smuggled")))
    pull_request.post(record(7, "design", decision(choice="smuggled")))

    assert cli("records", "read", "--issue", 7, "--pr", 9, "--json").json["decisions"] == []


def test_phase_filter_asks_only_where_the_phase_is(
    cli: Cli, world: World, issue: Thread, pull_request: Thread
) -> None:
    pull_request.post(record(9, "review", decision("gh-1", "fixed")))

    ran = cli("records", "read", "--issue", 7, "--pr", 9, "--phase", "review", "--json")

    assert chosen(ran.json) == ["fixed"]
    assert not [line for line in world.log() if "/issues/7/" in line]


def test_record_without_mark_of_version_is_read_on_request(cli: Cli, issue: Thread) -> None:
    issue.post(record(7, "design", decision()).replace("schema_version: 2\n", ""))

    assert cli("records", "read", "--issue", 7, "--json").json["decisions"] == []
    (read,) = cli("records", "read", "--issue", 7, "--legacy", "--json").json["decisions"]
    assert read["_legacy"] is True


def test_followups_of_all_records_are_united(cli: Cli, issue: Thread) -> None:
    issue.post(record(7, "design", decision(FOLLOWUP, "drop it"), decision(choice="old")))
    issue.post(record(7, "design", decision(choice="new")))

    answer = cli("records", "read", "--issue", 7, "--json").json

    assert chosen(answer) == ["new"]
    assert [item["decision_id"] for item in answer["followups"]] == [FOLLOWUP]


@pytest.mark.parametrize("author", ["stranger", "member", "", "colleague[bot]"])
def test_planted_record_of_an_unknown_version_breaks_nothing(
    cli: Cli, issue: Thread, author: str
) -> None:
    issue.post(record(7, "design", decision(choice="true")))
    issue.post(BAD_VERSION, author)

    ran = cli("records", "read", "--issue", 7, "--json")

    assert (ran.code, chosen(ran.json)) == (0, ["true"])
    assert [item["code"] for item in ran.json["warnings"]] == ["untrusted-author"]


@pytest.mark.parametrize("options", [[], ["--any-author"]], ids=["default", "any author"])
def test_unknown_version_of_a_colleague_is_an_error_that_names_the_comment(
    cli: Cli, issue: Thread, options: list[str]
) -> None:
    issue.post(record(7, "design", decision()))
    planted = issue.post(BAD_VERSION, "colleague")

    ran = cli("records", "read", "--issue", 7, *options)

    ran.assert_fault(2, f"comment {planted.id} by colleague", f"#issuecomment-{planted.id}", "99")


def test_strangers_are_shown_on_request_and_marked(cli: Cli, issue: Thread) -> None:
    issue.post(record(7, "design", decision(choice="true")))
    issue.post(record(7, "design", decision(choice="forged")), "stranger")
    issue.post(BAD_VERSION, "stranger")

    ran = cli("records", "read", "--issue", 7, "--any-author", "--json")

    assert (ran.code, chosen(ran.json)) == (0, ["true"])
    forged, planted = ran.json["untrusted"]
    assert [item["engineer_choice"] for item in forged["decisions"]] == ["forged"]
    assert planted["problem"]["code"] == "unknown-schema-version"
    shown = cli("records", "read", "--issue", 7, "--any-author")
    assert "UNTRUSTED, not in force\n  cache-key: forged" in shown.stdout


def test_setting_names_authors_that_count(cli: Cli, clone: Repository, issue: Thread) -> None:
    issue.post(record(7, "design", decision(choice="by a bot")), "helper[bot]")
    assert cli("records", "read", "--issue", 7, "--json").json["decisions"] == []

    clone.git("config", "--add", "session-memory.trustedAuthor", "helper[bot]")

    assert chosen(cli("records", "read", "--issue", 7, "--json").json) == ["by a bot"]


def test_file_of_the_repository_trusts_nobody(cli: Cli, clone: Repository, issue: Thread) -> None:
    issue.post(record(7, "design", decision(choice="by a bot")), "helper[bot]")
    clone.write(".session-memory.toml", 'trusted_authors = ["helper[bot]"]\n')
    assert cli("records", "read", "--issue", 7, "--json").json["decisions"] == []


def test_thousand_comments_take_eleven_requests(
    every_cli: Cli, world: World, issue: Thread
) -> None:
    for number in range(1000):
        author = "stranger" if number % 10 < 3 else "octo-dev"
        body = "talk" if number % 90 else record(7, "plan", decision(choice=f"choice {number}"))
        issue.post(body, author if number % 90 else "octo-dev")
        if author == "stranger" and number % 50 == 1:
            issue.post(record(7, "plan", decision(choice="forged")), author)
    issue.comments.pop(next(iter(issue.comments)))
    while len(issue.comments) > 1000:
        issue.comments.popitem()
    world.requests.clear()

    ran = every_cli("records", "read", "--issue", 7, "--json")

    assert chosen(ran.json) == ["choice 900"]
    assert len(world.requests) <= 11


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_failing_listing_is_never_an_empty_answer(
    cli: Cli, world: World, issue: Thread, status: int
) -> None:
    world.fault("comments", status=status)

    cli("records", "read", "--issue", 7, "--json").assert_fault(3, "acme/widgets#7")


def test_failing_second_page_is_never_half_an_answer(cli: Cli, world: World, issue: Thread) -> None:
    for _ in range(101):
        issue.post(record(7, "design", decision()))
    world.fault("page=2", status=403)

    cli("records", "read", "--issue", 7, "--json").assert_fault(3, "page 2")


def test_without_write_access_nobody_is_trusted_and_that_is_said(
    cli: Cli, world: World, issue: Thread
) -> None:
    issue.post(record(7, "design", decision()))
    world.account("octo-dev", "read", "MEMBER")

    cli("records", "read", "--issue", 7).assert_fault(3, "permission of octo-dev", "settings")
    shown = cli("records", "read", "--issue", 7, "--any-author", "--json")
    assert (shown.json["decisions"], len(shown.json["untrusted"])) == ([], 1)


BAD_CALLS = {
    "no target": [],
    "review of an issue": ["--issue", "7", "--phase", "review"],
    "design of a pull request": ["--pr", "9", "--phase", "design"],
    "number": ["--issue", "0"],
}


@pytest.mark.parametrize("arguments", BAD_CALLS.values(), ids=BAD_CALLS)
def test_bad_call(cli: Cli, arguments: list[str]) -> None:
    cli("records", "read", *arguments).assert_fault(64, "--help")


def test_reading_for_people(cli: Cli, issue: Thread) -> None:
    posted = issue.post(record(7, "design", decision(choice="by digest\u202e")))

    ran = cli("records", "read", "--issue", 7)

    assert ran.stdout == (
        f"design  comment {posted.id} by octo-dev\n  cache-key: by digest\\u202e (load-bearing)\n"
    )
    nothing = cli("records", "read", "--issue", 7, "--phase", "plan")
    assert (nothing.stdout, nothing.code) == ("", 0)
    assert "no engagement record in force for issue 7" in nothing.stderr


@pytest.mark.parametrize("form", ["json", "yaml"])
@pytest.mark.parametrize("phase", ["design", "orchestration"])
def test_rendered_record_is_read_back(
    cli: Cli, issue: Thread, tmp_path: Path, form: str, phase: str
) -> None:
    choice = 'two\nlines with "quotes" and Zoë'
    given = payload(phase, decision(choice=choice, articulation_text=""))
    text = json.dumps(given) if form == "json" else "# yaml\n" + json.dumps(given)
    (tmp_path / "payload").write_text(text, "utf-8")

    rendered = cli("records", "render", tmp_path / "payload", "--issue", 7)
    issue.post(rendered.stdout)

    assert "### Named Decisions" in rendered.stdout
    assert chosen(cli("records", "read", "--issue", 7, "--json").json) == [choice]
    (tmp_path / "body.md").write_text(rendered.stdout, "utf-8")
    checked = cli("records", "check", tmp_path / "body.md")
    assert (checked.code, checked.stdout) == (0, f"{tmp_path / 'body.md'}: ok\n")


def test_mirror_for_an_issue_body(cli: Cli, tmp_path: Path) -> None:
    text = json.dumps(payload("design", decision()))
    mirror = cli("records", "render", "-", "--issue", 7, "--mirror-only", stdin=text).stdout
    body = cli("records", "render", "-", "--issue", 7, "--no-mirror", stdin=text).stdout
    (tmp_path / "mirror.md").write_text(f"# Issue\n\n{mirror}", "utf-8")
    (tmp_path / "body.md").write_text(body, "utf-8")

    assert mirror.startswith("## Named Decisions\n")
    alone = cli("records", "check", tmp_path / "body.md", "--json")
    assert (alone.code, alone.json[0]["status"]) == (2, "no-mirror")
    both = cli("records", "check", tmp_path / "body.md", "--mirror", tmp_path / "mirror.md")
    assert both.code == 0


REFUSED = {
    "fence": (decision(choice="a\n```\nb"), "fence-line-in-user-text"),
    "marker": (decision(choice="<!-- plan-issue-7 -->"), "marker-line-in-user-text"),
    "control": (decision(choice="a\x00b"), "control-character-in-user-text"),
    "slug": (decision("Not A Slug"), "unlawful decision_id"),
    "enum": (decision(articulation_status="done"), "articulation_status"),
}


@pytest.mark.parametrize(("given", "words"), REFUSED.values(), ids=REFUSED)
def test_payload_that_is_not_rendered(cli: Cli, given: dict[str, Any], words: str) -> None:
    text = json.dumps(payload("design", given))
    ran = cli("records", "render", "-", "--issue", 7, stdin=text)

    assert (ran.code, ran.stdout) == (2, "")
    assert words in ran.stderr


def test_review_is_rendered_for_a_pull_request(cli: Cli) -> None:
    text = json.dumps(payload("review", decision("gh-1")))

    cli("records", "render", "-", "--issue", 7, stdin=text).assert_fault(2, "--pr")
    assert cli("records", "render", "-", "--pr", 9, stdin=text).code == 0


BAD_FILES = {
    "absent": (None, "No such file"),
    "not text": (b"\xff\xfe", "not UTF-8"),
    "no mapping": (b"- a\n", "not a mapping"),
    "bad json": (b'{"a": ', "line 1"),
    "bad yaml": (b"a: &b c\n", "line 1"),
    "too large": (b"a" * ((1 << 20) + 1), "more than"),
    "phase": (b"phase: dreams\n", "phase"),
}


@pytest.mark.parametrize(("data", "words"), BAD_FILES.values(), ids=BAD_FILES)
def test_payload_file_that_cannot_be_used(
    cli: Cli, tmp_path: Path, data: "bytes | None", words: str
) -> None:
    if data is not None:
        (tmp_path / "payload").write_bytes(data)

    cli("records", "render", tmp_path / "payload", "--issue", 7).assert_fault(2, words)


def test_mirror_that_differs(cli: Cli, tmp_path: Path) -> None:
    text = json.dumps(payload("design", decision(), decision("other-one")))
    body = cli("records", "render", "-", "--issue", 7, stdin=text).stdout
    changed = body.replace('choice**: "by digest"', 'choice**: "by name"', 1)
    (tmp_path / "body.md").write_text(changed.replace("- `other-one`", "- `another`"), "utf-8")

    ran = cli("records", "check", tmp_path / "body.md", "--json")

    assert ran.code == 2
    (result,) = ran.json
    assert result["status"] == "differs"
    assert (result["only_in_mirror"], result["only_in_payload"]) == (["another"], ["other-one"])
    assert result["differing"] == ["cache-key.engineer_choice"]
    shown = cli("records", "check", tmp_path / "body.md").stdout
    assert "differs: only in mirror: another; only in payload: other-one" in shown


def test_payload_that_cannot_be_compared(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("<!-- x -->\n```yaml\na: [\n```\n", "utf-8")
    (tmp_path / "two.md").write_text("<!-- x -->\n```yaml\n- a\n```\n", "utf-8")

    ran = cli("records", "check", tmp_path / "one.md", tmp_path / "two.md", "--json")

    assert (ran.code, [item["status"] for item in ran.json]) == (2, ["unreadable", "unreadable"])
    two = cli("records", "check", tmp_path / "one.md", tmp_path / "two.md", "--mirror", "x")
    two.assert_fault(64, "one FILE")


def test_rendered_record_as_json(cli: Cli) -> None:
    text = json.dumps(payload("design", decision()))
    answer = cli("records", "render", "-", "--issue", 7, "--json", stdin=text).json

    assert answer["marker"] == "<!-- engagement-record-design-7 -->"
    assert answer["body"] == cli("records", "render", "-", "--issue", 7, stdin=text).stdout


def test_mirror_that_is_getting_too_long(cli: Cli, tmp_path: Path) -> None:
    given = payload("design", decision(audit_rationale="word " * 6050))
    body = cli("records", "render", "-", "--issue", 7, stdin=json.dumps(given)).stdout
    (tmp_path / "body.md").write_text(body, "utf-8")

    ran = cli("records", "check", tmp_path / "body.md")

    assert (ran.code, "close to the size" in ran.stderr) == (0, True)


def test_payload_that_is_nested_without_end(cli: Cli) -> None:
    text = '{"a": ' + "[" * 100_000

    cli("records", "render", "-", "--issue", 7, stdin=text).assert_fault(2, "not a JSON value")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("resume --issue 9", "a pull request). Give --pr"),
        ("records read --issue 9", "a pull request). Give --pr"),
        ("markers list --pr 7", "an issue). Give --issue"),
    ],
)
def test_number_of_the_other_kind(
    cli: Cli, issue: Thread, pull_request: Thread, arguments: str, words: str
) -> None:
    for thread in (issue, pull_request):
        thread.post("talk")

    cli(*arguments.split()).assert_fault(2, words)


@pytest.mark.usefixtures("issue", "pull_request")
def test_number_of_the_other_kind_without_comments(cli: Cli) -> None:
    cli("resume", "--issue", 9).assert_fault(2, "a pull request). Give --pr")
    cli("markers", "list", "--pr", 7).assert_fault(2, "an issue). Give --issue")


def test_resume_names_what_only_looks_like_a_completion(cli: Cli, issue: Thread) -> None:
    stray = issue.post("The plan:\n\n" + completion(7, "plan-issue"))

    (warning,) = cli("resume", "--issue", 7, "--json").json["warnings"]
    assert (warning["code"], warning["where"]) == (
        "stray-marker",
        f"comment {stray.id} by octo-dev",
    )

    issue.post(completion(7, "plan-issue"))
    assert cli("resume", "--issue", 7, "--json").json["warnings"] == []


def test_planted_record_beyond_unicode_breaks_no_read(cli: Cli, issue: Thread) -> None:
    bad = record(7, "design", decision()).replace("by digest", r"\U00110000")
    issue.post(bad, "stranger")

    ran = cli("records", "read", "--issue", 7, "--any-author", "--json")

    assert (ran.code, ran.json["untrusted"][0]["problem"]["code"]) == (0, "bad-yaml")
