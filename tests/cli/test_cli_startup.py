"""``session-memory startup``: the check by hand."""

from pathlib import Path

import pytest

from command_line import run
from session_memory.startup import marker_name
from startup_support import CONFLICTED, UNMERGED, Clone
from support import Hook, Repository


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone.make(tmp_path)
    made.branch("claude/x")
    return made


def _marker(clone: Clone, key: str = "b-main") -> Path:
    return clone.primary.session / marker_name(key)


def test_check_prints_the_report(clone: Clone) -> None:
    done = run("startup", "check", cwd=clone.primary.root)
    assert (done.code, done.stderr) == (0, "")
    assert "- Branch `claude/x` is merged" in done.stdout
    assert not _marker(clone).exists()


def test_check_of_a_tidy_repository(repo: Repository) -> None:
    done = run("startup", "check", cwd=repo.root)
    assert (done.code, done.stdout) == (0, "Nothing is left over.\n")


def test_mark_silences_the_hooks_of_the_conversation(clone: Clone) -> None:
    root = clone.primary.root
    assert run("startup", "check", "--mark", "--session", "one", cwd=root).code == 0
    marker = _marker(clone, "s-one").read_text()
    assert 'source: "manual"' in marker
    assert 'host: "command-line"' in marker
    payload = {"session_id": "one", "source": "startup", "cwd": str(root)}
    Hook.run("session_start", payload, home=clone.folder / "home").assert_quiet()


def test_mark_that_is_there_stays(clone: Clone) -> None:
    run("startup", "check", "--mark", cwd=clone.primary.root)
    before = _marker(clone).read_bytes()
    again = run("startup", "check", "--mark", cwd=clone.primary.root)
    assert again.code == 0
    assert again.stderr == "note: the marker was there before\n"
    assert "`claude/x`" in again.stdout
    assert _marker(clone).read_bytes() == before


def test_mark_that_cannot_be_written(clone: Clone) -> None:
    clone.primary.write("memories", "")
    clone.primary.write(f".copilot-tracking/{marker_name('b-main')}/mine", "")
    done = run("startup", "check", "--mark", cwd=clone.primary.root)
    done.assert_fault(3, "startup check", "marker was not written", "SMC-07")


def test_show_tells_what_the_next_start_says(clone: Clone) -> None:
    done = run("startup", "show", cwd=clone.primary.root)
    assert "marker      none\n" in done.stdout
    assert "next start  the report below\n" in done.stdout
    assert "- Branch `claude/x` is merged" in done.stdout


def test_show_tells_of_the_marker(clone: Clone) -> None:
    run("startup", "check", "--mark", cwd=clone.primary.root)
    done = run("startup", "show", cwd=clone.primary.root)
    assert f"marker      {_marker(clone)}\n" in done.stdout
    assert "next start  silent: this conversation was told\n" in done.stdout


def test_show_tells_of_an_empty_marker(clone: Clone) -> None:
    clone.primary.write(f"memories/session/{marker_name('b-main')}", "")
    done = run("startup", "show", cwd=clone.primary.root)
    assert "silent while another hook may be at work" in done.stdout


def test_show_in_a_tidy_repository(repo: Repository) -> None:
    done = run("startup", "show", cwd=repo.root)
    assert "next start  silent: nothing is left over\n" in done.stdout
    assert "no process" in done.stdout


def test_json_has_all_candidates(clone: Clone) -> None:
    clone.branch("claude/live", UNMERGED)
    facts = run("startup", "show", "--json", cwd=clone.primary.root).json
    assert {each["branch"]: each["outcome"] for each in facts["candidates"]} == {
        "claude/x": "eligible",
        "claude/live": "definitively-unmerged",
    }
    assert facts["marker"] == {"path": "", "complete": False, "silences": False}
    assert facts["next_start"] == "speaks"
    assert facts["processes"]["git"] > 2
    assert facts["timing_ms"]["total"] > facts["timing_ms"]["snapshot"] > 0
    assert list(facts["sections"]) == ["orphan"]


def test_json_of_a_marked_conversation(clone: Clone) -> None:
    facts = run("startup", "check", "--mark", "--json", cwd=clone.primary.root).json
    assert facts["marker"]["silences"] is True
    assert facts["next_start"] == "silent"
    assert "`claude/x`" in facts["report"]


def test_option_wins_over_the_settings(clone: Clone) -> None:
    clone.branch("claude/doubt", CONFLICTED)
    env = {"SESSION_MEMORY_NETWORK": "1"}
    for option, asked in (("--network", True), ("--no-network", False)):
        done = run("startup", "check", option, "--json", cwd=clone.primary.root, env=env)
        assert (done.json["network"] != "off") is asked


def test_wrong_setting_is_told(clone: Clone) -> None:
    clone.branch("claude/doubt", CONFLICTED)
    clone.primary.write(".session-memory.toml", "[startup]\nnetwork = 3\n")
    done = run("startup", "check", cwd=clone.primary.root)
    assert done.code == 0
    assert done.stderr.startswith("warning: settings: startup.network is neither true nor false")


@pytest.mark.parametrize("verb", ["check", "show"])
def test_outside_a_repository(tmp_path: Path, verb: str) -> None:
    run("startup", verb, cwd=tmp_path).assert_fault(2, "outside any repository", "SMC-07")


def test_hostile_names_reach_no_terminal(clone: Clone) -> None:
    clone.branch("claude/\u202egnp")
    done = run("startup", "check", cwd=clone.primary.root)
    assert "\u202e" not in done.stdout
