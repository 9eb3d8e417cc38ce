"""The start-up check, once a conversation (SMC-07)."""

MARKER_PREFIX = "session-startup-check-complete-"


def marker_name(key: str) -> str:
    """The run-once marker of the conversation with this session key."""
    return f"{MARKER_PREFIX}{key}.md"
