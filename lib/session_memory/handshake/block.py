"""The block that carries a parent's environment at the head of a prompt: version 1.

Eight lines, six fields. A seventh field would be another version, so the fingerprint of contents,
which version 1 has no room for, follows the block as a comment of its own. Readers of version 1 see
the block to the byte as they know it, and text behind it that says nothing to them.
"""

import re
import unicodedata
from dataclasses import dataclass

OPENING = "<!-- subagent-env-handshake v1 -->"
CLOSING = "<!-- /subagent-env-handshake -->"

SHARED = "shared"
WORKTREE = "worktree"  # reserved: no reader of version 1 accepts it
MODES = (SHARED, WORKTREE)

# The fields that are compared, in the order of the block.
TREE_FIELDS = ("parent_head", "parent_branch", "parent_cwd", "parent_dirty_fingerprint")
FIELDS = (*TREE_FIELDS, "workspace_mode", "handshake_issued_at")
CONTENT_FIELD = "content_fingerprint"

_OPEN = re.compile(re.escape(OPENING) + r"[ \t]*\r?\n")
_CLOSE = re.compile(r"^[ \t]*" + re.escape(CLOSING), re.MULTILINE)
_LINE = re.compile(r"[ \t]*([a-z_]+):(.*)")
_CONTENT = re.compile(r"\s*<!-- subagent-env-content v1: ([0-9a-f]{12}) -->")

_HEAD = re.compile(r"[0-9a-f]{40}")
_FINGERPRINT = re.compile(r"[0-9a-f]{12}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
# Controls, line and paragraph separators, and bytes that are no text.
_BREAKING = frozenset(("Cc", "Zl", "Zp", "Cs"))


class NotRepresentable(ValueError):
    """A block of version 1 cannot carry this value. The message says which and why."""


@dataclass(frozen=True)
class Environment:
    """What is compared: the commit, the branch (``HEAD`` if detached), the folder, the changes.

    ``content`` is the fingerprint of changed contents, empty when it was not taken.
    """

    parent_head: str
    parent_branch: str
    parent_cwd: str
    parent_dirty_fingerprint: str
    content: str = ""

    def tree(self) -> dict[str, str]:
        """The four fields that version 1 compares."""
        return {name: str(getattr(self, name)) for name in TREE_FIELDS}


@dataclass(frozen=True)
class Handshake:
    """A block as it was read. ``content`` is empty when the comment behind it is missing."""

    environment: Environment
    mode: str
    issued_at: str


def build(environment: Environment, issued_at: str, mode: str = SHARED) -> str:
    """The block, without a line end at its end. Raises :class:`NotRepresentable`."""
    if _SHA256.fullmatch(environment.parent_head):
        raise NotRepresentable("version 1 carries SHA-1 commit ids; this repository has SHA-256")
    if not _HEAD.fullmatch(environment.parent_head):
        raise NotRepresentable("parent_head is not a commit id of 40 hexadecimal digits")
    if not _FINGERPRINT.fullmatch(environment.parent_dirty_fingerprint):
        raise NotRepresentable("parent_dirty_fingerprint is not 12 hexadecimal digits")
    if environment.parent_cwd[:1] != "/":
        raise NotRepresentable("parent_cwd is not a path as the pwd of a POSIX shell prints it")
    if mode not in MODES:
        raise NotRepresentable(f"workspace_mode is not one of {', '.join(MODES)}")
    values = {**environment.tree(), "workspace_mode": mode, "handshake_issued_at": issued_at}
    for name, value in values.items():
        _refuse_breaking(name, value)
    return "\n".join([OPENING, *[f"{name}: {values[name]}" for name in FIELDS], CLOSING])


def build_with_content(environment: Environment, issued_at: str) -> str:
    """The block and, on a line behind it, the fingerprint of contents."""
    if not _FINGERPRINT.fullmatch(environment.content):
        raise NotRepresentable(f"{CONTENT_FIELD} is not 12 hexadecimal digits")
    return (
        build(environment, issued_at) + f"\n<!-- subagent-env-content v1: {environment.content} -->"
    )


def find(prompt: str) -> Handshake | None:
    """The first block in ``prompt``; ``None`` when there is none or a field of it is missing.

    Line ends may be CRLF, fields may come in any order, the last of two equal ones counts, and what
    is no field is passed over.
    """
    start = _OPEN.search(prompt)
    end = _CLOSE.search(prompt, start.end()) if start else None
    if start is None or end is None:
        return None
    lines = map(_LINE.fullmatch, prompt[start.end() : end.start()].split("\n"))
    values = {line[1]: line[2].strip() for line in lines if line and line[2].strip()}
    if not all(name in values for name in FIELDS):
        return None
    content = _CONTENT.match(prompt, end.end())
    environment = Environment(
        **{name: values[name] for name in TREE_FIELDS}, content=content[1] if content else ""
    )
    return Handshake(environment, values["workspace_mode"], values["handshake_issued_at"])


def _refuse_breaking(name: str, value: str) -> None:
    if not value.strip():
        raise NotRepresentable(f"{name} is blank")
    if value != value.strip():
        raise NotRepresentable(f"{name} begins or ends with a blank, which readers take away")
    if any(unicodedata.category(character) in _BREAKING for character in value):
        raise NotRepresentable(f"{name} holds a control character or a byte that is no text")
    if "<!--" in value or "-->" in value:
        raise NotRepresentable(f"{name} holds a mark of a comment, which would end the block")
