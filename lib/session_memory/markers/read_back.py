"""Reading again what was written: GitHub answers 200 to writes that it does not carry out."""

from collections.abc import Callable

from session_memory.github.errors import GitHubError
from session_memory.github.rewriting import same_text

# An answer from a copy that is a moment old is no reason to write again.
_READINGS = 2


def differs(sent: str, read: Callable[[], str]) -> str:
    """Why what ``read`` gets cannot be what was ``sent``; ``""`` when it is."""
    reason = ""
    for _ in range(_READINGS):
        try:
            got = read()
        except GitHubError as error:
            reason = f"read-back failed: {error}"
            continue
        if same_text(sent, got):
            return ""
        reason = _mismatch(sent, got)
    return reason


def _mismatch(sent: str, got: str) -> str:
    size = f"{len(got)} of {len(sent)} characters"
    return f"read-back mismatch: GitHub holds another text than was sent, {size}"
