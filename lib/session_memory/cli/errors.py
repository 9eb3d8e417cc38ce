"""How a command ends. Hooks fail open; the command line fails loudly."""

import click

FAULTY = 1
REFUSED = 2
UNDELIVERED = 3
UNVERIFIED = 4
HALTED = 5
FINDINGS = 10
NOTHING_TO_CHECK = 11
INCOMPLETE = 12
USAGE = 64
INTERRUPTED = 130

# For the help; the first character keeps its lines apart.
TABLE = """\b
Exit codes:
    0  done
    1  the demo, doctor, contract lint, tracking check or hygiene verify found a fault
    2  refused before any write
    3  not delivered: the file system or GitHub did not take it
    4  written but not verified
    5  halted midway
   10  reconcile --strict: findings; handshake verify: mismatch
   11  reconcile --strict: nothing to check; handshake verify: no block
   12  reconcile --strict: a source failed; handshake verify: not compared
   64  usage
  130  interrupted
"""


class Fault(click.ClickException):
    """An expected end, told in one line that begins with the command's name."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.ctx = click.get_current_context(silent=True)


class Refused(Fault):
    """The command will not do it, and has written nothing."""

    exit_code = REFUSED


class Undelivered(Fault):
    """The command tried, and nothing was written."""

    exit_code = UNDELIVERED


class Unverified(Fault):
    """The command wrote, and could not make sure that it is as it should be."""

    exit_code = UNVERIFIED
