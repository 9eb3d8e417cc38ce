"""Which repository is taken, and what is said about the choice."""

import pytest

from session_memory.github.errors import RepositoryUnknown
from session_memory.github.remotes import resolve
from support import Repository

URLS = {
    "origin": "https://github.com/me/widgets.git",
    "upstream": "git@github.com:acme/widgets.git",
    "github": "https://github.com/mirror/widgets",
    "zeta": "https://github.com/zeta/widgets",
    "corp": "ssh://git@ghe.test/corp/widgets.git",
    "gitlab": "https://gitlab.com/acme/widgets.git",
    "disk": "/srv/git/widgets.git",
}


def add(repo: Repository, *names: str) -> str:
    for name in names:
        repo.git("remote", "add", name, URLS[name])
    return str(repo.root)


@pytest.mark.parametrize(
    ("names", "expected", "source"),
    [
        (["origin"], "me/widgets", "git remote origin"),
        (["zeta", "origin"], "me/widgets", "git remote origin, before zeta"),
        (["origin", "upstream"], "acme/widgets", "git remote upstream, before origin"),
        (["github", "origin"], "mirror/widgets", "git remote github, before origin"),
        (["gitlab", "zeta"], "zeta/widgets", "git remote zeta"),
        (["disk", "corp"], "ghe.test/corp/widgets", "git remote corp"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
def test_remotes(names: "list[str]", expected: str, source: str, repo: Repository) -> None:
    found = resolve("", add(repo, *names), {})
    assert (str(found), found.source) == (expected, source)


def test_a_second_address_of_the_same_repository_is_no_choice(repo: Repository) -> None:
    folder = add(repo, "origin")
    repo.git("remote", "add", "push", "git@github.com:Me/Widgets.git")
    found = resolve("", folder, {})
    assert (found.source, found.guessed) == ("git remote origin", False)


def test_the_option_wins(repo: Repository) -> None:
    found = resolve("a/b", add(repo, "origin"), {"GH_REPO": "c/d"})
    assert (str(found), found.source) == ("a/b", "--repo")


def test_the_variable_is_next(repo: Repository) -> None:
    found = resolve("", add(repo, "origin"), {"GH_REPO": "ghe.test/c/d"})
    assert (str(found), found.source) == ("ghe.test/c/d", "GH_REPO")


def test_a_bad_variable_does_not_fall_through(repo: Repository) -> None:
    with pytest.raises(RepositoryUnknown, match="GH_REPO"):
        resolve("", add(repo, "origin"), {"GH_REPO": "c d"})


def test_the_host_of_the_environment_decides(repo: Repository) -> None:
    assert str(resolve("", add(repo, "origin", "corp"), {"GH_HOST": "ghe.test"})) == (
        "ghe.test/corp/widgets"
    )


def test_no_remote_on_the_host_of_the_environment(repo: Repository) -> None:
    with pytest.raises(RepositoryUnknown, match=r"no git remote on other\.test"):
        resolve("", add(repo, "origin"), {"GH_HOST": "other.test"})


@pytest.mark.parametrize(
    ("value", "expected"), [("base", "me/widgets"), ("else/where", "else/where")]
)
def test_what_gh_was_told_to_take(value: str, expected: str, repo: Repository) -> None:
    folder = add(repo, "origin", "upstream")
    repo.git("config", "remote.origin.gh-resolved", value)
    found = resolve("", folder, {})
    assert (str(found), found.source) == (expected, "gh repo set-default, git remote origin")


def test_rewritten_addresses_are_seen_as_git_sees_them(repo: Repository) -> None:
    repo.git("config", "url.https://github.com/.insteadOf", "gh:")
    repo.git("remote", "add", "origin", "gh:acme/widgets")
    assert str(resolve("", str(repo.root), {})) == "acme/widgets"


@pytest.mark.parametrize("names", [[], ["disk"], ["gitlab"]], ids=repr)
def test_nothing_to_take(names: "list[str]", repo: Repository) -> None:
    with pytest.raises(RepositoryUnknown, match="Name it with --repo"):
        resolve("", add(repo, *names), {})


def test_a_secret_in_an_address_is_not_told(repo: Repository) -> None:
    repo.git("remote", "add", "origin", "https://me:hunter2@github.com/acme/widgets")
    assert "hunter2" not in repr(resolve("", str(repo.root), {}))
