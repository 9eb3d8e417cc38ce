"""The few GraphQL queries that ``gh pr list`` and ``gh issue view`` send."""

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fake_github.state import Repo, Thread, World


def answer(world: "World", body: Any) -> dict[str, Any]:
    """The whole answer; a field that is not known here makes it an error, as GitHub does."""
    query, variables = body["query"], body.get("variables") or {}
    repo = _repository(world, variables)
    if repo is None:
        message = "Could not resolve to a Repository with that name."
        return {"data": {"repository": None}, "errors": [{"type": "NOT_FOUND", "message": message}]}
    if "pullRequests(" in query:
        base = variables.get("baseBranch")
        return {"data": {"repository": {"pullRequests": _merged(repo, query, base)}}}
    return _issue(repo, variables)


def _repository(world: "World", variables: dict[str, Any]) -> "Repo | None":
    return world.repositories.get(f"{variables['owner']}/{variables['repo']}")


def _merged(repo: "Repo", query: str, base: "str | None") -> dict[str, Any]:
    """The youngest first, with the fields that were asked for."""
    threads = [
        thread
        for thread in repo.threads.values()
        if thread.merged_head and base in (None, thread.merged_into)
    ]
    nodes = [_fields(thread, query) for thread in reversed(threads)]
    pages = {"hasNextPage": False, "endCursor": None}
    return {"totalCount": len(nodes), "nodes": nodes, "pageInfo": pages}


def _fields(thread: "Thread", query: str) -> dict[str, Any]:
    branch, _, commit = thread.merged_head.partition("@")
    known = {"number": thread.number, "headRefName": branch, "headRefOid": commit}
    return {name: value for name, value in known.items() if re.search(rf"\b{name}\b", query)}


def _issue(repo: "Repo", variables: dict[str, Any]) -> dict[str, Any]:
    number = variables["number"]
    thread = repo.threads.get(number)
    if thread is None:
        message = f"Could not resolve to an issue or pull request with the number of {number}."
        error = {"type": "NOT_FOUND", "path": ["repository", "issue"], "message": message}
        return {
            "data": {"repository": {"hasIssuesEnabled": True, "issue": None}},
            "errors": [error],
        }
    state = "CLOSED" if thread.closed else "OPEN"
    labels = [{"name": name} for name in thread.labels]
    issue = {
        "__typename": "Issue",
        "id": f"I_{thread.number}",
        "state": state,
        "title": thread.title,
        "body": thread.body,
        "labels": {"nodes": labels, "totalCount": len(labels)},
    }
    return {"data": {"repository": {"hasIssuesEnabled": True, "issue": issue}}}
