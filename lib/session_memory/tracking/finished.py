"""Whose work is over: the issues whose tracking files are left over (SMC-13).

A branch that the remote does not have is no proof that it was merged or deleted: it may never have
been pushed. So an issue counts as finished only if each of its local branches once had an upstream.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PREFIX = "feature/issue-"


def finished(
    issues: "Iterable[int]",
    remote_heads: "Iterable[str] | None",
    branches: "Iterable[tuple[str, bool]]",
) -> "dict[int, list[str]]":
    """The finished ones of ``issues``, each with the local branches that it left.

    ``remote_heads`` are the names of the remote's branches now, ``None`` when the remote did not
    answer: then nothing is finished. ``branches`` are local names, and whether an upstream is
    recorded for each.
    """
    if remote_heads is None:
        return {}
    living = list(remote_heads)
    local = list(branches)
    left: dict[int, list[str]] = {}
    for issue in sorted(issues):
        prefix = f"{_PREFIX}{issue}-"
        own = [(name, pushed) for name, pushed in local if name.startswith(prefix)]
        alive = any([name.startswith(prefix) for name in living])
        if not alive and all([pushed for _, pushed in own]):
            left[issue] = [name for name, _ in own]
    return left
