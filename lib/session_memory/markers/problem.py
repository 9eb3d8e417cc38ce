"""What is wrong with a body, a payload or a record, as data."""

from dataclasses import dataclass

# Characters of somebody else's text that a message may repeat.
ECHO_VALUE = 80
ECHO_MESSAGE = 400


@dataclass(frozen=True)
class Problem:
    """A stable ``code`` for programs, a sentence for people, and where it was found.

    A writer takes any problem as a refusal; a reader takes it as a warning about one comment.
    """

    code: str
    message: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message

    def at(self, where: str) -> "Problem":
        """The same problem, found at ``where``."""
        return Problem(self.code, self.message, where)


def echo(value: object, cap: int = ECHO_VALUE) -> str:
    """``value`` as text, cut to ``cap`` characters with a count of what was left out."""
    if value is None:
        return "<null>"
    text = str(value)
    left_out = len(text) - cap
    return text if left_out <= 0 else f"{text[:cap]}...(+{left_out} more chars, truncated)"


def refusal(family: str, surface: str, number: object, problems: list[Problem]) -> str:
    """The one line that says why a body was not written."""
    detail = "; ".join(str(problem) for problem in problems)
    return f"persist-marker: REFUSED ({echo(family)}, {surface}/{number}): {detail}"
