"""What release hygiene remembers of one conversation in one checkout."""

from session_memory.core import places
from session_memory.hygiene import compared, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.checkout import Checkout
    from session_memory.core.document import Change
    from session_memory.core.session import Session
    from session_memory.core.store import Store
    from session_memory.hygiene.reading import Reading
    from session_memory.hygiene.rules import Rules


class Record:
    """The state file of this conversation and checkout, and the note that spares git beside it."""

    def __init__(self, session: "Session", checkout: "Checkout") -> None:
        key, self.strategy = state.key_in(session, checkout)
        self.name = state.state_name(key)
        self.compared_name = compared.compared_name(key)
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
        if not compared.is_current(self.store.read(self.compared_name), self.checkout.root):
            return False
        document = self.store.read(self.name)
        if not state.is_proposal(document):
            return False
        if (
            state.with_proposal(document, self.strategy, self._joined(document, touched))
            is not None
        ):
            self.propose(touched)
        return True

    def look_at(self, sources: "tuple[str, ...]") -> None:
        """Remember how these files are, before they are read."""
        self.sources = compared.facts_of(self.checkout.root, sources)

    def was_compared(self, version: str) -> bool:
        """Whether ``version`` was found not to be ahead before."""
        self.found = self.store.read(self.compared_name)
        return compared.has_version(self.found, version)

    def note_compared(self, version: str) -> None:
        """Spare later edits the work. Without the note they do it again."""
        noted = compared.note(version, self.sources)
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
        first = True

        def change(document: "dict[str, object] | None") -> "dict[str, object] | None":
            nonlocal first
            first = not state.is_proposal(document)
            return state.with_proposal(document, self.strategy, self._joined(document, touched))

        if not self._update(change, "state"):
            return not state.is_proposal(self.store.read(self.name))
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
        files = state.joined(state.recorded_files(document), touched)
        dropped = len(set(touched).difference(files))
        loss = f"{dropped} touched files not noted: release-hygiene state holds {state.MAX_FILES}"
        if dropped:
            self.session.lose(loss)
        return files

    def credit(self, working: "Reading", touched: "list[str]", known: "Rules") -> None:
        """Note that the bump was made, and how far it is symmetric."""
        from session_memory.hygiene.verifier import credit

        def change(document: "dict[str, object] | None") -> "dict[str, object] | None":
            files = self._joined(document, touched)
            return state.with_credit(document, credit(working, files, known.files), files)

        self._update(change, "credit")
