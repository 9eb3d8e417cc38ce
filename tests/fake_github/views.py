"""How GitHub tells of what it stores."""

from typing import Any

from fake_github.state import Account, Repo, StoredComment, Thread, World

# The permission that a role amounts to in the older field.
_BASES = {"maintain": "write", "triage": "read"}


def account(world: World, login: str) -> dict[str, Any]:
    found = world.accounts.get(login.lower()) or Account(login)
    return {"login": found.login, "id": found.id, "type": "Bot" if found.is_bot else "User"}


def author(world: World, login: str) -> dict[str, Any] | None:
    """A deleted account leaves no user behind."""
    return account(world, login) if login else None


def permission(world: World, found: Account) -> dict[str, Any]:
    basis = _BASES.get(found.role, found.role)
    if basis not in ("admin", "write", "read", "none"):
        basis = "write"
    return {
        "permission": basis,
        "role_name": found.role,
        "user": account(world, found.login),
    }


def comment(host: str, repo: Repo, thread: Thread, stored: StoredComment) -> dict[str, Any]:
    return {
        "id": stored.id,
        "node_id": f"IC_{stored.id}",
        "html_url": f"{_page(host, repo, thread)}#issuecomment-{stored.id}",
        "user": author(repo.world, stored.author),
        "body": stored.body,
        "created_at": stored.created_at,
        "updated_at": stored.updated_at,
        "author_association": _association(repo.world, stored.author),
        "performed_via_github_app": None,
    }


def issue(host: str, repo: Repo, thread: Thread) -> dict[str, Any]:
    told = _thread(host, repo, thread)
    if thread.is_pull_request:
        told["pull_request"] = {"html_url": told["html_url"]}
    return told


def pull(host: str, repo: Repo, thread: Thread) -> dict[str, Any]:
    told = {**_thread(host, repo, thread), "merged_at": thread.merged_at or None}
    return {**told, "head": {"ref": "topic"}, "base": {"ref": "main"}}


def _thread(host: str, repo: Repo, thread: Thread) -> dict[str, Any]:
    return {
        "id": thread.id,
        "number": thread.number,
        "title": thread.title,
        # An empty body is told as null.
        "body": thread.body or None,
        "state": thread.state,
        "user": author(repo.world, thread.author),
        "labels": [{"name": name} for name in thread.labels],
        "comments": len(thread.comments),
        "created_at": thread.created_at,
        "updated_at": thread.updated_at,
        "html_url": _page(host, repo, thread),
        "author_association": _association(repo.world, thread.author),
    }


def _page(host: str, repo: Repo, thread: Thread) -> str:
    kind = "pull" if thread.is_pull_request else "issues"
    return f"https://{host}/{repo.full_name}/{kind}/{thread.number}"


def _association(world: World, login: str) -> str:
    found = world.accounts.get(login.lower())
    return found.association if found else "NONE"
