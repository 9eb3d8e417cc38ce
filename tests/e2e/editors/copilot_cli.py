"""Copilot CLI: one process a prompt, or a terminal with a person at it."""

import json
import uuid
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT

from e2e.clients import COPILOT_CACHE
from e2e.editors.editor import EVENTS, Editor, Run
from e2e.editors.process import client_process
from e2e.editors.terminal import Terminal, at_terminal
from e2e.servers.script import Call

_ALLOW = ("--allow-all-tools", "--allow-all-paths", "--no-auto-update")


class CopilotCli(Editor):
    @property
    def environment(self) -> dict[str, str]:
        return {
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_CACHE_HOME": str(COPILOT_CACHE),
            "COPILOT_MODEL": "scripted",
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_API_KEY": "not-a-key",
            "COPILOT_PROVIDER_BASE_URL": f"{self.model.url}/v1",
            **self.workspace.environment,
        }

    def write(self, path: Path, text: str) -> Call:
        return Call("create", {"path": str(path), "file_text": text})

    def edit(self, path: Path, old: str, new: str) -> Call:
        return Call("edit", {"path": str(path), "old_str": old, "new_str": new})

    def read(self, path: Path) -> Call:
        return Call("view", {"path": str(path)})

    def shell(self, command: str) -> Call:
        return Call("bash", {"command": command, "description": "Run a command"})

    def ask(self, question: str) -> Call:
        answer = {"type": "string", "title": "Answer", "enum": ["Yes", "No"]}
        schema = {"properties": {"answer": answer}, "required": ["answer"]}
        return Call("ask_user", {"message": question, "requestedSchema": schema})

    def delegate(self, prompt: str) -> Call:
        task = {"description": "A task", "prompt": prompt, "agent_type": "general-purpose"}
        return Call("task", {**task, "name": "helper", "mode": "sync"})

    def converse(self, prompts: Sequence[str], resume: str, cwd: Path) -> Run:
        session_id = resume or str(uuid.uuid4())
        output = ""
        for prompt in prompts:
            command = [*self.client.command, "-p", prompt, "--session-id", session_id]
            with client_process(
                [*command, *_ALLOW, *self.options],
                cwd,
                self.environment,
                stdin=DEVNULL,
                stdout=PIPE,
                stderr=STDOUT,
            ) as process:
                output += process.communicate()[0]
            if process.returncode:
                break
        return Run(process.returncode, [session_id], [], output)

    def at_terminal(self, prompt: str, work: "Callable[[Terminal], None]") -> Run:
        """A conversation in one process, that begins with ``prompt``; ``work`` says how it goes on.

        The client is ended, not asked to leave.
        """
        session_id = str(uuid.uuid4())
        before = len(self.model.requests)
        command = [*self.client.command, "-i", prompt, "--session-id", session_id]
        cwd = self.workspace.scene.root
        screen = at_terminal([*command, *_ALLOW, *self.options], cwd, self.environment, work)
        return Run(0, [session_id], self.model.requests[before:], screen)

    def say(self, terminal: Terminal, prompt: str) -> None:
        """Enter ``prompt``, and wait until it is answered."""
        self.model.script.setdefault(prompt, ())
        answered = self.logged("assistant.turn_end")
        terminal.enter(prompt, lambda: bool(self.model.asked(prompt)))
        terminal.wait_for(lambda: self.logged("assistant.turn_end") > answered)

    def logged(self, event: str) -> int:
        """How many events of this type the client has recorded; it may be about to write more."""
        logs = self._sessions.glob("*/events.jsonl")
        return sum(log.read_text("utf-8").count(f'"type":"{event}"') for log in logs)

    def session_count(self) -> int:
        """How many conversations the client has begun, by the folders that it keeps."""
        return len(list(self._sessions.glob("*/workspace.yaml")))

    def contexts(self) -> list[str]:
        logs = self._sessions.glob("*/events.jsonl")
        lines = [line for log in logs for line in log.read_text("utf-8").splitlines()]
        ends = [each["data"] for each in map(json.loads, lines) if each["type"] == "hook.end"]
        return [end["output"]["additionalContext"] for end in ends if end.get("output")]

    @property
    def _sessions(self) -> Path:
        return self.workspace.home / ".copilot" / "session-state"

    def register(self, events: Iterable[str] = EVENTS) -> None:
        hooks = {
            event: [{"type": "command", "command": self.hook_command(event)}] for event in events
        }
        settings = self.workspace.home / ".copilot" / "hooks" / "session-memory.json"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(json.dumps({"version": 1, "hooks": hooks}), "utf-8")
