"""What the managed files say on the default branch: one git process for the whole question."""

from session_memory.core import git
from session_memory.hygiene.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.hygiene.managed import ManagedFile

# The first that exists is the default branch. A local branch is often stale, so it comes later.
_DEFAULT_BRANCHES = (
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
)


def read_default_branch(checkout: "Checkout", files: "tuple[ManagedFile, ...]") -> "Reading | None":
    """What the tip of the default branch says; ``None`` when there is none or git fails."""
    refs = [*_DEFAULT_BRANCHES]
    if checkout.branch:
        refs.append("refs/heads/" + checkout.branch)
    commits = [ref + "^{commit}" for ref in refs]
    blobs = [f"{ref}:{file.path}" for ref in refs for file in files]
    answers = _ask(checkout.root, commits + blobs)
    tip = next((ref for ref in refs if answers.get(ref + "^{commit}") is not None), "")
    return Reading(files, lambda path: answers.get(f"{tip}:{path}")) if tip else None


def _ask(root: str, objects: "list[str]") -> "dict[str, bytes | None]":
    """The content of each object; ``None`` for one that does not exist."""
    request = "".join([name + "\n" for name in objects]).encode("utf-8", "surrogateescape")
    output = git.run(root, "cat-file", "--batch", stdin=request)
    if output is None:
        return {}
    answers: dict[str, bytes | None] = {}
    place = 0
    for name in objects:
        header_end = output.find(b"\n", place)
        size = _size(output[place:header_end])
        place = header_end + 1
        answers[name] = None
        if size >= 0:
            answers[name] = output[place : place + size]
            place += size + 1
    return answers


def _size(header: bytes) -> int:
    """The size in ``<id> <type> <size>``; -1 for an answer such as ``<name> missing``."""
    words = header.split(b" ")
    if len(words) == 3 and words[1] in (b"blob", b"commit") and words[2].isdigit():
        return int(words[2])
    return -1
