"""A small GitHub on a unix socket: the part of the REST interface that this project uses.

Tests run the real ``gh`` against it. It keeps what is written, numbers comments beyond 32 bits,
pages as GitHub does, logs every request, and fails on demand. :class:`fake_github.server.Server`
is not imported here: Python has no unix sockets on Windows.
"""

from fake_github.faults import Fault
from fake_github.gh import Fence, installed
from fake_github.state import StoredComment, Thread, World

__all__ = ["Fault", "Fence", "StoredComment", "Thread", "World", "installed"]
