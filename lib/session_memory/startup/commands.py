"""The commands that a person may run on what is merged, each safe to run as it is.

Git refuses to remove a worktree with changes, and to delete a branch with ``-d`` that it does not
see merged. It cannot see a squash merge; such a branch is deleted by ``update-ref``, which does so
only while the branch is at the commit that was looked at, and names that commit, so that the branch
can be made again.
"""

from session_memory.startup import eligibility
from session_memory.startup.candidates import CURRENT_BRANCH, ORPHAN, SIBLING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.snapshot import Snapshot

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-")
_MAX_WORD = 1024


def shell_word(text: str) -> str:
    """``text`` as one word of a POSIX shell; ``""`` for what cannot be shown faithfully.

    Control characters, line ends and marks that turn text around would make the command look like
    another one, and a backtick would end the code that it stands in.
    """
    if not text or len(text) > _MAX_WORD or not text.isprintable() or "`" in text:
        return ""
    if _PLAIN.issuperset(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def is_ready(candidate: "Candidate") -> bool:
    """Whether there is evidence that the candidate is done with, and nothing to lose in it."""
    return candidate.result is not None and candidate.result.eligible and not candidate.is_dirty


def clean_up(found: "list[Candidate]", seen: "Snapshot | None") -> "list[str]":
    """The command for each of ``found`` that is ready, other than the worktree that one is in."""
    ready = [each for each in found if is_ready(each) and not _is_shared(each, seen)]
    made = [_current(each, seen) for each in ready if each.category == CURRENT_BRANCH]
    made += [remove(each, deletion(each)) for each in ready if each.category == SIBLING]
    made += [deletion(each) for each in ready if each.category == ORPHAN]
    return [command for command in made if command]


def remove(candidate: "Candidate", delete: str) -> str:
    """The command that removes the candidate's worktree, and then runs ``delete``."""
    path = shell_word(candidate.worktree.path) if candidate.worktree else ""
    if not path or not delete:
        return ""
    shown = "-c status.showUntrackedFiles=normal " if candidate.hides_untracked else ""
    return f"git {shown}worktree remove -- {path} && {delete}"


def deletion(candidate: "Candidate") -> str:
    """The command that deletes the candidate's branch; ``""`` if its name cannot be shown."""
    branch = candidate.branch
    if _is_seen_by_git(candidate):
        name = shell_word(branch.name)
        return f"git branch -d -- {name}" if name else ""
    ref = shell_word(branch.ref)
    return f"git update-ref -d {ref} {branch.tip}" if ref else ""


def remove_from_elsewhere(candidate: "Candidate") -> str:
    """Remove worktree and branch, for a person who reads it when the conversation is over.

    Until then there may be new commits, which ``-D`` would not spare: so the commit is compared.
    """
    name, ref = shell_word(candidate.name), shell_word(candidate.branch.ref)
    if not name:
        return ""
    if _is_seen_by_git(candidate):
        return remove(candidate, f"git branch -d -- {name}")
    removal = remove(candidate, f"git branch -D -- {name}")
    same = f'test "$(git rev-parse {ref})" = {candidate.branch.tip}'
    return f"{same} && {removal}" if removal else ""


def _current(candidate: "Candidate", seen: "Snapshot | None") -> str:
    """Away from the current branch, then delete it; a linked worktree goes from elsewhere."""
    if seen is None or not seen.is_primary:
        return ""
    default, delete = shell_word(seen.default), deletion(candidate)
    return f"git switch {default} && {delete}" if default and delete else ""


def _is_shared(candidate: "Candidate", seen: "Snapshot | None") -> bool:
    """Whether several worktrees are on the branch, so that it has to stay with the others."""
    registry = (seen.worktrees if seen else None) or []
    return len([each for each in registry if each.branch == candidate.name]) > 1


def _is_seen_by_git(candidate: "Candidate") -> bool:
    """Whether the branch has no commit that the default branch lacks."""
    result, free = candidate.result, candidate.free
    contained = result is not None and result.signal == eligibility.CONTAINED
    return contained or (free is not None and free.rung == eligibility.NO_COMMITS)
