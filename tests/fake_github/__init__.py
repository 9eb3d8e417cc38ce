"""A small GitHub on a unix socket: the part of the REST interface that this project uses.

Tests run the real ``gh`` against it. It keeps what is written, numbers comments beyond 32 bits,
pages as GitHub does, logs every request, and fails on demand::

    with Server(World()) as server:
        ...
"""

from fake_github.faults import Fault
from fake_github.gh import Fence, installed
from fake_github.server import Server
from fake_github.state import StoredComment, Thread, World

__all__ = ["Fault", "Fence", "Server", "StoredComment", "Thread", "World", "installed"]
