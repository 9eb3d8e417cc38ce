"""Names and addresses of repositories."""

import pytest

from session_memory.github.errors import RepositoryUnknown
from session_memory.github.identifiers import comment_id, is_login
from session_memory.github.repository import Repository, parse_address, parse_name


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://github.com/acme/widgets.git", "acme/widgets"),
        ("https://github.com/acme/widgets/", "acme/widgets"),
        ("https://user:secret@github.com/acme/widgets", "acme/widgets"),
        ("HTTPS://GitHub.com/acme/widgets", "acme/widgets"),
        ("git@github.com:acme/widgets.git", "acme/widgets"),
        ("github.com:acme/widgets", "acme/widgets"),
        ("org-17@github.com:acme/widgets.git", "acme/widgets"),
        ("ssh://git@github.com/acme/widgets.git", "acme/widgets"),
        ("ssh://git@ssh.github.com:443/acme/widgets.git", "acme/widgets"),
        ("git://github.com/acme/widgets", "acme/widgets"),
        ("https://github.com/Acme_corp/.github", "Acme_corp/.github"),
        ("https://github.com/acme/a.git.git", "acme/a.git"),
        ("git@ghe.acme.test:acme/widgets.git", "ghe.acme.test/acme/widgets"),
        ("ssh://git@ghe.acme.test:2222/acme/widgets", "ghe.acme.test/acme/widgets"),
        ("https://ghe.acme.test:8443/acme/widgets", "ghe.acme.test:8443/acme/widgets"),
    ],
)
def test_address(address: str, expected: str) -> None:
    assert str(parse_address(address, "")) == expected


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/srv/git/widgets.git",
        "../widgets",
        "C:\\src\\widgets",
        "C:/acme/widgets",
        "file:///acme/widgets",
        "ext::sh -c acme/widgets",
        "https://github.com/acme",
        "https://github.com/acme/widgets/tree/main",
        "https://github.com/acme/..",
        "https://github.com/-acme/widgets",
        "https://github.com/acme/wid%2fgets",
        "https://github.com/acme/wid gets",
        "https://[::1/acme/widgets",
        "https://github.com:99999999/acme/widgets",
        "https://git_hub.com/acme/widgets",
        "git@github.com:acme/widgets\n--evil",
    ],
    ids=repr,
)
def test_not_an_address(address: str) -> None:
    assert parse_address(address, "") is None


@pytest.mark.parametrize(
    ("text", "host", "expected"),
    [
        ("acme/widgets", "", "acme/widgets"),
        ("acme/widgets", "ghe.test", "ghe.test/acme/widgets"),
        ("ghe.test/acme/widgets", "", "ghe.test/acme/widgets"),
        ("github.com/acme/widgets", "ghe.test", "acme/widgets"),
        ("https://github.com/acme/widgets", "", "acme/widgets"),
        ("git@ghe.test:acme/widgets.git", "", "ghe.test/acme/widgets"),
    ],
)
def test_name(text: str, host: str, expected: str) -> None:
    found = parse_name(text, "--repo", {"GH_HOST": host})
    assert (str(found), found.source) == (expected, "--repo")


@pytest.mark.parametrize(
    "text",
    ["", "acme", "acme/", "/widgets", "a/b/c/d", "--help/x", "acme/..", "acme/wid?gets", "a b/c"],
)
def test_not_a_name(text: str) -> None:
    with pytest.raises(RepositoryUnknown, match=r"--repo: no repository .* --repo OWNER/NAME"):
        parse_name(text, "--repo", {})


def test_path() -> None:
    assert Repository("github.com", "acme", "widgets").path == "repos/acme/widgets"


@pytest.mark.parametrize(
    ("login", "valid"),
    [("dev", True), ("ci[bot]", True), ("dev_corp", True), ("", False), ("a/b", False),
     ("../x", False), ("[bot]", False), ("a?b", False)],
)  # fmt: skip
def test_login(login: str, valid: bool) -> None:
    assert is_login(login) is valid


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ({"id": 5_100_000_001}, 5_100_000_001),
        ({"id": "12"}, 12),
        ({"id": "IC_x", "html_url": "https://github.com/a/b/pull/1#issuecomment-7"}, 7),
        ({"id": "IC_x", "url": "u#issuecomment-300"}, 300),
        ({"id": "IC_x", "url": "u#issuecomment-300x"}, None),
        ({"id": "\u0661"}, None),
        ({"id": True}, None),
        ({}, None),
    ],
    ids=repr,
)
def test_comment_id(comment: "dict[str, object]", expected: "int | None") -> None:
    assert comment_id(comment) == expected
