"""Claude Code, driven through the control protocol of its stream-json mode."""

import json
import subprocess
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Any

from e2e.editors.editor import EVENTS, Editor, Run
from e2e.editors.process import client_process
from e2e.servers.script import Call

_STREAM = (
    *("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"),
    *("--include-hook-events", "--permission-prompt-tool", "stdio"),
)

_INITIALIZE = {"subtype": "initialize"}


class ClaudeCode(Editor):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._lines: list[str] = []

    @property
    def environment(self) -> dict[str, str]:
        return {
            **self.workspace.environment,
            "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": "not-a-key",
            "CLAUDE_CODE_TMPDIR": str(self.workspace.folder / "tmp"),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
        }

    def write(self, path: Path, text: str) -> Call:
        return Call("Write", {"file_path": str(path), "content": text})

    def edit(self, path: Path, old: str, new: str) -> Call:
        return Call("Edit", {"file_path": str(path), "old_string": old, "new_string": new})

    def read(self, path: Path) -> Call:
        return Call("Read", {"file_path": str(path)})

    def shell(self, command: str) -> Call:
        return Call("Bash", {"command": command, "description": "Run a command"})

    def ask(self, question: str) -> Call:
        answers = [{"label": label, "description": label} for label in ("Yes", "No")]
        asked = {"question": question, "header": "H", "multiSelect": False, "options": answers}
        return Call("AskUserQuestion", {"questions": [asked]})

    def delegate(self, prompt: str) -> Call:
        task = {"description": "A task", "prompt": prompt, "subagent_type": "general-purpose"}
        return Call("Agent", {**task, "run_in_background": False})

    def converse(self, prompts: Sequence[str], resume: str, cwd: Path) -> Run:
        with self.conversation(cwd, resume) as talk:
            for prompt in prompts:
                talk.turn(prompt)
            return talk.end()

    @contextmanager
    def conversation(self, cwd: Path, resume: str = "") -> Iterator["Conversation"]:
        """A process that takes one prompt after the other."""
        which = ["--resume", resume] if resume else ["--session-id", str(uuid.uuid4())]
        command = [*self.client.command, *_STREAM, *which, *self.options]
        with client_process(
            command, cwd, self.environment, stdin=PIPE, stdout=PIPE, stderr=STDOUT
        ) as process:
            yield Conversation(process, self._lines)

    def contexts(self) -> list[str]:
        messages = [json.loads(line) for line in self._lines if line.startswith("{")]
        outputs = [each["stdout"] for each in messages if each.get("subtype") == "hook_response"]
        answers = [json.loads(output)["hookSpecificOutput"] for output in outputs if output]
        return [answer["additionalContext"] for answer in answers]

    def register(self, events: Iterable[str] = EVENTS) -> None:
        hooks = {
            event: [{"hooks": [{"type": "command", "command": self.hook_command(event)}]}]
            for event in events
        }
        settings = self.workspace.home / ".claude" / "settings.json"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(json.dumps({"hooks": hooks}), "utf-8")


class Conversation:
    """One process, and a person who allows and answers everything.

    What the client prints is added to ``lines``.
    """

    def __init__(self, process: "subprocess.Popen[str]", lines: list[str]) -> None:
        self.lines = lines
        self.session_ids: list[str] = []
        self._process = process
        self._send({"type": "control_request", "request_id": "0", "request": _INITIALIZE})
        self._read_until("control_response")

    def turn(self, prompt: str) -> None:
        """Send ``prompt``, and wait for the end of the answer or of the client."""
        said = {"role": "user", "content": prompt}
        self._send({"type": "user", "session_id": "", "parent_tool_use_id": None, "message": said})
        self._read_until("result")

    def end(self) -> Run:
        assert self._process.stdin
        self._process.stdin.close()
        self._read_until("")
        return Run(self._process.wait(), self.session_ids, [], "".join(self.lines))

    def _read_until(self, kind: str) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self.lines.append(line)
            if line.startswith("{") and self._receive(json.loads(line)) == kind:
                return

    def _receive(self, message: dict[str, Any]) -> str:
        session_id = message.get("session_id")
        if session_id and session_id not in self.session_ids:
            self.session_ids.append(session_id)
        if message["type"] == "control_request":
            self._respond(message)
        return str(message["type"])

    def _respond(self, message: dict[str, Any]) -> None:
        request, response = message["request"], {}
        if request["subtype"] == "can_use_tool":
            response = {"behavior": "allow", "updatedInput": _answered(request["input"])}
        answer = {"subtype": "success", "request_id": message["request_id"], "response": response}
        self._send({"type": "control_response", "response": answer})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        # A client that has ended is seen by its exit code, and its output says why.
        with suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()


def _answered(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a tool, with the first answer to each question."""
    questions = arguments.get("questions")
    if not questions:
        return arguments
    answers = {each["question"]: each["options"][0]["label"] for each in questions}
    return {**arguments, "answers": answers}
