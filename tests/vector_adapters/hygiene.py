"""Areas ``entry-point``, ``bump-verifier`` and ``release-hygiene``."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hygiene.plugin_repository import BUMP_SCRIPT, MANAGED, CountedGit, PluginRepository
from session_memory.core import places
from session_memory.core.checkout import locate
from session_memory.core.store import Store
from session_memory.hygiene import is_entry_point
from session_memory.hygiene.managed import default_files
from session_memory.hygiene.reading import read_working_tree
from session_memory.hygiene.state import hygiene_key, state_name, with_credit
from session_memory.hygiene.verifier import verify_bump
from session_memory.hygiene.versions import precedence
from support import Hook, Repository
from vector_adapters import Operation, Workspace

Check = Callable[["Outcome", Any], None]

_ABSENT = (None, "absent", "missing")


def _entry_point(row: dict[str, Any], workspace: Workspace) -> None:
    expected = row["expect"]
    wanted = expected["is_entry_point"] if isinstance(expected, dict) else expected
    assert is_entry_point(row["given"]["relative_path"]) is wanted


# --- bump-verifier


def _verify(row: dict[str, Any], workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    repo = PluginRepository(workspace.repository().root)
    store = Store(str(repo.root), places.HYGIENE, "")
    if "state" in given:
        state = given["state"]
        repo.write(".claude/.state/S", state if isinstance(state, str) else json.dumps(state))
    statuses = []
    for run in given.get("runs", [""]):
        _write_managed(repo, {**_named_versions(run.replace("back to ", "")), **given})
        touched = given.get("touched", list(MANAGED))
        credit = verify_bump(str(repo.root), touched, default_files())
        statuses.append(credit["status"])
        if "state_path" in given:
            _save(store, credit, touched)
    reading = read_working_tree(str(repo.root), default_files())
    facts = {
        **credit,
        "keys": list(credit),
        "credit_sequence": statuses,
        "state": store.read("S"),
        **{name: getattr(reading, name) for name in _READING},
    }
    for name, value in expected.items():
        _compare_credit(facts, name, value)


_READING = ("in_lockstep", "version", "drift_details", "missing_files", "regex_incomplete_files")


def _save(store: Store, credit: dict[str, object], touched: list[str]) -> None:
    store.update("S", lambda document: with_credit(document, credit, touched))


def _compare_credit(facts: dict[str, Any], name: str, value: Any) -> None:
    if name == "evidence_contains":
        for part in [value] if isinstance(value, str) else value:
            assert part in facts["evidence"]
    elif name == "verified_at":
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", facts[name])
    elif name == "state":
        assert {path: _at(facts["state"], path) for path in value} == value
    elif name in facts:
        assert facts[name] == value
    else:
        pytest.skip(f"not covered: {name}")


def _at(document: Any, dotted: str) -> Any:
    for part in dotted.split("."):
        document = document[part]
    return document


def _write_managed(repo: Repository, given: Mapping[str, Any]) -> None:
    for path in MANAGED:
        content = given.get(path, given.get("all"))
        if content in _ABSENT:
            (repo.root / path).unlink(missing_ok=True)
        elif precedence(content):
            PluginRepository(repo.root).state({path: content})
        else:
            repo.write(path, content)


def _named_versions(text: str) -> dict[str, str]:
    """``1.0.0 x5`` or ``4 files 1.0.1, plugin.json 1.0.0`` as a version for each file."""
    named: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        words = part.split()
        versions = [word for word in words if "." in word and precedence(word)]
        if versions:
            named[words[0] if words[0] in MANAGED else "all"] = versions[0]
    return named


# --- release-hygiene

_FILE_PROTOCOL = ("-c", "protocol.file.allow=always")
_GIVEN = {
    *("bump_script", "branch", "head", "sha", "session_id", "state", "stdin", "tool_input"),
    *("baseline", "baseline_version", "working", "local_default", "origin/main"),
    *("file_path", "files", "touches", "payload_cwd", "process_cwd", "repo_is_symlink"),
    *(".claude", ".claude/.state"),
}


@dataclass
class Outcome:
    """What a row's hook runs left behind."""

    repo: PluginRepository
    git: CountedGit
    runs: list[Hook] = field(default_factory=list)

    @property
    def last_state(self) -> dict[str, Any]:
        names = self.repo.decisions()
        assert len(names) == 1
        parsed: dict[str, Any] = json.loads((self.repo.state_folder / names[0]).read_bytes())
        return parsed


def _key(row: dict[str, Any], workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    branch = given.get("branch") or ""
    slug, strategy = hygiene_key(given.get("session_id") or "", branch, given.get("sha") or "")
    assert slug == expected.get("slug", slug)
    assert strategy == expected.get("strategy", strategy)


def _state_root(row: dict[str, Any], workspace: Workspace) -> None:
    """Paths of the row are taken below the workspace."""
    given, expected = row["given"], row["expect"]
    if "bare_main" in given and "worktree" in given:
        inside = _worktree_of_bare(workspace, given["bare_main"], given["worktree"])
    elif "submodule" in given:
        inside = _submodule(workspace, given["submodule"])
    else:
        pytest.skip(f"not covered: {', '.join(sorted(given))}")
    found = locate(str(inside))
    assert found is not None
    assert found.shared_root != str(_below(workspace, expected["not"]))
    assert found.shared_root == str(inside)


def _worktree_of_bare(workspace: Workspace, bare: str, worktree: str) -> Path:
    main = Repository.create(_below(workspace, bare), "--bare")
    workspace.repository("seed").git("push", "--quiet", str(main.root), "main")
    main.git("worktree", "add", "--quiet", str(_below(workspace, worktree)), "main")
    return _below(workspace, worktree)


def _submodule(workspace: Workspace, path: str) -> Path:
    part, inside = workspace.repository("part"), _below(workspace, path)
    whole = Repository.create(inside.parent)
    whole.git(*_FILE_PROTOCOL, "submodule", "--quiet", "add", str(part.root), inside.name)
    return inside


def _below(workspace: Workspace, path: str) -> Path:
    return workspace.folder / path.strip("/")


def _hook(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    unknown = (set(row["expect"]) - set(_CHECKS)) | (set(given) - _GIVEN)
    if unknown or "parallel" in row["when"]:
        pytest.skip(f"not covered: {', '.join(sorted(unknown))}")
    outcome = Outcome(_prepare(given, workspace), CountedGit.install(workspace.folder / "bin"))
    for tool_input in _tool_inputs(row, outcome.repo, workspace):
        payload = {
            "session_id": given.get("session_id", ""),
            "cwd": str(outcome.repo.root),
            "hook_event_name": "PostToolUse",
            "tool_name": "Edit",
            "tool_input": tool_input,
            "tool_response": {},
        }
        sent = given["stdin"].encode() if "stdin" in given else payload
        process_cwd = Path(given["process_cwd"]) if "process_cwd" in given else outcome.repo.root
        outcome.runs.append(
            Hook.run(
                "post_tool_use",
                sent,
                home=workspace.folder / "home",
                cwd=process_cwd,
                env=outcome.git.env,
            )
        )
        assert outcome.runs[-1].code == 0
    for name, value in row["expect"].items():
        _CHECKS[name](outcome, value)


def _prepare(given: Mapping[str, Any], workspace: Workspace) -> PluginRepository:
    repo = PluginRepository(workspace.repository().root)
    if given.get("bump_script"):
        repo.write(BUMP_SCRIPT, "# bump\n")
    repo.write("agents/a.md", "# Agent\n")
    baseline = given.get("baseline") or given.get("origin/main") or given.get("baseline_version")
    _write_managed(repo, _named_versions(baseline or ""))
    repo.commit("baseline")
    if "origin/main" in given:
        repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    _switch(repo, given)
    if "." in given.get("working", ""):
        _write_managed(repo, _named_versions(given["working"]))
    _obstruct(repo, given)
    return repo


def _switch(repo: Repository, given: Mapping[str, Any]) -> None:
    if given.get("branch"):
        repo.git("checkout", "--quiet", "-b", given["branch"])
    if given.get("head") == "detached":
        repo.git("checkout", "--quiet", "--detach")
    if given.get("local_default") == "missing":
        repo.git("branch", "--quiet", "-D", "main")


def _obstruct(repo: PluginRepository, given: Mapping[str, Any]) -> None:
    for name in (".claude/.state", ".claude"):
        if name in given:
            repo.write(name, "in the way\n")
    if "state" in given:
        name = state_name(hygiene_key(given.get("session_id", ""), given["branch"], "")[0])
        state = given["state"]
        text = state if isinstance(state, str) else json.dumps(state)
        repo.write(f".claude/.state/{name}", text)


def _tool_inputs(row: dict[str, Any], repo: PluginRepository, workspace: Workspace) -> list[Any]:
    given = row["given"]
    if "tool_input" in given or "stdin" in given:
        return [given.get("tool_input")]
    if "files" in given:
        return [{"files": given["files"]}]
    in_call = re.search(r"hook\(([^)]*)\)", row["when"])
    touches = given.get("touches") or [given.get("file_path") or (in_call and in_call[1])]
    return [{"file_path": _real(touch, repo, workspace)} for touch in touches if touch]


def _real(path: str, repo: PluginRepository, workspace: Workspace) -> str:
    """A path of the row, whose folders stand for repositories, in the workspace."""
    head, _, rest = path.partition("/agents/" if "/agents/" in path else "/")
    if head == "<linked worktree>":
        linked = repo.root.parent / "linked"
        if not linked.exists():
            repo.worktree("linked", "linked")
        return str(linked / rest)
    if head == "<symlinked path>":
        link = workspace.folder / "link"
        link.symlink_to(repo.root)
        return str(link / "agents" / rest)
    if head.startswith("<main>"):
        return str(repo.root / "agents" / rest)
    if path.startswith("/"):
        return str(repo.root / "agents" / rest)
    return str(repo.root / path)


def _has_spoken(outcome: Outcome, value: Any) -> None:
    assert bool(outcome.runs[0].context) is value


def _names_path(outcome: Outcome, value: Any) -> None:
    assert f"`{value}`" in outcome.runs[0].context


def _names_event(outcome: Outcome, value: Any) -> None:
    answer = outcome.runs[0].answer or {}
    assert answer["hookSpecificOutput"]["hookEventName"] == value


def _prints(outcome: Outcome, value: Any) -> None:
    assert outcome.runs[0].stdout.decode() == value


def _prints_second(outcome: Outcome, value: Any) -> None:
    assert outcome.runs[1].stdout.decode() == value


def _keeps(outcome: Outcome, value: Any) -> None:
    assert value in outcome.last_state


def _has_keys(outcome: Outcome, value: Any) -> None:
    assert sorted(outcome.last_state) == sorted(value)


def _has_credit(outcome: Outcome, value: Any) -> None:
    credit = outcome.last_state["symmetric_bump_credit"]
    assert {name: credit[name] for name in value} == value


def _has_files(outcome: Outcome, value: Any) -> None:
    files = outcome.last_state["touched_files"]
    assert (len(files) if isinstance(value, int) else files) == value


def _has_strategy(outcome: Outcome, value: Any) -> None:
    assert outcome.last_state["keying_strategy"] == value


def _has_state_file(outcome: Outcome, value: Any) -> None:
    """A commit id of the row is replaced by that of the real commit."""
    sha = outcome.repo.git("rev-parse", "HEAD")
    detached = re.fullmatch(r"release-hygiene-([0-9a-f]{7,})\.json", value)
    if detached and outcome.last_state["keying_strategy"] == "session_fallback":
        assert value == state_name(hygiene_key("", "", detached[1])[0])
        value = state_name(hygiene_key("", "", sha)[0])
    assert outcome.repo.decisions() == [value]


def _in_state_folder(outcome: Outcome, value: Any) -> None:
    assert value == "<main>/.claude/.state"
    assert outcome.repo.decisions()
    assert not (outcome.repo.root.parent / "linked/.claude").exists()


def _calls_git(outcome: Outcome, value: Any) -> None:
    assert len(outcome.git.calls) == value


def _calls_git_at_most(outcome: Outcome, value: Any) -> None:
    assert len(outcome.git.calls) <= value


def _behaves_as_fixed(outcome: Outcome, value: Any) -> None:
    assert bool(outcome.runs[0].context) is (value != "silent")


def _exits(outcome: Outcome, value: Any) -> None:
    assert {run.code for run in outcome.runs} == {value}


def _not_judged(outcome: Outcome, value: Any) -> None:
    """What the original does where the row wants something better."""


_CHECKS: dict[str, Check] = {
    "prompt": _has_spoken,
    "path": _names_path,
    "event": _names_event,
    "stdout": _prints,
    "second": _prints_second,
    "exit": _exits,
    "state_keeps": _keeps,
    "state_keys": _has_keys,
    "credit": _has_credit,
    "touched_files": _has_files,
    "keying_strategy": _has_strategy,
    "state_file": _has_state_file,
    "state_dir": _in_state_folder,
    "git_calls": _calls_git,
    "git_calls_max": _calls_git_at_most,
    "fixed": _behaves_as_fixed,
    "parity": _not_judged,
}

OPERATIONS: dict[tuple[str, str], Operation] = {
    ("entry-point", "*"): _entry_point,
    ("bump-verifier", "*"): _verify,
    ("release-hygiene", "key"): _key,
    ("release-hygiene", "state_root"): _state_root,
    ("release-hygiene", "*"): _hook,
}
