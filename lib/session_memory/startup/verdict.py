"""Whether a branch's content is in the default branch, from the answers of three questions to git.

History is never asked: after a squash the commits differ, and after a revert ``git cherry`` calls
content merged that is not there any more.
"""

MERGED = "merged"
UNMERGED = "definitively-unmerged"
UNDETERMINED = "undetermined"

SAME_TREE = "tree-equivalent"
SAME_BUT_LINE_ENDS = "tree-equivalent-cr-only"
MERGE_CHANGES_NOTHING = "merge-tree-noop"
MERGE_CHANGES = "merge-tree-divergent"
CONFLICTED = "merge-tree-conflicted"
FAILED = "git-signal-failed"


class Verdict:
    """``kind`` is merged, definitively unmerged or undetermined; ``signal`` is what told so."""

    __slots__ = ("kind", "signal")

    def __init__(self, kind: str, signal: str) -> None:
        self.kind = kind
        self.signal = signal


class Answers:
    """Exit codes and output of git; ``None`` for what was not asked.

    ``loose`` and ``strict`` compare the trees, without and with carriage returns at line ends.
    ``merge`` and ``merged_tree`` are of ``merge-tree --write-tree``; ``changed`` compares the tree
    that it made with the default branch.
    """

    __slots__ = ("changed", "loose", "merge", "merged_tree", "strict")

    def __init__(self) -> None:
        self.loose: int | None = None
        self.strict: int | None = None
        self.merge: int | None = None
        self.merged_tree = ""
        self.changed: int | None = None


def merge_verdict(answers: Answers) -> Verdict:
    """What the answers amount to. Only a clean merge that changes something is a clear no."""
    if answers.loose == 0:
        return Verdict(MERGED, SAME_BUT_LINE_ENDS if answers.strict else SAME_TREE)
    has_tree = bool(answers.merged_tree.strip())
    if answers.merge == 1 and has_tree:
        return Verdict(UNDETERMINED, CONFLICTED)
    # With a bad ref the exit code is 1 as well, but nothing is printed.
    if answers.merge != 0 or not has_tree:
        return Verdict(UNDETERMINED, FAILED)
    if answers.changed == 0:
        return Verdict(MERGED, MERGE_CHANGES_NOTHING)
    return Verdict(UNMERGED, MERGE_CHANGES) if answers.changed == 1 else _FAILURE


_FAILURE = Verdict(UNDETERMINED, FAILED)
