"""The oldest Python that each part runs on. This file must be understood by older ones."""

import sys

HOOKS = (3, 9)
COMMANDS = (3, 10)


def too_old(what: str, needed: "tuple[int, int]") -> str:
    """Why ``what`` cannot run here, in one line; ``""`` when it can."""
    if sys.version_info >= needed:
        return ""
    mine = "Python {}.{}.{}".format(*sys.version_info[:3])
    return "{} needs Python {}.{} or newer; this is {}, {}".format(
        what, *needed, mine, sys.executable
    )
