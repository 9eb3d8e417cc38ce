"""A plugin folder of one's own, to take apart."""

import shutil
from pathlib import Path

import pytest

from support import ROOT


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A copy of the bundle, without byte code."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("hooks", "lib"):
        shutil.copytree(ROOT / name, tmp_path / "plugin" / name, ignore=ignored)
    return tmp_path / "plugin"
