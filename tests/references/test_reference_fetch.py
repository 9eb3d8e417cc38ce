"""The gh executable: how it is called, and what its failures are called."""

import hashlib
import json
import os
import time
from pathlib import Path

import pytest

from reference_support import Gh
from session_memory.references.fetch import FetchFailed, fetch_issue
from session_memory.references.issue import Issue, parse_issue
from session_memory.references.prompt import Mention


@pytest.fixture
def gh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gh:
    made = Gh.create(tmp_path / "bin")
    monkeypatch.setenv("PATH", made.environment["PATH"])
    return made


def _fetch(tmp_path: Path, mention: Mention | None = None, limit_s: float = 10.0) -> Issue:
    return fetch_issue(str(tmp_path), mention or Mention(5), limit_s)


def test_call(gh: Gh, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("GH_FORCE_TTY", "1")
    gh.answer("text", "title", ("bug",))
    issue = _fetch(tmp_path)
    assert (issue.title, issue.body, issue.labels) == ("title", "text", ("bug",))
    (call,) = gh.calls
    assert call["arguments"] == ["issue", "view", "5", "--json", "title,body,labels"]
    assert (call["cwd"], call["stdin"]) == (str(tmp_path), "")
    environment = call["environment"]
    assert not {"GIT_DIR", "GH_FORCE_TTY"} & set(environment)
    assert environment["GH_PROMPT_DISABLED"] == environment["NO_COLOR"] == "1"


def test_another_repository(gh: Gh, tmp_path: Path) -> None:
    _fetch(tmp_path, Mention(5, "o/r"))
    assert gh.calls[0]["arguments"][-2:] == ["--repo", "o/r"]


def test_body_beyond_every_pipe_buffer(gh: Gh, tmp_path: Path) -> None:
    gh.answer("x" * 300_000)
    assert len(_fetch(tmp_path).body) == 300_000


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ({"code": 4, "stderr": "whatever"}, "gh is not signed in"),
        ({"code": 1, "stderr": "To get started, please run: gh auth login"}, "gh is not signed in"),
        (
            {"code": 1, "stderr": "GraphQL: Could not resolve to an issue or pull request"},
            "there is no such issue",
        ),
        (
            {"code": 1, "stderr": "GraphQL: Could not resolve to a Repository"},
            "gh cannot see the repository",
        ),
        ({"code": 1, "stderr": "error connecting to api.github.com"}, "GitHub cannot be reached"),
        (
            {"code": 1, "stderr": "none of the git remotes configured point to a known host"},
            "no remote of the repository is on GitHub",
        ),
        ({"code": 1, "stderr": "the 'o/secret' repository has disabled issues"}, "has no issues"),
        ({"code": 7, "stderr": "secret"}, "gh failed with exit code 7"),
        ({"stdout": "secret"}, "gh gave no JSON object"),
        ({"stdout": "[]"}, "gh gave no JSON object"),
        ({"stdout": "x" * (5 << 20)}, "exceeds"),
        ({"code": 1, "stderr": "x" * 300_000}, "exit code 1"),
    ],
    ids=[
        *("exit-4", "auth", "no-issue", "no-repository", "offline", "no-remote", "disabled"),
        *("unknown", "no-json", "array", "endless", "long-message"),
    ],
)
def test_failure(gh: Gh, tmp_path: Path, plan: dict[str, object], reason: str) -> None:
    gh.plan(**plan)
    with pytest.raises(FetchFailed, match=reason) as caught:
        _fetch(tmp_path)
    assert "secret" not in str(caught.value)


def test_limit_ends_gh_and_what_it_started(gh: Gh, tmp_path: Path) -> None:
    (gh.folder / "gh").write_text("#!/bin/sh\nsleep 60 &\necho $! > child\nsleep 60\n")
    start = time.monotonic()
    with pytest.raises(FetchFailed, match=r"gh took longer than 0\.5 s"):
        _fetch(tmp_path, limit_s=0.5)
    assert time.monotonic() - start < 3
    assert _is_gone(int((tmp_path / "child").read_text()))


def _is_gone(pid: int) -> bool:
    """Killed; whoever inherited it may not have collected it yet."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_child_that_keeps_the_pipe_open(gh: Gh, tmp_path: Path) -> None:
    (gh.folder / "gh").write_text("#!/bin/sh\nsleep 3 &\nexit 0\n")
    with pytest.raises(FetchFailed, match="what it started did not"):
        _fetch(tmp_path, limit_s=0.5)


@pytest.mark.parametrize("path", ["", ".", "bin", f"bin{os.pathsep}.{os.pathsep}"])
def test_relative_folders_of_path_are_skipped(
    gh: Gh, tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", path)
    with pytest.raises(FetchFailed, match="gh is not installed"):
        _fetch(tmp_path)


def test_gh_that_is_no_program(gh: Gh, tmp_path: Path) -> None:
    (gh.folder / "gh").write_text("")
    (gh.folder / "gh").write_bytes(b"\x7fELF nonsense")
    with pytest.raises(FetchFailed, match="gh cannot be started"):
        _fetch(tmp_path)


@pytest.mark.parametrize(
    ("answer", "labels", "body"),
    [
        ({"body": None, "labels": None}, (), ""),
        ({"labels": ["a", {"name": "b"}, {"id": 1}, 5, {"name": None}]}, ("a", "b"), ""),
        ({"body": 5, "title": {}}, (), ""),
        ({"body": "\ud800"}, (), "\ufffd"),
    ],
    ids=["null", "labels", "wrong-types", "surrogate"],
)
def test_parse(answer: dict[str, object], labels: tuple[str, ...], body: str) -> None:
    issue = parse_issue(json.dumps(answer))
    assert (issue.labels, issue.body) == (labels, body)


@pytest.mark.parametrize("body", ["", "\u00e9\r\n"])
def test_body_hash(body: str) -> None:
    assert Issue(body=body).body_hash == hashlib.sha256(body.encode()).hexdigest()[:16]
