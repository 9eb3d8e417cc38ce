"""One event type for every host.

Hosts differ in spelling, in nesting and in what they leave out. Unknown fields are ignored, missing
ones are empty, and a value of the wrong type counts as missing.
"""

from session_memory.core.json_text import parse_object, well_formed

# Ids are opaque to us; this keeps a hostile one from bloating a record.
_MAX_ID = 200

_EVENT = ("hook_event_name", "hookEventName")
_SESSION = ("session_id", "sessionId")
_TOOL = ("tool_name", "toolName", "tool")
_INPUT = ("tool_input", "toolArgs")
_AGENT = ("agent_id", "agentId")
_TOOL_USE = ("tool_use_id", "toolUseId")


class Event:
    """A payload in one spelling. Texts are ``""`` when the host sent none."""

    __slots__ = (
        "_host",
        "_payload",
        "agent_id",
        "cwd",
        "name",
        "prompt",
        "raw_input",
        "session_id",
        "source",
        "tool_name",
        "tool_use_id",
    )

    def __init__(self, payload: "dict[str, object]", host: str = "") -> None:
        self._payload = payload
        self._host = host
        self.name = _text(payload, _EVENT)
        self.session_id = _text(payload, _SESSION)
        self.cwd = _text(payload, ("cwd",))
        self.source = _text(payload, ("source",))
        self.prompt = _text(payload, ("prompt",))
        self.tool_name = _text(payload, _TOOL)
        self.tool_use_id = _bounded(_text(payload, _TOOL_USE))
        self.agent_id = _bounded(_text(payload, _AGENT))
        self.raw_input = next((payload[key] for key in _INPUT if key in payload), None)

    @property
    def host(self) -> str:
        """One of :data:`session_memory.core.hosts.NAMES`."""
        if not self._host:
            from session_memory.core import hosts

            self._host = hosts.detect(self._payload)
        return self._host

    def tool_arguments(self) -> "dict[str, object] | str":
        """The tool's arguments: an object, or the text of a tool that takes plain text.

        Copilot CLI has sent the object as JSON text in some versions.
        """
        value = self.raw_input
        if isinstance(value, str):
            try:
                return parse_object(value)
            except ValueError:
                return value
        return value if isinstance(value, dict) else {}


def _text(payload: "dict[str, object]", keys: "tuple[str, ...]") -> str:
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value:
            return well_formed(value)
    return ""


def _bounded(identifier: str) -> str:
    """Over-long ids are cut and get a digest, so that two of them stay apart."""
    if len(identifier) <= _MAX_ID:
        return identifier
    from session_memory.core.digest import sha256_hex

    return identifier[: _MAX_ID - 17] + "-" + sha256_hex(identifier.encode())[:16]
