"""The decision on a version bump, as a person made it; the command line reads and writes it."""

import posixpath
from dataclasses import dataclass

from session_memory.core import places
from session_memory.core.checkout import Checkout
from session_memory.core.session import Session
from session_memory.core.store import Store
from session_memory.hygiene.state import (
    PROPOSED_LEVEL,
    key_in,
    recorded_files,
    state_name,
)

LEVELS = ("patch", "minor", "major", "skip")


class Unreadable(Exception):
    """The state file is there, and is no JSON object that can be used."""


@dataclass(frozen=True)
class Decision:
    """The state file of a conversation in a checkout; ``path`` is absolute."""

    checkout: Checkout
    store: Store
    name: str
    strategy: str

    @classmethod
    def of(cls, session: Session, checkout: Checkout) -> "Decision":
        """The one that the hook would use."""
        key, strategy = key_in(session, checkout)
        store = session.store_at(checkout.shared_root, places.HYGIENE, checkout)
        return cls(checkout, store, state_name(key), strategy)

    @property
    def path(self) -> str:
        """Where the file lies, or would lie."""
        return posixpath.join(self.store.root, *places.HYGIENE[0], self.name)

    def read(self) -> dict[str, object]:
        """The document, empty when there is none. Raises :class:`Unreadable`."""
        document = self.store.read(self.name)
        if document is None and self._has_content():
            raise Unreadable
        return document or {}

    def choose(self, level: str) -> object:
        """Write down ``level``; the level that was chosen before, or ``None``.

        All else stays. A file that cannot be parsed is set aside first. Raises :class:`OSError`,
        and :class:`Unreadable` for a document that is nested too deeply to be written again.
        """
        before: object = None

        def change(document: dict[str, object] | None) -> dict[str, object]:
            nonlocal before
            known = document or {}
            before = known.get("chosen_level")
            return {
                **known,
                "proposed_level": known.get("proposed_level") or PROPOSED_LEVEL,
                "chosen_level": level,
                "keying_strategy": known.get("keying_strategy") or self.strategy,
                "touched_files": recorded_files(document),
            }

        try:
            self.store.update(self.name, change)
        except RecursionError:
            raise Unreadable from None
        return before

    def _has_content(self) -> bool:
        facts = places.peek(self.store.root, places.HYGIENE, self.name)
        return facts is not None and facts.st_size > 0
