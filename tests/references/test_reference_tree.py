"""What a clone may make us read."""

import os
from pathlib import Path

import pytest

from session_memory.references.tree import Tree
from support import Repository


@pytest.fixture
def tree(repo: Repository, tmp_path: Path) -> Tree:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "repo2").mkdir()
    (tmp_path / "repo2" / "secret").write_text("secret")
    repo.write("docs/a.md", "inside")
    (repo.root / "docs" / "fifo").unlink(missing_ok=True)
    os.mkfifo(repo.root / "docs" / "fifo")
    for name, target in {
        "out": "../secret",
        "far": "/etc/passwd",
        "up": "..",
        "good": "docs/a.md",
        "loop": "loop",
        "device": "/dev/zero",
        "dotgit": ".git/config",
    }.items():
        (repo.root / name).symlink_to(target)
    return Tree(str(repo.root))


@pytest.mark.parametrize("name", ["docs/a.md", "./docs/../docs/a.md", "good"])
def test_inside(tree: Tree, name: str) -> None:
    assert tree.read(name, 100) == b"inside"
    assert tree.size(name) == 6


@pytest.mark.parametrize(
    "name",
    [
        *("out", "far", "up/secret", "../secret", "../repo2/secret", "docs/../../secret"),
        *("/etc/passwd", "loop", "device", "docs/fifo", "docs", ".", "", "nothing", "a\0b"),
        *(".git/config", ".GIT/config", "dotgit", "x" * 5000, "C:/x", "a.md/../../../secret"),
    ],
)
def test_never_read(tree: Tree, name: str) -> None:
    assert tree.read(name, 100) is None
    assert tree.size(name) is None


def test_bounded(tree: Tree) -> None:
    assert tree.read("docs/a.md", 3) == b"ins"


def test_root_behind_a_link(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(repo.root)
    assert Tree(str(tmp_path / "alias")).read("README.md", 6) == b"# Test"
