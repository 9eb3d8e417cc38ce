"""What a conversation has seen of an issue (SMC-22)."""

import time

from session_memory.core.key import SESSION_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session
    from session_memory.references.issue import Issue
    from session_memory.references.prompt import Mention

PREFIX = "references-preflight-"
# The conversation of a host that sends no session id: all such prompts share a marker.
UNKNOWN = "unknown"

_MAX_ID = 200


def marker_name(key: str, number: int) -> str:
    """The file of issue ``number`` in the conversation ``key``."""
    return f"{PREFIX}{key}-{number}.json"


class Marker:
    """The marker of one issue in one conversation, as it was found."""

    def __init__(self, session: "Session", mention: "Mention") -> None:
        self._session = session
        self._mention = mention
        self._name = marker_name(session.key, mention.number)
        self._store = session.store()
        self._found = self._store.read(self._name) if self._store else None
        self._taken = True

    def shows(self, issue: "Issue") -> bool:
        """Whether ``issue`` was injected with this very body. An unreadable marker says no."""
        return self._is_same(self._found, issue)

    def take(self, issue: "Issue") -> bool:
        """Whether it is for this hook to inject ``issue``; the marker then says so.

        It is stored just before the reply goes out, not after: of two hooks that fire together the
        second must find it. When it cannot be stored the references are injected all the same.
        """
        if self._store is None:
            return True

        def changed(stored: "dict[str, object] | None") -> "dict[str, object] | None":
            self._taken = not self._is_same(stored, issue)
            return self._record(issue) if self._taken else None

        try:
            self._store.update(self._name, changed)
        except OSError as error:
            self._session.lose("reference marker not stored", error)
        if self._taken:
            self._session.afterwards.append(self._tidy)
        return self._taken

    def _record(self, issue: "Issue") -> "dict[str, object]":
        session_id = self._session.event.session_id
        record: dict[str, object] = {
            "issue_number": self._mention.number,
            "session_id": session_id[:_MAX_ID] or UNKNOWN,
            "body_hash": issue.body_hash,
            "injected_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        if self._mention.repository:
            record["repository"] = self._mention.repository
        return record

    def _is_same(self, stored: "dict[str, object] | None", issue: "Issue") -> bool:
        if stored is None or stored.get("body_hash") != issue.body_hash:
            return False
        named = {str(stored.get("repository") or "").lower(), self._mention.repository.lower()}
        # "#5" and the URL of issue 5 with the same text are the same issue. Issues without any
        # text are only the same when they are named alike.
        return len(named) == 1 or ("" in named and issue.body != "")

    def _tidy(self) -> None:
        if self._session.rung != SESSION_ID:
            # A gap of the contract, told once an injection rather than on every prompt.
            self._session.lose("no session id: the reference marker is shared")
        try:
            if self._store:
                self._store.remove_stale(time.time())
        except OSError:  # removed by another hook at the same time
            pass
