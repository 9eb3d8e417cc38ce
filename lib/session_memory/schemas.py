"""The JSON Schemas of everything the bundle writes; draft 2020-12."""

import json
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
# In a wheel the schemas lie inside the package, in a clone at the root.
_FOLDERS = (_HERE / "schemas", _HERE.parents[1] / "schemas")


def load(name: str) -> dict[str, Any]:
    """The schema ``name``, such as ``gate-decision-token``.

    Raises :class:`FileNotFoundError` when there is none.
    """
    for folder in _FOLDERS:
        path = folder / f"{name}.schema.json"
        if path.is_file():
            schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return schema
    raise FileNotFoundError(f"no schema called {name}")
