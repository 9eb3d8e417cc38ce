"""Areas of the marker writer: the real gh against a fake GitHub that fails as a row says.

A row's faults are about what GitHub answers. A read-back is up to two readings here, so a reading
that is wrong ``n`` times is one that is wrong for ``n`` read-backs; it begins with the first write.
"""

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fake_github import Fault, Fence, StoredComment, Thread, World, installed
from fake_github.watch import Watch
from session_memory.core.system import WINDOWS
from session_memory.github.client import Limits
from session_memory.github.connection import GitHub
from session_memory.github.identifiers import comment_id
from session_memory.github.repository import Repository
from session_memory.markers import burst, families, manifest
from session_memory.markers.body_file import BodyFileError, Scratch
from session_memory.markers.candidate import Candidate, Key
from session_memory.markers.comment_plan import CommentPlan
from session_memory.markers.decision import decide
from session_memory.markers.families import EITHER, UPSERT, Family, Marker
from session_memory.markers.outcome import NotDelivered, Outcome, WriteFailed
from session_memory.markers.plan import ChangedMeanwhile, asking
from session_memory.markers.writer import Writer
from vector_adapters import Operation, Workspace
from vector_adapters.markers import expand

Row = dict[str, Any]

_SEEDED = "2026-01-01T00:00:00Z"
_READINGS = 2


@dataclass
class Stage:
    """A fake GitHub as a row describes it, and a writer in front of it."""

    world: World
    github: GitHub
    given: Row

    @property
    def writer(self) -> Writer:
        return Writer(self.github, lambda comment: True)

    @property
    def posts(self) -> list[str]:
        return [seen.body["body"] for seen in self.world.requests if seen.method == "POST"]

    def patched(self, candidate: str = "") -> list[int]:
        """The comments that were updated; with ``candidate``, those that got that text."""
        seen = [one for one in self.world.requests if one.method == "PATCH"]
        return [
            int(one.target.rpartition("/")[2])
            for one in seen
            if candidate in ("", one.body["body"])
        ]

    @property
    def threads(self) -> dict[int, Thread]:
        return self.world.repository(self._name).threads

    @property
    def _name(self) -> str:
        return f"{self.given.get('owner', 'acme')}/{self.given.get('repo', 'widgets')}"

    def seed(self, number: int, surface: str) -> None:
        """Open the conversation with the row's comments, and arm its faults."""
        if number in self.threads or not 0 < number < 10**9:
            return
        is_pull = surface in ("pr", families.PULL_REQUEST)
        first = not self.threads
        thread = self.world.repository(self._name).open(number=number, pull_request=is_pull)
        for item in self.given.get("comments") or [] if first else []:
            identity = comment_id(item) or 0
            stamp = item.get("created_at") or _SEEDED
            thread.comments[identity] = StoredComment(
                identity, item["body"], item.get("author", "octo-dev"), stamp,
                item.get("updated_at") or stamp,
            )  # fmt: skip
        if first:
            _arm(self.world, thread, self.given.get("faults") or {})
            self.world._last_id = self.given.get("next_comment_id", 90_000) - 1


@contextmanager
def _stage(row: Row, workspace: Workspace) -> Iterator[Stage]:
    executable = next(iter(installed()), None)
    if WINDOWS or executable is None:
        pytest.skip("no gh to run against a fake GitHub")
    from fake_github.server import Server

    given = expand(row["given"])
    with ExitStack() as stack:
        # What people measured; the documented bound is the writer's, not these rows'.
        stack.enter_context(patch("fake_github.routes._MAX_BODY", 262_144))
        world = World()
        server = stack.enter_context(Server(world))
        fence = Fence(workspace.folder / "home", server.socket)
        stack.enter_context(patch.dict(os.environ, fence.environment(executable)))
        repository = Repository(
            "github.com", given.get("owner", "acme"), given.get("repo", "widgets")
        )
        github = GitHub.connect(repository, None, Limits(attempts=2), Watch().clock())
        yield Stage(world, github, given)


def _arm(world: World, thread: Thread, faults: Row) -> None:
    listing = rf"GET .*/issues/{thread.number}/comments\?"
    if faults.get("list_fails"):
        world.fault(r"GET .*/comments\?", status=500, times=99)
    for number in faults.get("list_fails_for_numbers", []):
        world.fault(rf"GET .*/issues/{number}/comments\?", status=500, times=99)
    if "list_fails_on_call" in faults:
        world.fault(listing, times=faults["list_fails_on_call"] - 1)
        world.fault(listing, status=500, times=99)
    if faults.get("post_fails"):
        world.fault("POST ", status=422, message="POST failed (exit 1)", times=99)
    for name in ("patch_fails", "patch_raises_mid_write"):
        for identity in faults.get(name, []):
            message = "PATCH failed (exit 1)"
            world.fault(f"PATCH .*/{identity}$", status=422, message=message, times=99)
    for identity in faults.get("get_fails_transient", []):
        world.fault(f"GET .*/comments/{identity}$", status=502, times=99)
    for identity in faults.get("disappears_before_refind", []):
        world.fault(
            f"GET .*/comments/{identity}$",
            first=lambda identity=identity: thread.comments.pop(identity, None),
        )
    if "corrupt_readback" in faults:
        _corrupt(world, thread, faults["corrupt_readback"])


def _corrupt(world: World, thread: Thread, fault: Row) -> None:
    """After the first write, a comment reads with one text replaced by another."""
    times = 99 if fault["times"] == "always" else fault["times"] * _READINGS

    def begin() -> None:
        for identity in fault["ids"]:
            wrong = Fault(f"GET .*/comments/{identity}$", times=times)
            wrong.first = lambda identity=identity, wrong=wrong: _spoil(identity, wrong)
            world.faults.append(wrong)

    def _spoil(identity: int, wrong: Fault) -> None:
        stored = thread.comments[identity]
        body = stored.body.replace(*fault["replace"])
        author = {"login": stored.author, "id": 1, "type": "User"}
        wrong.content = json.dumps({"id": identity, "body": body, "user": author}).encode()

    world.fault("^(POST|PATCH) ", first=begin)


@contextmanager
def _all_writable() -> Iterator[None]:
    """The writer's mechanism is that of every family, also of those that others write."""
    opened = {
        name: replace(family, writable=bool(family.surface))
        for name, family in families.FAMILIES.items()
    }
    with patch.dict(families.FAMILIES, opened):
        yield


def _persist(row: Row, workspace: Workspace) -> None:
    when, expected = expand(row["when"]), row["expect"]
    with _stage(row, workspace) as stage, _all_writable():
        stage.seed(when["number"], when["target_surface"])
        result: Outcome | WriteFailed
        try:
            result = stage.writer.write(_candidate(when))
        except WriteFailed as failure:
            result = failure
        if "raises" in expected:
            assert isinstance(result, NotDelivered)
        _check_result(result, expected)
        _check_traffic(stage, when.get("body", ""), expected)


def _candidate(entry: Row) -> Candidate:
    family = families.FAMILIES.get(entry["family"])
    words = entry["marker"].split("-")
    part = next((part for part in family.parts if part in words), "") if family else ""
    key = Key(entry["family"], entry["number"], part, entry["target_surface"])
    return Candidate.of(key, entry["body"], preserve=not entry.get("no_preserve"))


def _check_result(result: "Outcome | WriteFailed", expected: Row) -> None:
    success = isinstance(result, Outcome)
    assert expected.get("success", success) is success, result
    action = result.action if isinstance(result, Outcome) else None
    assert expected.get("action", action) == action
    if isinstance(result, Outcome):
        assert result.comment_id == expected.get("comment_id", result.comment_id)
        for text in expected.get("confirmation_contains", []):
            assert text in result.confirmation
    else:
        _check_reason(str(result), expected)


def _check_reason(reason: str, expected: Row) -> None:
    for text in expected.get("reason_contains", []):
        assert text.lower() in reason.lower()
    for text in expected.get("reason_excludes", []):
        assert text.lower() not in reason.lower()


def _check_traffic(stage: Stage, candidate: str, expected: Row) -> None:
    """What was sent. A second copy that is retired gets another text, and is no update."""
    assert len(stage.posts) == expected.get("posts", len(stage.posts))
    updates = stage.patched(candidate)
    assert len(updates) == expected.get("patches", len(updates))
    assert updates == expected.get("patch_targets", updates)
    for text, body in zip(expected.get("post_order_contains", []), stage.posts, strict=False):
        assert text in body
    if "posted_number" in expected:
        posted = [seen.target for seen in stage.world.requests if seen.method == "POST"]
        assert f"/issues/{expected['posted_number']}/comments" in posted[0]
    if "network_calls" in expected:
        assert len(stage.world.requests) == expected["network_calls"]


def _persist_burst(row: Row, workspace: Workspace) -> None:
    when, expected = expand(row["when"]), row["expect"]
    with _stage(row, workspace) as stage:
        for entry in when["entries"]:
            stage.seed(entry["number"], entry["target_surface"])
        report = burst.write(stage.writer, [_candidate(entry) for entry in when["entries"]])
        _check_report(stage, report, expected)


def _check_report(stage: Stage, report: burst.Report, expected: Row) -> None:
    assert report.success is expected.get("success", report.success), report.reason
    states = {f"entry-{number}": state for number, state in enumerate(report.states, 1)}
    assert states == expected.get("artifacts", states)
    _check_reason(report.reason, expected)
    _check_traffic(stage, "", expected)


def _from_manifest(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    root = workspace.folder / "w"
    _lay_out(root, row)
    with _stage(row, workspace) as stage, _inside(root):
        reason, candidates = "", []
        try:
            candidates = manifest.read(Scratch(root / given["scratch_root"]), row["when"]["path"])
        except manifest.ManifestError as error:
            reason = str(error)
        if reason:
            assert expected["success"] is False, reason
            _check_reason(reason, expected)
            _check_traffic(stage, "", expected)
            return
        for candidate in candidates:
            stage.seed(candidate.marker.number, candidate.surface)
        if "effective_no_preserve" in expected:
            preserve = [not candidate.preserve for candidate in candidates]
            assert preserve == [expected["effective_no_preserve"]] * len(candidates)
        _check_report(stage, burst.write(stage.writer, candidates), expected)


def _lay_out(root: Path, row: Row) -> None:
    given = expand(row["given"])
    (root / given["scratch_root"]).mkdir(parents=True)
    for name, text in given["files"].items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    path = root / row["when"]["path"]
    if row["when"]["path"].endswith("/"):
        path.mkdir(exist_ok=True)
    elif given.get("manifest_raw") is not None:
        path.write_text(given["manifest_raw"], "utf-8")
    elif given.get("manifest") is not None:
        path.write_text(json.dumps(given["manifest"]), "utf-8")


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _read_bounded(row: Row, workspace: Workspace) -> None:
    given, expected = expand(row["given"]), row["expect"]
    root = workspace.folder

    def moved(path: str) -> Path:
        return root / path.lstrip("/")

    links = {p: t for p, t in given["layout"].items() if t.startswith("symlink -> ")}
    if links and WINDOWS:
        pytest.skip("links take a privilege here")
    for path, text in given["layout"].items():
        moved(path).parent.mkdir(parents=True, exist_ok=True)
        if path not in links:
            moved(path).write_text(text, "utf-8", newline="")
    for path, text in links.items():
        moved(path).symlink_to(moved(text.removeprefix("symlink -> ")))
    if given["scratch_root"] not in links:
        moved(given["scratch_root"]).mkdir(parents=True, exist_ok=True)
    asked = f"{root}/{row['when']['path'].lstrip('/')}"
    reason, body = "", None
    try:
        body = Scratch(moved(given["scratch_root"])).read(asked)
    except BodyFileError as error:
        # Messages cut a long path, and that of a test is longer than a real one.
        reason = str(error) + Path(asked).name
    assert expected["success"] is not bool(reason), reason
    assert body == expected.get("body", body)
    _check_reason(reason, expected)


class _Literal(Marker):
    """A marker that is in no registry."""

    @property
    def literal(self) -> str:
        return self.family.name


def _find_or_upsert(row: Row, workspace: Workspace) -> None:
    when, expected = expand(row["when"]), row["expect"]
    with _stage(row, workspace) as stage:
        stage.seed(when["number"], when["type"])
        target = 0
        action: str | None = None
        try:
            outcome = _upserted(stage, when)
            action = {"created": "post", "updated": "patch"}.get(outcome.action, outcome.action)
            target = outcome.comment_id
            said = f"{outcome.confirmation} {outcome.retired}"
            assert all(text in said for text in expected.get("warning_contains", []))
        except ValueError:
            action = "refuse"
        except WriteFailed:
            action = None
        assert action == expected["action"]
        assert target == expected.get("target_id", target)
        wanted = when["body"] if expected.get("posted_body_equals_input") else None
        wanted = expected.get("posted_body", wanted)
        assert wanted is None or stage.posts == [wanted]
        _check_traffic(stage, when["body"], expected)


def _upserted(stage: Stage, when: Row) -> Outcome:
    """One upsert of a text as it is: the rules of bodies are the registry's, not this row's."""
    literal = when["marker"].strip()
    if not literal:
        raise ValueError(literal)
    family = Family(literal, UPSERT, EITHER, "durable")
    candidate = Candidate(_Literal(family, when["number"]), EITHER, when["body"])
    with asking(candidate):
        listed = stage.github.comments(when["number"])
    decided = decide(candidate.marker, candidate.body, listed)
    newest = max((comment.id for comment in listed), default=0)
    plan = CommentPlan(stage.github, lambda comment: True, candidate, decided, newest, ())
    try:
        return plan.carry_out()
    except ChangedMeanwhile:  # pragma: no cover
        pytest.fail("nobody else writes in these rows")


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("post_new", "persist"): _persist,
    ("upsert", "persist"): _persist,
    ("burst", "persist_burst"): _persist_burst,
    ("manifest", "burst_from_manifest"): _from_manifest,
    ("path_bound", "read_bounded"): _read_bounded,
    ("find_or_upsert", "find_or_upsert"): _find_or_upsert,
}
