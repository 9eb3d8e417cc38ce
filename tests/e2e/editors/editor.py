"""An editor at work in a workspace: what a scenario needs of any of them."""

import shlex
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from e2e.clients import Client
from e2e.editors.process import LIMIT_S
from e2e.servers.loopback import ModelServer, Request
from e2e.servers.script import Call, Turn
from e2e.workspace import Workspace

# The events that the bundle is registered for, and its entry points.
EVENTS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "user_prompt_submit",
    "PostToolUse": "post_tool_use",
}


@dataclass(frozen=True)
class Run:
    """What one conversation came to. ``output`` is for a person who looks into a failure."""

    code: int
    session_ids: list[str]
    requests: list[Request]
    output: str

    @property
    def session_id(self) -> str:
        """The last one: some commands begin a new conversation."""
        return self.session_ids[-1]

    @property
    def key(self) -> str:
        return f"s-{self.session_id}"

    @property
    def last(self) -> Request:
        """The last request to the model, which holds the whole conversation."""
        return self.requests[-1]


class Editor(ABC):
    """A real client with the bundle installed, and a scripted model behind it.

    ``options`` are those of the command line by which it finds the bundle.
    """

    def __init__(self, client: Client, workspace: Workspace, model: ModelServer, bundle: Path):
        self.client = client
        self.workspace = workspace
        self.model = model
        self.bundle = bundle
        self.options = ["--plugin-dir", str(bundle)]

    @property
    @abstractmethod
    def environment(self) -> dict[str, str]:
        """The client's environment."""

    @abstractmethod
    def write(self, path: Path, text: str) -> Call:
        """The model creates a file."""

    @abstractmethod
    def edit(self, path: Path, old: str, new: str) -> Call:
        """The model edits a file, which it has to read before."""

    @abstractmethod
    def read(self, path: Path) -> Call:
        """The model reads a file."""

    @abstractmethod
    def shell(self, command: str) -> Call:
        """The model runs a command."""

    @abstractmethod
    def ask(self, question: str) -> Call:
        """The model asks the user, who takes the first answer."""

    @abstractmethod
    def delegate(self, prompt: str) -> Call:
        """The model starts a subagent and waits for it."""

    @abstractmethod
    def converse(self, prompts: Sequence[str], resume: str, cwd: Path) -> Run:
        """See :meth:`run`."""

    @abstractmethod
    def contexts(self) -> list[str]:
        """What hooks have handed to the client, by the client's own records."""

    def injections(self, text: str) -> int:
        """How many hooks have handed over ``text``.

        Requests tell less: a resumed conversation may or may not hold what was added before.
        """
        return sum(text in context for context in self.contexts())

    @abstractmethod
    def register(self, events: Iterable[str] = EVENTS) -> None:
        """Register the entry points in the user's settings, by absolute paths."""

    def hook_command(self, event: str) -> str:
        """What the settings run: the interpreter itself, without the launcher."""
        entry = self.bundle / "hooks" / f"{EVENTS[event]}.py"
        python = self.workspace.python.resolve()
        return shlex.join([str(python), "-I", "-S", "-X", "utf8", str(entry)])

    def plugin(self, *arguments: str) -> str:
        """Run the command of the client that manages plugins; what it prints."""
        done = subprocess.run(
            [*self.client.command, "plugin", *arguments],
            cwd=self.workspace.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def script(self, prompt: str, *turns: Turn) -> str:
        """Let the model answer ``prompt``, which is returned, by ``turns``."""
        self.model.script[prompt] = turns
        return prompt

    def run(self, *prompts: str, resume: str = "", cwd: "Path | None" = None) -> Run:
        """One conversation with these prompts, new or resumed, that ends well."""
        for prompt in prompts:
            if not prompt.startswith("/"):
                self.model.script.setdefault(prompt, ())
        before = len(self.model.requests)
        run = self.converse(prompts, resume, cwd or self.workspace.scene.root)
        assert run.code == 0, run.output[-3000:]
        return Run(run.code, run.session_ids, self.model.requests[before:], run.output)
