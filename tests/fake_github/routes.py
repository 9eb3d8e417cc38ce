"""The REST interface: which request does what."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from fake_github import graphql, views
from fake_github.state import Repo, Thread, World

_MAX_BODY = 65_536


@dataclass(frozen=True)
class Call:
    """A request that was understood. ``root`` is what addresses in the answer begin with."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Any
    login: str
    host: str
    root: str
    stale: int = 0


@dataclass(frozen=True)
class Answer:
    status: int
    content: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Refusal(Exception):
    """An answer that says no."""

    def __init__(self, status: int, message: str, *details: Mapping[str, str]) -> None:
        super().__init__(message)
        self.answer = Answer(
            status, {"message": message, "errors": list(details), "status": str(status)}
        )


def answer(world: World, call: Call) -> Answer:
    """Carry out a request; :class:`Refusal` for what GitHub would refuse."""
    if call.path == "/user":
        if call.login.endswith("[bot]"):
            raise Refusal(403, "Resource not accessible by integration")
        return Answer(200, views.account(world, call.login))
    if call.path == "/graphql":
        return Answer(200, graphql.answer(world, call.body))
    match = re.fullmatch(r"/(?:repos/([^/]+/[^/]+)|repositories/(\d+))(/.+)", call.path)
    if match is None:
        raise Refusal(404, "Not Found")
    repo = _repository(world, match[1], match[2])
    moved = _new_address(repo, match[3])
    if moved:
        return Answer(301, {"message": "Moved Permanently"}, {"Location": call.root + moved})
    for pattern, handler in _ROUTES.items():
        found = re.fullmatch(pattern, match[3])
        if found:
            return handler(world, call, repo, found[1])
    raise Refusal(404, "Not Found")


def _repository(world: World, name: str | None, number: str | None) -> Repo:
    for repo in world.repositories.values():
        if (name or "").lower() == repo.full_name.lower() or number == str(repo.id):
            return repo
    raise Refusal(404, "Not Found")


def _new_address(repo: Repo, path: str) -> str:
    found = re.fullmatch(r"/(?:issues|pulls)/(\d+)(/comments)?", path)
    address = repo.transferred.get(int(found[1])) if found else None
    return f"{address}{found[2] or ''}" if found and address else ""


def _permission(world: World, call: Call, repo: Repo, login: str) -> Answer:
    viewer = world.accounts[call.login.lower()]
    if viewer.role not in ("admin", "maintain", "write"):
        raise Refusal(403, "Must have push access to view collaborator permission.")
    found = world.accounts.get(login.lower().replace("%5b", "[").replace("%5d", "]"))
    if found is None:
        raise Refusal(404, f"{login} is not a user")
    return Answer(200, views.permission(world, found))


def _comment(world: World, call: Call, repo: Repo, identity: str) -> Answer:
    try:
        thread, stored = repo.find(int(identity))
    except KeyError:
        raise Refusal(404, "Not Found") from None
    if call.method == "DELETE":
        del thread.comments[stored.id]
        return Answer(204)
    if call.method == "PATCH":
        thread.edit(stored, _body(call, "IssueComment"))
    return Answer(200, views.comment(call.host, repo, thread, stored))


def _comments(world: World, call: Call, repo: Repo, number: str) -> Answer:
    thread = _thread(repo, number)
    if call.method == "POST":
        stored = thread.post(_body(call, "IssueComment"), call.login)
        return Answer(201, views.comment(call.host, repo, thread, stored))
    listed = sorted(thread.comments.values(), key=lambda comment: comment.id)
    listed = listed[: len(listed) - call.stale]
    path = f"repositories/{repo.id}/issues/{number}/comments"
    return _page(call, path, [views.comment(call.host, repo, thread, item) for item in listed])


def _issue(world: World, call: Call, repo: Repo, number: str) -> Answer:
    return Answer(200, views.issue(call.host, repo, _updated(call, _thread(repo, number))))


def _pull(world: World, call: Call, repo: Repo, number: str) -> Answer:
    thread = _thread(repo, number)
    if not thread.is_pull_request:
        raise Refusal(404, "Not Found")
    return Answer(200, views.pull(call.host, repo, _updated(call, thread)))


def _pulls(world: World, call: Call, repo: Repo, _number: str) -> Answer:
    wanted = [
        thread
        for _, thread in sorted(repo.threads.items())
        if thread.is_pull_request and call.query.get("state") in ("all", thread.state)
    ]
    kept = {name: call.query[name] for name in ("state", "sort", "direction") if name in call.query}
    return _page(
        call, f"repositories/{repo.id}/pulls", [views.pull(call.host, repo, one) for one in wanted],
        **kept,
    )  # fmt: skip


def _updated(call: Call, thread: Thread) -> Thread:
    if call.method == "PATCH":
        thread.body = _body(call, "Issue")
        thread.updated_at = thread.world.stamp()
    return thread


def _thread(repo: Repo, number: str) -> Thread:
    try:
        return repo.threads[int(number)]
    except KeyError:
        raise Refusal(404, "Not Found") from None


def _body(call: Call, resource: str) -> str:
    body = call.body.get("body") if isinstance(call.body, dict) else None
    if not isinstance(body, str) or (not body and resource == "IssueComment"):
        raise Refusal(422, "Validation Failed", {"resource": resource, "message": "Body is blank"})
    if len(body) > _MAX_BODY:
        long = f"Body is too long (maximum is {_MAX_BODY} characters)"
        raise Refusal(422, "Validation Failed", {"resource": resource, "message": long})
    return body


def _page(call: Call, path: str, items: list[Any], **kept: str) -> Answer:
    size = min(int(call.query.get("per_page", "30")), 100)
    page = int(call.query.get("page", "1"))
    last = max(1, -(-len(items) // size))
    links = []
    for name, target in (("next", page + 1), ("last", last)):
        if page < last:
            query = urlencode({**kept, "per_page": size, "page": target})
            # Like GitHub, by the repository's number and not by its name.
            address = f"{call.root}/{path}?{query}"
            links.append(f'<{address}>; rel="{name}"')
    headers = {"Link": ", ".join(links)} if links else {}
    return Answer(200, items[(page - 1) * size : page * size], headers)


_Handler = Callable[[World, Call, Repo, str], Answer]
_ROUTES: dict[str, _Handler] = {
    r"/collaborators/([^/]+)/permission": _permission,
    r"/issues/comments/(\d+)": _comment,
    r"/issues/(\d+)/comments": _comments,
    r"/issues/(\d+)": _issue,
    r"/pulls/(\d+)": _pull,
    r"/pulls()": _pulls,
}
