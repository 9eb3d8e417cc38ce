"""What the tests of session memory share."""

from collections.abc import Callable
from typing import Any

from command_line import Ran

Cli = Callable[..., Ran]


def outcomes(told: Any) -> dict[str, str]:
    """The outcome of each source that a command's JSON names."""
    return {source["source"]: source["outcome"] for source in told["sources"]}
