"""What the edit of possible entry points means in the checkouts that hold them."""

from session_memory.core import places
from session_memory.core.checkout import is_same_file, locate
from session_memory.core.system import WINDOWS, is_folder, join, parent
from session_memory.hygiene import is_entry_point

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.core.document import Change
    from session_memory.core.session import Session
    from session_memory.core.store import Store
    from session_memory.hygiene.reading import Reading
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
    record = _Record(session, checkout) if _has_state(checkout) else None
    if record and record.is_settled(touched):
        session.explain("hygiene", "reminded-before")
        return ""
    from session_memory.hygiene import rules

    known = rules.load(checkout.root, session.lose)
    if known is None:
        session.explain("hygiene", "no-releases-here")
        return ""
    return _judge(record or _Record(session, checkout), known, touched)


def _judge(record: "_Record", known: "Rules", touched: "list[str]") -> str:
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


class _Record:
    """The state file of this conversation and checkout."""

    def __init__(self, session: "Session", checkout: "Checkout") -> None:
        from session_memory.core.key import SESSION_ID
        from session_memory.hygiene.compared import compared_name
        from session_memory.hygiene.state import hygiene_key, state_name

        # The session key is the sanitised id behind a prefix of two characters.
        session_id = session.key[2:] if session.rung == SESSION_ID else ""
        key, self.strategy = hygiene_key(session_id, checkout.branch, checkout.sha)
        self.name = state_name(key)
        self.compared_name = compared_name(key)
        self.session = session
        self.checkout = checkout
        self.sources: dict[str, list[int] | None] = {}
        self.found: dict[str, object] | None = None
        self.store: Store = session.store_at(checkout.shared_root, places.HYGIENE, checkout)

    @property
    def shown_path(self) -> str:
        return "/".join([*places.HYGIENE[0], self.name])

    def is_settled(self, touched: "list[str]") -> bool:
        """Whether the reminder was given and nothing it depends on has changed; notes the files."""
        from session_memory.hygiene.compared import is_current
        from session_memory.hygiene.state import is_proposal, with_proposal

        if not is_current(self.store.read(self.compared_name), self.checkout.root):
            return False
        document = self.store.read(self.name)
        if not is_proposal(document):
            return False
        if with_proposal(document, self.strategy, self._joined(document, touched)) is not None:
            self.propose(touched)
        return True

    def look_at(self, sources: "tuple[str, ...]") -> None:
        """Remember how these files are, before they are read."""
        from session_memory.hygiene.compared import facts_of

        self.sources = facts_of(self.checkout.root, sources)

    def was_compared(self, version: str) -> bool:
        """Whether ``version`` was found not to be ahead before."""
        from session_memory.hygiene.compared import has_version

        self.found = self.store.read(self.compared_name)
        return has_version(self.found, version)

    def note_compared(self, version: str) -> None:
        """Spare later edits the work. Without the note they do it again."""
        from session_memory.hygiene.compared import note

        noted = note(version, self.sources)
        if noted == self.found:
            return
        try:
            self.store.update(self.compared_name, lambda _: noted)
        except OSError:
            pass

    def propose(self, touched: "list[str]") -> bool:
        """Note the files; whether they are the first of the conversation.

        What cannot be saved is said again and again, unless an earlier reminder can be read.
        """
        from session_memory.hygiene.state import is_proposal, with_proposal

        first = True

        def change(document: "dict[str, object] | None") -> "dict[str, object] | None":
            nonlocal first
            first = not is_proposal(document)
            return with_proposal(document, self.strategy, self._joined(document, touched))

        if not self._update(change, "state"):
            return not is_proposal(self.store.read(self.name))
        return first

    def _update(self, change: "Change", what: str) -> bool:
        """Change the state file; whether that could be done."""
        try:
            self.store.update(self.name, change)
        except OSError as error:
            self.session.lose(f"release-hygiene {what} not saved", error)
            return False
        except RecursionError:  # a planted document: what can be read cannot be written again
            self.session.lose(f"release-hygiene {what} not saved: nested too deeply")
            return False
        return True

    def _joined(self, document: "dict[str, object] | None", touched: "list[str]") -> "list[str]":
        """The files that the document names and these, as many as it holds."""
        from session_memory.hygiene.state import MAX_FILES, joined, recorded_files

        files = joined(recorded_files(document), touched)
        dropped = len(set(touched).difference(files))
        loss = f"{dropped} touched files not noted: release-hygiene state holds {MAX_FILES}"
        if dropped and loss not in self.session.losses:
            self.session.lose(loss)
        return files

    def credit(self, working: "Reading", touched: "list[str]", known: "Rules") -> None:
        """Note that the bump was made, and how far it is symmetric."""
        from session_memory.hygiene.state import with_credit
        from session_memory.hygiene.verifier import credit

        def change(document: "dict[str, object] | None") -> "dict[str, object] | None":
            files = self._joined(document, touched)
            return with_credit(document, credit(working, files, known.files), files)

        self._update(change, "credit")
