"""What agents keep for themselves: states of reviews (SMC-05), and tracking documents (SMC-13)."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from session_memory.core.system import read_file
from session_memory.doctor.finding import Finding, Level
from session_memory.doctor.state import CHECK
from session_memory.doctor.state_files import files
from session_memory.editors.surroundings import Surroundings
from session_memory.memory import review_state
from session_memory.tracking import document_check
from session_memory.tracking.index import read_text
from session_memory.tracking.layout import ARCHIVED, FOLDER, WORK
from session_memory.tracking.survey import TrackingFile, survey

_REVIEW_STATE = re.compile(r"review-state-([0-9]{1,9})\.md")
_MAX_BYTES = 1 << 20
# Documents that are looked at; `tracking check` looks at all.
_MAX_DOCUMENTS = 200


def check(around: Surroundings) -> Iterator[Finding]:
    """Files that nobody relies on, or that depart from their format."""
    for file in files(around):
        name = _REVIEW_STATE.fullmatch(file.name)
        if name:
            yield from _review(file.path, int(name[1]))
    if around.checkout:
        yield from _documents(around.checkout.root)


def _review(path: str, issue: int) -> Iterator[Finding]:
    content = read_file(path, _MAX_BYTES)
    if content is None:
        return
    try:
        review_state.parse(content.decode("utf-8", "replace"), issue)
    except review_state.NotReliable as error:
        what = f"{os.path.basename(path)} is not relied on: {error}."
        why = "All stages of that review count as missing."
        mend = f"session-memory memory read review-state --issue {issue}"
        yield Finding(CHECK, Level.NOTE, what, why, mend, path, "SMC-05")


def _documents(root: str) -> Iterator[Finding]:
    try:
        found = survey(root).of(WORK, ARCHIVED)
    except OSError:  # a link, or no folder
        return
    documents = [file for file in found if document_check.is_document(file.path)]
    faulty = [file for file in documents[:_MAX_DOCUMENTS] if _is_faulty(root, file)]
    if faulty:
        plural = len(faulty) > 1
        what = f"{len(faulty)} document{'s' * plural} in {FOLDER} depart{'s' * (not plural)}"
        what += " from the format."
        why = "The start-up check may not see which issue they belong to."
        where = str(Path(root, faulty[0].path))
        yield Finding(
            CHECK, Level.NOTE, what, why, "session-memory tracking check", where, "SMC-13"
        )


def _is_faulty(root: str, file: TrackingFile) -> bool:
    try:
        return bool(document_check.check(file.path, read_text(root, file)))
    except (OSError, ValueError):
        return True
