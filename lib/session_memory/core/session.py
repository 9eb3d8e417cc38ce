"""The conversation an event belongs to: its key, its root and its state."""

from session_memory.core import hosts, places
from session_memory.core.payload import Event
from session_memory.core.system import environ, is_absolute, is_folder, native

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Callable

    from session_memory.core.checkout import Checkout
    from session_memory.core.places import Place
    from session_memory.core.store import Store

_PROJECT_VARIABLES = ("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
# A hosted session is a new process, with a new session id, for every turn; this one stays.
STABLE_ID_VARIABLE = "CLAUDE_CODE_REMOTE_SESSION_ID"


class Session:
    """What the features need to know, found out when it is first asked for.

    ``losses`` collects what could not be done, ``afterwards`` what is to be done once the reply is
    out. A ``dry`` session writes nothing; its ``stores`` then tell what they would have done.
    """

    def __init__(self, event: Event, dry: bool = False) -> None:
        self.event = event
        self.dry = dry
        self.losses: list[str] = []
        self.afterwards: list[Callable[[], None]] = []
        self.stores: list[Store] = []
        self._checkout: Checkout | None = None
        self._located = False
        self._key: tuple[str, str] | None = None

    @property
    def cwd(self) -> str:
        """The folder the conversation is in; ``""`` when nothing tells."""
        if is_absolute(self.event.cwd):
            return self.event.cwd
        project = _project_folder()
        if project:
            return project
        try:
            return native.getcwd()
        except OSError:  # removed, or not readable, under a live session
            return ""

    @property
    def checkout(self) -> "Checkout | None":
        """The checkout that holds :attr:`cwd`, if any."""
        if not self._located:
            from session_memory.core.checkout import locate

            self._checkout = locate(self.cwd) if self.cwd else None
            self._located = True
        return self._checkout

    @property
    def root(self) -> str:
        """The folder below which state may be written; ``""`` means nowhere."""
        return self.checkout.root if self.checkout else _project_folder()

    @property
    def key(self) -> str:
        """The session key."""
        return self._resolve_key()[0]

    @property
    def rung(self) -> str:
        """The rung of the ladder that gave :attr:`key`."""
        return self._resolve_key()[1]

    def peek(self, name: str) -> "os.stat_result | None":
        """Facts about a file of session state, or ``None`` when it does not exist."""
        return places.peek(self.root, places.SESSION, name) if self.root else None

    def store(self) -> "Store | None":
        """Session state, or ``None`` where nothing may be written."""
        return self.store_at(self.root, places.SESSION, self.checkout) if self.root else None

    def store_at(
        self, root: str, where: "tuple[Place, ...]", checkout: "Checkout | None"
    ) -> "Store":
        """State in other places than the conversation's own."""
        from session_memory.core.store import Store

        kind = Store
        if self.dry:
            from session_memory.core.dry_store import DryStore

            kind = DryStore
        made = kind(root, where, checkout.common_dir if checkout else "")
        self.stores.append(made)
        return made

    def lose(self, what: str, error: "OSError | None" = None) -> None:
        """Remember that something could not be done, for the one line on stderr."""
        self.losses.append(f"{what}: {error.strerror or error}" if error else what)

    def _resolve_key(self) -> "tuple[str, str]":
        if self._key is None:
            from session_memory.core.key import session_key

            self._key = session_key(self._session_id(), "", "")
            if self._key[1] != "session_id" and self.checkout:
                self._key = session_key("", self.checkout.branch, self.checkout.sha)
        return self._key

    def _session_id(self) -> str:
        stable = environ(STABLE_ID_VARIABLE) if self.event.host == hosts.CLAUDE else ""
        return stable or self.event.session_id


def _project_folder() -> str:
    for name in _PROJECT_VARIABLES:
        path = environ(name)
        if is_absolute(path) and path.strip("/\\") and is_folder(path):
            return path
    return ""
