"""Failures on demand."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass
class Fault:
    """Another answer to the next ``times`` requests whose ``METHOD /path?query`` matches.

    With ``applied`` the request is carried out before the fault shows. ``cut`` closes the
    connection in place of an answer, ``stale`` hides that many of the youngest comments, ``first``
    runs before the request is looked at: somebody else's edit, for example.
    """

    match: str
    status: int = 0
    message: str = "injected"
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    applied: bool = False
    cut: bool = False
    stale: int = 0
    delay_s: float = 0.0
    first: Callable[[], object] | None = None
    times: int = 1

    def applies(self, line: str) -> bool:
        if self.times <= 0 or not re.search(self.match, line):
            return False
        self.times -= 1
        return True
