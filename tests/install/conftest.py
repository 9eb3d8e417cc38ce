"""A machine to install on."""

import shutil
from pathlib import Path

import pytest

from install_support import Machine
from support import ROOT, Repository


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the bundle, so that no test compiles into the checkout."""
    root = tmp_path_factory.mktemp("bundle") / "First Last's $HOME & co"
    for name in ("hooks", "lib", "schemas"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    return root


@pytest.fixture
def machine(tmp_path: Path, repo: Repository, bundle: Path) -> Machine:
    home = tmp_path / "home of a user"
    home.mkdir()
    return Machine(home, repo, bundle)
