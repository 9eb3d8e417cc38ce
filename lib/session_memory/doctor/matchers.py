"""Which tools a matcher fits: a regular expression of somebody else's, which may be hostile.

A repository's settings may hold one that takes years to try. So only those are tried that cannot:
they repeat no group, refer back to none, and repeat single characters a few times only.
"""

import re

_NAMES = re.compile(r"[\w|/]+")
_MAX_LENGTH = 2000
_MAX_REPEATS = 4
# What makes trying slow: a repeated group, and what is neither text, group nor alternative.
_RISKY = re.compile(r"\)\s*[*+?{]|[*+?}]\s*[*+{]|\{|\\[\dkg]|\(\?(?!:)")
_REPEAT = re.compile(r"[*+?]")


def fitting(matcher: str, tools: frozenset[str]) -> frozenset[str]:
    """Those of ``tools`` that ``matcher`` fits; all of them where that cannot be told."""
    if _NAMES.fullmatch(matcher):
        return tools & frozenset(matcher.split("|"))
    if not is_tame(matcher):
        return tools
    try:
        pattern = re.compile(matcher)
    except (re.error, RecursionError, OverflowError):
        return frozenset()
    return frozenset(tool for tool in tools if pattern.search(tool))


def is_known(matcher: str) -> bool:
    """Whether :func:`fitting` could tell."""
    return matcher == "*" or bool(_NAMES.fullmatch(matcher)) or is_tame(matcher)


def is_tame(matcher: str) -> bool:
    """Whether trying ``matcher`` on the name of a tool takes next to no time."""
    bare = matcher.replace("(?:", "(")
    return (
        len(matcher) <= _MAX_LENGTH
        and not _RISKY.search(matcher)
        and len(_REPEAT.findall(bare)) <= _MAX_REPEATS
    )
