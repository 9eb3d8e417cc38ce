"""Whether the install prompt is shown, and which folder a key stands for."""

import json
from pathlib import Path

import jsonschema
import pytest

from session_memory import schemas
from session_memory.memory import install_prompt, names
from session_memory.memory.caches import Caches
from session_memory.memory.install_prompt import SENTINEL, Facts, decide
from session_memory.memory.sources import SESSION
from support import Repository


@pytest.mark.parametrize(
    ("facts", "decision"),
    [
        pytest.param(Facts("claude", key_set=None), "skip", id="claude"),
        pytest.param(Facts("copilot", headless=True), "skip", id="headless"),
        pytest.param(Facts("copilot", key_set=True), "skip", id="answered"),
        pytest.param(Facts("copilot", sentinel=True), "skip", id="installed"),
        pytest.param(Facts("copilot", key_set=None, sentinel=True), "skip", id="no-memory-but"),
        pytest.param(Facts("copilot", key_set=None), "prompt", id="no-memory"),
        pytest.param(Facts("copilot"), "prompt", id="not-asked"),
    ],
)
def test_decision(facts: Facts, decision: str) -> None:
    assert decide(facts)[0] == decision


@pytest.mark.parametrize("answer", install_prompt.ANSWERS)
def test_any_answer_sets_the_key(caches: Caches, here: Repository, answer: str) -> None:
    assert not install_prompt.key(caches, SESSION).found
    install_prompt.write(caches, answer)
    source = install_prompt.key(caches, SESSION)
    assert source.found
    jsonschema.validate(json.loads(source.text), schemas.load("install-prompt"))
    file = names.install_prompt(str(here.root))
    assert install_prompt.folder_of(source.text, file) == str(here.root)
    assert install_prompt.folder_of(source.text, names.install_prompt("/other")) == ""


@pytest.mark.parametrize(("content", "is_set"), [("yes", True), ("", False), ("\n", False)])
def test_any_text_sets_the_key(
    caches: Caches, here: Repository, content: str, is_set: bool
) -> None:
    file = names.install_prompt(str(here.root))
    here.write(f"memories/session/{file}", content)
    source = install_prompt.key(caches, SESSION)
    assert source.found is is_set
    assert install_prompt.folder_of(source.text, file) == ""


@pytest.mark.parametrize(("content", "is_set"), [("yes", True), ("", False)])
def test_the_literal_key_of_the_contract_counts_too(
    caches: Caches, here: Repository, content: str, is_set: bool
) -> None:
    here.write(f"memories/session/{names.PROMPT_PREFIX}{here.root}", content)
    assert install_prompt.key(caches, SESSION).found is is_set


def test_a_literal_key_behind_a_link_does_not_count(
    caches: Caches, here: Repository, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    here.session.mkdir(parents=True)
    (here.session / names.PROMPT_PREFIX).symlink_to(outside)
    (outside / str(here.root).lstrip("/")).parent.mkdir(parents=True)
    (outside / str(here.root).lstrip("/")).write_text("yes", "utf-8")
    assert not install_prompt.key(caches, SESSION).found


def test_the_sentinel_of_an_installation(here: Repository) -> None:
    assert not install_prompt.is_installed(str(here.root))
    here.write(SENTINEL, "")
    assert install_prompt.is_installed(str(here.root))
    assert not install_prompt.is_installed("")


@pytest.mark.parametrize(
    "text", ["", "yes", "[]", '{"root": 3}', '{"root": "\\ud800"}', '{"root": "/\\u0000"}']
)
def test_a_key_of_another_tool_tells_no_folder(text: str) -> None:
    assert install_prompt.folder_of(text, names.install_prompt("/other")) == ""
