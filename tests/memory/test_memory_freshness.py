"""Which text is newer, told by what was seen in step."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from session_memory.core.places import MEMORY
from session_memory.core.store import Store
from session_memory.markers.families import marker
from session_memory.memory import freshness
from session_memory.memory.freshness import Seen, compare, content, digest
from session_memory.memory.seen import FILE, MAX_RECORDS, Observations
from support import Repository

PLAN = marker("plan-issue", 7)
M = PLAN.literal
TEXTS = st.text(max_size=40)


def seen(durable: str, cache: str) -> Seen:
    return Seen(digest(durable, M), digest(cache, M))


@pytest.mark.parametrize(
    ("cache", "durable", "observed", "relation"),
    [
        pytest.param("A", "A", None, freshness.SAME, id="equal"),
        pytest.param("A  \r\n", f"{M}\n\nA\n", None, freshness.SAME, id="transport-only"),
        pytest.param("B", "A", None, freshness.UNPROVEN, id="never-in-step"),
        pytest.param("B", "A", seen("A", "A"), freshness.CACHE_NEWER, id="cache-changed"),
        pytest.param("B", "A", Seen(digest("A", M), ""), freshness.CACHE_NEWER, id="cache-begun"),
        pytest.param("A", "B", seen("A", "A"), freshness.DURABLE_NEWER, id="record-changed"),
        pytest.param("B", "C", seen("A", "A"), freshness.DIVERGED, id="both-changed"),
        pytest.param("A", "A+", seen("A+", "A"), freshness.SAME, id="writer-had-added"),
        pytest.param("b", "B", seen("B", "B"), freshness.CACHE_NEWER, id="case-counts"),
    ],
)
def test_relation(cache: str, durable: str, observed: "Seen | None", relation: str) -> None:
    assert compare(cache, durable, M, observed) == relation


@given(TEXTS, TEXTS)
def test_a_change_of_one_side_is_told_from_a_change_of_the_other(old: str, new: str) -> None:
    assume(content(old, M) != content(new, M))
    assert compare(new, old, M, seen(old, old)) == freshness.CACHE_NEWER
    assert compare(old, new, M, seen(old, old)) == freshness.DURABLE_NEWER


@given(TEXTS, TEXTS)
def test_without_an_observation_nothing_is_proven(one: str, other: str) -> None:
    assert compare(one, other, M, None) in (freshness.SAME, freshness.UNPROVEN)


@given(TEXTS)
def test_a_text_with_its_marker_has_the_content_of_the_text(text: str) -> None:
    assume(not text.lstrip().startswith("<!--"))
    assert content(f"{M}\n\n{text}\n", M) == content(text, M)


@pytest.fixture
def store(repo: Repository) -> Store:
    return Store(str(repo.root), MEMORY, "")


def test_an_observation_is_kept(store: Store) -> None:
    observations = Observations(store, "github.com/acme/widgets")
    assert observations.of("plan-issue-7.md", PLAN) is None
    assert observations.note("plan-issue-7.md", PLAN, "A", None)
    assert observations.of("plan-issue-7.md", PLAN) == Seen(digest("A", M), "")
    assert observations.note("plan-issue-7.md", PLAN, "B", "B")
    assert observations.of("plan-issue-7.md", PLAN) == seen("B", "B")


def test_an_observation_of_another_repository_proves_nothing(store: Store) -> None:
    Observations(store, "github.com/acme/widgets").note("plan-issue-7.md", PLAN, "A", "A")
    assert Observations(store, "github.com/acme/fork").of("plan-issue-7.md", PLAN) is None
    assert Observations(store, "").of("plan-issue-7.md", PLAN) is None


def test_what_was_seen_again_is_not_written_again(store: Store, repo: Repository) -> None:
    observations = Observations(store, "r")
    observations.note("plan-issue-7.md", PLAN, "A", "A")
    before = (repo.session / FILE).stat().st_mtime_ns
    observations.note("plan-issue-7.md", PLAN, "A", "A")
    assert (repo.session / FILE).stat().st_mtime_ns == before


def test_the_oldest_observations_go_first(store: Store) -> None:
    records: dict[str, Any] = {
        f"r plan-issue-{n} plan-issue-{n}.md": {} for n in range(1, MAX_RECORDS + 1)
    }
    store.update(FILE, lambda _: {"version": 1, "records": records, "other": "kept"})
    Observations(store, "r").note("plan-issue-7.md", PLAN, "A", "A")
    document = store.read(FILE)
    assert document is not None
    kept: Any = document["records"]
    assert len(kept) == MAX_RECORDS
    assert list(kept)[-1] == "r plan-issue-7 plan-issue-7.md"
    assert "r plan-issue-1 plan-issue-1.md" in kept
    assert document["other"] == "kept"


@pytest.mark.parametrize(
    "content",
    [
        "no json",
        '{"records": []}',
        '{"records": {"r plan-issue-7 f": 1}}',
        '{"records": {"r plan-issue-7 f": {"durable": "x", "cache": ""}}}',
        '{"records": {"r plan-issue-7 f": {"durable": "' + "a" * 64 + '", "cache": 3}}}',
    ],
)
def test_a_damaged_document_proves_nothing(store: Store, repo: Repository, content: str) -> None:
    repo.write(f"memories/session/{FILE}", content)
    assert Observations(store, "r").of("f", PLAN) is None


def test_where_nothing_can_be_written_nothing_is_noted(store: Store, repo: Repository) -> None:
    repo.write("memories", "a file")
    assert not Observations(store, "r").note("f", PLAN, "A", None)
    assert not Observations(None, "r").note("f", PLAN, "A", None)
