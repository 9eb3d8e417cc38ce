"""Once a conversation, whatever the host fires, how often, and in which order."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from session_memory.core.runonce import ABANDONED_S
from session_memory.startup import marker_name
from startup.looks import Start
from support import Hook, Repository, clean_environment, hook_command

SOURCES = ["startup", "resume", "clear", "compact", "new", "whatever"]


def _marker(repository: Repository, key: str = "s-one") -> Path:
    return repository.session / marker_name(key)


def _together(repository: Repository, *events: tuple[str, dict[str, object]]) -> list[Hook]:
    """Run several entry points at the same time."""
    env = clean_environment(repository.root.parent)
    running = [
        (subprocess.Popen(hook_command(entry), stdin=-1, stdout=-1, stderr=-1, env=env), payload)
        for entry, payload in events
    ]
    for process, payload in running:
        assert process.stdin
        process.stdin.write(json.dumps({**payload, "cwd": str(repository.root)}).encode())
        process.stdin.flush()
    done = [(process, process.communicate(timeout=30)) for process, _ in running]
    return [Hook(process.returncode, *output) for process, output in done]


@pytest.mark.parametrize("source", SOURCES)
def test_each_source_speaks_in_a_new_conversation(
    start: Start, untidy: Repository, source: str
) -> None:
    assert "tracking file" in start(source=source).context


@pytest.mark.parametrize("source", [*SOURCES, "fork"])
def test_each_source_is_silent_when_the_conversation_was_told(
    start: Start, untidy: Repository, source: str
) -> None:
    start()
    start(source=source).assert_quiet()


def test_missing_source_counts_as_a_start(start: Start, untidy: Repository) -> None:
    assert start(source=None).context


def test_a_start_speaks_the_hosts_dialect(start: Start, untidy: Repository) -> None:
    answer = start().answer
    assert answer
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_clear_gives_a_new_id_and_speaks_again(start: Start, untidy: Repository) -> None:
    start(session_id="before")
    assert start(session_id="after", source="clear").context


def test_fork_inherits_the_text_and_leaves_its_marker(
    start: Start, prompt: Start, untidy: Repository
) -> None:
    start(session_id="parent")
    start(session_id="child", source="fork").assert_quiet()
    assert 'outcome: "inherited"' in _marker(untidy, "s-child").read_text()
    prompt(session_id="child").assert_quiet()


def test_two_starts_at_once_speak_once(untidy: Repository) -> None:
    event: dict[str, object] = {"session_id": "dup", "source": "startup"}
    both = _together(untidy, ("session_start", event), ("session_start", event))
    assert sorted(bool(hook.context) for hook in both) == [False, True]
    assert [hook.stderr for hook in both] == [b"", b""]
    assert len(list(untidy.session.glob("session-startup-*"))) == 1


def test_start_and_prompt_at_once_speak_once(untidy: Repository) -> None:
    both = _together(
        untidy,
        ("session_start", {"sessionId": "c", "timestamp": 1, "source": "new"}),
        ("user_prompt_submit", {"sessionId": "c", "timestamp": 1, "prompt": "hello"}),
    )
    assert sorted(bool(hook.context) for hook in both) == [False, True]


def test_start_event_on_every_prompt_speaks_once(start: Start, untidy: Repository) -> None:
    copilot = {"session_id": None, "sessionId": "c1", "timestamp": 1, "source": "new"}
    answers = [start(**copilot) for _ in range(3)]
    assert [bool(hook.context) for hook in answers] == [True, False, False]
    assert list(answers[0].answer or {}) == ["additionalContext"]


def test_prompt_makes_up_for_a_start_that_never_came(prompt: Start, untidy: Repository) -> None:
    assert "tracking file" in prompt().context
    prompt().assert_quiet()
    assert 'source: "prompt"' in _marker(untidy).read_text()


def test_start_after_the_first_prompt_is_silent(
    start: Start, prompt: Start, untidy: Repository
) -> None:
    assert prompt().context
    start().assert_quiet()


def test_prompt_after_a_start_is_silent(start: Start, prompt: Start, untidy: Repository) -> None:
    assert start().context
    prompt().assert_quiet()


def test_nothing_to_say_leaves_the_marker_all_the_same(start: Start, repo: Repository) -> None:
    start().assert_quiet()
    assert 'outcome: "nothing-to-report"' in _marker(repo).read_text()


def test_what_turns_up_later_is_not_told(start: Start, prompt: Start, repo: Repository) -> None:
    start()
    repo.write(".copilot-tracking/notes.md", "# Notes\n")
    prompt().assert_quiet()


@pytest.mark.parametrize("agent", ["agent_id", "agentId"])
def test_subagents_neither_hear_nor_mark(
    start: Start, prompt: Start, untidy: Repository, agent: str
) -> None:
    start(**{agent: "sub-1"}).assert_quiet()
    prompt(**{agent: "sub-1"}).assert_quiet()
    assert not untidy.session.exists()


def test_agent_type_alone_is_a_main_session(start: Start, untidy: Repository) -> None:
    assert start(agent_type="my-agent").context


def test_abandoned_claim_is_taken_over(start: Start, prompt: Start, untidy: Repository) -> None:
    marker = untidy.session / marker_name("s-one")
    untidy.write(f"memories/session/{marker.name}", "")
    past = time.time() - ABANDONED_S - 1
    os.utime(marker, (past, past))
    assert prompt().context
    assert marker.stat().st_size > 0


@pytest.mark.parametrize("event", ["start", "prompt"])
def test_fresh_claim_is_respected(
    start: Start, prompt: Start, untidy: Repository, event: str
) -> None:
    untidy.write(f"memories/session/{marker_name('s-one')}", "")
    {"start": start, "prompt": prompt}[event]().assert_quiet()


def test_remote_session_keeps_its_marker_over_turns(start: Start, untidy: Repository) -> None:
    remote = {"env": {"CLAUDE_CODE_REMOTE_SESSION_ID": "remote-1"}}
    assert start(remote, session_id="turn-1").context
    start(remote, session_id="turn-2").assert_quiet()


def test_lowest_rung_never_silences_another_repository(start: Start, tmp_path: Path) -> None:
    roots = [tmp_path / "one", tmp_path / "two"]
    for root in roots:
        root.mkdir()
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        (root / ".git" / "HEAD").write_text("nonsense\n")
        (root / ".copilot-tracking").mkdir()
        (root / ".copilot-tracking" / "notes.md").write_text("")
    for root in roots:
        assert start(session_id=None, cwd=str(root)).context
        marker = root / "memories" / "session" / marker_name("session")
        assert 'key_rung: "session"' in marker.read_text()


def test_outside_a_repository_nothing_happens(start: Start, prompt: Start, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    start(cwd=str(outside)).assert_quiet()
    prompt(cwd=str(outside)).assert_quiet()
    assert list(outside.iterdir()) == []


def test_project_folder_of_the_host_serves_outside_a_repository(
    start: Start, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / ".copilot-tracking").mkdir(parents=True)
    (project / ".copilot-tracking" / "a.md").write_text("# Notes\n")
    env = {"env": {"CLAUDE_PROJECT_DIR": str(project)}}
    assert "`a.md`" in start(env, cwd=str(tmp_path)).context


def test_git_status_stays_clean(start: Start, prompt: Start, repo: Repository) -> None:
    start()
    prompt(session_id="other")
    assert repo.status() == ""


@pytest.mark.parametrize("existing", ["memories", "memories/session"])
def test_git_status_stays_clean_beside_files_of_the_user(
    start: Start, repo: Repository, existing: str
) -> None:
    repo.write(f"{existing}/mine.md", "mine\n")
    repo.commit("mine")
    start()
    assert repo.status() == ""


SHARED = {"session_id": None}


@pytest.mark.parametrize("hours", [13, 29 * 24, -13])
def test_marker_without_a_session_id_counts_for_half_a_day(
    start: Start, prompt: Start, untidy: Repository, hours: float
) -> None:
    start(**SHARED)
    marker = _marker(untidy, "b-main")
    _turn_back(marker, hours)
    assert prompt(**SHARED).context
    prompt(**SHARED).assert_quiet()
    _turn_back(marker, hours)
    assert start(**SHARED).context
    start(**SHARED).assert_quiet()


def test_marker_without_a_session_id_counts_within_the_day(
    start: Start, prompt: Start, untidy: Repository
) -> None:
    start(**SHARED)
    _turn_back(_marker(untidy, "b-main"), 11)
    start(**SHARED).assert_quiet()
    prompt(**SHARED).assert_quiet()


def test_marker_of_a_session_id_counts_for_ever(
    start: Start, prompt: Start, untidy: Repository
) -> None:
    start()
    _turn_back(_marker(untidy), 24 * 300)
    start().assert_quiet()
    prompt().assert_quiet()


def _turn_back(marker: Path, hours: float) -> None:
    then = time.time() - hours * 3600
    os.utime(marker, (then, then))
