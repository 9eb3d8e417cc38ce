"""The gate-event log (SMC-21): L1 question events and L0 decision tokens of a conversation."""

# Shared by all conversations of a worktree, so its name carries no key.
FALLBACK_LOG = "gate-events.jsonl"


def log_name(key: str) -> str:
    """The log of the conversation with this session key, in the session folder."""
    return f"gate-events-{key}.jsonl"


def log_path(root: str, key: str) -> str:
    """The log that the next record of this conversation goes to; ``""`` when nothing takes it.

    The one answer for hooks, commands and people: whoever writes by hand must write there.
    """
    from session_memory.core.places import SESSION, first_usable, paths

    index = first_usable(root, SESSION)
    if index < 0:
        return ""
    return paths(root, SESSION, FALLBACK_LOG if index else log_name(key))[index]
