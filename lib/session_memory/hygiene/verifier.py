"""The symmetric-bump verifier: an edit of one managed file is an edit of all."""

import time

from session_memory.hygiene import canonical
from session_memory.hygiene.reading import Reading, read_working_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.hygiene.managed import ManagedFile

PORT = "release-hygiene"
ADAPTER = "symmetric-bump"

PASSED = "passed"
FAILED = "failed"
NOT_APPLICABLE = "not-applicable"


def verify_bump(
    root: str, touched: "list[str]", files: "tuple[ManagedFile, ...]"
) -> "dict[str, object]":
    """The credit for these touched files, relative to ``root``, as its files are now."""
    return credit(read_working_tree(root, files), touched, files)


def credit(
    reading: Reading, touched: "list[str]", files: "tuple[ManagedFile, ...]"
) -> "dict[str, object]":
    """The verifier's result: ``status``, and the ``evidence`` for it in words."""
    status, evidence = _judge(reading, touched, files)
    return {
        "port": PORT,
        "adapter": ADAPTER,
        "status": status,
        "evidence": evidence,
        "verified_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def _judge(
    reading: Reading, touched: "list[str]", files: "tuple[ManagedFile, ...]"
) -> "tuple[str, str]":
    managed = {canonical(file.path) for file in files}
    if managed.isdisjoint([canonical(path) for path in touched]):
        return NOT_APPLICABLE, "no managed file was touched"
    if reading.agreed_version:
        return PASSED, f"lockstep: every managed file states {reading.version}"
    if not reading.found:
        return FAILED, f"no managed file can be read: {reading.describe()}"
    problem = "drift" if reading.drift_details else "incomplete"
    return FAILED, f"{problem}: {reading.describe()}"
