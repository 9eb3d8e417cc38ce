"""What a reader is asked about."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """An issue, a pull request or both (0 is none), and one phase, or ``""`` for all of them."""

    issue: int = 0
    pull_request: int = 0
    phase: str = ""

    @property
    def name(self) -> str:
        named = [("issue", self.issue), ("pull request", self.pull_request)]
        return " and ".join(f"{kind} {number}" for kind, number in named if number > 0)

    @property
    def is_empty(self) -> bool:
        return self.issue <= 0 and self.pull_request <= 0

    @property
    def kind(self) -> str:
        """``pr`` for a pull request alone, else ``issue``."""
        return "issue" if self.issue > 0 else "pr"

    @classmethod
    def of(cls, kind: str, number: int, phase: str = "") -> "Target":
        """``kind`` is ``issue`` or ``pr``."""
        return cls(0, number, phase) if kind == "pr" else cls(number, 0, phase)
