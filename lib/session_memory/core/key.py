"""The session key: which conversation a record belongs to (SMC-21, rows that cite it).

The ladder is session id, branch, commit, and at last a constant. The rung that answered is recorded
with everything that carries the key.
"""

from session_memory.core.checkout import short

SESSION_ID = "session_id"
BRANCH = "branch_slug"
SHA = "sha"
LAST_RESORT = "session"

# With the longest prefix and suffix of ours, a name stays far below the 255 bytes of a file name.
MAX_SLUG = 120

_KINDS = frozenset(("s", "b", "sha"))
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def session_key(session_id: str, branch: str, sha: str) -> "tuple[str, str]":
    """``(key, rung)`` for the first rung that yields a usable name."""
    name = slug(session_id)
    if name:
        return "s-" + name, SESSION_ID
    # A detached checkout answers "HEAD" when git is asked for its branch.
    name = slug(branch) if branch != "HEAD" else ""
    if name:
        return "b-" + name, BRANCH
    name = slug(short(sha))
    return ("sha-" + name, SHA) if name else (LAST_RESORT, LAST_RESORT)


def is_session_key(text: str) -> bool:
    """Whether :func:`session_key` could have given ``text``."""
    if text == LAST_RESORT:
        return True
    kind, dash, name = text.partition("-")
    return kind in _KINDS and bool(dash and name) and slug(name) == name


def slug(text: str) -> str:
    """``text`` as a file-name part: runs of other characters become one ``-``.

    Empty when nothing is left but punctuation. Text beyond :data:`MAX_SLUG` is cut and gets a
    digest, so that two long ids stay apart.
    """
    name = text
    if not _ALLOWED.issuperset(text):
        name = "".join([c if c in _ALLOWED else " " for c in text])
        name = "-".join(name.split())
    name = name.strip("-")
    if not name.strip("._-"):
        return ""
    return name if len(name) <= MAX_SLUG else _shortened(name, text)


def _shortened(name: str, text: str) -> str:
    from session_memory.core.digest import sha256_hex

    mark = sha256_hex(text.encode("utf-8", "surrogateescape"))[:16]
    return name[: MAX_SLUG - 17] + "-" + mark
