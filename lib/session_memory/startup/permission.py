"""Whether the check may use the network."""

from session_memory.core.settings import read_settings
from session_memory.core.system import environ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

# Has the last word.
VARIABLE = "SESSION_MEMORY_NETWORK"

_WORDS = {"1": True, "true": True, "0": False, "false": False}
_TABLE = "startup"
_KEY = "network"


def network_allowed(root: str, lose: "Callable[[str], None] | None" = None) -> bool:
    """Whether the environment, else the settings for ``root``, allow it; by default they do not.

    A value that is neither true nor false is a no, and ``lose`` is told.
    """
    word = environ(VARIABLE).strip().lower()
    if word:
        if word not in _WORDS and lose:
            lose(f"{VARIABLE} is neither 1 nor 0; taken as 0")
        return _WORDS.get(word, False)
    table = read_settings(root).get(_TABLE)
    value = table.get(_KEY, False) if isinstance(table, dict) else False
    if isinstance(value, bool):
        return value
    if lose:
        lose(f"settings: {_TABLE}.{_KEY} is neither true nor false; taken as false")
    return False
