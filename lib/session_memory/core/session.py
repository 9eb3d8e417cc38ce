"""The conversation an event belongs to: its key, its root and its state."""

from session_memory.core.system import environ, is_absolute, is_folder, native

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Callable

    from session_memory.core.checkout import Checkout
    from session_memory.core.payload import Event
    from session_memory.core.places import Place
    from session_memory.core.store import Store

_PROJECT_VARIABLES = ("COPILOT_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
# A hosted session is a new process, with a new session id, for every turn; this one stays.
STABLE_ID_VARIABLE = "CLAUDE_CODE_REMOTE_SESSION_ID"

# No system call takes a longer path, so it cannot be where the conversation is.
_MAX_CWD = 4096


class Session:
    """What the features need to know, found out when it is first asked for.

    ``said`` collects the parts of the reply, ``losses`` what could not be done, ``afterwards`` what
    is to be done once the reply is out. A ``dry`` session writes nothing; its ``stores`` then tell
    what they would have done, and its ``reasons`` why features do nothing.
    """

    def __init__(self, event: "Event", dry: bool = False) -> None:
        self.event = event
        self.dry = dry
        self.said: list[str] = []
        self.losses: list[str] = []
        self.reasons: list[tuple[str, str]] = []
        self.afterwards: list[Callable[[], None]] = []
        self.stores: list[Store] = []
        self._checkout: Checkout | None = None
        self._located = False
        self._key: tuple[str, str] | None = None

    @property
    def cwd(self) -> str:
        """The folder the conversation is in; ``""`` when nothing tells."""
        if is_absolute(self.event.cwd) and len(self.event.cwd) <= _MAX_CWD:
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
        """The checkout that holds :attr:`cwd`, else the one that holds the host's project.

        An agent that wanders off to a scratch folder stays in the same conversation.
        """
        if not self._located:
            from session_memory.core.checkout import locate

            self._located = True
            for folder in (self.cwd, _project_folder()):
                if folder and not self._checkout:
                    self._checkout = locate(folder)
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
        from session_memory.core import places

        return places.peek(self.root, places.SESSION, name) if self.root else None

    def store(self) -> "Store | None":
        """Session state, or ``None`` where nothing may be written."""
        from session_memory.core import places

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
        made = kind(root, where, checkout.common_dir if checkout and checkout.ours else "")
        self.stores.append(made)
        return made

    def allows(self, feature: str, root: str = "") -> bool:
        """Whether the settings of ``root``, else of the conversation's, leave ``feature`` on.

        It is asked where a feature begins to work, so that what does nothing pays nothing.
        """
        from session_memory.core import places

        root = root or self.root
        if not places.may_have_settings(root):
            return True
        from session_memory.core import settings

        if settings.is_on(settings.read_settings(root, self.lose), feature, self.lose):
            return True
        self.explain(feature, "switched-off")
        return False

    def say(self, text: str) -> None:
        """Add a part to the reply; an empty one adds nothing."""
        if text:
            self.said.append(text)

    @property
    def context(self) -> str:
        """What is to be injected: all that was said, or ``""``."""
        return "\n\n".join(self.said)

    def lose(self, what: str, error: "OSError | None" = None) -> None:
        """Remember that something could not be done, for the one line on stderr; once is enough."""
        loss = f"{what}: {error.strerror or error}" if error else what
        if loss not in self.losses:
            self.losses.append(loss)

    def explain(self, feature: str, reason: str) -> None:
        """Say why ``feature`` does nothing, by a code that the command line has words for."""
        if self.dry:
            self.reasons.append((feature, reason))

    def _resolve_key(self) -> "tuple[str, str]":
        if self._key is None:
            self._key = self._climb()
        return self._key

    def _climb(self) -> "tuple[str, str]":
        from session_memory.core.key import SESSION_ID, session_key

        for session_id in (self._stable_id(), self.event.session_id):
            key, rung = session_key(session_id, "", "")
            if rung == SESSION_ID:
                return key, rung
        checkout = self.checkout
        return session_key("", checkout.branch, checkout.sha) if checkout else (key, rung)

    def _stable_id(self) -> str:
        stable = environ(STABLE_ID_VARIABLE)
        if not stable:
            return ""
        from session_memory.core.hosts import CLAUDE

        # Editors start each other and pass their environment on.
        return stable if self.event.host == CLAUDE else ""


def _project_folder() -> str:
    for name in _PROJECT_VARIABLES:
        path = environ(name)
        if is_absolute(path) and path.strip("/\\") and is_folder(path):
            return path
    return ""
