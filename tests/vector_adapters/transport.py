"""Area ``transport``: what a run of gh amounts to, with a script in place of gh."""

import json
from pathlib import Path
from typing import Any

import pytest

from session_memory.core.system import WINDOWS
from session_memory.github.client import Client, Limits
from session_memory.github.connection import GitHub
from session_memory.github.errors import Absent, GitHubError
from session_memory.github.executable import Executable
from session_memory.github.identifiers import comment_id, comment_id_from_url
from session_memory.github.repository import Repository
from vector_adapters import Operation, Workspace

_REPOSITORY = Repository("github.com", "acme", "widgets")
_FOLDER = 'cd "$(dirname "$0")" && echo >>calls && n=$(($(wc -l <calls)))'
# The last answer is given again to whoever asks more often.
_PRINT = '[ -e "out$n" ] || n=last; cat "out$n"; cat err >&2; exit "$(cat code)"'


def _stand_in(folder: Path, outputs: list[str], errors: str = "", code: int = 0) -> GitHub:
    """A repository behind a script that prints ``outputs`` one after the other."""
    for number, output in enumerate(outputs, 1):
        (folder / f"out{number}").write_text(output, "utf-8", newline="")
    (folder / "outlast").write_text(outputs[-1], "utf-8", newline="")
    (folder / "err").write_text(errors, "utf-8")
    (folder / "code").write_text(str(code), "utf-8")
    script = folder / "gh"
    script.write_text(f"#!/bin/sh\n{_FOLDER}\n{_PRINT}\n", "utf-8")
    script.chmod(0o755)
    return _github(script)


def _github(path: Path) -> GitHub:
    client = Client(Executable(path), "github.com", Limits(attempts=1))
    return GitHub(client, _REPOSITORY)


def _response(content: str, status: int = 200, link: str = "") -> str:
    header = f"Link: {link}\r\n" if link else ""
    return f"HTTP/2.0 {status} Status\n{header}\r\n{content}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _get_comment_status(row: dict[str, Any], workspace: Workspace) -> None:
    _needs_scripts()
    identity, expected = row["when"]["id"], row["expect"]
    status, message, body = _outcome(_answering(row["given"], identity, workspace), identity)
    assert status == {"not_found": "absent", "ok": "found"}.get(
        expected["status"], expected["status"]
    )
    if "error_message_nonempty" in expected:
        assert bool(message) is expected["error_message_nonempty"]
    if "body" in expected:
        assert body == expected["body"]


def _answering(given: dict[str, Any], identity: int, workspace: Workspace) -> GitHub:
    if given.get("executable_missing"):
        return _github(workspace.folder / "gh")
    http = given.get("http") or _stored(given, identity)
    content = _text(http.get("stdout", http.get("body", "")))
    status = http.get("status") or (0 if http.get("exit") else 200)
    answer = _response(content, status) if status and not content.startswith("HTTP/") else content
    return _stand_in(workspace.folder, [answer], http.get("stderr", ""), http.get("exit", 0))


def _stored(given: dict[str, Any], identity: int) -> dict[str, Any]:
    for comment in given.get("comments", []):
        if comment["id"] == identity:
            return {"exit": 0, "stdout": comment}
    return {"exit": 1, "stderr": "gh: Not Found (HTTP 404)"}


def _outcome(github: GitHub, identity: int) -> tuple[str, str, str]:
    try:
        return "found", "", github.comment(identity).body
    except Absent as error:
        return "absent", str(error), ""
    except GitHubError as error:
        return "error", str(error), ""


def _flatten_pages(row: dict[str, Any], workspace: Workspace) -> None:
    _needs_scripts()
    given, expected = row["given"], row["expect"]
    outputs = _pages(_text(given["raw_pages"]))
    code = given.get("exit", 0)
    try:
        found = _stand_in(workspace.folder, outputs, given.get("stderr", ""), code).comments(1)
        reachable, bodies = True, [comment.body for comment in found]
    except GitHubError:
        reachable, bodies = False, []
    assert reachable is expected["reachable"]
    assert bodies == expected.get("bodies", [])


def _pages(raw: str) -> list[str]:
    """The pages of ``gh api --paginate --slurp`` as the answers of one call each."""
    try:
        pages = json.loads(raw)
    except ValueError:
        return [_response(raw) if raw else ""]
    if not isinstance(pages, list) or not all(isinstance(page, list) for page in pages):
        return [_response(raw)]
    return [
        _response(json.dumps(_numbered(page, number)), link=_link(number + 1, len(pages)))
        for number, page in enumerate(pages, 1)
    ]


def _numbered(page: list[Any], number: int) -> list[Any]:
    """Rows leave out ids that do not matter to them."""
    return [
        {"id": number * 1000 + index, **item} if isinstance(item, dict) else item
        for index, item in enumerate(page)
    ]


def _link(number: int, count: int) -> str:
    if number > count:
        return ""
    path = f"{_REPOSITORY.path}/issues/1/comments?per_page=100&page={number}"
    return f'<https://api.github.com/{path}>; rel="next"'


def _comment_id_from_url(row: dict[str, Any], _workspace: Workspace) -> None:
    assert comment_id_from_url(row["given"]["url"] or "") == row["expect"]["id"]


def _rest_id(row: dict[str, Any], _workspace: Workspace) -> None:
    assert comment_id(row["given"]["comment"]) == row["expect"]["id"]


def _needs_scripts() -> None:
    if WINDOWS:
        pytest.skip("the stand-in for gh is a shell script")


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("transport", "get_comment_status"): _get_comment_status,
    ("transport", "flatten_pages"): _flatten_pages,
    ("transport", "comment_id_from_url"): _comment_id_from_url,
    ("transport", "rest_id"): _rest_id,
}
