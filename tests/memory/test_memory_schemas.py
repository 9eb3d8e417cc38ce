"""The schemas describe what is written."""

import json
import re
from typing import Any

import jsonschema
import pytest

from session_memory import schemas
from session_memory.core.places import MEMORY
from session_memory.core.store import Store
from session_memory.markers.families import marker
from session_memory.memory import deferral, names, rate_limit, review_state, seen
from session_memory.memory.caches import Caches
from session_memory.memory.review_state import FIELDS, ReviewState, parse, render
from session_memory.yaml_text import load
from support import Repository


def properties(name: str) -> dict[str, Any]:
    found: dict[str, Any] = schemas.load(name)["properties"]
    return found


def test_written_review_state(caches: Caches) -> None:
    review_state.write(caches, 7, ["defense"], "lite")
    text = caches.read(names.review_state(7)).text
    fields = load(text.split("---\n")[1])
    jsonschema.validate(fields, schemas.load("review-state"))
    assert isinstance(fields, dict)
    assert tuple(fields) == FIELDS == tuple(schemas.load("review-state")["required"])
    assert properties("review-state")["review_mode"]["enum"] == list(review_state.MODES)


@pytest.mark.parametrize(
    "time", ["2026-04-24T14:00:00Z", "2026-04-24T14:00:00.12345678Z", "2026-04-24 14:00:00Z"]
)
def test_schema_and_reader_agree_on_times(time: str) -> None:
    pattern = properties("review-state")["last_updated"]["pattern"]
    try:
        parse(render(ReviewState(7, last_updated=time)))
    except review_state.NotReliable:
        assert not re.search(pattern, time)
    else:
        assert re.search(pattern, time)


def test_written_observations(repo: Repository) -> None:
    observations = seen.Observations(Store(str(repo.root), MEMORY, ""), "github.com/acme/widgets")
    observations.note("plan-issue-7.md", marker("plan-issue", 7), "A", None)
    observations.note("plan-bundle-7-8.md", marker("plan-issue", 7), "A", "B")
    written = json.loads((repo.session / seen.FILE).read_text("utf-8"))
    schema = schemas.load("memory-seen")
    jsonschema.validate(written, schema)
    assert len(written["records"]) == 2
    assert schema["properties"]["records"]["maxProperties"] == seen.MAX_RECORDS


def test_bounds_of_deferred_work() -> None:
    schema = schemas.load("deferred-work")
    assert schema["properties"]["deferred"]["maxItems"] == deferral.MAX_ITEMS
    assert schema["$defs"]["item"]["properties"]["severity"]["enum"] == list(rate_limit.SEVERITIES)
    assert re.search(schema["properties"]["scope"]["pattern"], "review-pr-9")
    assert not re.search(schema["properties"]["scope"]["pattern"], "review-pr-9\n")
