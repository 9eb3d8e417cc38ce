"""Deferred work comes back as it was given, and no item goes unless it is said to be done."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session_memory import schemas
from session_memory.memory import deferral
from session_memory.memory.caches import Caches, Unwritable
from session_memory.memory.deferral import BadPayload, Misfit
from session_memory.memory.sources import FAILED, SESSION
from support import Repository

SCOPE = "review-pr-9"
TEXT = st.text(min_size=1, max_size=60)


def item(identity: str = "F1", severity: str = "low") -> dict[str, str]:
    return {"id": identity, "severity": severity, "summary": f"About {identity}."}


def payload(*deferred: dict[str, str], **more: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "scope": SCOPE,
        "phase": "review",
        "step": "defense",
        "resume_point": "finding F1",
        "deferred": list(deferred),
        "skipped_low": [],
        "created_at": "2026-04-24T14:00:00Z",
        **more,
    }


ITEMS = st.lists(
    st.fixed_dictionaries(
        {
            "id": TEXT,
            "severity": st.sampled_from(["critical", "high", "medium", "low"]),
            "summary": TEXT,
        }
    ),
    max_size=5,
    unique_by=lambda one: one["id"],
)


@settings(deadline=None, max_examples=40)  # each example reads the schema
@given(TEXT, TEXT, ITEMS)
def test_a_payload_comes_back_out_of_its_file(
    phase: str, step: str, items: list[dict[str, str]]
) -> None:
    given = payload(*items, phase=phase, step=step)
    text = deferral.render(given)
    assert deferral.parse(text, SCOPE) == given
    assert deferral.from_text(text, SCOPE) == given
    assert deferral.from_text(json.dumps(given), SCOPE) == given


@settings(max_examples=50)
@given(ITEMS, ITEMS, st.data())
def test_no_item_is_lost_in_a_merge(
    old: list[dict[str, str]], new: list[dict[str, str]], data: st.DataObject
) -> None:
    known = {one["id"]: one for one in (*old, *new)}
    done = data.draw(st.sets(st.sampled_from(sorted(known)))) if known else set()
    merged = deferral.merged(payload(*old), payload(*new), done)
    left = {name: one for name, one in known.items() if name not in done}
    assert {one["id"]: one for one in merged["deferred"]} == left


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scope": "other"}, "of scope other"),
        ({"version": 2}, "version"),
        ({"phase": ""}, "phase"),
        ({"deferred": [{"id": "F1"}]}, "deferred/0"),
        ({"deferred": [item(), item()]}, "twice"),
        ({"deferred": [item(severity="urgent")]}, "severity"),
        ({"deferred": [item()] * 201}, "deferred"),
        ({"skipped_low": [item("F2", "high")]}, "not low"),
        ({"resume_point": "x" * 501}, "resume_point"),
        ({"created_at": "yesterday"}, "created_at"),
    ],
)
def test_a_payload_that_does_not_fit_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BadPayload, match=words):
        deferral.from_text(json.dumps(payload(**changes)), SCOPE)


@pytest.mark.parametrize("text", ["", "[]", "{", "- a\n", "a: &x 1\nb: *x\n", "# T\n\nnone\n"])
def test_what_is_no_payload_is_refused(text: str) -> None:
    with pytest.raises(BadPayload):
        deferral.from_text(text, SCOPE)


def test_yaml_is_taken_and_what_is_missing_filled_in() -> None:
    text = "phase: review\nstep: judgment\nresume_point: the end\ndeferred: []\n"
    found = deferral.from_text(text, SCOPE)
    jsonschema.validate(found, schemas.load("deferred-work"))
    assert (found["scope"], found["version"], found["skipped_low"]) == (SCOPE, 1, [])


def test_items_stay_until_they_are_done(caches: Caches) -> None:
    deferral.write(caches, SCOPE, payload(item("F1"), item("F2")))
    written = deferral.write(caches, SCOPE, payload(item("F3")))
    assert (len(written.payload["deferred"]), written.kept) == (3, 2)
    done = deferral.write(caches, SCOPE, None, ["F1", "F3"])
    assert [one["id"] for one in done.payload["deferred"]] == ["F2"]


def test_an_item_may_become_a_skipped_one(caches: Caches) -> None:
    deferral.write(caches, SCOPE, payload(item("F1")))
    written = deferral.write(caches, SCOPE, payload(skipped_low=[item("F1")]))
    assert written.payload["deferred"] == []
    assert [one["id"] for one in written.payload["skipped_low"]] == ["F1"]


def test_what_does_not_fit_together_changes_nothing(caches: Caches, here: Repository) -> None:
    deferral.write(caches, SCOPE, payload(item("F1")))
    before = deferral.read(caches, SCOPE, SESSION)
    with pytest.raises(Misfit, match="no item F9"):
        deferral.write(caches, SCOPE, None, ["F9"])
    many = [item(f"G{number}") for number in range(200)]
    with pytest.raises(Misfit, match="more than 200"):
        deferral.write(caches, SCOPE, payload(*many))
    assert deferral.read(caches, SCOPE, SESSION) == before


def test_nothing_deferred_is_nothing_to_finish(caches: Caches) -> None:
    with pytest.raises(Misfit, match="nothing is deferred"):
        deferral.write(caches, SCOPE, None, ["F1"])


def test_items_of_a_damaged_file_cannot_be_done(caches: Caches, here: Repository) -> None:
    path = here.write(f"memories/session/rate-limit-deferred-{SCOPE}.md", "no fence")
    with pytest.raises(Misfit, match="what is there cannot be used: there is not one JSON fence"):
        deferral.write(caches, SCOPE, None, ["F1"])
    with pytest.raises(Misfit, match="no item F9"):
        deferral.write(caches, SCOPE, payload(item("F1")), ["F9"])
    assert path.read_text("utf-8") == "no fence"


@pytest.mark.parametrize(
    "text", ["no fence", "```json\n{}\n```\n", "```json\n[]\n```\n", "```json\n{\n```\n"]
)
def test_a_damaged_file_fails_and_is_set_aside(caches: Caches, here: Repository, text: str) -> None:
    path = here.write(f"memories/session/rate-limit-deferred-{SCOPE}.md", text)
    source, found = deferral.read(caches, SCOPE, SESSION)
    assert (source.outcome, found) == (FAILED, None)
    written = deferral.write(caches, SCOPE, payload(item()))
    assert (path.parent / written.aside).read_text("utf-8") == text


def test_without_a_place_the_items_can_be_carried(caches: Caches, here: Repository) -> None:
    here.write("memories", "a file")
    with pytest.raises(Unwritable):
        deferral.write(caches, SCOPE, payload(item()))
    text = deferral.carry(payload(item("F1"), skipped_low=[item("F2")]))
    assert "- low F1: About F1." in text
    assert "- skipped, low F2: About F2." in text
    assert "finding F1" in text
    assert deferral.place(SCOPE, "defer", writable=False) == (None, "visible text")
    with pytest.raises(ValueError, match="unknown choice"):
        deferral.place(SCOPE, "forget", writable=True)
