"""Which issue a tracking file belongs to, by what it says itself."""

from session_memory.startup.issue_id import leading_number
from session_memory.tracking.layout import WORK, below, standing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Callable

# Bytes of a file's beginning in which its issue is looked for.
HEAD_BYTES = 1 << 16

_KEY = b"issue_id:"


class Groups:
    """Work by issue: ``tagged`` files by number, and the ``untagged`` ones that name none."""

    __slots__ = ("tagged", "untagged")

    def __init__(self) -> None:
        self.tagged: dict[int, list[str]] = {}
        self.untagged: list[str] = []


def group(paths: "Iterable[str]", head: "Callable[[str], bytes]") -> Groups:
    """Sort files, given relative to the checkout, by the issue that each names.

    ``head`` gives the beginning of a file, and is asked for work only: what stays in the folder,
    and what lies elsewhere, is left out.
    """
    groups = Groups()
    for path in paths:
        inner = below(path)
        if not inner or standing(inner) != WORK:
            continue
        issue = issue_of(head(path))
        if issue is None:
            groups.untagged.append(path)
        else:
            groups.tagged.setdefault(issue, []).append(path)
    return groups


def issue_of(head: bytes) -> "int | None":
    """The number behind the first ``issue_id:`` at the start of a line, quoted or not."""
    for line in head.split(b"\n"):
        if line.startswith(_KEY):
            number = _number(line[len(_KEY) :].decode("utf-8", "replace").strip())
            if number is not None:
                return number
    return None


def _number(value: str) -> "int | None":
    return leading_number(value[1:] if value[:1] in ("'", '"') else value)
