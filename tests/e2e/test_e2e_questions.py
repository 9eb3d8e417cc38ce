"""A question to a person leaves one record, under the key of its conversation."""

from e2e.editors.copilot_cli import CopilotCli
from e2e.editors.editor import Editor

QUESTION = "Which colour shall it have?"


def test_claude_asks(claude: Editor) -> None:
    prompt = claude.script("Ask them", [claude.ask(QUESTION)])

    run = claude.run(prompt)

    (record,) = claude.workspace.records()
    assert record["session_key"] == run.key
    assert record["key_rung"] == "session_id"
    assert (record["host"], record["tool_name"]) == ("claude", "AskUserQuestion")
    assert record["tool_use_id"] in run.last.text
    assert QUESTION not in str(record)


def test_copilot_asks(copilot: CopilotCli) -> None:
    prompt = copilot.script("Ask them", [copilot.ask(QUESTION)])

    run = copilot.at_terminal(
        prompt,
        lambda terminal: terminal.press_enter_until(lambda: len(copilot.model.requests) >= 2),
    )

    (record,) = copilot.workspace.records()
    assert record["session_key"] == run.key
    assert record["key_rung"] == "session_id"
    assert record["host"] == "copilot-cli"
    assert "User responded: Yes" in run.last.text
    assert QUESTION not in str(record)


def test_every_question_of_a_conversation_is_recorded(claude: Editor) -> None:
    """Two calls in one turn run their hooks side by side."""
    both = [claude.ask("Shall it be red?"), claude.ask("Shall it be blue?")]
    prompt = claude.script("Ask them", both, [claude.ask("Shall it be red?")])

    claude.run(prompt)

    records = claude.workspace.records()
    assert len({record["tool_use_id"] for record in records}) == len(records) == 3
