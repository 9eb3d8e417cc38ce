"""``session-memory markers`` and ``resume``: exit codes, output, and what is never printed."""

import json
import signal
import threading
from pathlib import Path

import pytest

from fake_github import Thread, World
from session_memory.core.system import WINDOWS
from session_memory.markers import write_lock
from session_memory.markers.families import FAMILIES
from session_memory.markers.family_table import markdown
from support import ROOT, Repository
from writer_support import (
    DESIGN,
    EVERY_GH,
    EXPERIENCE,
    METRICS,
    PLAN,
    Cli,
    credit_body,
    plan,
    record_body,
)

BODY = f"{PLAN}\n\nThe plan.\n"


def write(cli: Cli, body: str = BODY, *options: str, family: str = "plan-issue"):  # type: ignore[no-untyped-def]
    Path(".tmp").mkdir(exist_ok=True)
    Path(".tmp/b.md").write_text(body, "utf-8")
    target = () if "--pr" in options or "--issue" in options else ("--issue", "7")
    return cli("markers", "write", family, *target, "--body-file", ".tmp/b.md", *options)


@EVERY_GH
def test_a_write(cli: Cli, thread: Thread) -> None:
    ran = write(cli)
    (identity,) = thread.comments
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == (
        f"persist-marker (family=plan-issue): plan-issue: created comment {identity} "
        f"https://github.com/acme/widgets/issues/7#issuecomment-{identity}\n"
    )


def test_a_write_from_standard_input(cli: Cli, thread: Thread) -> None:
    ran = cli("markers", "write", "plan-issue", "--issue", 7, "--body-file", "-", stdin=BODY)
    assert (ran.code, thread.bodies) == (0, [BODY])


def test_a_write_as_json(cli: Cli, thread: Thread) -> None:
    thread.post(f"{PLAN}\n\nA")
    copy = thread.post(f"{PLAN}\n\nB")
    told = write(cli, BODY, "--json").json
    assert told["success"] is True
    assert (told["action"], told["retired"], told["marker"]) == ("updated", [copy.id], PLAN)
    assert told["url"].endswith(str(told["comment_id"]))


def test_metrics_go_to_the_description(cli: Cli, pull: Thread) -> None:
    ran = write(cli, METRICS, "--pr", "9", family="pipeline-metrics")
    assert ran.stdout.startswith("persist-marker (family=pipeline-metrics): pipeline-metrics: upd")
    assert "metrics_version: 4" in pull.body


def test_a_dry_run_writes_nothing(cli: Cli, thread: Thread, world: World) -> None:
    old = thread.post(f"{PLAN}\n\nOld.")
    copy = thread.post(f"{PLAN}\n\nB")
    ran = write(cli, BODY, "--dry-run")
    assert ran.stdout == (
        f"would patch comment {old.id} (plan-issue, issue/7)\nwould retire comment {copy.id}\n"
        f"--- comment {old.id}\n+++ as written\n@@ -1,3 +1,3 @@\n {PLAN}\n \n-Old.\n+The plan.\n"
    )
    told = write(cli, BODY, "--dry-run", "--json").json
    assert (told["would"], told["comment_id"], told["would_retire"]) == (
        "would patch", old.id, [copy.id],
    )  # fmt: skip
    assert not world.log("PATCH")


def test_a_dry_run_of_a_first_write_and_of_none(cli: Cli, thread: Thread) -> None:
    assert write(cli, BODY, "--dry-run").stdout.startswith("would post (plan-issue, issue/7)\n")
    thread.post(BODY)
    assert write(cli, BODY, "--dry-run").stdout.startswith("no-op comment ")


def test_a_dry_run_of_metrics(cli: Cli, pull: Thread) -> None:
    ran = write(cli, METRICS, "--pr", "9", "--dry-run", family="pipeline-metrics")
    assert "--- description of 9\n" in ran.stdout
    assert pull.body == "What it does.\r\n"


@pytest.mark.parametrize(
    ("body", "options", "code", "words"),
    [
        pytest.param("no marker", (), 2, "missing entirely", id="refused"),
        pytest.param(BODY, ("--pr", "9"), 2, "belongs on the issue", id="surface"),
        pytest.param(BODY, ("--issue", "8"), 2, "missing entirely", id="another number"),
        pytest.param(BODY, ("--issue", "7", "--pr", "9"), 64, "either --issue or --pr", id="both"),
        pytest.param(BODY, ("--issue", "0"), 64, "--issue", id="no number"),
        pytest.param(BODY, ("--phase", "plan"), 2, "needs a", id="a phase it has not"),
        pytest.param(BODY, ("--phase", "plan", "--port", "plan"), 64, "either", id="two parts"),
        pytest.param(BODY, ("--repo", "nonsense"), 2, "OWNER/NAME", id="repository"),
        pytest.param(BODY, ("--burst", ".tmp/m.json"), 64, "--burst goes with", id="burst"),
    ],
)
def test_how_a_write_is_refused(
    body: str, options: "tuple[str, ...]", code: int, words: str, cli: Cli
) -> None:
    write(cli, body, *options).assert_fault(code, "markers write: ", words)


def test_a_family_that_is_not_known(cli: Cli, thread: Thread) -> None:
    write(cli, family="plan-isue").assert_fault(2, "unknown marker family plan-isue", "plan-issue")


def test_what_is_missing_on_the_command_line(cli: Cli, thread: Thread) -> None:
    cli("markers", "write").assert_fault(64, "FAMILY and --body-file, or --burst")


@pytest.mark.parametrize(
    ("stdin", "words"), [("x" * 262_145, "more than"), ("\udce9", "not UTF-8")]
)
def test_what_standard_input_must_not_be(
    stdin: str, words: str, cli: Cli, thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = stdin.encode("utf-8", "surrogateescape")
    ran = cli("markers", "write", "plan-issue", "--issue", 7, "--body-file", "-", stdin=data)
    ran.assert_fault(2, words)


def test_a_file_outside_the_scratch_folder(cli: Cli, thread: Thread) -> None:
    ran = cli("markers", "write", "plan-issue", "--issue", 7, "--body-file", "README.md")
    ran.assert_fault(2, "README.md lies outside the scratch root .tmp")


def test_github_is_not_there(cli: Cli, thread: Thread, world: World) -> None:
    world.fault(r"GET .*comments\?", status=403, times=9)
    ran = write(cli)
    ran.assert_fault(3, "FAILED (plan-issue, issue/7)", "not allowed", "Nothing was written")
    told = write(cli, BODY, "--json")
    assert (told.code, told.json["success"], told.json["action"]) == (3, False, None)


def test_written_but_not_verified(cli: Cli, thread: Thread, world: World) -> None:
    old = thread.post(f"{PLAN}\n\nOld.")
    answer = json.dumps({"id": old.id, "body": "x"}).encode()
    world.fault("^PATCH ", status=200, content=answer, times=2)
    write(cli).assert_fault(4, "read-back mismatch")
    told = write(cli, BODY, "--json")
    assert (told.code, told.json["comment_id"]) == (4, old.id)


def test_written_and_not_finished(cli: Cli, thread: Thread, world: World) -> None:
    thread.post(f"{PLAN}\n\nA")
    copy = thread.post(f"{PLAN}\n\nB")
    world.fault(f"^PATCH .*/{copy.id}$", status=403)
    told = write(cli, BODY, "--json")
    assert (told.code, told.json["success"], told.json["action"]) == (4, False, "updated")


def test_another_writer_is_at_work(
    cli: Cli, thread: Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    (write_lock.folder() / "github.com+acme+widgets+7.lock").mkdir(parents=True)
    write(cli).assert_fault(3, "no lock can be made", "Nothing was written")


def burst(cli: Cli, *bodies: "tuple[str, str]", options: "tuple[str, ...]" = ()):  # type: ignore[no-untyped-def]
    Path(".tmp").mkdir(exist_ok=True)
    entries = []
    for number, (family, body) in enumerate(bodies):
        Path(f".tmp/{number}.md").write_text(body, "utf-8")
        marker = body.partition("\n")[0]
        entries.append({"family": family, "number": 7, "targetSurface": "issue",
                        "marker": marker, "bodyFile": f".tmp/{number}.md"})  # fmt: skip
    Path(".tmp/m.json").write_text(json.dumps(entries), "utf-8")
    return cli("markers", "write", "--burst", ".tmp/m.json", *options)


DESIGN_BURST = (
    ("design-phase-complete", f"{DESIGN}\n\nDesigned.\n"),
    ("engagement-record", record_body()),
    ("credit-input", credit_body()),
)


def test_a_burst(cli: Cli, thread: Thread) -> None:
    ran = burst(cli, *DESIGN_BURST)
    assert (ran.code, len(thread.bodies)) == (0, 3)
    assert ran.stdout == (
        "persist-marker (burst): success\n"
        "persist-marker (burst): artifacts -- entry-1=landed, entry-2=landed, entry-3=landed\n"
    )
    told = burst(cli, *DESIGN_BURST, options=("--json",)).json
    assert [outcome["action"] for outcome in told["outcomes"]] == ["no-op"] * 3


def test_a_dry_run_of_a_burst(cli: Cli, thread: Thread) -> None:
    ran = burst(cli, *DESIGN_BURST, options=("--dry-run",))
    assert ran.stdout.count("would post") == 3
    assert thread.bodies == []
    told = burst(cli, *DESIGN_BURST, options=("--dry-run", "--json")).json
    assert [entry["would"] for entry in told["entries"]] == ["would post"] * 3
    assert burst(cli, ("plan-issue", "x"), options=("--dry-run",)).code == 2
    refused = burst(cli, ("plan-issue", f"{PLAN}\n\n```"), options=("--dry-run", "--json"))
    assert (refused.code, refused.json["success"]) == (2, False)


def test_a_burst_that_halts(cli: Cli, thread: Thread, world: World) -> None:
    world.fault("^POST ")
    world.fault("^POST ", status=422)
    ran = burst(cli, *DESIGN_BURST)
    ran.assert_fault(5, "burst halted at entry 2 of 3", "entry-2=failed, entry-3=not-attempted")


def test_a_burst_that_is_refused(cli: Cli, thread: Thread) -> None:
    ran = burst(cli, *DESIGN_BURST[::-1])
    ran.assert_fault(2, "REFUSED (burst preflight", "entry-1=not-attempted")
    told = burst(cli, *DESIGN_BURST[::-1], options=("--json",))
    assert told.json["artifacts"]["entry-1"] == "not-attempted"
    assert thread.bodies == []


def test_a_burst_that_github_does_not_take(cli: Cli, thread: Thread, world: World) -> None:
    world.account("octo-dev", "read")
    burst(cli, *DESIGN_BURST).assert_fault(3, "not allowed")


def test_a_manifest_that_is_not_there(cli: Cli, thread: Thread) -> None:
    ran = cli("markers", "write", "--burst", ".tmp/none.json")
    ran.assert_fault(2, "persist-marker (burst): FAILED", "does not exist")


@EVERY_GH
def test_the_markers_of_a_conversation(cli: Cli, thread: Thread) -> None:
    first = thread.post(plan().body)
    thread.post("Talk.")
    thread.post(f"{EXPERIENCE}\n\nOne.", "colleague")
    thread.post(f"{EXPERIENCE}\n\nTwo.")
    forged = thread.post(f"{PLAN}\n\nForged.", "mallory")
    thread.post(f"{PLAN}\n\nCopy.")
    ran = cli("markers", "list", "--issue", 7)
    rows = [line.split() for line in ran.stdout.splitlines()[1:]]
    assert [(row[1], row[3], row[4]) for row in rows] == [
        ("plan-issue-7", "octo-dev:", "counts"),
        ("experience-owner-complete-7", "colleague:", "superseded"),
        ("experience-owner-complete-7", "octo-dev:", "counts"),
        ("plan-issue-7", "octo-dev:", "duplicate"),
    ]
    assert rows[0][0] == str(first.id)
    assert ran.stderr == "1 by other authors left out; --any-author shows them.\n"
    told = cli("markers", "list", "--issue", 7, "--family", "plan-issue", "--any-author", "--json")
    assert [(row["id"], row["state"], row["trusted"]) for row in told.json][1] == (
        forged.id, "untrusted", False,
    )  # fmt: skip
    assert "Forged" not in told.stdout


def test_no_markers(cli: Cli, thread: Thread) -> None:
    ran = cli("markers", "list", "--issue", 7)
    assert (ran.code, ran.stdout, ran.stderr) == (0, "", "No markers on issue 7.\n")
    cli("markers", "list", "--issue", 7, "--family", "nonsense").assert_fault(2, "unknown")
    cli("markers", "list", "--issue", 8).assert_fault(3, "not found")


def test_a_thousand_comments_of_friends_and_strangers(
    cli: Cli, thread: Thread, world: World
) -> None:
    for number in range(1_000):
        if number % 10 in (3, 6, 9):
            forged = number % 20 == 3
            thread.post(f"{PLAN}\n\nForged." if forged else "A word.", f"stranger-{number}")
        elif number in (250, 990):
            thread.post(f"{DESIGN}\n\nDesign {number}.")
        elif number == 555:
            thread.post(plan().body)
        else:
            thread.post(f"Comment {number}\n```\n{PLAN}\n```")
    told = cli("markers", "list", "--issue", 7, "--json").json
    assert [(row["family"], row["state"]) for row in told] == [
        ("design-phase-complete", "superseded"),
        ("plan-issue", "counts"),
        ("design-phase-complete", "counts"),
    ]
    assert len(world.requests) <= 11
    world.requests.clear()
    shown = cli("markers", "show", "plan-issue", "--issue", 7)
    assert shown.stdout.splitlines() == BODY.splitlines()
    assert len(world.requests) <= 11


def test_the_text_that_counts(cli: Cli, thread: Thread) -> None:
    thread.post(record_body())
    thread.post(record_body() + "\nBut: \u202e", "colleague")
    ran = cli("markers", "show", "engagement-record", "--issue", 7, "--phase", "design")
    assert ran.stdout.endswith("But: \\u202e\n")
    told = cli(
        "markers", "show", "engagement-record", "--issue", 7, "--phase", "design", "--json"
    ).json
    assert told["author"] == "colleague"
    assert told["payload"].startswith("schema_version: 4\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("plan-issue", "--issue", "7"), "no comment of issue 7 counts as plan-issue-7"),
        (("nonsense", "--issue", "7"), "unknown marker family"),
        (("pipeline-metrics", "--issue", "7"), "give --pr"),
    ],
)
def test_nothing_to_show(
    arguments: "tuple[str, ...]", words: str, cli: Cli, thread: Thread, pull: Thread
) -> None:
    cli("markers", "show", *arguments).assert_fault(2, words)


def test_a_forged_text_is_not_shown(cli: Cli, thread: Thread) -> None:
    thread.post(f"{PLAN}\n\nForged.", "mallory")
    ran = cli("markers", "show", "plan-issue", "--issue", 7)
    assert (ran.code, ran.stdout) == (2, "")
    assert "by mallory" in ran.stderr
    assert "Forged" not in ran.stderr


@EVERY_GH
def test_how_far_an_issue_is(cli: Cli, thread: Thread) -> None:
    done = thread.post(f"{EXPERIENCE}\n\nDone.")
    thread.post(record_body("experience"))
    thread.post(f"{DESIGN}\n\nForged.", "mallory")
    ran = cli("resume", "--issue", 7)
    first, second, *_, last = ran.stdout.splitlines()
    by = f"comment {done.id} by octo-dev of {done.created_at}"
    assert first == f"experience     complete, {by}; missing: credit-input-experience-7"
    lacking = "design-phase-complete-7, engagement-record-design-7, credit-input-design-7"
    assert second == f"design         not complete; missing: {lacking}"
    assert last == "next: design"
    assert "by mallory" in ran.stderr
    told = cli("resume", "--issue", 7, "--json").json
    assert (told["next"], told["phases"][0]["comment"]["id"]) == ("design", done.id)
    assert told["phases"][1]["missing"][0] == DESIGN


def test_every_phase_is_complete(cli: Cli, thread: Thread) -> None:
    for body in (f"{EXPERIENCE}\n", f"{DESIGN}\n", f"{PLAN}\n", record_body("orchestration")):
        thread.post(body)
    assert cli("resume", "--issue", 7).stdout.endswith("next: nothing, every phase is complete\n")


def test_the_families(cli: Cli) -> None:
    assert cli("markers", "families", "--markdown").stdout == markdown() + "\n"
    told = cli("markers", "families", "--json").json
    assert [row["family"] for row in told] == list(FAMILIES)
    assert "<!-- plan-issue-{ID} -->" in cli("markers", "families").stdout
    cli("markers", "families", "--json", "--markdown").assert_fault(64, "either")


def test_the_documentation_lists_every_family() -> None:
    text = (ROOT / "docs" / "markers.md").read_text("utf-8")
    _, _, rest = text.partition("<!-- families:begin -->\n\n")
    assert rest.partition("\n\n<!-- families:end -->")[0] == markdown()


def test_nothing_is_left_in_the_work_tree(cli: Cli, thread: Thread, clone: Repository) -> None:
    clone.write(".gitignore", ".tmp/\n")
    clone.commit("ignore")
    write(cli)
    assert clone.status() == ""


@pytest.mark.skipif(WINDOWS, reason="no signals to a thread")
def test_a_burst_that_is_interrupted(cli: Cli, thread: Thread, world: World) -> None:
    main_thread = threading.main_thread().ident or 0

    def interrupt() -> None:
        signal.pthread_kill(main_thread, signal.SIGINT)

    world.fault("^POST ")
    world.fault("^POST ", first=interrupt, delay_s=0.2, status=502)

    ran = burst(cli, *DESIGN_BURST)

    assert (ran.code, ran.stdout) == (130, "")
    assert "entry-1=landed, entry-2=unknown, entry-3=not-attempted. Run this again" in ran.stderr
    assert burst(cli, *DESIGN_BURST).code == 0
    assert thread.bodies == [body for _, body in DESIGN_BURST]
