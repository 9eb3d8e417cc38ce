"""Runs every test vector through the adapter of its area.

Vectors are rows ``{id, area, given, when, expect, note}`` in JSON files. The folder is
``tests/vectors``, or what ``SESSION_MEMORY_VECTORS`` names. A row with a ``skip`` member says there
why it is not run; a row that no adapter knows is reported as not covered.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from vector_adapters import OPERATIONS, Workspace

FOLDER = Path(os.environ.get("SESSION_MEMORY_VECTORS") or Path(__file__).parent / "vectors")


def _rows() -> list[Any]:
    rows = [
        row for path in sorted(FOLDER.glob("*.json")) for row in json.loads(path.read_text("utf-8"))
    ]
    return [pytest.param(row, id=str(row["id"])) for row in rows]


@pytest.mark.parametrize("row", _rows())
def test_vector(row: dict[str, Any], tmp_path: Path) -> None:
    if "skip" in row:
        pytest.skip(row["skip"])
    when = row["when"] if isinstance(row["when"], str) else row["when"]["op"]
    operation = OPERATIONS.get((row["area"], when)) or OPERATIONS.get((row["area"], "*"))
    if operation is None:
        pytest.skip(f"not covered: {row['area']} / {when}")
    operation(row, Workspace(tmp_path))
