"""What ``references validate`` tells."""

from dataclasses import asdict, dataclass

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, and where; ``line`` is 0 when it concerns a whole file."""

    severity: str
    code: str
    path: str
    line: int
    message: str

    def as_dict(self) -> dict[str, object]:
        """The finding for ``--json``."""
        return asdict(self)
