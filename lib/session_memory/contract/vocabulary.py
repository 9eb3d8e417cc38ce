"""Survival labels and fungibility values: which words the contract has for them."""

import re

from session_memory.contract.table import contract

_SURFACE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_VALUE = re.compile(
    r"(yes|no|n/a|partial)(?P<reason>\s+(?:-{1,2}|\N{EN DASH}|\N{EM DASH})\s+\S.*)?"
)


def label_problem(text: str) -> str:
    """What is wrong with a survival label; ``""`` for one of the vocabulary.

    A label may be followed by a colon and the surface that it depends on, except ``per-process``.
    """
    base, colon, surface = text.partition(":")
    if base not in contract().labels:
        return _unknown(text, base, surface)
    if not colon:
        return ""
    if base not in contract().bases:
        return f"{base} takes no surface"
    if not _SURFACE.fullmatch(surface):
        return f"{text} is not of the form {base}:surface"
    return ""


def is_malformed(text: str) -> bool:
    """Whether ``text`` fails only in how base and surface are put together."""
    lowered = text.lower()
    parts = re.split(r"[\s:/@.,()]+", lowered)
    if len(parts) > 1 and any(part in contract().labels for part in parts):
        return True
    started = any(lowered.startswith(f"{label}-") for label in contract().labels)
    return started or lowered.lstrip(":") in contract().surfaces


def _unknown(text: str, base: str, surface: str) -> str:
    labels = contract().labels
    if surface in labels:
        return f"{text} has its base last: the label comes first, {surface}:{base}"
    if base.strip() in labels:
        return f"{text} is not of the form {base.strip()}:surface"
    if text.lower() in labels:
        return f"{text} is not a survival label: they are written in lower case, {text.lower()}"
    return f"{text} is not a survival label; the labels are {', '.join(labels)}"


def fungibility_problem(text: str) -> str:
    """What is wrong with a value for cross-tool fungibility; ``""`` for one of the vocabulary.

    Every value may give its reason after a dash, and ``partial`` has to.
    """
    match = _VALUE.fullmatch(text)
    if match is None:
        values = ", ".join(contract().fungibility)
        return f"{text} is not a value for fungibility; the values are {values}"
    if match[1] == "partial" and not match["reason"]:
        return "partial has to name its condition: partial - CONDITION"
    return ""
