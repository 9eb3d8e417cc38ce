"""A process that writes the same marker again and again: ``racing_writer.py NAME TIMES``.

The clock does not wait, so that the writers meet as often as possible.
"""

import sys

from fake_github.watch import Watch
from session_memory.github.connection import GitHub
from session_memory.github.repository import Repository
from session_memory.markers import write_lock
from session_memory.markers.outcome import WriteFailed
from session_memory.markers.trust import WriteAccess
from session_memory.markers.writer import Writer
from writer_support import plan


def main(name: str, times: int) -> int:
    """Write ``times`` plans; the number of writes that failed."""
    github = GitHub.connect(
        Repository("github.com", "acme", "widgets"), None, None, Watch().clock()
    )
    writer = Writer(github, WriteAccess(github.permission))
    failures = 0
    for number in range(1, times + 1):
        with write_lock.held(github.repository, [7], wait_s=300):
            try:
                writer.write(plan(f"{name} {number}"))
            except WriteFailed as failure:
                print(failure, file=sys.stderr)
                failures += 1
    return failures


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
