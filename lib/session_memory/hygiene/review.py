"""What the edit of possible entry points means in the checkouts that hold them."""

from session_memory import preload
from session_memory.core import places
from session_memory.core.checkout import is_same_file, locate
from session_memory.core.system import WINDOWS, is_folder, join, parent
from session_memory.hygiene import is_entry_point

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.core.session import Session
    from session_memory.hygiene.reading import Reading
    from session_memory.hygiene.record import Record
    from session_memory.hygiene.rules import Rules

_MAX_FOLDERS = 128
_NO_VERSION = "settings: bump_command: no file states a version; managed_files names others"


def review(session: "Session", paths: "list[str]") -> str:
    """The reminders due in the checkouts of these absolute paths; ``""`` for none."""
    found = _by_checkout(_near(session, paths))
    if not found:
        session.explain("hygiene", "no-entry-point")
    found = [(checkout, touched) for checkout, touched in found if _concerns(session, checkout)]
    texts = [_review(session, checkout, touched) for checkout, touched in found]
    return "\n\n".join([text for text in texts if text])


def _concerns(session: "Session", checkout: "Checkout") -> bool:
    """Whether ``checkout`` is of the repository that the conversation is in, or a submodule of it.

    Nothing is said of other repositories, or written there. A conversation outside of any may edit
    whichever it likes.
    """
    own = session.checkout
    concerns = (
        own is None
        or is_same_file(own.common_dir, checkout.common_dir)
        or _resolved(checkout.common_dir).startswith(_resolved(own.common_dir).rstrip("/") + "/")
    )
    if not concerns:
        session.explain("hygiene", "other-repository")
    return concerns


def _by_checkout(paths: "list[str]") -> "list[tuple[Checkout, list[str]]]":
    """The checkouts that hold ``paths``, each with its own entry points, relative to its root."""
    folders: dict[str, Checkout | None] = {}
    found: dict[str, tuple[Checkout, list[str]]] = {}
    for path in paths:
        folder = parent(path)
        if folder not in folders:
            folders[folder] = locate(folder)
        checkout = folders[folder]
        if checkout is None or not path.startswith(_prefix(checkout)):
            path = _resolved(path)  # noqa: PLW2901 - the same file by its real name
            checkout = locate(parent(path))
        if checkout is None or not path.startswith(_prefix(checkout)):
            continue
        relative = path[len(_prefix(checkout)) :]
        if is_entry_point(relative):
            found.setdefault(checkout.root, (checkout, []))[1].append(relative)
    return list(found.values())


def _near(session: "Session", paths: "list[str]") -> "list[str]":
    """Those of ``paths`` that lie in the first so many folders: each is searched for a checkout."""
    folders = list(dict.fromkeys([parent(path) for path in paths]))
    if len(folders) <= _MAX_FOLDERS:
        return paths
    session.lose(f"release hygiene looked into {_MAX_FOLDERS} of {len(folders)} edited folders")
    near = set(folders[:_MAX_FOLDERS])
    return [path for path in paths if parent(path) in near]


def _prefix(checkout: "Checkout") -> str:
    return checkout.root.rstrip("/") + "/"


def _resolved(path: str) -> str:
    """A folder of the path may be a link into a checkout."""
    from os.path import realpath

    try:
        return realpath(path).replace("\\", "/") if WINDOWS else realpath(path)
    except ValueError:  # no file can have this name
        return path


def _review(session: "Session", checkout: "Checkout", touched: "list[str]") -> str:
    # Without any state there is nothing to spare, and most repositories never get any.
    record = _record(session, checkout) if _has_state(checkout) else None
    if record and record.is_settled(touched):
        session.explain("hygiene", "reminded-before")
        return ""
    if not session.allows("hygiene", checkout.root):
        return ""
    from session_memory.hygiene import rules

    known = rules.load(checkout.root, session.lose)
    if known is None:
        session.explain("hygiene", "no-releases-here")
        return ""
    return _judge(record or _record(session, checkout), known, touched)


def _record(session: "Session", checkout: "Checkout") -> "Record":
    preload.load("release_record")
    from session_memory.hygiene.record import Record

    return Record(session, checkout)


def _judge(record: "Record", known: "Rules", touched: "list[str]") -> str:
    from session_memory.hygiene.reading import read_working_tree

    record.look_at(known.sources)
    working = read_working_tree(record.checkout.root, known.files)
    if not (working.has_versions or known.marked):
        record.session.lose(_NO_VERSION)
        return ""
    compared = record.was_compared(working.agreed_version)
    baseline = None if compared else _baseline(record.checkout, known, working)
    if _is_bumped(working, baseline):
        record.session.explain("hygiene", "already-bumped")
        record.credit(working, touched, known)
        return ""
    first = record.propose(touched)
    if compared or (baseline and baseline.agreed_version):
        record.note_compared(working.agreed_version)
    if not first:
        record.session.explain("hygiene", "reminded-before")
        return ""
    from session_memory.hygiene import reminder

    return reminder.text(touched, known, working, baseline, record.shown_path)


def _baseline(checkout: "Checkout", known: "Rules", working: "Reading") -> "Reading | None":
    if not working.agreed_version:
        return None
    from session_memory.hygiene.baseline import read_default_branch

    return read_default_branch(checkout, known.files)


def _has_state(checkout: "Checkout") -> bool:
    return is_folder(join(checkout.shared_root, "/".join(places.HYGIENE[0])))


def _is_bumped(working: "Reading", baseline: "Reading | None") -> bool:
    from session_memory.hygiene.versions import precedence

    if baseline is None:
        return False
    now, before = precedence(working.agreed_version), precedence(baseline.agreed_version)
    return now is not None and before is not None and now > before
