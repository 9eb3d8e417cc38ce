"""Changes in worktrees that are in no commit, and so would be lost with them."""

import time

from session_memory.startup.preflight import removal_preflight
from session_memory.startup.processes import Child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.startup.candidates import Candidate
    from session_memory.startup.scratch import Scratch

_MAX_LOOKS = 20
_LIMIT_S = 1.0
# The exit code of ``git config`` when nothing matches.
_NO_SUCH_KEY = 1
_SHOWN = "status.showuntrackedfiles"
_ASKED = r"^filter\.|^status\.showuntrackedfiles$"


def look(candidates: "list[Candidate]", scratch: "Scratch", end: float) -> None:
    """See what is in the way of removing the worktrees of eligible ``candidates``.

    Where git gives no answer in time nothing is claimed: it refuses by itself to remove a worktree
    with changes. What its settings hide is no change to it; that is seen here, too.
    """
    found = [each for each in candidates if each.result and each.result.eligible]
    with_folder = [(each, each.worktree) for each in found if each.worktree]
    chosen = [pair for pair in with_folder if not pair[1].is_prunable][:_MAX_LOOKS]
    end = min(end, time.monotonic() + _LIMIT_S)
    asked = [_settings(worktree.path) for _, worktree in chosen]
    scratch.ask_all(asked, end, {})
    settings = [_read(child) for child in asked]
    hidden = any([_hides_untracked(known) for known in settings])
    for candidate in found:
        candidate.hides_untracked = hidden
    questions = [_status(worktree.path, known) for (_, worktree), known in zip(chosen, settings)]
    scratch.ask_all([child for child in questions if child], end, {})
    for (candidate, worktree), question in zip(chosen, questions):
        answered = question is not None and question.succeeded
        status = question.output.decode("utf-8", "replace") if question and answered else None
        candidate.obstacle = removal_preflight(False, worktree.is_locked, False, status)


def _settings(path: str) -> Child:
    """The question what may hide files, and which programs could convert files to compare them."""
    return Child(["git", "-C", path, "config", "-z", "--get-regexp", _ASKED])


def _read(answer: Child) -> "dict[str, str] | None":
    """Settings by name; ``None`` when git did not tell."""
    if answer.code not in (0, _NO_SUCH_KEY):
        return None
    records = answer.output.decode("utf-8", "surrogateescape").split("\0")[:-1]
    return {name: value for name, _, value in [record.partition("\n") for record in records]}


def _hides_untracked(settings: "dict[str, str] | None") -> bool:
    return settings is None or settings.get(_SHOWN, "normal") not in ("normal", "all")


def _status(path: str, settings: "dict[str, str] | None") -> "Child | None":
    """The question what is changed, whatever is hidden; ``None`` if programs would be run for it.

    What a submodule holds is no matter: git removes no worktree that has one.
    """
    names = sorted({name.rpartition(".")[0] for name in settings or () if name != _SHOWN})
    if settings is None or any(["=" in name for name in names]):
        return None
    options = ["-c", "core.fsmonitor=false"]
    for name in names:
        for part in ("clean=", "process=", "required=false"):
            options += ["-c", f"{name}.{part}"]
    shown = ("--untracked-files=normal", "--ignore-submodules=dirty")
    return Child(["git", "-C", path, *options, "status", "--porcelain", "-z", *shown])
