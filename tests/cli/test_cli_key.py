"""``key``: what hooks would use here."""

import pytest

from command_line import run
from session_memory.core.checkout import SHORT_SHA
from support import Repository


def test_key_in_words(repo: Repository) -> None:
    ran = run("key", cwd=repo.root, env={"CLAUDE_CODE_SESSION_ID": "abc"})
    assert ran.stdout.splitlines() == [
        "key       s-abc",
        "rung      session_id",
        "variable  CLAUDE_CODE_SESSION_ID",
        f"root      {repo.root}",
        f"log       {repo.session / 'gate-events-s-abc.jsonl'}",
    ]


def test_key_of_a_detached_checkout(repo: Repository) -> None:
    sha = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "--quiet", "--detach")
    ran = run("key", "--json", cwd=repo.root)
    assert (ran.json["key"], ran.json["rung"]) == (f"sha-{sha[:SHORT_SHA]}", "sha")
    assert ran.json["variable"] == ""


def test_key_elsewhere(repo: Repository) -> None:
    ran = run("key", "--json", "--cwd", "repo", cwd=repo.root.parent)
    assert (ran.json["key"], ran.json["root"]) == ("b-main", str(repo.root))


def test_key_outside_any_repository(repo: Repository) -> None:
    ran = run("key", "--json", cwd=repo.root.parent)
    assert ran.json == {"key": "session", "rung": "session", "variable": "", "root": "", "log": ""}


def test_key_outside_any_repository_in_words(repo: Repository) -> None:
    ran = run("key", cwd=repo.root.parent)
    assert "  none: outside any repository" in ran.stdout


@pytest.mark.parametrize("name", ["s-by-hand", "b-main", "sha-0123456789ab", "session"])
def test_id_that_looks_like_a_key_is_remarked(repo: Repository, name: str) -> None:
    ran = run("key", "--session", name, cwd=repo.root)
    assert (ran.code, ran.stdout.split()[1]) == (0, f"s-{name}")
    assert ran.stderr.startswith(f"note: the session id {name} looks like a key;")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["-h", "--help"])
def test_help(repo: Repository, name: str) -> None:
    ran = run("key", name, cwd=repo.root)
    assert ran.code == 0
    assert "--json" in ran.stdout
