"""Credit input, harvest, sentinel, rulings and metrics beyond what the vectors say."""

from collections.abc import Sequence

import pytest

from session_memory.markers.comment import Comment
from session_memory.markers.families import marker
from session_memory.records import credit_inputs, judge_rulings, metrics, sentinel
from session_memory.records.harvest import Harvest, Retry, harvest
from session_memory.records.validators import check, check_payload

PLAN = marker("credit-input", 7, "plan")


def credit(port: str = "plan", adapter: str = "work-adapter", evidence: str = "e") -> str:
    head = f"<!-- credit-input-{port}-7 -->"
    return f"{head}\n\n```yaml\nport: {port}\nadapter: {adapter}\nevidence: {evidence}\n```"


@pytest.mark.parametrize(
    ("payload", "codes"),
    [
        ("port: plan\nadapter: a\nevidence: 42", []),
        ("port: plan\nadapter: a\nevidence: e\nstep: 3", []),
        ("port: PLAN\nadapter: a\nevidence: e", ["invalid-port"]),
        ("port: plan\nadapter: a\nevidence: true", ["not-text-evidence"]),
        ("port: plan\nadapter: ''\nevidence: [a]", ["missing-adapter", "nested-evidence"]),
        ("", ["missing-port", "missing-adapter", "missing-evidence"]),
        ("- a", ["missing-port", "missing-adapter", "missing-evidence"]),
        ("a: b: c", ["bad-yaml"]),
    ],
)
def test_what_a_writer_refuses_of_a_credit(payload: str, codes: list[str]) -> None:
    body = f"{PLAN.literal}\n\n```yaml\n{payload}\n```"
    assert [problem.code for problem in check(body, PLAN)] == codes


def test_a_credit_that_cannot_be_parsed_is_none() -> None:
    assert credit_inputs.parse("x\n```yaml\na: b: c\n```") is None
    assert credit_inputs.parse("x\n```yaml\n- a\n```") is None


class _GitHub:
    """Answers with one thread after the other; the last one again and again."""

    def __init__(self, *threads: "Sequence[str] | None") -> None:
        self.threads = list(threads)
        self.sleeps: list[float] = []

    def fetch(self) -> "list[Comment] | None":
        thread = self.threads.pop(0) if len(self.threads) > 1 else self.threads[0]
        return None if thread is None else [Comment(n, body) for n, body in enumerate(thread, 1)]

    def harvest(self, *memory: str, credited: Sequence[str] = (), times: int = 3) -> Harvest:
        retry = Retry(times, 1.0, self.sleeps.append)
        return harvest(7, self.fetch, in_memory=memory, credited=credited, retry=retry)


def results(made: Harvest) -> dict[str, str]:
    return {outcome.port: outcome.result for outcome in made.outcomes}


COMPLETE = ["<!-- experience-owner-complete-7 -->", "<!-- plan-issue-7 -->"]


def test_two_late_credits_share_the_waiting() -> None:
    github = _GitHub(
        COMPLETE, [*COMPLETE, credit("experience")], [*COMPLETE, credit("experience"), credit()]
    )
    made = github.harvest()
    assert [row["port"] for row in made.rows] == ["experience", "plan"]
    assert (made.fetches, github.sleeps) == (3, [1.0, 2.0])


def test_an_outage_ends_the_waiting() -> None:
    github = _GitHub(COMPLETE, None)
    made = github.harvest()
    assert (made.fetches, made.reachable) == (2, False)
    assert results(made)["plan"] == "GitHub could not be asked"


def test_every_port_has_an_outcome() -> None:
    broken = "<!-- credit-input-plan-7 -->\n```yaml\nport: design\nadapter: a\nevidence: e\n```"
    made = _GitHub([*COMPLETE, broken]).harvest(credited=["experience"], times=0)
    assert results(made) == {
        "experience": "already credited",
        "design": "phase not complete",
        "plan": "credit input cannot be read",
        "orchestration": "phase not complete",
    }
    assert made.outcomes[2].comment is not None


def test_memory_is_believed_only_while_nobody_can_be_asked() -> None:
    assert [row["port"] for row in _GitHub(None).harvest(credit()).rows] == ["plan"]
    assert _GitHub([]).harvest(credit()).rows == []


def test_memory_of_another_issue_is_not_believed() -> None:
    made = _GitHub(None).harvest(credit().replace("-7 ", "-8 "))
    assert made.rows == []


def test_nobody_is_asked_when_everything_is_known() -> None:
    names = ("experience", "design", "plan", "orchestration")
    made = _GitHub(None).harvest(credited=names)
    assert (made.fetches, made.reachable) == (0, None)


def test_the_newest_sentinel_is_named() -> None:
    comments = [Comment(n, "<!-- review-judge-produced-9 -->") for n in (5, 3)]
    found = sentinel.find(comments, 9)
    assert found is not None
    assert found.id == 5
    row = sentinel.missing_credit(metrics.Metrics(4), comments, 9)
    assert row is not None
    assert "comment 5" in str(row["evidence"])


@pytest.mark.parametrize("version", ["pre-v4", "parse-error", None])
def test_nothing_is_made_up_for_metrics_that_cannot_be_read(version: "str | None") -> None:
    comments = [Comment(1, "<!-- review-judge-produced-9 -->")]
    assert sentinel.missing_credit(metrics.Metrics(version), comments, 9) is None


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<!-- judge-rulings\nnothing\n-->", "the rulings block has no rows"),
        ("<!-- judge-rulings\n- id: F1", "no rulings block"),
        ("<!-- judge-rulings\n- id: F1\n-->\n<!-- judge-rulings\n- id: F2\n-->",
         "more than one rulings block"),
    ],
)  # fmt: skip
def test_rulings_that_cannot_be_relied_on(body: str, problem: str) -> None:
    assert judge_rulings.parse(body).problem == problem
    assert judge_rulings.review_credit(body)["status"] == "inconclusive"


def test_a_ruling_in_prose_and_in_quotes() -> None:
    body = "<!-- judge-rulings\nintro\n- id: \"F1\"\n  judge_ruling: 'sustained'\n  Bad Key: x\n-->"
    assert judge_rulings.parse(body).rows == ({"id": "F1", "judge_ruling": "sustained"},)


@pytest.mark.parametrize(
    ("adapter", "passes"), [("standard", "1-5"), ("lite", "1"), ("judge-only", "none")]
)
def test_the_credit_tells_the_passes(adapter: str, passes: str) -> None:
    row = judge_rulings.review_credit("<!-- judge-rulings\n- id: F1\n-->", adapter, 0)
    assert str(row["evidence"]).endswith(f"prosecution passes: {passes}")
    assert row["run_index"] == 0


BLOCK = "<!-- judge-rulings\n- id: F1\n-->"
SCORES = "### Adversarial Review Score Summary\r\n"


@pytest.mark.parametrize(
    ("body", "ok"),
    [
        (f"{SCORES}\n{BLOCK}", True),
        (BLOCK, False),
        (f"<!-- review-judge-produced-9 -->\n{SCORES}\n{BLOCK}", False),
        (f"{SCORES}\n{BLOCK}\n<!-- code-review-complete-9 -->", False),
    ],
)
def test_table_and_block_stand_alone_in_one_comment(body: str, ok: bool) -> None:
    assert judge_rulings.share_one_comment([body]) is ok


@pytest.mark.parametrize(
    ("lines", "version", "detail"),
    [
        ("metrics_version: 4", 4, ""),
        ("review_mode: full", "pre-v4", "no-version-field"),
        ("metrics_version: 4\n: x", "parse-error", "line-without-colon"),
        ('metrics_version: 4\na: "open', "parse-error", "unterminated-quote"),
        ('metrics_version: 4\na: "shut" # note', 4, ""),
        ("metrics_version: 4\n# note\n-\n- x", 4, ""),
    ],
)
def test_metrics_lines(lines: str, version: "int | str", detail: str) -> None:
    result = metrics.read(f"text\n<!-- pipeline-metrics\n{lines}\n-->")
    assert (result.version, result.detail) == (version, detail)


def test_metrics_values_are_unescaped() -> None:
    body = (
        "<!-- pipeline-metrics\r\nmetrics_version: 4\r\ncredits:\r\n"
        "- port: plan\r\n  evidence: 'it''s --&gt; &amp;'\r\n  note: \"a \\\"b\\\"\"\r\n"
        "findings:\r\n- id: F1\r\n-->"
    )
    result = metrics.read(body)
    assert result.credits == ({"port": "plan", "evidence": "it's --> &", "note": 'a "b"'},)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("<!-- pipeline-metrics\nmetrics_version: 4", "unterminated-block"),
        (
            "<!-- pipeline-metrics\na: 1\n-->\n<!-- pipeline-metrics\na: 1\n-->",
            "more-than-one-block",
        ),
    ],
)
def test_metrics_that_cannot_be_read(body: str, detail: str) -> None:
    assert metrics.read(body) == metrics.Metrics("parse-error", detail)


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("none", ["bad-metrics"]),
        ("<!-- pipeline-metrics\nmetrics_version: 4\n-->", ["no-credits"]),
        ("<!-- pipeline-metrics\nmetrics_version: 4\ncredits:\n  - port: plan\n-->", []),
    ],
)
def test_what_a_pull_request_body_lacks(body: str, codes: list[str]) -> None:
    assert [problem.code for problem in metrics.check_body(body)] == codes


@pytest.mark.parametrize(
    ("present", "source"),
    [
        ((True, True, True), "review-comment"),
        ((False, False, True), "session"),
        ((False, False, False), None),
    ],
)
def test_which_evidence_of_a_review_counts(
    present: tuple[bool, bool, bool], source: "str | None"
) -> None:
    comment, body, file = present
    found = metrics.review_source(review_comment=comment, body_metrics=body, session_file=file)
    assert found == source


def test_a_family_of_prose_has_no_validator() -> None:
    assert check_payload("anything", marker("experience-owner-complete", 7)) == []
