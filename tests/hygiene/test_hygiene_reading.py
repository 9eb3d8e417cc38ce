"""What managed files say, and the verifier's judgement of it."""

import os
from pathlib import Path

import pytest

from hygiene.plugin_repository import MANAGED, PluginRepository
from session_memory.core.checkout import locate
from session_memory.hygiene.baseline import read_default_branch
from session_memory.hygiene.managed import default_files
from session_memory.hygiene.reading import Reading, read_working_tree
from session_memory.hygiene.verifier import FAILED, NOT_APPLICABLE, PASSED, verify_bump


@pytest.fixture
def plugin(tmp_path: Path) -> PluginRepository:
    return PluginRepository.released(tmp_path / "plugin")


def read(plugin: PluginRepository) -> Reading:
    return read_working_tree(str(plugin.root), default_files())


def test_lockstep(plugin: PluginRepository) -> None:
    reading = read(plugin)
    assert (reading.in_lockstep, reading.version, reading.is_complete) == (True, "1.0.0", True)
    assert reading.drift_details == []


def test_drift(plugin: PluginRepository) -> None:
    plugin.state({"plugin.json": "1.1.0"})
    reading = read(plugin)
    assert (reading.in_lockstep, reading.version, reading.agreed_version) == (False, "", "")
    assert reading.drift_details[0] == {"file": "plugin.json", "found_versions": ["1.1.0"]}
    assert len(reading.drift_details) == len(MANAGED)


def test_absent_and_without_version_differ(plugin: PluginRepository) -> None:
    (plugin.root / "README.md").unlink()
    plugin.write("plugin.json", "{}")
    plugin.write(".claude-plugin/marketplace.json", '{"version": "1.0.0"}')
    reading = read(plugin)
    assert reading.missing_files == ["README.md"]
    assert reading.regex_incomplete_files == ["plugin.json", ".claude-plugin/marketplace.json"]
    assert (reading.version, reading.agreed_version) == ("1.0.0", "")
    assert "plugin.json` without a version" in reading.describe()
    assert "marketplace.json` 1.0.0 (too few)" in reading.describe()
    assert "`README.md` missing" in reading.describe()


def test_more_places_than_needed_must_agree_too(plugin: PluginRepository) -> None:
    plugin.write("plugin.json", '{"version": "1.0.0", "engine": {"version": "2.0.0"}}')
    assert not read(plugin).in_lockstep


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_only_plain_files_are_read(plugin: PluginRepository, kind: str) -> None:
    path = plugin.root / "plugin.json"
    path.rename(plugin.root / "elsewhere.json")
    if kind == "link":
        path.symlink_to("elsewhere.json")
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.mkdir()
    assert read(plugin).missing_files == ["plugin.json"]


TOUCHED = ["agents/a.md", ".\\PLUGIN.json"]


def status(plugin: PluginRepository, touched: list[str]) -> object:
    return verify_bump(str(plugin.root), touched, default_files())["status"]


def test_verifier_passes_lockstep(plugin: PluginRepository) -> None:
    assert status(plugin, TOUCHED) == PASSED


def test_verifier_does_not_judge_other_files(plugin: PluginRepository) -> None:
    plugin.state({"plugin.json": "1.1.0"})
    assert status(plugin, ["agents/a.md"]) == NOT_APPLICABLE


def test_verifier_names_every_file_in_drift(plugin: PluginRepository) -> None:
    plugin.state({"README.md": "1.1.0-rc.1"})
    credit = verify_bump(str(plugin.root), TOUCHED, default_files())
    assert credit["status"] == FAILED
    assert all(path in str(credit["evidence"]) for path in MANAGED)
    assert "`README.md` 1.1.0-rc.1" in str(credit["evidence"])


def test_verifier_fails_an_incomplete_set(plugin: PluginRepository) -> None:
    plugin.write("plugin.json", "{}")
    assert status(plugin, TOUCHED) == FAILED


def test_verifier_fails_an_empty_folder(tmp_path: Path) -> None:
    credit = verify_bump(str(tmp_path), TOUCHED, default_files())
    assert credit["status"] == FAILED
    assert str(credit["evidence"]).startswith("no managed file can be read")


# --- the default branch


def baseline(plugin: PluginRepository) -> str | None:
    checkout = locate(str(plugin.root))
    assert checkout is not None
    reading = read_default_branch(checkout, default_files())
    return reading.agreed_version if reading else None


def release(plugin: PluginRepository, version: str, *refs: str) -> None:
    """Commit ``version`` and point ``refs`` there; the work tree stays at the first release."""
    plugin.bump(version)
    sha = plugin.commit(version)
    for ref in refs:
        plugin.git("update-ref", ref, sha)
    plugin.git("reset", "--quiet", "--hard", "HEAD~1")


ORIGIN_HEAD = ("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_head_of_the_remote_goes_first(plugin: PluginRepository, packed: bool) -> None:
    release(plugin, "3.0.0", "refs/remotes/origin/trunk")
    release(plugin, "2.0.0", "refs/remotes/origin/main")
    plugin.git(*ORIGIN_HEAD)
    if packed:
        plugin.git("pack-refs", "--all")
        plugin.git("gc", "--quiet")
    assert baseline(plugin) == "3.0.0"


def test_dangling_head_of_the_remote_is_passed_over(plugin: PluginRepository) -> None:
    plugin.git(*ORIGIN_HEAD)
    release(plugin, "2.0.0", "refs/remotes/origin/master")
    assert baseline(plugin) == "2.0.0"


def test_remote_branch_goes_before_a_stale_local_one(plugin: PluginRepository) -> None:
    release(plugin, "2.0.0", "refs/remotes/origin/main")
    assert baseline(plugin) == "2.0.0"


def test_local_master(plugin: PluginRepository) -> None:
    release(plugin, "2.0.0", "refs/heads/master")
    plugin.git("checkout", "--quiet", "-b", "x")
    plugin.git("branch", "--quiet", "-D", "main")
    assert baseline(plugin) == "2.0.0"


def test_branch_of_head_goes_last(plugin: PluginRepository) -> None:
    plugin.git("branch", "--quiet", "-m", "main", "trunk")
    assert baseline(plugin) == "1.0.0"


def test_no_branch_has_no_baseline(plugin: PluginRepository) -> None:
    plugin.git("checkout", "--quiet", "--detach")
    plugin.git("branch", "--quiet", "-D", "main")
    assert baseline(plugin) is None


def test_branch_without_managed_files_states_nothing(plugin: PluginRepository) -> None:
    plugin.git("rm", "--quiet", "-r", "plugin.json")
    plugin.git("update-ref", "refs/remotes/origin/main", plugin.commit("none"))
    assert baseline(plugin) == ""


def test_broken_repository_has_no_baseline(plugin: PluginRepository) -> None:
    (plugin.root / ".git" / "config").write_text("[broken")
    assert baseline(plugin) is None
