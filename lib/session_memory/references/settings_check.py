"""What is wrong with the settings of a repository, as ``references validate`` tells it."""

from collections.abc import Iterator

from session_memory.references.finding import ERROR, WARNING, Finding
from session_memory.settings import findings
from session_memory.settings.files import files_of_repository

# An unknown key is a warning: a later version may know it.
_CODES = {findings.UNKNOWN: (WARNING, "unknown-key")}


def check_settings(root: str) -> Iterator[Finding]:
    """The findings of both files."""
    for fault in findings.of_files(files_of_repository(root)):
        severity, code = _CODES.get(fault.code, (ERROR, "settings"))
        yield Finding(severity, code, fault.file, fault.line, fault.message)
