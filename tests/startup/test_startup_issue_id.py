"""The issue of a branch name, beyond the vectors."""

import pytest

from session_memory.startup.issue_id import derive_issue_id


@pytest.mark.parametrize(
    ("branch", "issue"),
    [
        ("Feature/Issue-12-x", 12),
        ("feature/issue-0012-x", 12),
        ("feature/issue-12-", 12),
        ("feature/issue--x", None),
        ("feature/issue-12a-x", None),
        ("feature/issue-١٢-x", None),
        ("feature/issue-" + "9" * 5000 + "-x", None),
        ("feature/issue-12345678901234567890-x", None),
        ("claude/fix-12-ABCDEF", 12),
        ("claude/fix-12-345678", 12),
        ("claude/fix-12-abcde", None),
        ("claude/fix-12-abcdefa", None),
        ("claude/fix-12-abcdeg", None),
        ("claude/12-abcdef", None),
        ("claude/-12-abcdef", 12),
        ("claude/fix-0-abcdef", None),
        ("my/feature/issue-12-x", None),
        ("main", None),
        ("", None),
    ],
)
def test_derive_issue_id(branch: str, issue: "int | None") -> None:
    assert derive_issue_id(branch) == issue
