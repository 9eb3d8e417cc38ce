"""The registry, what a body must be, and what writing it would mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.markers import body_rules, decision
from session_memory.markers.comment import Comment
from session_memory.markers.families import FAMILIES, PHASES, PORTS, marker, parse
from session_memory.markers.problem import echo
from session_memory.markers.resume import progress
from session_memory.markers.selection import carries, strays
from session_memory.records.validators import VALIDATORS

MARKED = [name for name, family in FAMILIES.items() if family.surface and family.shape != "block"]


@pytest.mark.parametrize("name", MARKED)
def test_a_marker_reads_back_as_itself(name: str) -> None:
    family = FAMILIES[name]
    for part in family.parts or ("",):
        made = marker(name, 123, part)
        assert parse(made.literal) == made
        assert made.surface == family.surface_of(part)


def test_the_review_phase_belongs_to_the_pull_request() -> None:
    surfaces = {phase: marker("engagement-record", 1, phase).surface for phase in PHASES}
    assert surfaces.pop("review") == "pull-request"
    assert set(surfaces.values()) == {"issue"}


@pytest.mark.parametrize(
    ("name", "number", "part"),
    [
        ("plan-isue", 1, ""),
        ("judge-rulings", 1, ""),
        ("plan-issue", 0, ""),
        ("plan-issue", -1, ""),
        ("plan-issue", 1_000_000_000, ""),
        ("plan-issue", 1, "plan"),
        ("engagement-record", 1, ""),
        ("credit-input", 1, "review"),
    ],
)
def test_no_marker_for_an_unlawful_key(name: str, number: int, part: str) -> None:
    with pytest.raises(ValueError, match=r"family|needs"):
        marker(name, number, part)


@pytest.mark.parametrize(
    "line",
    [
        "<!--plan-issue-42-->",
        "<!-- PLAN-ISSUE-42 -->",
        " <!-- plan-issue-42 -->",
        "<!-- plan-issue-42 --> x",
        "<!-- plan-issue-042 -->",
        "<!-- plan-issue-42-old -->",
        "<!-- plan-issue-99999999999 -->",
        "<!-- credit-input-review-42 -->",
        "<!-- judge-rulings-42 -->",
        "<!-- phase-42 -->",
    ],
)
def test_what_is_no_marker(line: str) -> None:
    assert parse(line) is None


def test_every_writable_family_is_complete() -> None:
    for family in FAMILIES.values():
        if family.writable:
            assert family.row, family.name
            assert family.writer, family.name
            assert family.readers, family.name
            assert family.order, family.name
        assert family.validator in ("", *VALIDATORS)
        assert set(family.holds) <= set(FAMILIES)


def test_templates_show_the_parts() -> None:
    assert FAMILIES["credit-input"].template == "<!-- credit-input-{port}-{ID} -->"
    assert FAMILIES["review-dispositions"].template == "<!-- review-dispositions-{PR} -->"
    assert FAMILIES["proposed-followups"].template == "<!-- proposed-followups-{N} -->"
    assert FAMILIES["pipeline-metrics"].template == "<!-- pipeline-metrics -->"
    assert PHASES[:-1] == PORTS


OWN = marker("experience-owner-complete", 7)


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("@\n\ntext", []),
        ("@  \r\n\r\ntext\r\n", []),
        ("text\n@", ["marker-not-first"]),
        ("text", ["marker-missing"]),
        (" @", ["marker-not-alone"]),
        ("@ x", ["marker-not-alone"]),
        ("@\u00a0\n\ntext", ["marker-not-alone"]),
        ("@\x85", ["marker-not-alone"]),
        ("@\n\n@", ["marker-repeated"]),
        ("@\n<!--EXPERIENCE-OWNER-COMPLETE-7-->", ["marker-repeated"]),
        ("@\n<!-- experience-owner-complete-8 -->", ["foreign-marker"]),
        ("@\n\u200b \ufeff<!-- refs-injected-9 -->", ["foreign-marker"]),
        ("@\nx\u2028<!-- plan-issue-8 -->", ["foreign-marker"]),
        ("@\nx\u2029 <!-- plan-issue-8 -->", ["foreign-marker"]),
        ("@\nx\u2028y", []),
        ("@\n<!-- judge-rulings\n- id: F1\n-->", ["foreign-marker"]),
        ("@\n<!-- pipeline-metrics\n-->", ["foreign-marker"]),
        ("@\n<!-- goal-run-stage-3 -->", ["foreign-marker"]),
        ("@\n<!-- frame-slices-generated-at: 1 -->", []),
        ("@\nplan-issue-42, `<!-- plan-issue-42 -->`, &lt;!-- plan-issue-42 --&gt;", []),
        ("@\n<!-- a comment of mine -->", []),
        ("@\n \u200b\n", []),
        ("@\ra", ["lone-cr"]),
        ("@\na\x00b", ["control-character"]),
        ("@\na\x1bb", ["control-character"]),
        ("@\na\ud800b", ["not-unicode"]),
        ("@\n```\na", ["open-fence"]),
        ("@\n" + "x" * 65_536, ["too-large"]),
        ("@\n" + "\U0001f600" * 65_600, ["too-large"]),
    ],
)
def test_what_a_body_must_be(body: str, codes: list[str]) -> None:
    found = body_rules.check(body.replace("@", OWN.literal), OWN)
    assert [problem.code for problem in found] == codes


def test_bytes_count_as_well_as_characters() -> None:
    body = OWN.literal + "\n" + "\U0001f600" * 65_500
    assert [problem.code for problem in body_rules.check(body, OWN)] == ["too-large"]


@pytest.mark.parametrize(
    ("family", "line"),
    [
        ("plan-issue", "<!-- phase-containment-ledger-ref: 12 -->"),
        ("plan-issue", "<!-- frame-spine -->"),
        ("plan-issue", "<!-- phase-containment-7 -->"),
        ("design-phase-complete", "<!-- phase-containment-7 -->"),
        ("frame-slices", "<!-- frame-slice\nid: s1\n-->"),
    ],
)
def test_blocks_that_belong_in_a_family(family: str, line: str) -> None:
    own = marker(family, 7)
    assert body_rules.check(f"{own.literal}\n{line}\n", own) == []
    assert body_rules.check(f"{OWN.literal}\n{line}\n", OWN) != []


@given(st.text(max_size=200))
def test_an_accepted_body_is_found_by_readers(text: str) -> None:
    body = f"{OWN.literal}\n{text}"
    if not body_rules.check(body, OWN):
        assert carries(body, OWN.literal)
        assert parse(body.split("\n", maxsplit=1)[0]) == OWN


def test_echo_counts_what_it_leaves_out() -> None:
    assert echo("x" * 81) == "x" * 80 + "...(+1 more chars, truncated)"
    assert echo(None) == "<null>"
    assert echo(12) == "12"


PLAN = marker("plan-issue", 7)
DESIGN = marker("design-phase-complete", 7)


def _posted(number: int, own: str, text: str = "a") -> Comment:
    return Comment(number, f"{own}\r\n\r\n{text}  \r\n", author="alice")


@pytest.mark.parametrize(
    ("ids", "text", "action", "target", "duplicates"),
    [
        ([], "a", "created", None, []),
        ([5, 3], "a", "no-op", 3, [5]),
        ([5, 3], "b", "updated", 3, [5]),
    ],
)
def test_writing_an_upsert(
    ids: list[int], text: str, action: str, target: "int | None", duplicates: list[int]
) -> None:
    comments = [_posted(number, PLAN.literal) for number in ids]
    made = decision.decide(PLAN, f"{PLAN.literal}\n\n{text}", comments)
    assert made.action == action
    assert (made.target.id if made.target else None) == target
    assert [comment.id for comment in made.duplicates] == duplicates
    assert made.writes is (action != "no-op")


@pytest.mark.parametrize(
    ("posted", "action"),
    [([], "posted"), ([(1, "a")], "no-op"), ([(1, "a"), (2, "b")], "posted")],
    ids=["first", "same", "older is the same"],
)
def test_writing_a_new_post(posted: list[tuple[int, str]], action: str) -> None:
    comments = [_posted(number, DESIGN.literal, text) for number, text in posted]
    assert decision.decide(DESIGN, f"{DESIGN.literal}\n\na", comments).action == action


def test_a_stranger_is_neither_updated_nor_the_reason_for_doing_nothing() -> None:
    comments = [Comment(1, f"{PLAN.literal}\n\na", author="mallory")]
    made = decision.decide(PLAN, f"{PLAN.literal}\n\na", comments, lambda one: False)
    assert made.action == "created"
    assert "mallory" in str(made.warnings[0])


@given(st.permutations([3, 5, 9]))
def test_every_reader_names_the_same_comment(order: list[int]) -> None:
    plans = [_posted(number, PLAN.literal) for number in order]
    designs = [_posted(number, DESIGN.literal) for number in order]
    for own, comments, expected in ((PLAN, plans, 3), (DESIGN, designs, 9)):
        found = decision.canonical(own, comments)
        assert found is not None
        assert found.id == expected
    assert decision.canonical(PLAN, designs) is None


# Shapes that public reports say were taken for a marker.
@pytest.mark.parametrize(
    "body",
    [
        "intro\n```\n<!-- plan-issue-7 -->\n```",
        "> <!-- plan-issue-7 -->",
        "    <!-- plan-issue-7 -->",
        "~~~md\n<!-- plan-issue-7 -->\n~~~",
        "\u200b<!-- plan-issue-7 -->",
        "\n<!-- plan-issue-7 -->",
        "<!-- plan-issue-77 -->",
        "<!-- plan-issue-7-old -->",
        "<!--plan-issue-7-->",
        "<!-- PLAN-ISSUE-7 -->",
        "<!-- plan-issue-7 -->\u00a0",
        "<!-- plan-issue-7 -->\u2028text",
        "<!-- pl\u0430n-issue-7 -->",
        "<!-- plan-issue-\u0667 -->",
        "<!-- plan-issue-07 -->",
        "\ufeff<!-- plan-issue-7 -->",
        "summary <!-- plan-issue-7 --> end",
    ],
)
def test_what_only_looks_like_a_record(body: str) -> None:
    assert not carries(body, PLAN.literal)
    assert progress([Comment(1, body)], 7).phases[2].comment is None


@pytest.mark.parametrize(
    ("name", "updated", "void"),
    [
        ("open-for-work-affirmed", "2026-08-02T00:00:00Z", True),
        ("open-for-work-affirmed", "2026-08-01T00:00:00Z", False),
        ("open-for-work-affirmed", "", None),
        ("plan-issue", "2026-08-02T00:00:00Z", False),
    ],
)
def test_an_edit_voids_what_hangs_on_its_time(name: str, updated: str, void: "bool | None") -> None:
    own = marker(name, 7)
    comment = Comment(5, own.literal, created_at="2026-08-01T00:00:00Z", updated_at=updated)
    assert decision.is_void(own, comment) is void


def test_a_marker_far_down_a_thread_is_found() -> None:
    thread = [Comment(number, "talk") for number in range(250)]
    thread[180] = _posted(180, PLAN.literal)
    made = decision.decide(PLAN, f"{PLAN.literal}\n\nb", thread)
    assert made.target == thread[180]


def test_families_of_one_bot_are_told_apart_by_name_and_key() -> None:
    comments = [
        Comment(1, PLAN.literal, author="ci[bot]"),
        Comment(2, "<!-- completion-account-7 -->", author="ci[bot]"),
        Comment(3, "<!-- plan-issue-8 -->", author="ci[bot]"),
    ]
    made = decision.decide(PLAN, f"{PLAN.literal}\n\nb", comments)
    assert made.target == comments[0]
    assert made.duplicates == ()


def test_a_marker_on_another_line_is_reported() -> None:
    stray = Comment(4, f"quoting:\n{PLAN.literal}")
    assert strays([stray, _posted(5, PLAN.literal)], PLAN.literal) == [stray]
    assert progress([stray, _posted(5, PLAN.literal)], 7).warnings == ()
    (warning,) = progress([stray], 7).warnings
    assert str(warning) == "comment 4: plan-issue-7 is not on line 1 and does not count"


def test_progress_names_the_comments_and_the_next_phase() -> None:
    comments = [
        _posted(1, "<!-- experience-owner-complete-7 -->"),
        _posted(2, DESIGN.literal),
        _posted(3, DESIGN.literal),
        _posted(4, "<!-- plan-issue-70 -->"),
    ]
    found = progress(comments, 7)
    assert [phase.comment.id if phase.comment else None for phase in found.phases] == [
        1, 3, None, None,
    ]  # fmt: skip
    assert found.next is not None
    assert found.next.marker == PLAN


def test_progress_is_done_when_orchestration_has_its_record() -> None:
    names = (
        "experience-owner-complete",
        "design-phase-complete",
        "plan-issue",
        "engagement-record-orchestration",
    )
    found = progress([_posted(n, f"<!-- {name}-7 -->") for n, name in enumerate(names, 1)], 7)
    assert found.next is None


def test_a_stranger_completes_nothing() -> None:
    found = progress([_posted(1, PLAN.literal)], 7, lambda comment: False)
    assert not found.phases[2].complete
    assert [warning.code for warning in found.warnings] == ["untrusted-author"]
