"""Areas on evidence: ``merge-verdict``, ``eligibility``, ``budget``, ``preflight`` and so on."""

from typing import Any

from session_memory.startup import detect, eligibility, evidence, limits, verdict, worktrees
from session_memory.startup.budget import Budget
from session_memory.startup.candidates import Candidate
from session_memory.startup.eligibility import Free, Result
from session_memory.startup.github import parse_address
from session_memory.startup.preflight import removal_preflight
from session_memory.startup.refs import Branch, Refs
from session_memory.startup.run import Run
from session_memory.startup.snapshot import compare_ref, take
from session_memory.startup.verdict import Answers, Verdict
from support import Repository
from vector_adapters import Operation, Workspace

Given = dict[str, Any]


def _merge_verdict(row: dict[str, Any], workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    if "compare_ref" in expected:
        assert _compare_ref(given) == expected["compare_ref"]
        return
    found = _real_verdict(given, workspace) if "repo" in given else _probed(given)
    assert found.kind == expected.get("verdict", found.kind)
    assert found.kind != expected.get("verdict_not")
    assert found.signal == expected.get("signal", found.signal)
    assert found.signal == expected.get("cause", found.signal)


def _probed(given: Given) -> Verdict:
    answers = Answers()
    answers.loose, answers.strict = given.get("diff_ignore_cr"), given.get("diff_strict")
    answers.merge = given.get("merge_tree_exit")
    answers.merged_tree = given.get("merge_tree_stdout", "")
    answers.changed = given.get("diff_T_vs_default")
    return verdict.merge_verdict(answers)


def _compare_ref(given: Given) -> str:
    upstream = given.get("default_upstream")
    full = f"refs/remotes/{upstream}" if upstream else ""
    default = given.get("default") or given.get("default_branch") or "main"
    known = Refs([Branch(default, "0" * 40, full)], {}, {})
    remote = given.get(f"branch.{default}.remote") or ""
    return compare_ref(known, default, lambda _: remote).removeprefix("refs/remotes/")


def _real_verdict(given: Given, workspace: Workspace) -> Verdict:
    """The story that the row tells, in a real repository."""
    repository = workspace.repository()
    repository.git("switch", "--quiet", "-c", "claude/topic")
    ends = "\r\n" if "cr" in given["repo"].lower().split("-")[0].split() else "\n"
    repository.write("new.txt", f"one{ends}two{ends}")
    repository.commit("work")
    repository.git("switch", "--quiet", "main")
    repository.write("new.txt", "other\n" if "conflict" in given["repo"] else "one\ntwo\n")
    repository.commit("squash")
    if "revert" in given["repo"]:
        repository.git("revert", "--no-edit", "HEAD")
    elif "moved" in given["repo"] or "later" in given["repo"]:
        repository.write("later.txt", "later\n")
        repository.commit("later")
    repository.git("update-ref", "refs/remotes/origin/main", "main")
    return _verdict_of(repository)


def _verdict_of(repository: Repository) -> Verdict:
    from session_memory.core.checkout import locate
    from session_memory.startup.probes import Probes
    from session_memory.startup.scratch import Scratch

    run = Run(lambda: False)
    checkout = locate(str(repository.root))
    assert checkout
    seen = take(checkout, run)
    assert seen
    tip = seen.refs.branches["claude/topic"].tip
    scratch = Scratch(checkout.common_dir, len(tip), run)
    try:
        return Probes(scratch, seen.compare_tip, run.end).verdicts([tip])[tip]
    finally:
        scratch.remove()


class _GitHub:
    """What GitHub would say, and how often it was asked."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.calls = 0

    def pull_request(self, tip: str) -> "int | str":
        self.calls += 1
        given = self.given
        if given.get("gh_latency_ms", 0) > limits.GH_S * 1000:
            return eligibility.TIMEOUT
        origin = given.get("origin_url")
        if given.get("gh") or (origin and not parse_address(origin)):
            return eligibility.UNAVAILABLE
        if "pr_lookup" in given:
            return str(given["pr_lookup"])
        pulls = given.get("merged_prs") or []
        tips = {pull["headRefOid"]: int(pull["number"]) for pull in pulls}
        return tips.get(tip, eligibility.NO_MATCH)

    def issue_states(self, issues: "list[int]") -> "dict[int, str]":
        self.calls += 1
        issue = self.given.get("issue")
        if isinstance(issue, dict) and issue.get("state"):
            return {int(issue["number"]): issue["state"]}
        if isinstance(issue, str):
            return dict.fromkeys(issues, issue)
        return {number: str(self.given.get("issue_lookup", "unavailable")) for number in issues}


def _eligibility(row: dict[str, Any], workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    candidate = Candidate("orphan", Branch(given["branch"], given.get("tip", "tip")))
    candidate.free = free = _free(given)
    candidate.result = free.result
    github = _GitHub(given)
    evidence.gather_paid([candidate], github, _budget(given))  # type: ignore[arg-type]
    assert candidate.result
    _assert_result(candidate.result, expected)
    assert github.calls == expected.get("gh_calls", github.calls)
    assert bool(github.calls) is expected.get("gh_called", bool(github.calls))
    assert bool(free.result) is expected.get("free_resolved", bool(free.result))
    assert free.reason == expected.get("pending_reason", free.reason)
    assert expected.get("gh_timeout_ms", limits.GH_S * 1000) == limits.GH_S * 1000


def _free(given: Given) -> Free:
    kind, _, signal = given.get("verdict", "").partition(":")
    touches = given.get("unique_commits_touch_files", True)
    if given.get("touch_files_probe") == "failed":
        touches = None
    counted = str(given.get("unique"))
    unique = int(counted) if counted.isdecimal() else None
    return eligibility.free_evidence(unique, Verdict(kind, signal) if kind else None, touches)


def _assert_result(result: Result, expected: dict[str, Any]) -> None:
    facts = {"kind": result.kind, "signal": result.signal, "number": result.number}
    assert result.eligible is expected.get("eligible", result.eligible)
    assert result.outcome == expected.get("outcome", result.outcome)
    assert result.reason == expected.get("reason", result.reason)
    assert facts.items() >= (expected.get("evidence") or {}).items()
    assert result.kind != expected.get("evidence_not")


def _resolve_all(row: dict[str, Any], workspace: Workspace) -> None:
    """A few candidates of one category, through both passes."""
    given, expected = row["given"], row["expect"]
    if "candidates" not in given:
        _assert_result(_unreached(), expected)
        return
    found = [_candidate(kind, given.get("category", "orphan")) for kind in given["candidates"]]
    github = _GitHub({"merged_prs": []})
    evidence.gather_paid(found, github, _budget(given))  # type: ignore[arg-type]
    for position, wanted in expected.items():
        result = found[_POSITIONS.index(position)].result
        assert result
        _assert_result(result, wanted if isinstance(wanted, dict) else {"reason": wanted})


_POSITIONS = ("first", "second", "third", "fourth", "fifth", "sixth")


def _candidate(kind: str, category: str) -> Candidate:
    candidate = Candidate(category, Branch("claude/x", "tip"))
    if kind.startswith("free"):
        merged = Verdict(verdict.MERGED, verdict.SAME_TREE)
        candidate.free = eligibility.free_evidence(1, merged, True)
    else:
        rung = kind if kind in eligibility.RUNGS else eligibility.UNDECIDED_CONTENT
        candidate.free = Free(rung=rung, reason=eligibility.INCONCLUSIVE)
    candidate.result = candidate.free.result
    return candidate


def _unreached() -> Result:
    candidate = Candidate("orphan", Branch("claude/x", "tip"))
    result = evidence.Local().judge(candidate, "").result
    assert result
    return result


def _budget(given: Given) -> Budget:
    """A budget as far used as the row says."""
    times = [0.0]
    used: Any
    per_category: int = given.get("count_cap", limits.PER_CATEGORY)
    seconds = float(given.get("paid_seconds") or given.get("paid_s") or limits.PAID_S)
    budget = Budget(lambda: times[0], per_category, seconds)
    times[0] = given.get("elapsed_s", given.get("elapsed_ms", 0.0) / 1000)
    used = given.get("charged", given.get("used", 0))
    budget.charged = used if isinstance(used, dict) else {given.get("category", "orphan"): used}
    return budget


def _gate(row: dict[str, Any], workspace: Workspace) -> None:
    given, expected = row["given"], row["expect"]
    candidate = Candidate(given.get("category", "orphan"), Branch("claude/x", "tip"))
    budget = _budget(given)
    if given.get("degraded_cwd"):
        detect._unjudged([candidate])
    else:
        rung = (given.get("free_result") or {}).get("paid_rung", eligibility.UNDECIDED_CONTENT)
        candidate.free = Free(rung=rung, reason=eligibility.INCONCLUSIVE)
        evidence.gather_paid([candidate], _GitHub({}), budget)  # type: ignore[arg-type]
    assert candidate.result
    _assert_result(candidate.result, expected)
    charged = sum(budget.charged.values())
    assert charged == expected.get("units_charged", charged)


def _paid_order(row: dict[str, Any], workspace: Workspace) -> None:
    rungs = row["given"]["paid_candidates"]
    assert [rungs[index] for index in eligibility.paid_order(rungs)] == row["expect"]


def _defaults(row: dict[str, Any], workspace: Workspace) -> None:
    constants = {
        "per_category": limits.PER_CATEGORY,
        "paid_seconds": limits.PAID_S,
        "free_seconds": limits.FREE_S,
        "gh_call_ms": limits.GH_S * 1000,
        "git_network_s": limits.GIT_NETWORK_S,
        "rendered_claude_lines": limits.CLAUDE_LINES,
    }
    assert constants.items() >= row["expect"].items()


def _primary(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    registry = None
    if "porcelain" in given:
        registry = worktrees.parse(_below(workspace, given["porcelain"]))
        for worktree in registry:
            (workspace.folder / worktree.path.lstrip("/")).mkdir(parents=True, exist_ok=True)
    path = given["path"]
    if "(symlink)" in path:
        assert registry
        link = workspace.folder / "link"
        link.symlink_to(registry[0].path)
        path = str(link)
    else:
        path = f"{workspace.folder}{path}"
    assert worktrees.is_primary(path, registry) is row["expect"]


def _below(workspace: Workspace, porcelain: str) -> str:
    """The paths of a row, in a folder where they can be made."""
    return porcelain.replace("worktree /", f"worktree {workspace.folder}/")


def _preflight(row: dict[str, Any], workspace: Workspace) -> None:
    given = row["given"]
    status = given.get("status", "")
    failed = given.get("status_exit") or given.get("probe") == "failed" or status == "failed"
    skip = removal_preflight(
        bool(given.get("primary")),
        bool(given.get("locked")),
        bool(given.get("prunable")),
        None if failed else status,
    )
    assert skip == row["expect"]["skip"]


OPERATIONS: dict[tuple[str, str], Operation] = {
    ("merge-verdict", "*"): _merge_verdict,
    ("eligibility", "*"): _eligibility,
    ("budget", "resolve_all"): _resolve_all,
    ("budget", "resolve_all(one unreached candidate)"): _resolve_all,
    ("budget", "paid_order"): _paid_order,
    ("budget", "defaults"): _defaults,
    ("budget", "*"): _gate,
    ("primary-guard", "*"): _primary,
    ("preflight", "*"): _preflight,
}
