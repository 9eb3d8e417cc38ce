"""The page on files names every file that the hooks and the commands write."""

import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import markdown_pages as md
from command_line import run
from session_memory.core.ignore import MEMORY_NAMES, OUR_NAMES
from session_memory.demo import replay
from session_memory.demo.scene import Scene
from support import ROOT, Repository

PAGE = ROOT / "docs" / "state.md"
_PLACEHOLDERS = {"KEY": "*", "ID": "*", "-N.": "-[0-9]*.", "SCOPE": "*", "DIGEST": "*"}


def patterns(page: Path) -> Iterator[str]:
    """The first column of the page's tables, as patterns."""
    for row in re.findall(r"^\| (`[^|]+) \|", page.read_text("utf-8"), re.MULTILINE):
        for name in re.findall(r"`([^`]+)`", row):
            pattern = name
            for placeholder, wildcard in _PLACEHOLDERS.items():
                pattern = pattern.replace(placeholder, wildcard)
            yield pattern if "/" in pattern or pattern.startswith("*") else f"*/{pattern}"


def is_named(path: str) -> bool:
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns(PAGE))


def test_every_file_that_the_demo_leaves_is_named(tmp_path: Path) -> None:
    written = replay.run(Scene.build(str(tmp_path))).written

    assert len(written) > 5
    assert [path for path in written if not is_named(path)] == []


def test_every_file_that_the_commands_leave_is_named(repo: Repository) -> None:
    document = repo.write("Documents/guide.md", "# Guide\n")
    committed = {path for path in repo.root.rglob("*") if path.is_file()}

    for command in (["references", "init"], ["references", "index"]):
        assert run(*command, cwd=repo.root).code == 0
    token = "--decision-id d-one --phase design --outcome asked --classification routine"
    place = "--window-position pre-ask --issue 1"
    assert run("gate", "emit", *token.split(), *place.split(), cwd=repo.root).code == 0
    written = ("memory", "write")
    assert run(*written, "review-state", "--issue", "1", "--stage", "all", cwd=repo.root).code == 0
    assert run(*written, "install-prompt", cwd=repo.root).code == 0

    made = {path for path in repo.root.rglob("*") if path.is_file()} - committed - {document}
    names = [path.relative_to(repo.root).as_posix() for path in made if ".git/" not in str(path)]
    assert len(names) > 5
    assert [name for name in names if not is_named(name)] == []


@pytest.mark.parametrize("name", [*OUR_NAMES, *MEMORY_NAMES])
def test_every_name_that_git_is_kept_from_showing_is_on_the_page(name: str) -> None:
    assert name.rstrip("*") in PAGE.read_text("utf-8")


def test_readme_names_no_file_that_the_page_does_not() -> None:
    readme = set(re.findall(r"^\| `([^`]+)` \|", md.README.read_text("utf-8"), re.MULTILINE))
    files = {name for name in readme if "/" in name}
    assert len(files) >= 5
    assert files <= set(md.code_spans(PAGE))
