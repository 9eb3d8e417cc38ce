"""Emission as a function, where the command line does not reach."""

from pathlib import Path

import pytest

from session_memory.core.payload import Event
from session_memory.core.session import Session
from session_memory.gates import emission
from token_samples import ISSUE_TOKEN


def test_outside_any_repository(tmp_path: Path) -> None:
    session = Session(Event({"session_id": "abc", "cwd": str(tmp_path)}))
    with pytest.raises(emission.Refused, match="outside any repository"):
        emission.emit(session, ISSUE_TOKEN)


def test_record_is_in_the_order_of_the_schema(tmp_path: Path) -> None:
    for part in ("objects", "refs"):
        (tmp_path / ".git" / part).mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    session = Session(Event({"session_id": "abc", "cwd": str(tmp_path)}))
    receipt = emission.emit(session, dict(reversed(ISSUE_TOKEN.items())))
    assert list(receipt.token) == [*ISSUE_TOKEN, "session_key"]
