"""One run of the check: how long it may take, whether it may use the network, what it cost."""

import time

from session_memory.core import deadline
from session_memory.startup.limits import RUN_S

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable


class Run:
    """``end`` is of the monotonic clock. The rest counts processes, and seconds of each part.

    ``allowed`` is asked about the network only if it comes to that.
    """

    def __init__(self, allowed: "Callable[[], bool]", seconds: "float | None" = None) -> None:
        room = max(0.0, deadline.remaining() - deadline.GRACE_S)
        self.end = time.monotonic() + min(RUN_S if seconds is None else seconds, room)
        self.git = 0
        self.ls_remote = 0
        self.gh = 0
        self.snapshot_s = 0.0
        self.evidence_s = 0.0
        self._allowed = allowed
        self._answer: bool | None = None

    @property
    def allowed(self) -> bool:
        """Whether the network may be used."""
        if self._answer is None:
            self._answer = self._allowed()
        return self._answer

    def left(self) -> float:
        """Seconds that are left."""
        return max(0.0, self.end - time.monotonic())
