"""Patterns made of words, for checks that read prose."""

import re

Pattern = re.Pattern[str]


def any_of(*alternatives: str) -> Pattern:
    """A pattern for any of the alternatives, whatever the case."""
    return re.compile("|".join(alternatives), re.IGNORECASE)


def any_word(*alternatives: str) -> Pattern:
    """The same for alternatives that are whole words, or begin and end with one."""
    return any_of(rf"\b(?:{'|'.join(alternatives)})\b")
