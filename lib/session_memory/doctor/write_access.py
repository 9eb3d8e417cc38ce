"""Whether this account's markers would count: the one check that asks GitHub."""

from collections.abc import Iterator

from session_memory.doctor.finding import Finding, Level
from session_memory.editors.surroundings import Surroundings
from session_memory.github.connection import GitHub
from session_memory.github.errors import GitHubError
from session_memory.github.remotes import resolve

CHECK = "GitHub"

_WRITERS = frozenset({"admin", "maintain", "write"})
_WHY = "Readers count only what accounts with write access wrote."
_ROW = "SMC-08"


def check(around: Surroundings) -> Iterator[Finding]:
    """Which repository would be written to, by whom, and whether that account may."""
    try:
        repository = resolve("", str(around.cwd))
        github = GitHub.connect(repository)
        login = github.viewer() or "this app"
        role = github.permission(login)
    except GitHubError as error:
        what = f"Write access could not be made sure of: {error}"
        mend = "gh auth status; gh repo view"
        yield Finding(CHECK, Level.WARNING, what, _WHY, mend, row=_ROW)
        return
    where = f"{repository} ({repository.source})"
    if role in _WRITERS:
        yield Finding(CHECK, Level.OK, f"{login} may write ({role}).", where=where, row=_ROW)
    else:
        mend = "ask for write access, or change the account: gh auth switch"
        what = f"{login} may not write here (its role is {role})."
        yield Finding(CHECK, Level.WARNING, what, _WHY, mend, where, _ROW)
