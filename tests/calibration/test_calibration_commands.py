"""``calibration show``, ``events`` and ``write-entry``: without GitHub."""

import json
import os
from typing import Any

import pytest

from calibration_support import NAME, Cli, entry, event, finding, numbers, read
from command_line import run
from support import Repository


def write(local: Cli, given: object, *options: object) -> Any:
    return local(
        "calibration", "write-entry", "--body-file", "-", *options, stdin=json.dumps(given)
    )


def test_an_entry_is_written_and_shown(local: Cli, clone: Repository) -> None:
    done = write(local, {"created_at": "2026-03-20", "findings": [finding()]}, "--pr", 5)
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout == f"wrote #5 with 1 finding to {clone.root / NAME}\n"
    shown = local("calibration", "show", "--pr", 5)
    assert json.loads(shown.stdout) == read(clone)["entries"][0]
    assert "entries               1, with 1 finding\n" in local("calibration", "show").stdout


def test_from_a_folder_below_the_file_is_the_same(
    local: Cli, clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = clone.root / "src"
    below.mkdir()
    monkeypatch.chdir(below)
    assert write(local, entry()).code == 0
    assert numbers(clone) == [5]


def test_json_of_a_write(local: Cli, clone: Repository) -> None:
    answer = write(local, entry(), "--json").json
    assert answer == {
        "path": str(clone.root / NAME),
        "written": True,
        "set_aside": "",
        "entries": [entry()],
        "events": [],
        "re_activated": [],
    }


def test_a_dry_run_writes_nothing(local: Cli, clone: Repository) -> None:
    done = write(local, entry(), "--dry-run")
    assert done.stdout.startswith("would write #5 with 1 finding")
    assert not (clone.root / ".copilot-tracking").exists()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param('{"pr_number": 5', "-: not JSON", id="torn"),
        pytest.param("[]", "-: not a JSON object", id="list"),
        pytest.param('{"pr_number": 5, "pr_number": 6}', "key pr_number twice", id="twice"),
        pytest.param('{"pr_number": 5, "created_at": NaN}', "NaN", id="nan"),
        pytest.param(
            json.dumps(entry(5, {"id": "F1"})),
            "-: the entry of #5: findings[0].category: is missing; findings[0].judge_ruling: is",
            id="field",
        ),
        pytest.param(
            json.dumps(entry(5, *[{}] * 9)), "findings[1].category: is missing; and 22 more",
            id="many fields",
        ),
        pytest.param("{" * 50, "not JSON", id="opened"),
        pytest.param('{"a":' * 50 + "1" + "}" * 50, "nested deeper than 32", id="deep"),
    ],
)  # fmt: skip
def test_what_is_refused_is_named(given: str, words: str, local: Cli, clone: Repository) -> None:
    done = local("calibration", "write-entry", "--body-file", "-", stdin=given)
    done.assert_fault(2, words, "Nothing was written")
    assert not (clone.root / ".copilot-tracking").exists()


def test_the_option_and_the_entry_must_agree(local: Cli, clone: Repository) -> None:
    write(local, entry(5), "--pr", 6).assert_fault(2, "the entry is of #5, and --pr of #6")
    write(local, {**entry(), "pr_number": "5"}, "--pr", 5).assert_fault(2, "pr_number: is a text")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--pr", "5", "--event-file", "-"],
        ["--snapshot-file", "-", "--event-file", "x"],
        ["--body-file", "-", "--event-file", "-"],
    ],
    ids=" ".join,
)
def test_usage(arguments: list[str], local: Cli) -> None:
    local("calibration", "write-entry", *arguments).assert_fault(64, "write-entry --help")


def test_a_corrupt_file_is_left_or_set_aside(local: Cli, clone: Repository) -> None:
    path = clone.write(NAME, "{")
    write(local, entry()).assert_fault(2, str(path), "left as it is", "--set-aside")
    assert path.read_text() == "{"
    dry = write(local, entry(), "--set-aside", "--dry-run")
    assert (dry.code, path.read_text()) == (0, "{")
    done = write(local, entry(), "--set-aside")
    assert "it is kept as" in done.stderr
    assert numbers(clone) == [5]


@pytest.mark.parametrize("command", ["show", "events"])
def test_reading_a_corrupt_file_fails(command: str, local: Cli, clone: Repository) -> None:
    clone.write(NAME, '{"entries": 1}')
    local("calibration", command).assert_fault(2, "entries: is an integer, not a list")


def test_events(local: Cli, clone: Repository) -> None:
    assert local("calibration", "events").stdout == "no re-activation events\n"
    for start, end in ((5, 10), (1, 3)):
        given = json.dumps(event("secu\x1b[31mrity", start, end))
        done = local("calibration", "write-entry", "--event-file", "-", stdin=given)
        assert done.stdout.startswith("wrote the event: secu\\x1b[31mrity in full until")
    write(local, entry(7))
    listed = local("calibration", "events").stdout.splitlines()
    assert listed == [
        "secu\\x1b[31mrity  #5 to #10  code_prosecution  holds",
        "secu\\x1b[31mrity  #1 to #3  code_prosecution  expired",
    ]
    answer = local("calibration", "events", "--json", "--at-pr", 10).json
    assert (answer["at_pr"], [one["active"] for one in answer["events"]]) == (10, [False, False])


def test_an_event_without_an_end_does_not_count(local: Cli, clone: Repository) -> None:
    clone.write(NAME, '{"re_activation_events": [{"category": "pattern", "expires_at_pr": "x"}]}')
    assert local("calibration", "events").stdout.endswith("names no end, and does not count\n")
    (found,) = local("calibration", "events", "--json").json["events"]
    assert found["active"] is False


def test_a_faulty_event_is_refused(local: Cli) -> None:
    given = json.dumps(event(start=5, end=5))
    done = local("calibration", "write-entry", "--event-file", "-", stdin=given)
    done.assert_fault(2, "the event: event.expires_at_pr: does not come after triggered_at_pr")


def test_sustained_findings_re_activate_what_was_not_looked_at(
    local: Cli, clone: Repository
) -> None:
    snapshot = clone.write("snapshot.json", '{"depths": {"security": "skip", "pattern": "light"}}')
    given = entry(5, finding(), finding("pattern", "rejected"))
    answer = write(local, given, "--snapshot-file", snapshot, "--json").json
    (found,) = answer["re_activated"]
    assert {**found, "created_at": ""} == {**event("security", 5, 10), "created_at": ""}
    assert read(clone)["re_activation_events"] == [found]


@pytest.mark.parametrize("text", ["{}", '{"depths": {"security": "deep"}}'])
def test_what_is_no_snapshot(text: str, local: Cli, clone: Repository) -> None:
    snapshot = clone.write("snapshot.json", text)
    done = write(local, entry(), "--snapshot-file", snapshot)
    done.assert_fault(2, "not what calibration snapshot --json prints")


def test_show_where_there_is_nothing(local: Cli, clone: Repository) -> None:
    assert local("calibration", "show").stdout == f"no calibration data in {clone.root / NAME}\n"
    answer = local("calibration", "show", "--json").json
    assert (answer["exists"], answer["data"]) == (False, None)
    write(local, entry())
    assert local("calibration", "show", "--pr", 9).stdout == "no entry of pull request 9\n"
    assert local("calibration", "show", "--pr", 9, "--json").json["data"]["entries"] == []


def test_show_names_faulty_entries(local: Cli, clone: Repository) -> None:
    clone.write(NAME, json.dumps({"entries": [entry(), {"pr_number": True}]}))
    done = local("calibration", "show")
    assert "warning: entries[1].pr_number: is a truth value, not an integer" in done.stderr
    answer = local("calibration", "show", "--json").json
    assert [problem["where"] for problem in answer["problems"]] == ["entries[1].pr_number"]


def test_a_later_version_is_refused(local: Cli, clone: Repository) -> None:
    path = clone.write(NAME, '{"calibration_version": 2}')
    done = write(local, entry(), "--set-aside")
    done.assert_fault(2, f"{path}: calibration_version: is not 1. It is left as it is.")


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_link_is_refused(local: Cli, clone: Repository) -> None:
    (clone.root / ".copilot-tracking").symlink_to(clone.root.parent)
    for command in (["show"], ["events"]):
        local("calibration", *command).assert_fault(2, ".copilot-tracking is a link or no folder")
    write(local, entry()).assert_fault(2, ".copilot-tracking is a link or no folder")


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_a_link_to_a_file_is_refused(local: Cli, clone: Repository) -> None:
    path = clone.write(NAME, "{}")
    path.rename(clone.root / "elsewhere.json")
    path.symlink_to(clone.root / "elsewhere.json")
    local("calibration", "show").assert_fault(2, f"{path}: it is a link or no plain file")
    write(local, entry()).assert_fault(2, f"{path}: it is a link or no plain file")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_read_only_folder_is_told_with_its_path(local: Cli, clone: Repository) -> None:
    path = clone.write(NAME, "{}")
    path.parent.chmod(0o500)
    done = write(local, entry())
    path.parent.chmod(0o700)
    done.assert_fault(3, f"Permission denied: {path}")


def test_outside_a_repository(tmp_path: Any) -> None:
    lonely = tmp_path / "lonely"
    lonely.mkdir()
    done = run("calibration", "show", cwd=lonely)
    done.assert_fault(2, "no git repository")


def test_a_linked_worktree_has_its_own_file(
    local: Cli, clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.git("worktree", "add", "--quiet", "../linked")
    linked = Repository(clone.root.parent / "linked")
    monkeypatch.chdir(linked.root)
    write(local, entry())
    assert numbers(linked) == [5]
    assert not (clone.root / NAME).exists()
