"""Each row's own commands, as the contract names them: what one writes, the other one reads."""

import json
import os
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from command_line import COMMAND, Ran
from durable_support import Cli, completion, credit, decision, record
from fake_github import Thread, World, installed
from fake_github.fixtures import cli, clone, fence, fenced, found, world
from reference_support import entry
from session_memory.contract.table import Row, contract
from session_memory.records.followups import followup_key
from support import ROOT, Repository

__all__ = ["cli", "clone", "fence", "fenced", "world"]

ROWS = contract().rows

# What stands for the words in capitals of a command.
WORDS = {
    "NAME": "7-8",
    "S": "review-9",
    "FAMILY": "plan-issue",
    "PORT": "experience",
    "PHASE": "design",
    "STAGE": "all",
    "LEVEL": "minor",
    "KEY": followup_key("Tidy up"),
    "F": ".tmp/body",
    "FILE": ".tmp/body",
}

FINDINGS = {"created_at": "2026-11-30T17:00:00Z", "findings": []}
DEFERRED = {
    "phase": "review",
    "step": "defense",
    "resume_point": "finding F1",
    "deferred": [{"id": "F1", "severity": "high", "summary": "Look again."}],
}
DISPOSITIONS = """<!-- review-dispositions-9 -->

```yaml
schema_version: 4
passes_run: [1]
external_sources_reconciled: []
entries:
  - stable_finding_key: gh-1
    pass: 1
    disposition: incorporate
    severity: high
    stage: code-review
    classification: load-bearing
    disposition_rationale: because
    reviewer_source: outsider
    internal_match:
      match_status: novel
```
"""
DESIGN = completion(7, "design-phase-complete")
TOKEN = (
    "--decision-id cache-key --phase design --issue 7 --outcome asked"
    " --classification load-bearing --window-position pre-ask --session one"
)
PROMPT = {"hook_event_name": "UserPromptSubmit", "session_id": "one", "prompt": "Work on #7"}
TRACKED = "---\nstatus: complete\npriority: p2\nissue_id: '7'\ncreated: 2026-11-30\n---\n"


@dataclass(frozen=True)
class Scene:
    """What the commands of a row need, and what the commands that read print in the end.

    ``bodies`` is the content of the file that each command is given, in their order; ``more`` has
    the arguments that the contract leaves to whoever types them.
    """

    prints: tuple[str, ...]
    bodies: tuple[str, ...] = ()
    more: dict[str, str] = field(default_factory=dict)
    prepare: Callable[[Repository, Thread], object] = lambda _clone, _issue: None


def write_tracked(clone: Repository, _issue: Thread) -> None:
    clone.write(".copilot-tracking/issue-7-cache.md", TRACKED)


def complete_experience(_clone: Repository, issue: Thread) -> None:
    issue.post(completion(7, "experience-owner-complete"))


def index_references(clone: Repository, issue: Thread) -> None:
    issue.labels = ["speed"]
    clone.write("Documents/Caching.md", "Everything about the cache.\n")
    index = json.dumps([entry("Caching", labels=["speed"])])
    clone.write(".references/index.json", index)


SCENES = {
    "SMC-01": Scene(("Five steps",), ("Five steps\n",)),
    "SMC-02": Scene(("Five steps",), ("Five steps\n",)),
    "SMC-03": Scene(("Three designs",), ("Three designs\n",)),
    "SMC-05": Scene(("review_completion: complete",)),
    "SMC-06": Scene(("review_completion: complete",)),
    "SMC-07": Scene(("session-startup-check-complete-b-main.md",)),
    "SMC-08": Scene(("plan           complete",), (completion(7, "plan-issue"),)),
    "SMC-09": Scene(("full   security",)),
    "SMC-10": Scene(("entries               1", "no re-activation"), (json.dumps(FINDINGS),)),
    "SMC-11": Scene(("no calibration data",)),
    "SMC-12": Scene(("chosen    minor",)),
    "SMC-13": Scene(
        ("", "issue-7/issue-7-cache.md  (complete, p2)"),
        more={"tracking archive": "--issue 7"},
        prepare=write_tracked,
    ),
    "SMC-14": Scene(("match: ",)),
    "SMC-15": Scene(("- high F1: Look again.",), (json.dumps(DEFERRED),)),
    "SMC-16": Scene(("present: comment",), ("<!-- review-judge-produced-9 -->",)),
    "SMC-17": Scene(
        ("experience     credited",), (credit(7, "experience"),), prepare=complete_experience
    ),
    "SMC-18": Scene(("skip: the prompt was answered",)),
    "SMC-19": Scene(("Done.", "0 problems"), (DESIGN, DESIGN)),
    "SMC-20": Scene(("cache-key: by digest",), (record(7, "design", decision()),)),
    "SMC-21": Scene(
        ("cache-key: asked", "not recorded: cache-key"),
        more={"gate emit": TOKEN, "gate log": "--session one"},
    ),
    "SMC-22": Scene(
        ("SMC-22", "Everything about the cache."),
        more={"state": "--session one"},
        prepare=index_references,
    ),
    "SMC-23": Scene(
        ("1 comment, 1 entry", "gh-1"),
        (DISPOSITIONS, record(9, "review", decision("gh-1"))),
    ),
    "SMC-24": Scene(("consumed: 1 proposal",), (json.dumps([{"canonical_title": "Tidy up"}]),)),
}


@pytest.fixture
def gh() -> Path:
    return found(next(iter(installed()), None))


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_what_a_row_writes_it_reads(row: Row, cli: Cli, clone: Repository, world: World) -> None:
    scene = SCENES[row.id]
    scene.prepare(clone, world.repository().open(number=7))
    world.repository().open(number=9, pull_request=True)
    bodies = iter(scene.bodies)
    printed: list[str] = []
    for command in (*row.write, *row.read):
        words = shlex.split(f"{command} {scene.more.get(command, '')}")
        if {"F", "FILE"} & set(words):
            clone.write(".tmp/body", next(bodies))
        ran = run(cli, clone, spelled(words), printed[-1] if printed else "")
        assert ran.code == 0, ran.stderr
        printed.append(ran.stdout)
    for text, wanted in zip(printed[len(row.write) :], scene.prints, strict=True):
        assert wanted in text
    assert next(bodies, None) is None


def spelled(words: list[str]) -> list[str]:
    """The words of a command with what stands for those in capitals."""
    numbers = {"--issue": "7", "--pr": "9"}
    before = ["", *words]
    return [
        numbers.get(before[place], "7") if word in ("N", "M") else WORDS.get(word, word)
        for place, word in enumerate(words)
    ]


def run(cli: Cli, clone: Repository, words: list[str], stdin: str) -> Ran:
    """Run the command; a hook by hand, which ends its process, in one of its own."""
    if words[0] != "hook":
        return cli(*words, stdin=stdin)
    done = subprocess.run(
        [*COMMAND, *words],
        input=json.dumps({**PROMPT, "cwd": str(clone.root)}),
        env={**os.environ, "PYTHONPATH": str(ROOT / "lib")},
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
