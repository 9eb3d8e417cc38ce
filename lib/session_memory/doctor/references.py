"""Whether the hook of prompts can read the index of references."""

import os
from collections.abc import Iterator

from session_memory.doctor.finding import Finding, Level
from session_memory.editors.surroundings import Surroundings
from session_memory.references.index import PATH, BadIndex, read_index
from session_memory.references.tree import Tree

CHECK = "references"

_ROW = "SMC-22"


def check(around: Surroundings) -> Iterator[Finding]:
    """The index, if there is one."""
    if not around.root or not os.path.lexists(around.root / PATH):
        return
    where = str(around.root / PATH)
    try:
        count = len(read_index(Tree(str(around.root))))
    except BadIndex as error:
        what = f"The index of references {error}."
        why = "No prompt that names an issue gets any."
        mend = "session-memory references index"
        yield Finding(CHECK, Level.FAULT, what, why, mend, where, _ROW)
        return
    if count:
        what = f"The index of references has {count} {'entry' if count == 1 else 'entries'}."
        yield Finding(CHECK, Level.OK, what, where=where, row=_ROW)
    else:
        what = "The index of references has no entry that can be used."
        why = "No prompt that names an issue gets any."
        mend = "session-memory references init, then: session-memory references index"
        yield Finding(CHECK, Level.WARNING, what, why, mend, where, _ROW)
