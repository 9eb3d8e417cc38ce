"""``contract lint`` as a process: which files it reads, how it tells, how it ends."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from command_line import run
from session_memory.contract.lint.finding import CODES
from session_memory.contract.lint.run import lint
from session_memory.yaml_text import load
from support import ROOT, Repository

BAD = "# Plan\n\nPersist it to `/memories/session/plan-issue-{ID}.md`.\n"


def found_in(*paths: Path) -> list[str]:
    return [Path(one.path).name for one in lint(tuple(map(str, paths)))[0]]


def test_finding_ends_with_1_and_names_file_line_and_column(repo: Repository) -> None:
    repo.write("plan.md", BAD)
    done = run("contract", "lint", "plan.md", cwd=repo.root)
    assert done.code == 1
    assert done.stdout.startswith("plan.md:3:16: unlabelled-state file memories/session/plan-issue")
    assert done.stderr == "1 finding in 1 document\n"


def test_nothing_found_ends_with_0(repo: Repository) -> None:
    done = run("contract", "lint", ".", cwd=repo.root)
    assert (done.code, done.stdout, done.stderr) == (0, "", "0 findings in 1 document\n")


@pytest.mark.parametrize("options", [("--json",), ("--format", "json")])
def test_findings_as_json(options: tuple[str, ...], repo: Repository) -> None:
    repo.write("plan.md", BAD)
    repo.write("data.md", "a\0b")
    done = run("contract", "lint", *options, ".", cwd=repo.root)
    (finding,) = done.json["findings"]
    assert (finding["path"], finding["line"], finding["code"]) == ("plan.md", 3, "unlabelled-state")
    assert done.json["skipped"] == [{"path": "data.md", "reason": "not a text"}]
    assert (done.code, done.json["documents"], done.stderr) == (1, 2, "")


def test_findings_as_annotations_of_github(repo: Repository) -> None:
    repo.write("50%, a:b.md", BAD)
    done = run("contract", "lint", "--format", "github", ".", cwd=repo.root)
    (line,) = done.stdout.splitlines()
    assert line.startswith("::error file=50%25%2C a%3Ab.md,line=3,col=16,title=unlabelled-state::")


@pytest.mark.parametrize("arguments", [(), ("absent.md",), ("--format", "xml", ".")])
def test_wrong_use_ends_with_64(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert run("contract", "lint", *arguments, cwd=tmp_path).code == 64


def test_what_git_ignores_is_left_out(repo: Repository) -> None:
    repo.write(".gitignore", "ignored/\n")
    repo.write("ignored/a.md", BAD)
    repo.write("new/b.md", BAD)
    repo.write("tracked/c.md", BAD)
    repo.git("add", "tracked")
    assert found_in(repo.root) == ["b.md", "c.md"]
    assert found_in(repo.root / "new", repo.root / "new" / "b.md") == ["b.md"]


def test_named_file_is_read_whatever_git_thinks_of_it(repo: Repository) -> None:
    repo.write(".gitignore", "*\n")
    path = repo.write("a.txt", BAD)
    assert found_in(path) == ["a.txt"]


@pytest.mark.parametrize("with_git", [True, False], ids=["in a repository", "outside any"])
def test_folders_of_tools_and_vendors_are_left_out(with_git: bool, tmp_path: Path) -> None:
    root = tmp_path / "tree"
    if with_git:
        Repository.create(root)
    for folder in ("node_modules/x", "vendor", ".venv/lib", ".tox", ".github", "docs", "a/b"):
        (root / folder).mkdir(parents=True)
        (root / folder / f"{folder.strip('.')[0]}.md").write_text(BAD)
    (root / "docs" / "UPPER.MD").write_text(BAD)
    (root / "docs" / "code.py").write_text(BAD)
    assert sorted(found_in(root)) == ["UPPER.MD", "a.md", "d.md", "g.md"]


@pytest.mark.skipif(os.name == "nt", reason="links and FIFOs of POSIX")
@pytest.mark.parametrize("with_git", [True, False], ids=["in a repository", "outside any"])
def test_no_link_is_followed_and_no_device_opened(with_git: bool, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text(BAD)
    root = tmp_path / "tree"
    Repository.create(root) if with_git else root.mkdir()
    (root / "link.md").symlink_to(outside / "a.md")
    (root / "folder").symlink_to(outside)
    os.mkfifo(root / "pipe.md")
    assert found_in(root) == []
    found, skipped, count = lint((str(root / "link.md"), str(root / "pipe.md")))
    assert (found, count) == ([], 0)
    assert [reason for _, reason in skipped] == ["a link", "not a plain file"]


def test_file_that_is_too_large_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    path.write_text(BAD + "x" * (2 << 20))
    assert lint((str(path),))[1] == [(str(path), "larger than 2 MiB")]


def test_text_that_is_not_utf_8_is_read_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "latin.md"
    path.write_bytes(b"caf\xe9\n\n" + BAD.encode())
    assert found_in(path) == ["latin.md"]


def test_byte_order_mark_is_no_column(tmp_path: Path) -> None:
    path = tmp_path / "mark.md"
    path.write_bytes(b"\xef\xbb\xbfSMC-99 is none.\n")
    (found,) = lint((str(path),))[0]
    assert (found.line, found.column) == (1, 1)


def test_git_hook_s_environment_does_not_mislead(repo: Repository, tmp_path: Path) -> None:
    repo.write("plan.md", BAD)
    other = Repository.create(tmp_path / "other")
    inherited = {"GIT_DIR": str(other.root / ".git"), "GIT_INDEX_FILE": "/nowhere"}
    done = run("contract", "lint", ".", cwd=repo.root, env=inherited)
    assert "plan.md:3:16" in done.stdout


def test_many_documents_are_shared_out_and_stay_in_order(tmp_path: Path) -> None:
    for number in range(450):
        (tmp_path / f"{number:03}.md").write_text(BAD)
    assert found_in(tmp_path) == [f"{number:03}.md" for number in range(450)]


def test_long_lines_and_deep_tables_take_no_time(tmp_path: Path) -> None:
    path = tmp_path / "hostile.md"
    lines = ["Survival: " + "within-" * 4000, "| " * 4000, "`" * 9000, "- read " * 3000]
    lines += ["memories/session/" + "{" * 5000, "SMC-" + "1" * 5000, "then the plan chain " * 2000]
    path.write_text("\n".join(lines * 2))
    start = time.perf_counter()
    lint((str(path),))
    assert time.perf_counter() - start < 5


def test_pages_of_this_repository_are_clean() -> None:
    found, _, count = lint(
        (str(ROOT / "README.md"), str(ROOT / "CHANGELOG.md"), str(ROOT / "docs"))
    )
    assert found == []
    assert count > 10


def test_codes_are_all_on_the_page() -> None:
    page = (ROOT / "docs" / "contract.md").read_text("utf-8")
    assert [code for code in CODES if f"`{code}`" not in page] == []


def test_hook_for_pre_commit_runs_a_command_that_exists(repo: Repository) -> None:
    (hook,) = _hooks()
    assert (hook["language"], hook["types"]) == ("python", ["markdown"])
    name, *arguments = hook["entry"].split()
    assert name == "session-memory"
    repo.write("plan.md", BAD)
    assert run(*arguments, "plan.md", "README.md", cwd=repo.root).code == 1


def _hooks() -> list[dict[str, Any]]:
    hooks = load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert json.dumps(hooks)
    return hooks  # type: ignore[return-value]
