"""Who allows the check to use the network."""

from typing import Any

import pytest

from session_memory.core import settings
from session_memory.core.settings import NETWORK
from session_memory.startup import permission
from startup.looks import Start
from startup_support import CONFLICTED, Clone
from support import Repository

X = "claude/x"
FEATURE = "feature/issue-4-x"

SETTINGS = [
    ("", None, False, ""),
    ("[startup]\nnetwork = true\n", None, True, ""),
    ("[startup]\nnetwork = false\n", None, False, ""),
    ("[startup]\nnetwork = 1\n", None, False, "startup.network is neither true nor false"),
    ("startup = true\n", None, False, "startup is not a table"),
    ("[startup]\nnetwork = true\n", "0", False, ""),
    ("", "1", True, ""),
    ("", "TRUE", True, ""),
    ("[startup]\nnetwork = true\n", "perhaps", False, "SESSION_MEMORY_NETWORK is neither"),
]


@pytest.mark.parametrize("case", SETTINGS, ids=str)
def test_permission(
    repo: Repository,
    monkeypatch: pytest.MonkeyPatch,
    case: "tuple[str, str | None, bool, str]",
) -> None:
    text, variable, allowed, loss = case
    if text:
        repo.write(".session-memory.toml", text)

    def read(root: str, lose: Any) -> "dict[str, object]":
        return settings.read_settings(root, lose, lambda name: (variable or "") * (name == NETWORK))

    monkeypatch.setattr(permission, "read_settings", read)
    losses: list[str] = []
    assert permission.network_allowed(str(repo.root), losses.append) is allowed
    assert bool(losses) is bool(loss)
    assert loss in "".join(losses)


def test_hook_heeds_the_settings(
    clone: Clone, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.branch(FEATURE)
    clone.follow(FEATURE, missing=True)
    clone.primary.write(".git/info/exclude", ".session-memory.toml\n")
    clone.primary.write(".session-memory.toml", "[startup]\nnetwork = true\n")
    assert FEATURE in start(cwd=str(clone.primary.root)).context


def test_wrong_value_is_told_once_it_matters(clone: Clone, start: Start) -> None:
    clone.primary.write(".session-memory.toml", "[startup]\nnetwork = 'yes'\n")
    start(cwd=str(clone.primary.root)).assert_quiet()
    clone.branch(X, CONFLICTED)
    done = start(cwd=str(clone.primary.root), session_id="two")
    assert b"startup.network is neither true nor false" in done.stderr
