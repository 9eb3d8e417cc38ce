"""The gate-event log (SMC-21): L1 question events and L0 decision tokens of a conversation."""

# Shared by all conversations of a worktree, so its name carries no key.
FALLBACK_LOG = "gate-events.jsonl"


def log_name(key: str) -> str:
    """The log of the conversation with this session key, in the session folder."""
    return f"gate-events-{key}.jsonl"
