"""What GitHub stores: accounts, repositories, conversations, comments."""

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fake_github.faults import Fault

# Beyond 2^31, as real ids are; a reader with 32 bits must notice.
FIRST_ID = 5_100_000_000
VIEWER = "octo-dev"
TOKEN = "a-token-of-nobody"


@dataclass
class Account:
    """Somebody. ``role`` is the permission on every repository."""

    login: str
    role: str = "read"
    association: str = "NONE"

    @property
    def id(self) -> int:
        return int(hashlib.sha256(self.login.encode()).hexdigest()[:6], 16)

    @property
    def is_bot(self) -> bool:
        return self.login.endswith("[bot]")


@dataclass
class StoredComment:
    id: int
    body: str
    author: str
    created_at: str
    updated_at: str
    # Why it is hidden. REST gives a hidden comment in full and does not tell that it is.
    minimized: str = ""


@dataclass
class Thread:
    """An issue or a pull request with its conversation.

    ``merged_head`` is ``BRANCH@COMMIT`` of a pull request that was merged into ``merged_into``.
    """

    world: "World"
    number: int
    title: str
    body: str
    author: str
    is_pull_request: bool
    created_at: str
    updated_at: str
    labels: list[str] = field(default_factory=list)
    closed: bool = False
    merged_head: str = ""
    merged_into: str = "main"
    comments: dict[int, StoredComment] = field(default_factory=dict)
    state: str = "open"
    merged_at: str = ""

    @property
    def id(self) -> int:
        return FIRST_ID + self.number

    def merge(self, merged_at: str = "") -> None:
        self.state, self.merged_at = "closed", merged_at or self.world.stamp()

    def post(self, body: str, author: str = VIEWER) -> StoredComment:
        now = self.world.stamp()
        comment = StoredComment(self.world.next_id(), body, author, now, now)
        self.comments[comment.id] = comment
        return comment

    def edit(self, comment: StoredComment, body: str) -> None:
        comment.body, comment.updated_at = body, self.world.stamp()

    @property
    def bodies(self) -> list[str]:
        return [comment.body for comment in self.comments.values()]


@dataclass
class Repo:
    world: "World"
    id: int
    full_name: str
    threads: dict[int, Thread] = field(default_factory=dict)
    # Issues that were transferred: by their old number the address of the new one.
    transferred: dict[int, str] = field(default_factory=dict)

    def open(
        self,
        title: str = "An issue",
        body: str = "",
        *,
        author: str = VIEWER,
        number: int = 0,
        pull_request: bool = False,
    ) -> Thread:
        number = number or len(self.threads) + 1
        now = self.world.stamp()
        thread = Thread(self.world, number, title, body, author, pull_request, now, now)
        self.threads[number] = thread
        return thread

    def transfer(self, number: int, to: "Repo", new: int) -> Thread:
        """Move an issue with its comments; the old number leads to the new one."""
        thread = to.threads[new] = self.threads.pop(number)
        thread.number = new
        self.transferred[number] = f"/repositories/{to.id}/issues/{new}"
        return thread

    def find(self, comment_id: int) -> tuple[Thread, StoredComment]:
        """:class:`KeyError` when it does not exist."""
        for thread in self.threads.values():
            if comment_id in thread.comments:
                return thread, thread.comments[comment_id]
        raise KeyError(comment_id)


@dataclass(frozen=True)
class Seen:
    """A request as it arrived, and how it was answered (0: not at all)."""

    method: str
    host: str
    target: str
    body: Any
    status: int

    def __str__(self) -> str:
        return f"{self.method} {self.target}"


@dataclass
class World:
    """Everything the server knows. Tests change it at will between requests."""

    now: Callable[[], float] = time.time
    repositories: dict[str, Repo] = field(default_factory=dict)
    accounts: dict[str, Account] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=lambda: {TOKEN: VIEWER})
    faults: list[Fault] = field(default_factory=list)
    requests: list[Seen] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)
    _last_id: int = FIRST_ID

    def __post_init__(self) -> None:
        self.account(VIEWER, "admin", "OWNER")

    def account(self, login: str, role: str = "read", association: str = "NONE") -> Account:
        """Create or replace an account."""
        account = Account(login, role, association)
        self.accounts[login.lower()] = account
        return account

    def repository(self, full_name: str = "acme/widgets") -> Repo:
        """The repository of that name, created when it is new."""
        key = full_name.lower()
        if key not in self.repositories:
            self.repositories[key] = Repo(self, self.next_id(), full_name)
        return self.repositories[key]

    def fault(self, match: str, **options: Any) -> Fault:
        """Answer the next request that matches in another way."""
        fault = Fault(match, **options)
        self.faults.append(fault)
        return fault

    def next_id(self) -> int:
        with self.lock:
            self._last_id += 1
            return self._last_id

    def stamp(self) -> str:
        """Now, in whole seconds as GitHub tells it."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.now()))

    def log(self, method: str = "") -> list[str]:
        """The requests so far as ``METHOD /path?query``, or those of one method."""
        return [str(seen) for seen in self.requests if method in ("", seen.method)]

    def applicable(self, line: str) -> Iterator[Fault]:
        """The fault that is due for this request, used up by asking."""
        for fault in self.faults:
            if fault.applies(line):
                yield fault
                return
