"""What the bundle leaves behind and nobody needs any more, and its removal.

The folders belong to the user, who may keep files with names much like ours. So a file goes only
if its whole name and its beginning are what we write, and it is a plain file with a single name.
Logs and release decisions are evidence and stay; only their locks and temporary files go.
"""

from session_memory.core.folder import Folder
from session_memory.core.key import is_session_key, slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

# Conversations older than this are not resumed any more.
MAX_AGE_S = 30 * 86400.0
# A temporary file lives for milliseconds. The rest is for clocks that differ.
MAX_TEMPORARY_AGE_S = 3600.0
# Removals a run, so that a large backlog does not slow one prompt.
MAX_REMOVALS = 200

_LOCK = ".lock"
_TEMPORARY = ".tmp"


class Form:
    """The files called ``<prefix><middle><suffix>``, with a middle that ``accepts`` takes.

    ``head`` is what their content begins with; ``None`` for files that stay.
    """

    __slots__ = ("accepts", "head", "prefix", "suffix")

    def __init__(
        self, prefix: str, accepts: "Callable[[str], bool]", suffix: str, head: "bytes | None"
    ) -> None:
        self.prefix = prefix
        self.accepts = accepts
        self.suffix = suffix
        self.head = head

    def fits(self, name: str) -> bool:
        """Whether the files of this form include ``name``."""
        middle = name[len(self.prefix) : len(name) - len(self.suffix)]
        return (
            name.startswith(self.prefix)
            and name.endswith(self.suffix)
            and len(name) >= len(self.prefix) + len(self.suffix)
            and self.accepts(middle)
        )


def _is_key_and_number(text: str) -> bool:
    key, _, number = text.rpartition("-")
    return is_session_key(key) and _is_number(number)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _is_slug(text: str) -> bool:
    return bool(text) and slug(text) == text


def _is_empty(text: str) -> bool:
    return not text


FORMS = (
    Form("session-startup-check-complete-", is_session_key, ".md", b"---\nsession_key: "),
    Form("references-preflight-", _is_key_and_number, ".json", b"{"),
    Form("cost-collection-install-prompt-", _is_slug, "", None),
    Form("design-issue-", _is_number, ".md", None),
    Form("memory-seen.json", _is_empty, "", None),
    Form("plan-bundle-", _is_slug, ".md", None),
    Form("plan-issue-", _is_number, ".md", None),
    Form("rate-limit-deferred-", _is_slug, ".md", None),
    Form("release-hygiene-", _is_slug, ".json", None),
    Form("release-hygiene-", _is_slug, ".compared", None),
    Form("review-state-", _is_number, ".md", None),
    Form("references-state.yml", _is_empty, "", None),
    Form("references-init.manifest", _is_empty, "", None),
    Form(".gitignore", _is_empty, "", None),
)
_PREFIXES = tuple([form.prefix for form in FORMS])


def remove(folder: Folder, now: float) -> int:
    """Remove what is old in ``folder``, at most :data:`MAX_REMOVALS`; how many files went."""
    removed = 0
    # In this order a lock comes after its document.
    for name in sorted(folder.names()):
        if removed >= MAX_REMOVALS:
            break
        if name.startswith(_PREFIXES) and _remove_if_stale(folder, name, now):
            removed += 1
    return removed


def _remove_if_stale(folder: Folder, name: str, now: float) -> bool:
    try:
        if not _is_stale(folder, name, now - (folder.modified(name) or now)):
            return False
        folder.remove(name)
    except OSError:  # another hook was faster, or it is not a plain file
        return False
    return True


def _is_stale(folder: Folder, name: str, age_s: float) -> bool:
    if name.endswith(_TEMPORARY):
        return age_s > MAX_TEMPORARY_AGE_S and _is_temporary(folder, name)
    if age_s <= MAX_AGE_S:
        return False
    if name.endswith(_LOCK):
        document = name[: -len(_LOCK)]
        # A lock outlives its day of birth: it is in use as long as its document is there.
        unused = _form(document) is not None and folder.identity(document) is None
        return unused and folder.read(name, 1) == b""
    form = _form(name)
    return form is not None and form.head is not None and _begins(folder, name, form.head)


def _is_temporary(folder: Folder, name: str) -> bool:
    """Whether it is called ``<name of ours>.<process>-<number>.tmp``."""
    target, _, mark = name[: -len(_TEMPORARY)].rpartition(".")
    process, _, number = mark.partition("-")
    ours = _is_number(process) and _is_number(number) and _form(target) is not None
    return ours and folder.read(name, 1) is not None


def _begins(folder: Folder, name: str, head: bytes) -> bool:
    """An empty file is what a process left that died after its claim."""
    content = folder.read(name, len(head))
    return content in (b"", head)


def _form(name: str) -> "Form | None":
    return next((form for form in FORMS if form.fits(name)), None)
