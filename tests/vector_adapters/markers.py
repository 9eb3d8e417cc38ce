"""Areas of marker text: normalisation, selection, body rules, validators, queue.

Rows that persist a body are run up to the point where the writer would send something: what is
refused, what would be done, and to which comment.
"""

import sys
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

from session_memory.markers import decision, payload, selection
from session_memory.markers.comment import Comment
from session_memory.markers.families import FAMILIES, marker
from session_memory.markers.problem import Problem, refusal
from session_memory.markers.text import normalize
from session_memory.records import followup_queue, followup_transitions, validators
from vector_adapters import Operation, Workspace

Row = dict[str, Any]

# The names that the material gives to people who have no say in a repository.
STRANGERS = {"mallory", "random-attacker", "stranger", "attacker", "outsider"}


class TransportError(Exception):
    """A listing that failed."""


def expand(value: Any) -> Any:
    """A value with the macros ``$repeat`` and ``$concat`` carried out."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$repeat"}:
        return value["$repeat"]["text"] * value["$repeat"]["times"]
    if set(value) == {"$concat"}:
        return "".join(expand(value["$concat"]))
    return {name: expand(item) for name, item in value.items()}


def comment(item: Any, number: int = 1) -> Comment:
    """A comment from its body, from (body, time), or from a mapping."""
    if isinstance(item, str):
        return Comment(number, item)
    if isinstance(item, list):
        return Comment(number, item[0], created_at=item[1])
    author = item.get("author") or item.get("user") or ""
    return Comment(
        item.get("id", number),
        item["body"],
        author=author if isinstance(author, str) else author["login"],
        created_at=item.get("created_at") or "",
        updated_at=item.get("updated_at") or "",
        html_url=item.get("url") or item.get("html_url") or "",
    )


def comments(items: Any) -> list[Comment]:
    return [comment(item, number) for number, item in enumerate(items or [], 1)]


def trusts(given: Row) -> "Any":
    """The authors that a row trusts: those it lists, or everybody but the usual strangers."""
    listed = given.get("trusted_authors")
    if listed is not None:
        return lambda one: one.author in listed or not one.author
    return lambda one: one.author not in STRANGERS


def _listing(row: Row) -> Iterator[Comment]:
    given = row["given"]
    authors = given.get("faults", {}).get("authors", {})
    items = list(given.get("comments") or [])
    generator = given.get("comments_generator")
    if generator:
        filler = generator["filler"]
        numbers = range(filler["from"], filler["to"] + 1)
        items += [{"id": n, "body": filler["body"].replace("{n}", str(n))} for n in numbers]
        items += generator.get("then", [])
    for item in items:
        yield comment({**item, "author": authors.get(str(item["id"]), "")})
    if given.get("faults", {}).get("list_fails"):
        raise TransportError


def _normalize(row: Row, workspace: Workspace) -> None:
    given = expand(row["given"])
    expected = row["expect"]
    if "text" in given:
        assert normalize(given["text"]) == expected["normalized"]
        return
    assert (normalize(given["a"]) == normalize(given["b"])) is expected["equal"]
    if "normalized" in expected:
        assert normalize(given["a"]) == expected["normalized"]


def _line1(row: Row, workspace: Workspace) -> None:
    given = expand(row["given"])
    assert selection.carries(given["body"], given["marker"] or "") is row["expect"]["match"]


def _own_line(row: Row, workspace: Workspace) -> None:
    given = expand(row["given"])
    assert selection.on_own_line(given["body"], given["marker"]) is row["expect"]["match"]


def _find_all(row: Row, workspace: Workspace) -> None:
    wanted = row["when"]["marker"]
    if "error" in row["expect"]:
        with pytest.raises(TransportError):
            selection.find_all(_listing(row), wanted)
        return
    assert [one.id for one in selection.find_all(_listing(row), wanted)] == row["expect"]["ids"]


def _persist(row: Row, workspace: Workspace) -> None:
    when, expected = expand(row["when"]), row["expect"]
    problems = _refused(when, row["given"])
    reason = refusal(when["family"], when["target_surface"], when["number"], problems)
    if expected.get("success", True) is False:
        assert problems
        _check_reason(reason, expected)
        return
    assert problems == []
    found = marker(when["family"], when["number"], _part(when))
    trust = trusts({**row["given"], **when})
    decided = decision.decide(found, when["body"], _listing(row), trust)
    if "action" in expected:
        assert decided.action == expected["action"]
    updated = [decided.target.id] if decided.target and decided.action == decision.UPDATE else []
    assert updated == expected.get("patch_targets", updated)
    warnings = " ".join(str(problem) for problem in decided.warnings)
    assert all(text in warnings for text in expected.get("warning_contains", []))


def _refused(when: Row, given: Row) -> list[Problem]:
    try:
        found = marker(when["family"], when["number"], _part(when))
    except ValueError as error:
        return [Problem("unknown-family", str(error))]
    if found.surface not in (when["target_surface"], "issue or pull-request"):
        return [Problem("surface", f"the surface of {when['family']} is {found.surface}")]
    if given.get("validator_unavailable"):
        with patch.dict(sys.modules, {"ruamel.yaml": None}):
            return validators.check(when["body"], found)
    return validators.check(when["body"], found)


def _part(when: Row) -> str:
    """The phase or port in the row's marker; the number is never taken from there."""
    family = FAMILIES.get(when["family"])
    words = when["marker"].split("-")
    return next((part for part in family.parts if part in words), "") if family else ""


def _check_reason(reason: str, expected: Row) -> None:
    for text in expected.get("reason_contains", []):
        assert text.lower() in reason.lower()
    if "reason_contains_repeat" in expected:
        text, times = expected["reason_contains_repeat"]
        assert text * times in reason
    assert reason.startswith(expected.get("reason_prefix", ""))
    cap = expected.get("echo_cap")
    if cap:
        assert "x" * cap in reason
        assert "x" * (cap + 1) not in reason


def _extract(row: Row, workspace: Workspace) -> None:
    found = payload.extract(expand(row["given"])["body"])
    assert (found.text, found.ambiguous) == (row["expect"]["payload"], row["expect"]["ambiguous"])


def _queue(row: Row, workspace: Workspace) -> None:
    {
        "queue_build": _queue_build,
        "queue_parse": _queue_parse,
        "queue_roundtrip": _queue_round,
        "queue_write": _queue_write,
    }[row["when"]["op"]](row)


def _built(row: Row) -> str:
    given = expand(row["given"])
    return followup_queue.build(
        followup_queue.Queue(
            given["id"],
            given.get("state", "proposed"),
            tuple(followup_queue.text_values(item) for item in given["proposals"]),
        )
    )


def _queue_build(row: Row) -> None:
    body, expected = _built(row), row["expect"]
    assert body == expected.get("body", body)
    assert not [text for text in expected.get("body_excludes", []) if text in body]
    assert all(text in body for text in expected.get("body_contains", []))
    if "parsed_target_repo" in expected:
        (proposal,) = followup_queue.parse(body).proposals
        assert proposal.get("target_repo") == expected["parsed_target_repo"]


def _queue_round(row: Row) -> None:
    queue, expected = followup_queue.parse(_built(row)), dict(row["expect"])
    if "proposals" in expected:
        assert list(queue.proposals) == expected.pop("proposals")
    for name, value in expected.items():
        if name in followup_queue.FIELDS:
            assert queue.proposals[0][name] == value
    assert queue.number == expected.get("id", queue.number)
    assert queue.state == expected.get("state", queue.state)


def _queue_parse(row: Row) -> None:
    expected, body = row["expect"], expand(row["given"])["body"]
    if "error" not in expected:
        queue = followup_queue.parse(body)
        assert queue.state == expected.get("state", queue.state)
        assert queue.number == expected.get("id", queue.number)
        return
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the class is compared below
        followup_queue.parse(body or "")
    if hasattr(followup_queue, expected["error"]):
        assert type(raised.value).__name__ == expected["error"]


def _queue_write(row: Row) -> None:
    when, expected = row["when"], row["expect"]
    found = marker("proposed-followups", when["id"])
    existing = selection.find_all(_listing(row), found.literal)
    if existing:
        problems = followup_transitions.check_successor(existing[0].body, when["body"])
        assert bool(problems) is expected.get("refused", False)
        reason = " ".join(problem.message for problem in problems)
        assert all(text in reason for text in expected.get("reason_contains", []))
    assert found.literal == expected.get("marker", found.literal)
    assert found.family.shape == "upsert"


def _transition(row: Row, workspace: Workspace) -> None:
    state, to, expected = row["given"]["state"], row["when"]["to"], row["expect"]
    if "error" in expected:
        with pytest.raises(followup_transitions.InvalidTransition):
            followup_transitions.next_state(state, to)
    else:
        assert followup_transitions.next_state(state, to) == expected["state"]


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("normalize", "*"): _normalize,
    ("line1_selector", "*"): _line1,
    ("whole_line_finder", "*"): _own_line,
    ("find_all", "*"): _find_all,
    ("hygiene", "persist"): _persist,
    ("validator", "persist"): _persist,
    ("hardening", "persist"): _persist,
    ("hardening", "queue_write"): lambda row, workspace: _queue_write(row),
    ("yaml_extract", "*"): _extract,
    ("queue", "*"): _queue,
    ("queue_transition", "*"): _transition,
}
