"""Which entries an issue calls for."""

import pytest

from session_memory.references.globs import glob_matches
from session_memory.references.index import Entry, Trigger
from session_memory.references.issue import Issue
from session_memory.references.matching import Matcher, tokens


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/b/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/b/c/a.py", True),
        ("src/**", "src/b/a.py", True),
        ("src/**", "src", False),
        ("**/a.py", "a.py", True),
        ("**", "any/thing", True),
        ("*.md", "docs/a.md", True),
        ("a?.md", "ab.md", True),
        ("a?c/x", "a/c/x", False),
        ("src\\*.py", "src/a.py", True),
        ("a.md", "aXmd", False),
        ("[a].md", "a.md", False),
        ("", "a", False),
        ("a*b*c", "aXbYbZc", True),
        ("a*b", "aXbY", False),
        ("Src/*", "src/a", False),
    ],
)
def test_glob(pattern: str, path: str, expected: bool) -> None:
    assert glob_matches(pattern, path) is expected


def test_glob_with_many_stars_is_quick() -> None:
    assert not glob_matches("*a" * 200 + "/" + "**/" * 200 + "b", "a" * 5000 + "/" + "c/" * 500)


def test_tokens() -> None:
    assert tokens("The Parser-2, of a PARSER for auth_v21!") == {"parser", "auth", "v21"}


def _entry(priority: str = "optional", **trigger: tuple[str, ...]) -> Entry:
    triggers = (Trigger(**trigger),) if trigger else ()  # type: ignore[arg-type]
    return Entry(
        "login",
        "Documents/guide.md",
        description="sessions",
        load_priority=priority,
        triggers=triggers,
    )


@pytest.mark.parametrize(
    ("entry", "issue", "expected"),
    [
        (_entry(labels=("Auth",)), Issue(labels=("auth",)), True),
        (_entry(labels=("auth",)), Issue(labels=("authority",)), False),
        (_entry(keywords=("sign in",)), Issue(title="Cannot SIGN IN"), True),
        (_entry(keywords=("a.b",)), Issue(body="axb"), False),
        (_entry(globs=("src/*.py",)), Issue(changed_paths=("src\\a.py",)), True),
        (_entry(), Issue(body="the login fails"), True),
        (_entry(), Issue(body="two sessions"), True),
        (_entry(), Issue(body="read the document"), False),
        (_entry(), Issue(changed_paths=("Documents/guide.md",)), True),
        (_entry(), Issue(changed_paths=("/work/Documents/guide.md",)), True),
        (_entry(), Issue(changed_paths=("MyDocuments/guide.md",)), False),
        (_entry("critical", labels=("x",)), Issue(body="the login fails"), False),
        (_entry("critical", keywords=("login",)), Issue(body="the login fails"), True),
    ],
    ids=[
        *("label-any-case", "label-whole", "keyword-any-case", "keyword-plain", "glob"),
        *("token-of-name", "token-of-description", "stop-word", "path", "path-from-above"),
        *("path-part", "critical-without-trigger", "critical-with-trigger"),
    ],
)
def test_match(entry: Entry, issue: Issue, expected: bool) -> None:
    assert Matcher(issue).matches(entry) is expected


@pytest.mark.parametrize(
    ("entry", "issue", "expected"),
    [
        (_entry(labels=("auth",)), Issue(labels=("auth",)), True),
        (_entry(keywords=("login",)), Issue(body="login"), False),
        (_entry(), Issue(body="login"), False),
        (_entry(), Issue(changed_paths=("Documents/guide.md",)), False),
    ],
    ids=["label", "keyword", "token", "path"],
)
def test_labels_only(entry: Entry, issue: Issue, expected: bool) -> None:
    assert Matcher(issue, labels_only=True).matches(entry) is expected


def test_every_trigger_counts() -> None:
    triggers = (Trigger(labels=("a",)), Trigger(keywords=("crash",)))
    assert Matcher(Issue(body="a crash")).matches(Entry("x1", "y1", triggers=triggers))
