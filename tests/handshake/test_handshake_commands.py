"""The commands: a parent creates, a subagent verifies."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from command_line import COMMAND, Ran, environment, run_here
from command_line import run as run_command
from hygiene.plugin_repository import CountedGit
from session_memory import schemas
from session_memory.handshake import verification
from session_memory.handshake.block import Environment, Handshake
from support import Repository

Command = Callable[..., Ran]


@pytest.fixture
def run(repo: Repository) -> Command:
    def command(*arguments: str, cwd: Path | None = None, prompt: str = "") -> Ran:
        folder = cwd or repo.root
        env = {"PWD": str(folder)}
        return run_here("handshake", *arguments, cwd=folder, stdin=prompt.encode(), env=env)

    return command


@pytest.fixture
def process(repo: Repository) -> Command:
    """The same as a process of its own, with the bytes that really come out."""

    def command(*arguments: str, prompt: str = "", env: dict[str, str] | None = None) -> Ran:
        extra = {"PWD": str(repo.root), **(env or {})}
        stdin = prompt.encode()
        return run_command("handshake", *arguments, cwd=repo.root, stdin=stdin, env=extra)

    return command


@pytest.fixture
def verdict_schema() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schemas.load("handshake-verdict"))


def test_unchanged_tree_matches(repo: Repository, process: Command) -> None:
    repo.write("README.md", "changed\n")
    prompt = process("create").stdout + "\n\nDo the work.\n"
    done = process("verify", prompt=prompt)

    assert (done.code, done.stderr) == (0, "")
    assert done.stdout == "match: the tree is the one that the parent saw.\n"


def test_output_of_create(repo: Repository, run: Command) -> None:
    lines = run("create").stdout.split("\n")

    assert len(lines) == 9
    assert lines[:3] == [
        "<!-- subagent-env-handshake v1 -->",
        f"parent_head: {repo.git('rev-parse', 'HEAD')}",
        "parent_branch: main",
    ]
    assert lines[7] == "<!-- /subagent-env-handshake -->"


def test_block_only(run: Command) -> None:
    done = run("create", "--block-only")

    assert done.stdout.endswith("\n<!-- /subagent-env-handshake -->")
    assert run("verify", "--json", prompt=done.stdout).json["content"] == "not-compared"


def test_create_as_json(repo: Repository, run: Command) -> None:
    found = run("create", "--json").json

    assert found["parent_cwd"] == str(repo.root)
    assert f"subagent-env-content v1: {found['content_fingerprint']} -->" in found["block"]
    assert run("verify", prompt=found["block"]).code == 0


@pytest.mark.parametrize("command", ["create", "verify"])
def test_two_git_processes(
    repo: Repository, process: Command, command: str, tmp_path: Path
) -> None:
    repo.write("README.md", "changed\n")
    prompt = process("create").stdout
    git = CountedGit.install(tmp_path / "bin")

    assert process(command, prompt=prompt, env=git.env).code == 0
    assert len(git.calls) == 2


def edit_again(repo: Repository) -> None:
    repo.write("README.md", "changed twice\n")


def add_file(repo: Repository) -> None:
    repo.write("new.txt", "")


def commit(repo: Repository) -> None:
    repo.git("stash", "--quiet")
    repo.commit("next")
    repo.git("stash", "pop", "--quiet")


def switch(repo: Repository) -> None:
    repo.git("switch", "--quiet", "--create", "Main")


@pytest.mark.parametrize(
    ("change", "diverged"),
    [
        (edit_again, ["content_fingerprint"]),
        (add_file, ["parent_dirty_fingerprint"]),
        (commit, ["parent_head"]),
        (switch, ["parent_branch"]),
    ],
)
def test_change_is_a_mismatch(
    repo: Repository,
    run: Command,
    change: Callable[[Repository], None],
    diverged: list[str],
    verdict_schema: jsonschema.Draft202012Validator,
) -> None:
    repo.write("README.md", "changed\n")
    prompt = run("create").stdout
    change(repo)
    found = run("verify", "--json", prompt=prompt)

    assert (found.code, found.json["diverged_fields"]) == (10, diverged)
    verdict_schema.validate(found.json)


def test_reader_of_version_1_sees_no_change_of_content(repo: Repository, run: Command) -> None:
    repo.write("README.md", "changed\n")
    prompt = run("create", "--block-only").stdout
    edit_again(repo)

    assert run("verify", prompt=prompt).code == 0


def test_finding_names_both_sides(repo: Repository, run: Command) -> None:
    prompt = run("create").stdout
    switch(repo)
    add_file(repo)
    paragraphs = run("verify", prompt=prompt).stdout.split("\n\n")

    assert paragraphs[0] == "## Finding: environment-divergence (halting)"
    assert paragraphs[1].startswith("Expected:\n- parent_head: `")
    assert "- parent_branch: `main`" in paragraphs[1]
    assert "- parent_branch: `Main`" in paragraphs[2]
    assert paragraphs[3] == "Diverged fields: parent_branch, parent_dirty_fingerprint"


def test_another_worktree_is_a_mismatch(repo: Repository, run: Command) -> None:
    repo.git("worktree", "add", "--quiet", "--detach", "../linked")
    prompt = run("create").stdout
    found = run("verify", "--json", prompt=prompt, cwd=repo.root.parent / "linked").json

    assert found["diverged_fields"] == ["parent_branch", "parent_cwd"]


def test_cwd_option(repo: Repository, run: Command, tmp_path: Path) -> None:
    prompt = run("create", "--cwd", str(repo.root), cwd=tmp_path).stdout

    assert run("verify", prompt=prompt).code == 0
    assert run("verify", "--cwd", "repo", prompt=prompt, cwd=tmp_path).code == 0


def test_prompt_from_a_file(repo: Repository, run: Command, tmp_path: Path) -> None:
    (tmp_path / "prompt.md").write_text(run("create").stdout)

    assert run("verify", "--prompt-file", str(tmp_path / "prompt.md")).code == 0


def test_prompt_file_that_is_absent(run: Command) -> None:
    run("verify", "--prompt-file", "absent.md").assert_fault(2, "absent.md", "No such file")


def test_terminal_is_no_prompt(repo: Repository) -> None:
    keyboard, screen = os.openpty()
    done = subprocess.run(
        [*COMMAND, "handshake", "verify"],
        stdin=screen,
        env=environment(repo.root.parent / "home"),
        cwd=repo.root,
        capture_output=True,
        check=False,
    )
    os.close(keyboard)
    os.close(screen)

    assert done.returncode == 64


def test_prompt_that_is_no_text(repo: Repository) -> None:
    done = run_here("handshake", "verify", cwd=repo.root, stdin=b"\xff\x00")

    assert done.code == 11


def test_prompt_without_a_block(
    process: Command, tmp_path: Path, verdict_schema: jsonschema.Draft202012Validator
) -> None:
    git = CountedGit.install(tmp_path / "bin")
    done = process("verify", prompt="Do the work.", env=git.env)
    found = process("verify", "--json", prompt="Do the work.").json

    assert (done.code, git.calls) == (11, [])
    assert done.stdout.startswith("missing-handshake: ")
    assert "environment-unverified" in done.stdout
    verdict_schema.validate(found)


def test_folder_without_a_repository(
    run: Command, tmp_path: Path, verdict_schema: jsonschema.Draft202012Validator
) -> None:
    prompt = run("create").stdout
    outside = tmp_path / "outside"
    outside.mkdir()
    done = run("verify", prompt=prompt, cwd=outside)
    found = run("verify", "--json", prompt=prompt, cwd=outside).json

    assert done.code == 12
    assert done.stdout.startswith("error (capture-failed): ")
    assert done.stderr.startswith("git rev-parse gives no answer")
    assert (found["outcome"], found["tag"]) == ("error", "environment-unverified")
    verdict_schema.validate(found)


def test_worktree_mode_is_reserved(
    run: Command, verdict_schema: jsonschema.Draft202012Validator
) -> None:
    prompt = run("create").stdout.replace("workspace_mode: shared", "workspace_mode: worktree")
    done = run("verify", "--json", prompt=prompt)

    assert (done.code, done.json["reason"]) == (12, "mode-reserved")
    verdict_schema.validate(done.json)


def test_create_without_a_repository_prints_nothing(run: Command, tmp_path: Path) -> None:
    run("create", cwd=tmp_path).assert_fault(3, "no block (SMC-14)", "git rev-parse")


def test_branch_that_would_break_the_block(repo: Repository, run: Command) -> None:
    repo.git("switch", "--quiet", "--create", "a-->b")

    run("create").assert_fault(2, "parent_branch holds a mark of a comment")


def test_folder_that_would_break_the_block(run: Command, tmp_path: Path) -> None:
    repo = Repository.create(tmp_path / "a\nworkspace_mode: worktree")

    run("create", cwd=repo.root).assert_fault(2, "parent_cwd holds a control character")


def test_sha256_repository(run: Command, tmp_path: Path) -> None:
    other = Repository.create(tmp_path / "sha256", "--object-format=sha256")
    found = run("verify", "--json", prompt=run("create").stdout, cwd=other.root).json

    run("create", cwd=other.root).assert_fault(2, "this repository has SHA-256")
    assert "parent_head" in found["diverged_fields"]


def test_values_of_a_prompt_cannot_steer_a_terminal(run: Command) -> None:
    prompt = run("create").stdout.replace("parent_branch: main", "parent_branch: x\x1b[2J`y")
    done = run("verify", prompt=prompt)

    assert "- parent_branch: `x?[2J?y`" in done.stdout


def test_nothing_observed() -> None:
    environment = Environment("a" * 40, "main", "/r", "abc123456789")
    verdict = verification.verify(Handshake(environment, "shared", "now"), None, failed=False)

    assert (verdict.outcome, verdict.reason) == ("error", "not-observed")


def test_order_of_outcomes() -> None:
    assert verification.OUTCOMES == ("match", "mismatch", "error", "missing-handshake")
