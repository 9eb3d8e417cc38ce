"""Asking git about the content of branches, all of them in a few batches."""

from session_memory.startup import verdict
from session_memory.startup.verdict import Answers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from session_memory.startup.processes import Child
    from session_memory.startup.scratch import Scratch

CONTAINED = 0
UNIQUE = 1  # one or more: only that counts


class Probes:
    """Answers about commits, each compared with the commit ``default``, until ``end``.

    Commits that are missing in an answer were not reached in time.
    """

    def __init__(self, scratch: "Scratch", default: str, end: float) -> None:
        self._scratch = scratch
        self._default = default
        self._end = end

    def unique(self, tips: "list[str]") -> "dict[str, int | None]":
        """Whether each has commits that the default branch lacks; ``None`` when git failed."""
        stdin = "".join([f"^{self._default}\n", *[f"{tip}\n" for tip in tips]]).encode()
        child = self._scratch.ask(self._end, "rev-list", "--stdin", stdin=stdin)
        if child.succeeded:
            listed = set(child.output.decode().split())
            return {tip: UNIQUE if tip in listed else CONTAINED for tip in tips}
        # One that cannot be read spoils the answer for all.
        questions = {tip: self._range(tip, "--max-count=1") for tip in tips}
        return {tip: _count(each) for tip, each in self._each(questions)}

    def verdicts(self, tips: "list[str]") -> "dict[str, verdict.Verdict]":
        """Whether the content of each is in the default branch."""
        trees = self._trees([self._default, *tips])
        own = trees.get(self._default, "")
        answers = {tip: Answers() for tip in tips}
        for tip in tips:
            if own and trees.get(tip) == own:
                answers[tip].loose = answers[tip].strict = 0
        others = [tip for tip in tips if answers[tip].loose is None]
        self._compare(answers, others)
        rest = [tip for tip in others if answers[tip].loose not in (0, None)]
        self._merge(answers, rest, own)
        reached = [tip for tip in tips if answers[tip].loose == 0 or answers[tip].merge is not None]
        return {tip: verdict.merge_verdict(answers[tip]) for tip in reached}

    def touching(self, tips: "list[str]") -> "dict[str, bool | None]":
        """Whether a commit of each, merges aside, changed a file; ``None`` when git failed."""
        options = ("--no-merges", "--max-count=1")
        questions = {tip: self._range(tip, *options, paths=("--", ".")) for tip in tips}
        return {
            tip: bool(child.output.strip()) if child.succeeded else None
            for tip, child in self._each(questions)
        }

    def _range(self, tip: str, *options: str, paths: "tuple[str, ...]" = ()) -> "Child":
        return self._scratch.question("rev-list", *options, f"{self._default}..{tip}", *paths)

    def _trees(self, commits: "list[str]") -> "dict[str, str]":
        stdin = "".join([f"{commit}^{{tree}}\n" for commit in commits]).encode()
        arguments = ("cat-file", "--batch-check=%(objectname) %(objecttype)")
        child = self._scratch.ask(self._end, *arguments, stdin=stdin)
        lines = child.output.decode("ascii", "replace").split("\n")
        found = dict(zip(commits, lines))
        return {tip: line.split()[0] for tip, line in found.items() if line.endswith(" tree")}

    def _compare(self, answers: "dict[str, Answers]", tips: "list[str]") -> None:
        """Trees that differ may still be equal but for carriage returns."""
        options = ("diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-cr-at-eol")
        ask = self._scratch.question
        questions = {tip: ask(*options, self._default, tip, "--") for tip in tips}
        for tip, child in self._each(questions):
            answers[tip].loose = child.code
            answers[tip].strict = 1
        self._recheck(answers, [tip for tip in tips if answers[tip].loose == 0])

    def _recheck(self, answers: "dict[str, Answers]", tips: "list[str]") -> None:
        """See whether nothing but the content of files differs.

        With an option that looks at content, ``diff --quiet`` passes over modes, renames and empty
        files.
        """
        options = ("diff-tree", "-r", "--raw", "--no-renames")
        questions = {tip: self._scratch.question(*options, self._default, tip) for tip in tips}
        for tip in tips:
            answers[tip].loose = None
        for tip, child in self._each(questions):
            answers[tip].loose = child.code or int(not _is_content_only(child.output))

    def _merge(self, answers: "dict[str, Answers]", tips: "list[str]", own: str) -> None:
        for tip, (code, tree) in self._merged(tips).items():
            answers[tip].merge = code
            answers[tip].merged_tree = tree
            if own:
                answers[tip].changed = int(tree != own)

    def _merged(self, tips: "list[str]") -> "dict[str, tuple[int, str]]":
        if not tips:
            return {}
        stdin = "".join([f"{self._default} {tip}\n" for tip in tips]).encode()
        options = ("merge-tree", "--stdin", "--no-messages", "--name-only")
        child = self._scratch.ask(self._end, *options, stdin=stdin)
        found = dict(zip(tips, _records(child.output)))
        # A pair that cannot be merged ends the batch, which git has since 2.39 only.
        questions = {
            tip: self._scratch.question(*_MERGE, self._default, tip)
            for tip in tips
            if tip not in found
        }
        for tip, each in self._each(questions):
            found[tip] = (each.code or 0, each.output.decode("utf-8", "replace").split("\n")[0])
        return found

    def _each(self, questions: "dict[str, Child]") -> "Iterable[tuple[str, Child]]":
        """Those that were answered."""
        self._scratch.ask_all(list(questions.values()), self._end)
        return [(tip, child) for tip, child in questions.items() if child.code is not None]


_MERGE = ("merge-tree", "--write-tree", "--no-messages", "--name-only")


def _records(output: bytes) -> "list[tuple[int, str]]":
    """Exit code and tree of each merge: status, tree and conflicted paths, all ended by NUL."""
    found: list[tuple[int, str]] = []
    for record in output.decode("utf-8", "replace").split("\0\0")[:-1]:
        status, _, rest = record.partition("\0")
        if status in ("0", "1") and rest:
            found.append((1 - int(status), rest.partition("\0")[0]))
    return found


def _is_content_only(raw: bytes) -> bool:
    """Whether each raw line is of a file that is on both sides, with the same mode."""
    facts = [line.partition(b"\t")[0].split(b" ") for line in raw.splitlines()]
    return all([len(each) == 5 and each[0] == b":" + each[1] and each[4] == b"M" for each in facts])


def _count(child: "Child") -> "int | None":
    if not child.succeeded:
        return None
    return UNIQUE if child.output.strip() else CONTAINED
