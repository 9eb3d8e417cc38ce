"""Whether the check may use the network."""

from session_memory.core.settings import read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.settings import Lose

_TABLE = "startup"
_KEY = "network"


def network_allowed(root: str, lose: "Lose") -> bool:
    """Whether the environment, else the settings for ``root``, allow it; by default they do not.

    A value that is neither true nor false is a no, and ``lose`` is told.
    """
    table = read_settings(root, lose).get(_TABLE)
    value = table.get(_KEY, False) if isinstance(table, dict) else False
    if not isinstance(value, bool):
        lose(f"settings: {_TABLE}.{_KEY} is neither true nor false; taken as false")
    return value is True
