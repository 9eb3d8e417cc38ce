"""Doctor asks GitHub whether markers could be written, when it is told to."""

import pytest

from durable_support import Cli
from fake_github import World
from fake_github.state import VIEWER


@pytest.mark.parametrize(
    ("role", "level", "words"),
    [
        ("admin", "ok", "may write (admin)"),
        ("write", "ok", "may write (write)"),
        ("read", "warning", "Write access could not be made sure of"),
    ],
)
def test_write_access(cli: Cli, world: World, role: str, level: str, words: str) -> None:
    world.repository()
    world.account(VIEWER, role, "COLLABORATOR")
    found = [
        one
        for one in cli("doctor", "--github", "--json").json["findings"]
        if one["check"] == "GitHub"
    ]
    assert [(one["level"], words in one["what"]) for one in found] == [(level, True)]


def test_without_the_option_nothing_is_asked(cli: Cli, world: World) -> None:
    cli("doctor", "--json")
    assert world.log() == []
