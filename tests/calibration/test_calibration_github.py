"""``calibration rebuild``, ``aggregate`` and ``snapshot`` in front of a fake GitHub."""

import json
from pathlib import Path
from typing import Any

import pytest

from calibration_support import (
    CREATED,
    NAME,
    SUMMARY,
    Cli,
    entry,
    event,
    finding,
    merge,
    metrics,
    numbers,
    read,
)
from fake_github import World
from support import Repository

OLD = "2026-01-01T00:00:00Z"


def rebuild(cli: Cli, *options: str) -> Any:
    return cli("calibration", "rebuild", "--json", *options)


def rejected(count: int) -> list[dict[str, Any]]:
    return [finding("pattern", "defense-sustained", id=f"F{n}") for n in range(count)]


def test_entries_come_from_merged_pull_requests(cli: Cli, world: World, clone: Repository) -> None:
    merge(
        world,
        3,
        metrics(finding(points=5), extra="pass_1_findings: 1\npass_2_findings: n/a\n"),
        CREATED,
    )
    merge(world, 2, metrics(finding("pattern", express_lane="true"), version=3), OLD)
    merge(world, 4, "no metrics")
    merge(world, 5, metrics())
    world.repository().open(body=metrics(finding()), number=6, pull_request=True)
    world.repository().open(body=metrics(finding()), number=7, pull_request=True).state = "closed"
    world.repository().open(body=metrics(finding()), number=8)

    answer = rebuild(cli).json

    assert (answer["added"], answer["problems"]) == ([2, 3], [])
    assert (answer["merged_pull_requests"], answer["with_metrics"]) == (4, 3)
    assert numbers(clone) == [2, 3]
    summary = {**SUMMARY, "pass_findings": {"1": 1}}
    assert read(clone)["entries"][1] == entry(3, finding(points=5), summary=summary)
    assert clone.status() == ""


def test_a_second_run_changes_nothing(cli: Cli, world: World, clone: Repository) -> None:
    merge(world, 3, metrics(finding()))
    rebuild(cli)
    before = (clone.root / NAME).stat()
    done = cli("calibration", "rebuild")
    assert done.stdout.endswith("is up to date: 1 unchanged\n")
    after = (clone.root / NAME).stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def test_all_pages_are_read(cli: Cli, world: World, clone: Repository) -> None:
    for number in range(1, 251):
        merge(world, number, metrics(finding()))
    assert rebuild(cli).json["merged_pull_requests"] == 250
    assert len(numbers(clone)) == 250
    assert len([line for line in world.log() if "/pulls?" in line]) == 3


def test_progress_is_told_on_a_terminal(
    cli: Cli, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 102):
        merge(world, number, "")
    assert rebuild(cli).stderr == ""
    told: list[str] = []
    monkeypatch.setattr("session_memory.cli.reading.progress", lambda: told.append)
    rebuild(cli)
    assert told == ["listing pull requests of acme/widgets, page 2"]


BROKEN = [
    pytest.param("<!-- pipeline-metrics\nmetrics_version: 4\nno colon\n-->",
                 "pipeline-metrics cannot be read: line-without-colon", id="line"),
    pytest.param("<!-- pipeline-metrics\nmetrics_version: 4\n", "unterminated-block", id="open"),
    pytest.param(metrics() + metrics(), "more-than-one-block", id="two"),
    pytest.param(metrics({"id": "F1", "category": "security"}),
                 "findings[0].judge_ruling: is missing", id="field"),
    pytest.param(metrics(finding("")), "findings[0].category: is missing", id="blank"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "words"), BROKEN)
def test_broken_metrics_are_named_and_break_nothing(
    body: str, words: str, cli: Cli, world: World, clone: Repository
) -> None:
    merge(world, 3, body)
    merge(world, 4, metrics(finding()))
    done = cli("calibration", "rebuild")
    assert done.code == 0
    assert "warning: pull request 3: " in done.stderr
    assert words in done.stderr
    assert numbers(clone) == [4]


def test_a_strangers_metrics_do_not_count(cli: Cli, world: World, clone: Repository) -> None:
    merge(world, 3, metrics(finding()), author="stranger")
    answer = rebuild(cli).json
    assert [problem["code"] for problem in answer["problems"]] == ["untrusted-author"]
    assert not (clone.root / NAME).exists()
    assert rebuild(cli, "--any-author").json["added"] == [3]


def test_what_the_cache_knows_is_kept(cli: Cli, world: World, clone: Repository) -> None:
    fresh = entry(4, finding(), created_at="2026-04-01")
    given = {
        "entries": [entry(3, finding("pattern"), note="keep"), fresh, entry(9)],
        "prosecution_depth_override": "full",
        "proposals_emitted": [{"pattern_key": "x"}],
    }
    clone.write(NAME, json.dumps(given))
    merge(world, 3, metrics(finding()), CREATED)
    merge(world, 4, metrics(finding("pattern")), CREATED)

    answer = rebuild(cli).json

    assert (answer["updated"], answer["kept_as_fresher"]) == ([3], [4])
    assert numbers(clone) == [4, 9, 3]
    after = read(clone)
    assert (after["entries"][0], after["entries"][2]) == (fresh, entry(3, note="keep"))
    assert after["proposals_emitted"] == given["proposals_emitted"]


def test_re_activations_are_restored_while_they_hold(
    cli: Cli, world: World, clone: Repository
) -> None:
    depths = "prosecution_depth_light: [security, 'pattern']  # looked at lightly\n"
    merge(world, 1, metrics(finding(), extra=depths))
    merge(world, 8, metrics(finding(), extra=depths), CREATED)
    rebuild(cli)
    assert read(clone)["re_activation_events"] == [
        {**event("security", 8, 13), "created_at": CREATED}
    ]
    assert rebuild(cli).json["events_added"] == []


def test_a_rebuild_passes_over_odd_members(cli: Cli, world: World, clone: Repository) -> None:
    odd = {"entries": ["odd", {"pr_number": True}], "re_activation_events": ["odd"]}
    clone.write(NAME, json.dumps(odd))
    merge(world, 3, metrics(finding()), CREATED)
    rebuild(cli)
    assert read(clone)["entries"][:2] == odd["entries"]
    assert read(clone)["re_activation_events"] == ["odd"]


def test_a_corrupt_file_is_set_aside_by_a_rebuild(
    cli: Cli, world: World, clone: Repository
) -> None:
    clone.write(NAME, "{")
    merge(world, 3, metrics(finding()))
    dry = rebuild(cli, "--dry-run")
    assert (dry.json["written"], (clone.root / NAME).read_text()) == (False, "{")
    done = rebuild(cli)
    assert "warning: the file was no calibration data" in done.stderr
    assert Path(done.json["set_aside"]).read_text() == "{"
    assert numbers(clone) == [3]


def test_a_dry_rebuild_tells_what_it_would_do(cli: Cli, world: World, clone: Repository) -> None:
    merge(world, 3, metrics(finding()))
    done = cli("calibration", "rebuild", "--dry-run")
    assert done.stdout == (
        "read 1 merged pull request, 1 with metrics\n"
        f"would write {clone.root / NAME}: 1 added\n"
    )  # fmt: skip
    assert not (clone.root / ".copilot-tracking").exists()


@pytest.mark.parametrize("command", ["rebuild", "aggregate"])
def test_a_failing_page_fails_the_command(
    command: str, cli: Cli, world: World, clone: Repository
) -> None:
    for number in range(1, 102):
        merge(world, number, metrics(finding()))
    world.fault("page=2", status=403)
    done = cli("calibration", command)
    done.assert_fault(3, "listing pull requests of acme/widgets, page 2: not allowed")
    assert not (clone.root / NAME).exists()


@pytest.mark.parametrize(
    ("page", "words"),
    [
        pytest.param([{"id": 1, "merged_at": OLD}], "without a number", id="number"),
        pytest.param([{"id": 1, "number": 1, "merged_at": "soon"}], "at no time", id="time"),
        pytest.param({}, "not a list", id="object"),
    ],
)
def test_answers_that_make_no_sense(page: object, words: str, cli: Cli, world: World) -> None:
    world.fault("pulls", status=200, content=json.dumps(page).encode())
    cli("calibration", "rebuild").assert_fault(3, words)


def test_an_aggregate_without_a_file_makes_none(cli: Cli, world: World, clone: Repository) -> None:
    for number in range(1, 11):
        merge(world, number, metrics(*rejected(4)))
    done = cli("calibration", "aggregate")
    assert (done.code, done.stderr) == (0, "")
    first, *lines = done.stdout.splitlines()
    assert first == "10 reviews of 10 merged pull requests, 10.0 effective (github)"
    assert "skip   pattern" in done.stdout
    assert len(lines) == 7
    assert not (clone.root / ".copilot-tracking").exists()


def test_an_aggregate_keeps_its_state(cli: Cli, world: World, clone: Repository) -> None:
    for number in range(1, 11):
        merge(world, number, metrics(*rejected(4), finding("security", systemic_fix_type="skill")))
    rebuild(cli)
    report = clone.write("report.json", '{"agents_over_ceiling": ["A.agent.md"]}')
    options = ("--complexity", report, "--threshold", 1)
    dry = cli("calibration", "aggregate", "--dry-run", *options)
    assert "prosecution_depth_state" not in read(clone)
    done = cli("calibration", "aggregate", *options)
    assert dry.stdout.endswith(f"would write the state to {clone.root / NAME}\n")
    assert done.stdout == dry.stdout.replace("would write", "wrote")
    assert "proposed: skill:security, found in #1, #2, #3" in done.stdout
    assert "over the ceiling for 1 run in a row: A.agent.md" in done.stdout
    state = read(clone)
    assert list(state["prosecution_depth_state"]) == ["pattern"]
    assert [one["pattern_key"] for one in state["proposals_emitted"]] == ["skill:security"]
    report.write_text("{}")
    assert (
        "no longer over the ceiling: A.agent.md\n"
        in cli("calibration", "aggregate", "--dry-run", *options).stdout
    )
    report.write_text('{"agents_over_ceiling": ["a.AGENT.md"]}')
    again = cli("calibration", "aggregate", "--json", *options).json
    assert (again["written"], again["proposals_added"]) == (False, [])


def test_an_aggregate_of_silent_descriptions_uses_the_cache(
    cli: Cli, world: World, clone: Repository
) -> None:
    for number in range(1, 8):
        merge(world, number, "silent")
    clone.write(NAME, json.dumps({"entries": [entry(number) for number in range(1, 9)]}))
    answer = cli("calibration", "aggregate", "--json").json
    assert (answer["data_source"], answer["reviews"]) == ("merged", 7)


def test_a_branch_cannot_bring_entries_of_its_own(
    cli: Cli, world: World, clone: Repository
) -> None:
    for number in range(1, 11):
        merge(world, number, "silent")
    entries = [entry(number, *rejected(4)) for number in range(1, 11)]
    clone.write(NAME, json.dumps({"entries": entries}))
    assert cli("calibration", "snapshot", "--json").json["depths"]["pattern"] == "skip"
    clone.commit("bring a cache")
    done = cli("calibration", "snapshot", "--json")
    assert (set(done.json["depths"].values())) == {"full"}
    assert "it is committed" in done.stderr
    answer = cli("calibration", "aggregate", "--json").json
    assert (answer["data_source"], answer["reviews"]) == ("github", 0)
    assert read(clone)["entries"] == entries


def test_an_aggregate_passes_over_a_corrupt_file(cli: Cli, world: World, clone: Repository) -> None:
    clone.write(NAME, "{")
    merge(world, 1, metrics(finding()))
    done = cli("calibration", "aggregate")
    assert done.code == 0
    assert "not JSON" in done.stderr
    assert "(github)\ntoo little to go by: only 1.0 of 5 effective reviews\n" in done.stdout
    assert (clone.root / NAME).read_text() == "{"


@pytest.mark.parametrize("text", ['{"agents_over_ceiling": "A"}', '{"agents_over_ceiling": [1]}'])
def test_a_faulty_complexity_report(text: str, cli: Cli, clone: Repository) -> None:
    report = clone.write("report.json", text)
    done = cli("calibration", "aggregate", "--complexity", report)
    done.assert_fault(2, "agents_over_ceiling: is not a list of texts")


def test_a_snapshot_is_ready_for_a_description(cli: Cli, world: World, clone: Repository) -> None:
    for number in range(1, 11):
        merge(world, number, metrics(*rejected(4)))
    done = cli("calibration", "snapshot")
    assert (done.code, done.stderr) == (0, "")
    assert "skip   pattern\n" in done.stdout
    assert done.stdout.endswith(
        "\nprosecution_depth_light: []\nprosecution_depth_skip: [pattern]\n"
        "prosecution_depth_override: false\nprosecution_depth_reactivations: 0\n"
    )
    answer = cli("calibration", "snapshot", "--json").json
    assert answer["excluded"]["pass_1"] == ["pattern"]
    assert answer["reason"] == ""
    assert not (clone.root / ".copilot-tracking").exists()


def test_a_snapshot_of_an_aggregate(cli: Cli, world: World, clone: Repository) -> None:
    for number in range(1, 11):
        merge(world, number, metrics(*rejected(4)))
    clone.write(NAME, json.dumps({"entries": [], "prosecution_depth_override": "Full"}))
    printed = clone.write("aggregate.json", cli("calibration", "aggregate", "--json").stdout)
    asked = len(world.log())
    answer = cli("calibration", "snapshot", "--aggregate", printed, "--json").json
    assert set(answer["depths"].values()) == {"full"}
    assert answer["metrics"]["prosecution_depth_override"] is True
    assert len(world.log()) == asked


def test_too_little_evidence_means_full_depth(cli: Cli, world: World) -> None:
    merge(world, 1, metrics(finding()))
    done = cli("calibration", "snapshot")
    assert done.code == 0
    assert done.stderr == "note: every category in full: only 1.0 of 5 effective reviews\n"


def test_whatever_fails_means_full_depth(cli: Cli, world: World, clone: Repository) -> None:
    world.fault("pulls", status=404)
    answer = cli("calibration", "snapshot", "--json")
    assert (answer.code, set(answer.json["depths"].values())) == (0, {"full"})
    assert "not found" in answer.json["reason"]
    clone.write(NAME, "{")
    assert "not JSON" in cli("calibration", "snapshot", "--json").json["reason"]
    for given in ("absent.json", NAME):
        assert (
            given in cli("calibration", "snapshot", "--aggregate", given, "--json").json["reason"]
        )
