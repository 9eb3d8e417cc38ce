"""One run's questions to git, the remote and GitHub, in the order that costs the least time.

The remote is asked first and thinks while local objects are looked at; at most one list of branches
and one list of pull requests are fetched.
"""

from session_memory.startup import candidates, eligibility, evidence, preflight
from session_memory.startup.detect import NOT_NEEDED
from session_memory.startup.issue_id import derive_issue_id
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

    def judge(self, shaped: "list[Candidate]", has_issues: bool) -> "list[Candidate]":
        """The candidates with their results: those of ``shaped``, unless the remote disagrees."""
        try:
            self._scratch = self._open()
        except OSError:
            return _failed(shaped)
        self._ask_remote(has_issues)
        self._judge_freely(shaped)
        found = self._confirmed(shaped)
        self._judge_freely([each for each in found if each.free is None])
        undecided = [each for each in found if each.result is None]
        if undecided or has_issues:
            self._ask_github(has_issues)
        evidence.gather_paid(found, self._github)
        preflight.mark_dirty(found, self._scratch, self._run.end)
        return found

    def finished(self, issues: "list[int]") -> "list[int]":
        """Those of ``issues`` whose branch was there, or merged, and is nowhere any more.

        A branch that was never pushed has left no such trace: then its files are work.
        """
        gone: set[int | None] = set()
        living = {derive_issue_id(self._seen.current)}
        for branch in self._seen.refs.branches.values():
            (gone if self._is_missing(branch) else living).add(derive_issue_id(branch.name))
        if self._seen.branch_here and self._is_missing(self._seen.branch_here):
            living.discard(derive_issue_id(self._seen.current))
        living |= {derive_issue_id(name) for name in self._remote_names()}
        if self._github:
            self._github.wait()
            gone |= {derive_issue_id(name) for name in self._github.names}
        return [issue for issue in issues if issue in gone and issue not in living]

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

    def _ask_remote(self, has_issues: bool) -> None:
        followed = candidates.follows_a_remote(self._seen)
        if not followed and not has_issues:
            return
        if not self._run.allowed:
            self.network = NOT_ALLOWED
            return
        from session_memory.startup.remote import Heads, choose

        remote = choose(followed) or self._seen.remote_default[0]
        if remote and self._scratch:
            self._heads = Heads(self._seen.root, remote, self._scratch.folder, self._run)

    def _judge_freely(self, found: "list[Candidate]") -> None:
        if found and self._scratch:
            evidence.gather_free(found, self._seen, self._scratch, self._run.end)

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

    def _ask_github(self, has_issues: bool) -> None:
        if not self._run.allowed:
            self.network = NOT_ALLOWED
            return
        if not self._scratch:
            return
        from session_memory.startup.github import GitHub, repository_of

        remote, base = self._seen.remote_default
        repository = repository_of(self._seen.root, remote, self._run)
        self._github = GitHub(repository, self._scratch.folder, self._run)
        self._github.list_merged(base)

    def _remote_names(self) -> "list[str]":
        """The remotes' branches; those that the remote no longer has do not count."""
        names = self._seen.refs.remote_branches
        if self._heads and self.network == ASKED:
            prefix = f"{REMOTES}{self._heads.remote}/"
            others = [ref for ref in self._seen.refs.remotes if not ref.startswith(prefix)]
            return self._heads.names + [ref.split("/", 3)[-1] for ref in others]
        return names


def _failed(found: "list[Candidate]") -> "list[Candidate]":
    for candidate in found:
        candidate.result = eligibility.not_eligible(eligibility.GIT_FAILED)
    return found
