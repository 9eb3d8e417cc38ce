"""What a new text takes over from the one that it replaces."""

import pytest

from fake_github import Thread, World
from session_memory.markers.families import marker
from session_memory.markers.outcome import NotDelivered, Refused
from session_memory.markers.preserve import preserve
from session_memory.markers.writer import Writer
from writer_support import DESIGN, PLAN, issue, plan

OWN = marker("plan-issue", 7)
NEW = f"{PLAN}\n\nNew.\n"
STRESS = "**Plan Stress-Test**\n\nPassed."
POINTER = "<!-- phase-containment-ledger-ref: 500 -->"
PAIR = "<!-- phase-containment-7 -->\na: b\n<!-- /phase-containment-7 -->"
RULINGS = "<!-- judge-rulings\n- finding_id: F1\n-->"
SPINE = "<!-- frame-spine\nspine_schema_version: 1\ngenerated_at: 2026-01-01T00:00:00Z\n-->"
WITH_ID = SPINE.replace("Z\n", "Z\nslice_comment_id: 501\n")
# The other lawful form: the head is a comment by itself.
SPLIT, SPLIT_WITH_ID = (text.replace("spine\n", "spine -->\n") for text in (SPINE, WITH_ID))
UNDATED = "<!-- frame-spine\nspine_schema_version: 1\n-->"
UNDATED_WITH_ID = UNDATED.replace("spine\n", "spine\nslice_comment_id: 501\n")
FENCE = "```yaml\nfinding_dispositions:\n  schema_version: 1\n  passes_run: [1]\n  entries: []\n```"


def kept(body: str, existing: str, *, sibling: bool = True) -> tuple[str, tuple[str, ...]]:
    found = preserve(OWN, body, existing, lambda identity, literal: sibling)
    return found.body, found.kept


@pytest.mark.parametrize(
    ("body", "existing", "expected", "names"),
    [
        pytest.param(NEW, NEW, NEW, (), id="nothing to keep"),
        pytest.param(
            NEW, f"{PLAN}\n\n{STRESS}\n\n## Next\n", f"{NEW}\n{STRESS}\n", ("Plan Stress-Test",),
            id="stress test up to a heading",
        ),
        pytest.param(
            NEW, f"{PLAN}\n\n{STRESS}\n**Risks**\n", f"{NEW}\n{STRESS}\n", ("Plan Stress-Test",),
            id="stress test up to a bold line",
        ),
        pytest.param(
            f"{NEW}\n{STRESS} Again.", f"{PLAN}\n\n{STRESS}", f"{NEW}\n{STRESS} Again.", (),
            id="a new stress test",
        ),
        pytest.param(
            NEW, f"{PLAN}\n\n{POINTER}\n", f"{PLAN}\n\n{POINTER}\n\nNew.\n",
            ("phase-containment-ledger-ref pointer",), id="pointer",
        ),
        pytest.param(
            NEW, f"{PLAN}\r\n\r\n{POINTER}\r\n", f"{PLAN}\n\n{POINTER}\n\nNew.\n",
            ("phase-containment-ledger-ref pointer",), id="pointer of a CRLF body",
        ),
        pytest.param(
            NEW, f"{PLAN}\n\n{RULINGS}\n\n{PAIR}\n", f"{NEW}\n{RULINGS}\n\n{PAIR}\n",
            ("judge-rulings", "phase-containment"), id="blocks of a plan without a ledger",
        ),
        pytest.param(
            f"{PLAN}\n\n{SPINE}\n", f"{PLAN}\n\n{WITH_ID}\n", f"{PLAN}\n\n{WITH_ID}\n",
            ("slice_comment_id (frame-spine)",), id="slices",
        ),
        pytest.param(
            f"{PLAN}\n\n{SPLIT}\n", f"{PLAN}\n\n{WITH_ID}\n", f"{PLAN}\n\n{SPLIT_WITH_ID}\n",
            ("slice_comment_id (frame-spine)",), id="slices of a spine below its head",
        ),
        pytest.param(
            f"{PLAN}\n\n{SPINE}\n", f"{PLAN}\n\n{SPLIT_WITH_ID}\n", f"{PLAN}\n\n{WITH_ID}\n",
            ("slice_comment_id (frame-spine)",), id="slices from a spine below its head",
        ),
        pytest.param(
            f"{PLAN}\n\n{WITH_ID.replace(' 501', '')}\n", f"{PLAN}\n\n{WITH_ID}\n",
            f"{PLAN}\n\n{WITH_ID}\n", ("slice_comment_id (frame-spine)",), id="slices left blank",
        ),
        pytest.param(
            f"{PLAN}\n\n{UNDATED}\n", f"{PLAN}\n\n{WITH_ID}\n",
            f"{PLAN}\n\n{UNDATED_WITH_ID}\n", ("slice_comment_id (frame-spine)",),
            id="slices of a spine without a date",
        ),
        pytest.param(
            f"{PLAN}\n\n{SPINE}\n{SPINE}\n", f"{PLAN}\n\n{WITH_ID}\n",
            f"{PLAN}\n\n{SPINE}\n{SPINE}\n", (), id="two spines",
        ),
        pytest.param(NEW, f"{PLAN}\n\n{WITH_ID}\n", NEW, (), id="no spine, no slices"),
    ],
)  # fmt: skip
def test_what_a_plan_keeps(
    body: str, existing: str, expected: str, names: "tuple[str, ...]"
) -> None:
    # Blank lines at the seams do not matter to anybody.
    text, found = kept(body, existing)
    assert (text.replace("\n\n\n", "\n\n"), found) == (expected.replace("\n\n\n", "\n\n"), names)
    assert kept(text, existing) == (text, ())


def test_references_to_nothing_are_dropped() -> None:
    assert kept(NEW, f"{PLAN}\n\n{POINTER}\n", sibling=False) == (NEW, ())
    body = f"{PLAN}\n\n{SPINE}\n"
    assert kept(body, f"{PLAN}\n\n{WITH_ID}\n", sibling=False) == (body, ())


@pytest.mark.parametrize(
    "body",
    [
        f"{PLAN}\n\n{POINTER}\n",
        f"{PLAN}\n\n{WITH_ID}\n",
        f"{PLAN}\n\n{WITH_ID.replace('501', 'abc')}\n",
    ],
)
def test_a_forged_reference_is_refused_on_the_first_write_too(
    body: str, writer: Writer, thread: Thread
) -> None:
    with pytest.raises(Refused, match="forged or stale"):
        writer.write(issue("plan-issue", body))
    assert thread.bodies == []


def test_a_reference_holds_when_the_comment_is_there(
    writer: Writer, thread: Thread, world: World
) -> None:
    ledger = thread.post("<!-- phase-containment-ledger-7 -->\n\n...")
    pointer = f"<!-- phase-containment-ledger-ref: {ledger.id} -->"
    writer.write(issue("plan-issue", f"{PLAN}\n\n{pointer}\n\nOld.\n"))
    outcome = writer.write(plan("New."))
    assert outcome.preserved == ("phase-containment-ledger-ref pointer",)
    assert pointer in thread.bodies[1]


def test_a_reference_to_a_strangers_comment_is_forged(writer: Writer, thread: Thread) -> None:
    planted = thread.post("<!-- phase-containment-ledger-7 -->", "mallory")
    body = f"{PLAN}\n\n<!-- phase-containment-ledger-ref: {planted.id} -->\n"
    with pytest.raises(Refused, match="forged or stale"):
        writer.write(issue("plan-issue", body))


def test_what_cannot_be_found_out_stops_the_write(
    writer: Writer, thread: Thread, world: World
) -> None:
    old = thread.post(f"{PLAN}\n\n{POINTER}\n")
    world.fault("GET .*/comments/500$", status=502, times=9)
    with pytest.raises(NotDelivered):
        writer.write(plan())
    assert old.body == f"{PLAN}\n\n{POINTER}\n"


def test_nothing_is_kept_on_request(writer: Writer, thread: Thread) -> None:
    thread.post(f"{PLAN}\n\n{STRESS}")
    assert writer.write(plan(preserve=False)).preserved == ()
    assert thread.bodies == [plan().body]


def test_nothing_of_a_strangers_plan_is_kept(writer: Writer, thread: Thread) -> None:
    thread.post(f"{PLAN}\n\n{STRESS}", "mallory")
    assert writer.write(plan()).preserved == ()


def test_what_gh_rewrote_is_not_sent_back(writer: Writer, thread: Thread) -> None:
    thread.post(f"{PLAN}\n\n{STRESS} \\\x1b")
    with pytest.raises(Refused, match="--no-preserve"):
        writer.write(plan())


def test_a_plan_that_grows_too_long_is_refused(writer: Writer, thread: Thread) -> None:
    thread.post(f"{PLAN}\n\n{STRESS}" + "x" * 40_000)
    with pytest.raises(Refused, match="65536"):
        writer.write(plan("y" * 40_000))


def test_a_design_keeps_its_dispositions(writer: Writer, thread: Thread) -> None:
    thread.post(f"{DESIGN}\n\nFirst.\n\n{FENCE}\n")
    outcome = writer.write(issue("design-phase-complete", f"{DESIGN}\n\nSecond.\n"))
    assert outcome.preserved == ("finding_dispositions",)
    assert thread.bodies[1] == f"{DESIGN}\n\nSecond.\n\n{FENCE}\n"
    again = writer.write(issue("design-phase-complete", f"{DESIGN}\n\nSecond.\n"))
    assert (again.action, again.preserved) == ("no-op", ())


def test_a_design_with_dispositions_of_its_own(writer: Writer, thread: Thread) -> None:
    thread.post(f"{DESIGN}\n\n{FENCE.replace('[1]', '[2]')}\n")
    outcome = writer.write(issue("design-phase-complete", f"{DESIGN}\n\n{FENCE}\n"))
    assert outcome.preserved == ()
