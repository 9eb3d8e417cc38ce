"""One run's questions to git, the remote and GitHub, in the order that costs the least time.

The remote is asked first and thinks while local objects are looked at; at most one list of branches
and one list of pull requests are fetched.
"""

import time

from session_memory.startup import NOT_NEEDED, candidates, changes, eligibility, evidence
from session_memory.startup.budget import Budget
from session_memory.startup.issue_id import derive_issue_id
from session_memory.startup.limits import PAID_S
from session_memory.startup.refs import REMOTES
from session_memory.startup.scratch import Scratch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.github import GitHub
    from session_memory.startup.refs import Branch
    from session_memory.startup.remote import Heads
    from session_memory.startup.run import Run
    from session_memory.startup.snapshot import Snapshot

# What became of asking the remote and GitHub.
NOT_ALLOWED = "off"
ASKED = "asked"
FAILED = "failed"


class Inquiry:
    """``busy`` are branches with work in progress."""

    def __init__(self, seen: "Snapshot", busy: "set[str]", run: "Run") -> None:
        self._seen = seen
        self._busy = busy
        self._run = run
        self._heads: Heads | None = None
        self._github: GitHub | None = None
        self._scratch: Scratch | None = None
        self.network = NOT_NEEDED

    def judge(self, shaped: "list[Candidate]", issues: "list[int]") -> "list[Candidate]":
        """The candidates with their results: those of ``shaped``, unless the remote disagrees.

        ``issues`` are those that have tracking files.
        """
        try:
            scratch = self._scratch = self._open()
        except OSError:
            return _failed(shaped)
        self._ask_remote(issues, scratch)
        self._judge_freely(shaped, scratch)
        found = self._confirmed(shaped)
        self._judge_freely([each for each in found if each.free is None], scratch)
        undecided = [each for each in found if each.result is None]
        if undecided or set(issues) - self._living() - set(self.finished(issues)):
            self._ask_github(scratch)
        budget = Budget(time.monotonic, seconds=min(PAID_S, self._run.left()))
        evidence.gather_paid(found, self._github, budget)
        changes.look(found, scratch, self._run.end)
        return found

    def finished(self, issues: "list[int]") -> "list[int]":
        """Those of ``issues`` that have no living branch.

        Unless the remote tells, a branch that is gone or was merged must have been there: the one
        of work that somebody else does may not have been fetched.
        """
        from session_memory.tracking.finished import finished

        branches = self._seen.refs.branches.values()
        pushed = [(branch.name, self._is_missing(branch)) for branch in branches]
        left = finished(set(issues) - self._living(), self._remote_names(), pushed)
        if self._heads and self._heads.has_answered:
            return list(left)
        merged = self._merged()
        return [issue for issue, names in left.items() if names or issue in merged]

    def close(self) -> None:
        """End what still runs, and leave nothing behind."""
        for each in (self._heads, self._github):
            if each:
                each.close()
        if self._scratch:
            self._scratch.remove()

    def _open(self) -> Scratch:
        tips = [*self._seen.refs.tips.values(), ""]
        return Scratch(self._seen.checkout.common_dir, len(tips[0]), self._run)

    def _living(self) -> "set[int]":
        """The issues that have a branch, here or on a remote."""
        branches = self._seen.refs.branches.values()
        names = [branch.name for branch in branches if not self._is_missing(branch)]
        if self._seen.branch_here is None:  # not yet, or no branch at all
            names.append(self._seen.current)
        return _issues(names + self._remote_names())

    def _merged(self) -> "set[int]":
        """The issues whose branch was merged by one of the pull requests that were listed."""
        if self._github is None:
            return set()
        self._github.wait()
        return _issues(list(self._github.names))

    def _ask_remote(self, issues: "list[int]", scratch: Scratch) -> None:
        followed = candidates.follows_a_remote(self._seen)
        if not followed and not set(issues) - self._living():
            return
        if not self._run.allowed:
            self.network = NOT_ALLOWED
            return
        from session_memory.startup.remote import Heads, choose

        remote = choose(followed) or self._seen.remote_default[0]
        self._heads = Heads(self._seen.root, remote, scratch.folder, self._run)

    def _judge_freely(self, found: "list[Candidate]", scratch: Scratch) -> None:
        if found:
            evidence.gather_free(found, self._seen, scratch, self._run.end)

    def _confirmed(self, shaped: "list[Candidate]") -> "list[Candidate]":
        """The candidates by what the remote says; without an answer, those that there were."""
        if self._heads is None:
            return shaped
        if not self._heads.answer():
            self.network = FAILED
            return shaped
        self.network = ASKED
        known = {each.name: each for each in shaped}
        found = candidates.discover(self._seen, self._is_missing, self._busy)
        return [known.get(each.name, each) for each in found]

    def _is_missing(self, branch: "Branch") -> bool:
        if self._heads and self._heads.knows(branch):
            return not self._heads.has(branch)
        return self._seen.refs.is_gone(branch)

    def _ask_github(self, scratch: Scratch) -> None:
        if not self._run.allowed:
            self.network = NOT_ALLOWED
            return
        from session_memory.startup.github import GitHub, repository_of

        remote, base = self._seen.remote_default
        repository = repository_of(self._seen.root, remote, self._run)
        self._github = GitHub(repository, scratch.folder, self._run)
        self._github.list_merged(base)
        if self.network == NOT_NEEDED:
            self.network = ASKED

    def _remote_names(self) -> "list[str]":
        """The remotes' branches; those that the remote no longer has do not count."""
        names = self._seen.refs.remote_branches
        if self._heads and self._heads.has_answered:
            prefix = f"{REMOTES}{self._heads.remote}/"
            others = [ref for ref in self._seen.refs.remotes if not ref.startswith(prefix)]
            return self._heads.names + [ref.split("/", 3)[-1] for ref in others]
        return names


def _issues(names: "list[str]") -> "set[int]":
    found = {derive_issue_id(name) for name in names}
    return {issue for issue in found if issue is not None}


def _failed(found: "list[Candidate]") -> "list[Candidate]":
    for candidate in found:
        candidate.result = eligibility.not_eligible(eligibility.GIT_FAILED)
    return found
