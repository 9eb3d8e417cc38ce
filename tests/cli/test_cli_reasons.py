"""``hook --explain`` tells why nothing is injected."""

import ast
import json
import os
from pathlib import Path
from typing import Any

import pytest

from command_line import run
from reference_support import Gh, add_references, entry
from session_memory import cli
from session_memory.cli import reasons
from session_memory.core import guard
from support import Repository

LIBRARY = Path(cli.__file__).resolve().parents[1]

PROMPT = {"hook_event_name": "UserPromptSubmit", "prompt": "hello"}
START = {"hook_event_name": "SessionStart", "source": "startup"}
EDIT = {"hook_event_name": "PostToolUse", "tool_name": "Edit"}
SKILL = {"file_path": "skills/a/SKILL.md"}


def because(
    repo: Repository, payload: dict[str, Any], env: "dict[str, str] | None" = None
) -> dict[str, str]:
    """Feature to code, as the explanation of ``payload`` tells."""
    sent = {"session_id": "abc", "cwd": str(repo.root), **payload}
    arguments = ("hook", sent["hook_event_name"], "--explain", "--json")
    ran = run(*arguments, cwd=repo.root, stdin=json.dumps(sent).encode(), env=env)
    assert (ran.code, ran.json["context"]) == (0, "")
    return {each["feature"]: each["code"] for each in ran.json["because"]}


CASES: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "prompt": (PROMPT, {"startup": "nothing-left-over", "references": "no-issue-named"}),
    "mere word": (
        {**PROMPT, "prompt": "an issue"},
        {"startup": "nothing-left-over", "references": "no-index"},
    ),
    "subagent's prompt": ({**PROMPT, "agent_id": "a1"}, {"hook": "subagent"}),
    "subagent's start": ({**START, "agent_id": "a1"}, {"hook": "subagent"}),
    "machine's prompt": (
        {**PROMPT, "prompt": "<task-notification>"},
        {"hook": "machine-made-prompt"},
    ),
    "prompt outside": ({**PROMPT, "cwd": "/"}, {"hook": "outside-repository"}),
    "start outside": ({**START, "cwd": "/"}, {"hook": "outside-repository"}),
    "start": (START, {"startup": "nothing-left-over"}),
    "fork": ({**START, "source": "fork"}, {"startup": "history-inherited"}),
    "other tool": ({**EDIT, "tool_name": "Bash"}, {"hook": "other-tool"}),
    "source file": ({**EDIT, "tool_input": {"file_path": "a.py"}}, {"hygiene": "no-entry-point"}),
    "deep README": (
        {**EDIT, "tool_input": {"file_path": "docs/README.md"}},
        {"hygiene": "no-entry-point"},
    ),
    "no maintainer's": ({**EDIT, "tool_input": SKILL}, {"hygiene": "no-releases-here"}),
}


@pytest.mark.parametrize(("payload", "codes"), CASES.values(), ids=CASES)
def test_reason(repo: Repository, payload: dict[str, Any], codes: dict[str, str]) -> None:
    assert because(repo, payload) == codes


@pytest.mark.parametrize(
    ("index", "prompt", "code"),
    [
        pytest.param("[]", "issue ##5", "no-issue-named", id="no-number"),
        pytest.param("[]", "PR #5, no issue 5x", "no-issue-named", id="pull-request"),
        pytest.param("[]", "issue 5", "index-empty", id="empty"),
        pytest.param("{", "issue 5", "index-unusable", id="broken"),
    ],
)
def test_reason_of_the_index(repo: Repository, index: str, prompt: str, code: str) -> None:
    repo.write(".references/index.json", index)
    assert because(repo, {**PROMPT, "prompt": prompt})["references"] == code


@pytest.mark.parametrize("payload", [START, PROMPT], ids=["start", "prompt"])
@pytest.mark.parametrize(
    ("marker", "code"), [("done", "checked-before"), ("", "claimed-by-another")]
)
def test_reason_of_the_marker(
    repo: Repository, payload: dict[str, Any], marker: str, code: str
) -> None:
    repo.write("memories/session/session-startup-check-complete-s-abc.md", marker)
    assert because(repo, payload)["startup"] == code


def test_reason_without_a_place_for_the_marker(repo: Repository) -> None:
    repo.write("memories", "a file")
    repo.write(".copilot-tracking", "a file")
    assert because(repo, PROMPT)["startup"] == "no-place-for-state"


def test_reason_after_the_reminder(repo: Repository) -> None:
    release(repo)
    edit = {"session_id": "abc", "cwd": str(repo.root), **EDIT, "tool_input": SKILL}
    first = run("hook", "PostToolUse", cwd=repo.root, stdin=json.dumps(edit).encode())
    assert "Release hygiene" in first.stdout
    assert because(repo, edit) == {"hygiene": "reminded-before"}


def test_reason_after_the_bump(repo: Repository) -> None:
    release(repo)
    repo.git("checkout", "--quiet", "-b", "feature")
    repo.write("plugin.json", '{"version": "1.1.0"}')
    assert because(repo, {**EDIT, "tool_input": SKILL}) == {"hygiene": "already-bumped"}


def release(repo: Repository) -> None:
    """Make a maintainer's checkout of a plugin out of ``repo``."""
    managed = """{path = "plugin.json", pattern = '"version": "(VERSION)"'}"""
    repo.write(".session-memory.toml", f"managed_files = [{managed}]\n")
    repo.write("plugin.json", '{"version": "1.0.0"}')
    repo.commit("release")


@pytest.mark.skipif(os.name == "nt", reason="a script stands in for gh")
def test_reasons_of_the_issue(repo: Repository, tmp_path: Path) -> None:
    add_references(repo, entry("csv", keywords=["csv"]))
    gh = Gh.create(tmp_path / "bin")
    payload = {"session_id": "abc", "cwd": str(repo.root), **PROMPT, "prompt": "issue 5"}
    gh.plan(code=1)
    assert because(repo, payload, gh.environment)["references"] == "issue-not-fetched"
    gh.answer(title="colours")
    assert because(repo, payload, gh.environment)["references"] == "nothing-matches"
    gh.answer(title="csv")
    sent = json.dumps(payload).encode()
    run("hook", "UserPromptSubmit", cwd=repo.root, stdin=sent, env=gh.environment)
    assert because(repo, payload, gh.environment) == {
        "startup": "checked-before",
        "references": "injected-before",
    }


ASKED = {**EDIT, "tool_name": "ask_user", "tool_input": {"question": "Which?"}}


@pytest.mark.parametrize(
    ("feature", "payload"),
    [("startup", START), ("startup", PROMPT), ("gates", ASKED), ("hygiene", EDIT)],
)
def test_reason_of_the_settings(repo: Repository, feature: str, payload: dict[str, Any]) -> None:
    release(repo)
    repo.write("pyproject.toml", f"[tool.session-memory.{feature}]\nenabled = false\n")
    assert because(repo, {"tool_input": SKILL, **payload})[feature] == "switched-off"


def test_every_reason_has_words_and_the_other_way_round() -> None:
    used = {guard.DISABLED, guard.OTHER_EVENT}
    for path in LIBRARY.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("session.explain"):
                used |= codes(node.args[1])
    used.add("switched-off")  # by the session itself
    used |= {"subagent", "outside-repository", "machine-made-prompt"}  # by way of a variable
    assert used == set(reasons.WORDS)


def codes(reason: ast.expr) -> set[str]:
    texts = [node.value for node in ast.walk(reason) if isinstance(node, ast.Constant)]
    return {text for text in texts if isinstance(text, str)}
