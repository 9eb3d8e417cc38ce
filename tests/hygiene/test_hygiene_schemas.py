"""The schemas of the state file and of the settings agree with the code."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hygiene.plugin_repository import PluginRepository, edit
from session_memory import schemas
from session_memory.hygiene.managed import listed_files
from support import Hook

STATE = Draft202012Validator(schemas.load("release-hygiene-state"))
SETTINGS = Draft202012Validator(schemas.load("settings"))

CREDIT = {
    "port": "release-hygiene",
    "adapter": "symmetric-bump",
    "status": "passed",
    "evidence": "lockstep",
    "verified_at": "2026-01-02T03:04:05Z",
}
PROPOSAL: dict[str, Any] = {
    "proposed_level": "patch",
    "chosen_level": None,
    "keying_strategy": "session_id",
    "touched_files": ["agents/a.md"],
}


@pytest.mark.parametrize("validator", [STATE, SETTINGS], ids=["state", "settings"])
def test_schema_is_a_schema(validator: Draft202012Validator) -> None:
    Draft202012Validator.check_schema(validator.schema)


def test_what_the_hook_writes_is_valid(tmp_path: Path, hook: Callable[..., Hook]) -> None:
    plugin = PluginRepository.released(tmp_path / "plugin")
    hook("post_tool_use", edit(plugin.root / "agents/a.md", session_id="proposal"))
    plugin.bump("1.0.1")
    for session_id in ("proposal", "credit"):
        hook("post_tool_use", edit(plugin.root / "plugin.json", session_id=session_id))
        STATE.validate(plugin.decision(session_id))
    assert set(plugin.decision("proposal")) == {*PROPOSAL, "symmetric_bump_credit"}


@pytest.mark.parametrize("level", [None, "patch", "minor", "major", "skip"])
def test_every_choice_of_the_agent_is_valid(level: str | None) -> None:
    STATE.validate({**PROPOSAL, "chosen_level": level, "unknown": 1})


def without(document: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != name}


NEAR_MISSES: dict[str, Any] = {
    "empty": {},
    "list": [],
    **{f"no {name}": without(PROPOSAL, name) for name in PROPOSAL},
    "proposal to skip": {**PROPOSAL, "proposed_level": "skip"},
    "no proposal": {**PROPOSAL, "proposed_level": None},
    "unknown choice": {**PROPOSAL, "chosen_level": "none"},
    "rung of the session key": {**PROPOSAL, "keying_strategy": "sha"},
    "file twice": {**PROPOSAL, "touched_files": ["a", "a"]},
    "nameless file": {**PROPOSAL, "touched_files": [""]},
    "bad credit beside a proposal": {**PROPOSAL, "symmetric_bump_credit": {"status": "passed"}},
    **{f"credit: no {key}": {"symmetric_bump_credit": without(CREDIT, key)} for key in CREDIT},
    "credit: status": {"symmetric_bump_credit": {**CREDIT, "status": "ok"}},
    "credit: local time": {"symmetric_bump_credit": {**CREDIT, "verified_at": "2026-01-02 03:04"}},
    "credit: more": {"symmetric_bump_credit": {**CREDIT, "more": 1}},
}


@pytest.mark.parametrize("document", NEAR_MISSES.values(), ids=NEAR_MISSES)
def test_near_miss_is_not_valid(document: object) -> None:
    assert not STATE.is_valid(document)


FILE = {"path": "a/b.json", "pattern": '"version": "(VERSION)"', "minimum": 1}
LISTED = {
    "full": ([FILE], True),
    "no minimum": ([without(FILE, "minimum")], True),
    "hidden folder": ([{**FILE, "path": ".a/.b"}], True),
    "dots in a name": ([{**FILE, "path": "a..b/c."}], True),
    "only the version": ([{**FILE, "pattern": "(VERSION)"}], True),
    "longest path": ([{**FILE, "path": "a" * 128}], True),
    "as many as may be": ([FILE] * 16, True),
    "none": ([], False),
    "too many": ([FILE] * 17, False),
    "no path": ([without(FILE, "path")], False),
    "no pattern": ([without(FILE, "pattern")], False),
    "long path": ([{**FILE, "path": "a" * 129}], False),
    "long pattern": ([{**FILE, "pattern": "(VERSION)" + "a" * 192}], False),
    "empty path": ([{**FILE, "path": ""}], False),
    "absolute": ([{**FILE, "path": "/a"}], False),
    "folder": ([{**FILE, "path": "a/"}], False),
    "parent": ([{**FILE, "path": "a/../b"}], False),
    "leading parent": ([{**FILE, "path": "../b"}], False),
    "double slash": ([{**FILE, "path": "a//b"}], False),
    "dot": ([{**FILE, "path": "."}], False),
    "backslash": ([{**FILE, "path": "a\\b"}], False),
    "line end": ([{**FILE, "path": "a\nb"}], False),
    "no placeholder": ([{**FILE, "pattern": r"([\d.]+)"}], False),
    "two placeholders": ([{**FILE, "pattern": "(VERSION) (VERSION)"}], False),
    "leading blank": ([{**FILE, "pattern": " (VERSION)"}], False),
    "minimum 0": ([{**FILE, "minimum": 0}], False),
    "minimum 101": ([{**FILE, "minimum": 101}], False),
    "misspelt minimum": ([{**FILE, "minimun": 2}], False),
    "minimum text": ([{**FILE, "minimum": "1"}], False),
}


@pytest.mark.parametrize(("listed", "valid"), LISTED.values(), ids=LISTED)
def test_schema_and_code_agree_on_managed_files(listed: list[object], valid: bool) -> None:
    assert SETTINGS.is_valid({"managed_files": listed}) is valid
    if valid:
        assert len(listed_files(listed)) == len(listed)
    else:
        with pytest.raises(ValueError, match=r"\w"):
            listed_files(listed)


@pytest.mark.parametrize(("command", "valid"), [("x", True), ("", True), ("x" * 201, False)])
def test_bump_command(command: str, valid: bool) -> None:
    assert SETTINGS.is_valid({"bump_command": command}) is valid


@pytest.mark.parametrize("settings", [{"unknown": 1}, {"references": {"unknown": 1}}], ids=str)
def test_unknown_settings_are_not_valid(settings: dict[str, Any]) -> None:
    assert not SETTINGS.is_valid(settings)
