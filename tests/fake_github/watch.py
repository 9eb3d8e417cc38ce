"""A clock that does not make tests wait."""

from collections.abc import Callable
from dataclasses import dataclass, field

from session_memory.github.client import Clock
from session_memory.github.connection import GitHub

# Connects to a repository; keyword arguments are limits, and ``host``.
Connect = Callable[..., GitHub]


@dataclass
class Watch:
    """A clock whose sleeps pass at once, and are remembered."""

    sleeps: list[float] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    def now(self) -> float:
        """Stands still between sleeps."""
        return 1000.0 + sum(self.sleeps)

    def clock(self) -> Clock:
        return Clock(self.now, self.sleeps.append, lambda: 0.0)
