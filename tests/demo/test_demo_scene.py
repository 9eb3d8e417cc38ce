"""The scratch repository, which must look like a clone that somebody works in."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from session_memory.demo import scene_files
from session_memory.demo.scene import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene.build(str(tmp_path))


def gh(scene: Scene, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["gh", *arguments], env=scene.environment(), capture_output=True, text=True, check=False
    )


def test_git_status_is_clean(scene: Scene) -> None:
    assert scene.git("status", "--porcelain", "--untracked-files=all") == ""


def test_one_branch_has_lost_its_upstream(scene: Scene) -> None:
    tracking = scene.git(
        "for-each-ref", "--format=%(refname:short) %(upstream:track)", "refs/heads"
    )

    assert f"{scene_files.OLD_BRANCH} [gone]" in tracking.splitlines()
    assert "main" in [line.strip() for line in tracking.splitlines()]


def test_the_users_git_configuration_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "gitconfig"
    broken.write_text("[commit]\n\tgpgsign = true\n[gpg]\n\tprogram = /nonexistent\n", "utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(broken))

    assert Scene.build(str(tmp_path)).git("log", "-1", "--format=%an").strip() == "Demo"


def test_files_are_named_from_the_root_without_those_of_git(scene: Scene) -> None:
    committed = set(scene.git("ls-files").split())

    assert scene.files() == committed | set(scene_files.left_over())


def test_hooks_see_nothing_of_a_surrounding_editor(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/elsewhere")
    monkeypatch.setenv("SESSION_MEMORY_DISABLE", "1")

    assert not {"CLAUDE_PROJECT_DIR", "SESSION_MEMORY_DISABLE"} & set(scene.environment())


@pytest.mark.skipif(os.name == "nt", reason="a batch file there")
@pytest.mark.parametrize(
    "arguments",
    [
        ("issue", "view", "647", "--json", "title,body,labels"),
        ("issue", "view", "--json", "title,body,labels", "--repo", "example/widgets", "647"),
    ],
    ids=["number-first", "number-last"],
)
def test_stand_in_answers_for_the_issue(scene: Scene, arguments: tuple[str, ...]) -> None:
    done = gh(scene, *arguments)

    assert done.returncode == 0
    assert json.loads(done.stdout) == scene_files.issue()


@pytest.mark.skipif(os.name == "nt", reason="a batch file there")
@pytest.mark.parametrize(
    "arguments",
    [("issue", "view", "9"), ("issue", "view"), ("api", "repos/example/widgets/issues/647")],
    ids=["other-issue", "no-issue", "other-command"],
)
def test_stand_in_knows_nothing_else(scene: Scene, arguments: tuple[str, ...]) -> None:
    done = gh(scene, *arguments)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", "no such issue here\n")
