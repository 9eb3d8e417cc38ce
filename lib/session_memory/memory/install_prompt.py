"""Whether to ask for the installation of cost collection, and not to ask twice (SMC-18)."""

import os
import time
from dataclasses import dataclass

from session_memory.core.folder import Folder
from session_memory.core.json_text import encode, parse_object
from session_memory.core.places import MEMORY
from session_memory.core.system import WINDOWS
from session_memory.gates.questions import utc_time
from session_memory.memory import names
from session_memory.memory.caches import Caches
from session_memory.memory.sources import FOUND, Source

CLAUDE, COPILOT = "claude", "copilot"
PLATFORMS = (CLAUDE, COPILOT)
ANSWERS = ("install", "continue")
SKIP, PROMPT = "skip", "prompt"

# Put at the root of a workspace by the installation itself; local to the machine.
SENTINEL = ".copilot-cost-collection-installed"


@dataclass(frozen=True)
class Facts:
    """What the decision depends on. ``key_set`` is ``None`` where no memory can be read."""

    platform: str
    headless: bool = False
    key_set: "bool | None" = False
    sentinel: bool = False


def decide(facts: Facts) -> tuple[str, str]:
    """Whether to prompt before the next dispatch, and why."""
    if facts.platform != COPILOT:
        return SKIP, "only Copilot collects costs in this way"
    if facts.headless:
        return SKIP, "nobody is there to answer"
    if facts.key_set:
        return SKIP, "the prompt was answered in this conversation"
    if facts.sentinel:
        return SKIP, "cost collection is installed"
    if facts.key_set is None:
        return PROMPT, "not installed; session memory is unavailable, so it may be asked again"
    return PROMPT, "not installed, and not asked in this conversation"


def key(caches: Caches, name: str) -> Source:
    """The suppression key of the workspace. Any text in the file sets it.

    Agents that follow the contract to the letter have put the absolute path below the folder, as
    folders of its own; such a file counts too.
    """
    source = caches.read(names.install_prompt(caches.root or "/"), name)
    if source.found or not caches.root:
        return source
    literal = _literal(caches.root)
    return Source(name, FOUND, where=literal) if literal else source


def is_installed(root: str) -> bool:
    """Whether the installation has left its sentinel at the root, as a file or a link."""
    return bool(root) and os.path.lexists(os.path.join(root, SENTINEL))


def write(caches: Caches, answer: str) -> str:
    """Set the key after any answer; the name of a damaged file that was set aside.

    Raises :class:`.caches.Unwritable`.
    """
    real = os.path.realpath(caches.root or "/")
    record: dict[str, object] = {
        "root": real, "answer": answer, "answered_at": utc_time(time.time()),
    }  # fmt: skip
    return caches.write(names.install_prompt(caches.root or "/"), encode(record))


def folder_of(text: str, file: str) -> str:
    """The workspace that the key ``file`` stands for, as its ``text`` tells; "" when it does not.

    The text may come with a clone, so that the path in it is not even looked at on the disk.
    """
    try:
        root = parse_object(text).get("root")
        return root if isinstance(root, str) and names.prompt_key(root) == file else ""
    except ValueError:
        return ""


def _literal(root: str) -> str:
    """Where the contract's own spelling of the key is a non-empty file, if it is."""
    if WINDOWS:  # pragma: no cover - a drive letter cannot be part of a path
        return ""
    parts = [part for part in os.path.abspath(root).split("/") if part]
    if not parts:
        return ""
    inner = (names.PROMPT_PREFIX, *parts[:-1])
    try:
        folder = Folder(root, (*MEMORY[0], *inner), create=False)
    except OSError:
        return ""
    try:
        return os.path.join(folder.path, parts[-1]) if folder.read(parts[-1], 1) else ""
    except OSError:
        return ""
    finally:
        folder.close()
