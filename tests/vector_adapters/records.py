"""Areas of records: engagement records, dispositions, credits, sentinel, follow-ups, L2."""

from typing import Any

import pytest

from session_memory.gates.reconcile import NOTHING, reconcile
from session_memory.markers.comment import Comment
from session_memory.markers.families import marker, parse
from session_memory.markers.target import Target
from session_memory.markers.text import first_line
from session_memory.records import (
    credit_inputs,
    engagement,
    external_reviews,
    finding_dispositions,
    followups,
    harvest,
    judge_rulings,
    metrics,
    mirror,
    reading,
    rendering,
    review_dispositions,
    sentinel,
    stable_keys,
    validators,
)
from session_memory.records.recorded import recorded
from session_memory.yaml_text import load
from vector_adapters import Operation, Workspace
from vector_adapters.markers import comments, expand, trusts

Row = dict[str, Any]


def _target(given: Row) -> Target:
    return Target(given.get("issue") or 0, given.get("pr") or 0, given.get("phase") or "")


def _read(given: Row, accept: bool = False) -> reading.Reading:
    return reading.read(
        comments(given.get("markers", given.get("comments"))),
        _target(given),
        accept_legacy=given.get("accept_legacy", accept),
        trusts=trusts(given),
    )


def _engagement(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    if expected.get("error"):
        with pytest.raises(ValueError) as raised:  # noqa: PT011 - the code is compared below
            _read(given)
        assert getattr(raised.value, "code", "") == expected["error"]
        return
    result = _read(given)
    assert [item.get("decision_id") for item in result.decisions] == expected["decision_ids"]
    assert [warning.code for warning in result.warnings] == expected.get("warnings", [])
    for name, value in expected.get("fields", {}).items():
        assert result.decisions[0][name] == value


def _read_engagement(row: Row, workspace: Workspace) -> None:
    when, expected = row["when"], row["expect"]
    number = "pr" if when.get("phase") == "review" or "pr" in when else "issue"
    given = {**expand(row["given"]), **when, number: when.get("number", when.get("pr"))}
    if "error" in expected:
        with pytest.raises(ValueError) as raised:  # noqa: PT011 - the class is compared below
            _read(given)
        assert type(raised.value).__name__ == expected["error"]
        return
    result = _read(given)
    assert [item["engineer_choice"] for item in result.decisions] == expected["choices"]
    assert bool(result.warnings) or not expected.get("findings_nonempty")
    if "legacy" in expected:
        assert all(item.get("_legacy", False) is expected["legacy"] for item in result.decisions)


def _mirror(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    result = mirror.compare(given["markdown"], given["decisions"])
    assert result.ok is expected["ok"]
    for name in ("orphans_markdown", "orphans_yaml", "diffs"):
        assert list(getattr(result, name)) == expected.get(name, list(getattr(result, name)))


def _render(row: Row, workspace: Workspace) -> None:
    decision, expected = expand(row["given"])["decision"], row["expect"]
    if expected.get("error"):
        with pytest.raises(rendering.Refused) as raised:
            rendering.render(decision)
        assert raised.value.code == expected["error"]
        return
    text = rendering.render(decision)
    assert (load(text) == decision) is expected.get("roundtrip", True)
    for name, style in expected.items():
        if name.endswith("_style"):
            start = f"\n{name.removesuffix('_style')}: {style}"
            assert start in f"\n{text}"


def _capture(row: Row, workspace: Workspace) -> None:
    expected = row["expect"]
    assert engagement.follows_convention(row["given"]["value"]) is expected["conforms"]
    assert expected["rejected"] is False


def _followup_key(row: Row, workspace: Workspace) -> None:
    raw, expected = expand(row["given"])["raw"], row["expect"]
    if "error" in expected:
        with pytest.raises(ValueError, match="identity"):
            followups.followup_key(raw)
        return
    key = followups.followup_key(raw)
    assert key == expected.get("key", key)
    assert len(key) == expected.get("length", 25)


def _followup_merge(row: Row, workspace: Workspace) -> None:
    when = row["when"] if isinstance(row["when"], dict) else {}
    given, expected = {**expand(row["given"]), **when}, row["expect"]
    kind = "pr" if given["type"] in ("pr", "pull-request") else "issue"
    target = Target.of(kind, given["number"] or 0)
    arguments = (comments(given["prior"]), given["current"], target)
    if "error" in expected:
        with pytest.raises(followups.NumberRequired):
            followups.unite(*arguments)
        return
    union = followups.unite(*arguments)
    keys = [str(item.get("decision_id") or item.get("followup_key")) for item in union.entries]
    choices = [item.get("engineer_choice") for item in union.entries]
    assert keys == expected.get("keys", keys)
    assert dict(zip(keys, choices, strict=True)) == expected.get(
        "choices", dict(zip(keys, choices, strict=True))
    )
    if "choice" in expected:
        assert choices == [expected["choice"]]
    if "nested" in expected:
        assert expected["nested"] in union.entries[0].values()
    said = " ".join(f"{warning.code} {warning}" for warning in union.warnings)
    assert bool(said) is bool(expected.get("warnings", said))
    assert all(text in said for text in expected.get("warning_contains", []))


def _reconcile(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    target = _target(given)
    known = recorded(comments(given["markers"]), target)
    result = reconcile(given["log"], known.ids, target, failures=known.failures)
    status = result.status
    # The rows know two outcomes only; to them a log without tokens is a clean one.
    if status == NOTHING and expected["status"] == "clean":
        status = "clean"
    assert status == expected["status"]
    # One finding stands for all tokens of an open decision; the rows list every token.
    assert [one.decision_id for one in result.findings for _ in range(one.times)] == expected[
        "finding_ids"
    ]
    for name in ("token_count", "recorded_count", "lawful_skips", "bad_lines"):
        assert getattr(result, name) == expected.get(name, getattr(result, name))


def _finding_dispositions(row: Row, workspace: Workspace) -> None:
    found = finding_dispositions.check_body(expand(row["given"])["body"])
    assert [problem.code for problem in found] == row["expect"]["errors"]


def _integrity(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    result = finding_dispositions.integrity(given["ledger"], given["entries"])
    assert result.ok is expected["ok"]


def _review_dispositions(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    bodies = given.get("comments") or [given["body"]]
    result = review_dispositions.check_comments(comments(bodies), given["pr"])
    assert [problem.code for problem in result.problems] == expected["findings"]
    assert result.status == expected["status"]
    assert result.marker_count == expected.get("marker_count", result.marker_count)
    assert result.entry_count == expected.get("entry_count", result.entry_count)


def _rd_merge(row: Row, workspace: Workspace) -> None:
    given = expand(row["given"])
    result = external_reviews.merge(comments(given["comments"]), given["pr"], given["judge"])
    for name, value in row["expect"].items():
        assert getattr(result, name) == value


def _sentinel(row: Row, workspace: Workspace) -> None:
    when = row["when"] if isinstance(row["when"], dict) else {}
    given = {**expand(row["given"]), **when}
    found = sentinel.find(comments(given["comments"]), given["pr"])
    assert (found is not None) is row["expect"]["present"]


def _synthesize(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    block = given.get("metrics") or {}
    known = metrics.Metrics(block.get("version"), credits=tuple(block.get("credits", [])))
    result = sentinel.missing_credit(known, comments(given["comments"]), given["pr"])
    if expected["row"] is None:
        assert result is None
        return
    assert result is not None
    assert {**result, **expected["row"]} == result
    if expected.get("evidence_mentions_url"):
        assert given["comments"][0]["url"] in str(result["evidence"])


def _sentinel_write(row: Row, workspace: Workspace) -> None:
    given = expand(row["given"])
    found = marker("review-judge-produced", given["pr"])
    assert bool(validators.check(given["body"], found)) is row["expect"]["refused"]


def _review_credit(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    options = {name: given[name] for name in ("adapter", "run_index") if name in given}
    result = judge_rulings.review_credit(given["body"], **options)
    assert judge_rulings.parse(given["body"]).sustained == expected.get("sustained", 0)
    for name, value in expected.items():
        assert name == "sustained" or result[name] == value


def _judge_parse(row: Row, workspace: Workspace) -> None:
    assert list(judge_rulings.parse(expand(row["given"])["body"]).rows) == row["expect"]["rows"]


def _same_comment(row: Row, workspace: Workspace) -> None:
    assert judge_rulings.share_one_comment(row["given"]["comments"]) is row["expect"]["ok"]


def _stable_key(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    if given.get("comment_id"):
        count = given.get("findings_in_comment", 1)
        key = stable_keys.from_comment(given["comment_id"], given.get("title", ""), count)
    elif given.get("file"):
        key = stable_keys.from_place(given["file"], given["line"], given["title"])
    else:
        key = stable_keys.from_id(given["finding_id"])
    assert key == row["expect"]["key"]


def _key_comment(row: Row, workspace: Workspace) -> None:
    found = stable_keys.comment_of(row["given"]["key"])
    assert found == (int(row["expect"]["comment_id"]) if row["expect"]["comment_id"] else None)


def _credit_parse(row: Row, workspace: Workspace) -> None:
    parsed = credit_inputs.parse(expand(row["given"])["body"])
    expected = row["expect"]
    if expected.get("result", "") is None:
        assert parsed is None
        return
    assert parsed is not None
    for name, value in expected.items():
        assert getattr(parsed, name) == value


def _credit_write(row: Row, workspace: Workspace) -> None:
    body = expand(row["given"])["body"]
    found = parse(first_line(body)) or marker("credit-input", 442, "plan")
    codes = [problem.code for problem in credit_inputs.check_body(body, found)]
    expected = row["expect"].get("refused")
    assert codes[:1] == ([expected] if expected else [])


def _harvest(row: Row, workspace: Workspace) -> None:
    when = row["when"] if isinstance(row["when"], dict) else {}
    given, expected = {**expand(row["given"]), **when}, row["expect"]
    answers = _answers(given)
    sleeps: list[float] = []
    retry = harvest.Retry(given.get("max_retries", 3), given.get("backoff", 1), sleeps.append)
    result = harvest.harvest(
        given["issue"],
        lambda: answers.pop(0) if len(answers) > 1 else answers[0],
        in_memory=given.get("in_memory") or [],
        credited=given.get("credited") or [],
        retry=retry,
    )
    assert [one["port"] for one in result.rows] == expected.get(
        "ports", [one["port"] for one in result.rows]
    )
    statuses = [one["status"] for one in result.rows]
    assert statuses == expected.get("statuses", statuses)
    assert result.fetches == expected.get("fetches", result.fetches)
    assert sleeps == expected.get("sleeps", sleeps)
    if "evidence" in expected:
        assert [one["evidence"] for one in result.rows] == [expected["evidence"]]


def _answers(given: Row) -> list[list[Comment] | None]:
    if "fetches" in given:
        return [None if thread is None else comments(thread) for thread in given["fetches"]]
    if "comments_first_fetch" in given:
        return [comments(given["comments_first_fetch"]), comments(given["comments_later"])]
    return [comments(given.get("comments_with_time", given.get("comments")))]


def _entry_status(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    status = credit_inputs.entry_status(given["adapter"], given["auto_na"], given["marker"])
    assert status == row["expect"]["status"]


def _metrics(row: Row, workspace: Workspace) -> None:
    result, expected = metrics.read(expand(row["given"])["body"]), row["expect"]
    assert result.version == expected["version"]
    assert result.detail == expected.get("detail", result.detail)
    assert result.ports == expected.get("ports", result.ports)


def _review_state(row: Row, workspace: Workspace) -> None:
    given = row["given"]
    source = metrics.review_source(
        review_comment=given.get("pr_comment", False),
        body_metrics=given.get("pr_body_metrics", False),
        session_file=given.get("session_file", False),
    )
    assert source == row["expect"]["source"]


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("engagement-record", "*"): _engagement,
    ("engagement_read", "*"): _read_engagement,
    ("hardening", "read_engagement"): _read_engagement,
    ("mirror", "mirror.compare"): _mirror,
    ("mirror", "writer.render"): _render,
    ("capture-session", "*"): _capture,
    ("followup", "followup.key"): _followup_key,
    ("followup_key", "*"): _followup_key,
    ("followup", "followup.merge"): _followup_merge,
    ("merge_followups", "*"): _followup_merge,
    ("l2", "l2.reconcile"): _reconcile,
    ("l2", "l2.reconcile_superseding"): _reconcile,
    ("finding-dispositions", "fd.validate"): _finding_dispositions,
    ("finding-dispositions", "fd.integrity"): _integrity,
    ("review-dispositions", "*"): _review_dispositions,
    ("rd-merge", "*"): _rd_merge,
    ("sentinel", "sentinel.present"): _sentinel,
    ("sentinel", "sentinel_present"): _sentinel,
    ("sentinel", "sentinel.synthesize"): _synthesize,
    ("sentinel", "sentinel.write"): _sentinel_write,
    ("judge-rulings", "review.credit"): _review_credit,
    ("judge-rulings", "judge.parse"): _judge_parse,
    ("judge-rulings", "judge.same_comment"): _same_comment,
    ("stable-key", "stable.key"): _stable_key,
    ("stable-key", "stable.comment_id"): _key_comment,
    ("credit-input", "credit.parse"): _credit_parse,
    ("credit-input", "credit.write_check"): _credit_write,
    ("harvest", "*"): _harvest,
    ("credit_harvest", "*"): _harvest,
    ("hardening", "harvest"): _harvest,
    ("credit-row", "*"): _entry_status,
    ("pipeline-metrics", "metrics.read"): _metrics,
    ("pipeline-metrics", "resume.review_state"): _review_state,
}
