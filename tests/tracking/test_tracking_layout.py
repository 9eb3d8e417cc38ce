"""What stays in the tracking folder, and which issue the rest belongs to."""

import pytest

from session_memory.tracking.finished import finished
from session_memory.tracking.grouping import group, issue_of
from session_memory.tracking.layout import (
    ARCHIVED,
    PERSISTENT,
    PLACEHOLDER,
    STATE,
    WORK,
    standing,
)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("notes.md", WORK),
        ("research/2026-04-20-topic.md", WORK),
        ("gate-events.jsonl", PERSISTENT),
        ("references-state.yml", PERSISTENT),
        ("references-init.manifest", PERSISTENT),
        ("References-State.YML", PERSISTENT),
        ("research/gate-events.jsonl", WORK),  # the registry holds at the root only
        ("calibration/review-data.json", PERSISTENT),
        ("Calibration/deep/er/x.md", PERSISTENT),
        ("research/calibration/x.md", WORK),
        ("calibrations/x.md", WORK),
        ("archived/issue-3-x.md", ARCHIVED),
        (".gitkeep", PLACEHOLDER),
        ("research/.gitignore", PLACEHOLDER),
        ("session-startup-check-complete-s-1.md", STATE),
        ("hook-diagnostics.jsonl", STATE),
        ("gate-events.jsonl.lock", STATE),
        ("research/hook-diagnostics.jsonl", WORK),
    ],
)
def test_standing(path: str, expected: str) -> None:
    assert standing(path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('issue_id: "185"', 185),
        ("issue_id: '185'", 185),
        ("issue_id: 185", 185),
        ("issue_id:185", 185),
        ("---\nstatus: x\nissue_id:   7\r\n---\n", 7),
        ("issue_id: none\nissue_id: 4", 4),
        ("issue_id: 4\nissue_id: 5", 4),
        ("issue_id: 0", 0),
        (" issue_id: 4", None),
        ("my_issue_id: 4", None),
        ("Issue_ID: 4", None),
        ("issue_id:", None),
        ("", None),
        ("issue_id: " + "9" * 400, None),
    ],
)
def test_issue(text: str, expected: int | None) -> None:
    assert issue_of(text.encode()) == expected


def test_only_work_is_grouped_and_read() -> None:
    read: list[str] = []

    def head(path: str) -> bytes:
        read.append(path)
        return b"issue_id: 5" if path.endswith("a.md") else b""

    work = [".copilot-tracking/a.md", ".copilot-tracking/b.md", ".copilot-tracking/sub/a.md"]
    other = [
        ".copilot-tracking/calibration/x",
        ".copilot-tracking",
        "a.md",
        "x/.copilot-tracking/a",
    ]

    groups = group([*work, *other], head)

    assert read == work
    assert groups.tagged == {5: [work[0], work[2]]}
    assert groups.untagged == [work[1]]


@pytest.mark.parametrize(
    ("heads", "branches", "expected"),
    [
        pytest.param([], [("feature/issue-9-x", True)], {9: ["feature/issue-9-x"]}, id="merged"),
        pytest.param([], [], {9: []}, id="no-branch-left"),
        pytest.param([], [("feature/issue-9-x", False)], {}, id="never-pushed"),
        pytest.param(
            [], [("feature/issue-9-x", True), ("feature/issue-9-y", False)], {}, id="one-unpushed"
        ),
        pytest.param(["feature/issue-9-z"], [], {}, id="alive-at-the-remote"),
        pytest.param(["feature/issue-91-z"], [], {9: []}, id="longer-number"),
        pytest.param(None, [], {}, id="remote-unreachable"),
    ],
)
def test_finished(
    heads: list[str] | None, branches: list[tuple[str, bool]], expected: dict[int, list[str]]
) -> None:
    assert finished([9], heads, branches) == expected
