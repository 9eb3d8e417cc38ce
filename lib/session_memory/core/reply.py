"""What a hook prints: nothing, or one JSON object in the dialect of the host that asked."""

from session_memory.core import hosts
from session_memory.core.json_text import encode, well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.payload import Event

# Hosts replace a longer context by a pointer to a file, at 10,000 characters or 10 KB.
MAX_CHARACTERS = 9_800
MAX_BYTES = 9_800

_MAX_SENTINEL = 200

_TRIMMED = "[trimmed to the host's limit]"


def render(event: "Event", entry_event: str, context: str) -> bytes:
    """``context`` as the whole of standard output, for the event called ``entry_event``."""
    text = fit(well_formed(context))
    answer: dict[str, object] = {}
    if event.host in (hosts.COPILOT_CLI, hosts.COPILOT):
        answer["additionalContext"] = text
    if event.host != hosts.COPILOT_CLI:
        name = event.name if event.host == hosts.GEMINI else entry_event
        answer["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": text}
    return encode(answer).encode() + b"\n"


def fit(text: str) -> str:
    """``text`` cut at a line to the hosts' limit; a sentinel on its last line stays."""
    if _fits(text):
        return text
    lines = text.split("\n")
    marked = lines[-1].startswith("<!--") and len(lines[-1]) <= _MAX_SENTINEL
    sentinel = lines.pop() if marked else ""
    ending = "\n".join([_TRIMMED, sentinel] if sentinel else [_TRIMMED])
    kept: list[str] = []
    room = min(MAX_CHARACTERS, MAX_BYTES) - len(ending.encode())
    for line in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, ending])


def _fits(text: str) -> bool:
    return len(text) <= MAX_CHARACTERS and len(text.encode()) <= MAX_BYTES
