"""Judge rulings: the block in a comment, its rows, and the credit that follows from them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from session_memory.markers.blocks import blocks
from session_memory.markers.text import to_lf

HEAD = "judge-rulings"

_ROW = re.compile(r"[ \t]*(-[ \t]+)?([a-z_]+):[ \t]*((?:.*[^ \t])?)[ \t]*")
_SCORES = re.compile(r"^#{1,6}[ \t].*\bReview Score Summary\b", re.MULTILINE)
_FORBIDDEN = re.compile(
    r"^[ \t]*<!--\s*(review-judge-produced|code-review-complete)-", re.MULTILINE
)

# What a sustained critical or high finding costs.
_FAILING = "P+10"

# The passes of the prosecution by how the review was run.
_PASSES = {"standard": "1-5", "lite": "1", "post-fix": "1"}
ADAPTERS = ("standard", "lite", "judge-only", "proxy-github", "post-fix")


@dataclass(frozen=True)
class Rulings:
    """The rows of the one block; ``problem`` says why they cannot be relied on."""

    rows: tuple[dict[str, str], ...] = ()
    problem: str = ""

    @property
    def sustained(self) -> int:
        return sum(row.get("judge_ruling") == "sustained" for row in self.rows)


def parse(body: str) -> Rulings:
    """The rulings in ``body``. Two blocks contradict each other, so neither counts."""
    found = [block for block in blocks(body, HEAD) if block.terminated]
    if not found:
        return Rulings(problem="no rulings block")
    if len(found) > 1:
        return Rulings(problem="more than one rulings block")
    rows: list[dict[str, str]] = []
    for line in found[0].text.split("\n"):
        match = _ROW.fullmatch(line)
        if match and match[1]:
            rows.append({match[2]: _unquoted(match[3])})
        elif match and rows:
            rows[-1][match[2]] = _unquoted(match[3])
    return Rulings(tuple(rows), "" if rows else "the rulings block has no rows")


def share_one_comment(bodies: Sequence[str]) -> bool:
    """Whether the score table and the block stand in one comment, without another record in it."""
    return any(
        _SCORES.search(to_lf(body)) is not None
        and bool(parse(body).rows)
        and _FORBIDDEN.search(to_lf(body)) is None
        for body in bodies
    )


def review_credit(body: str, adapter: str = "standard", run_index: int = 1) -> dict[str, object]:
    """The credit row of the review port that the rulings in ``body`` justify.

    A review fails when a finding worth ten points is sustained. Without rulings that can be read
    nothing is known, so the row is inconclusive.
    """
    rulings = parse(body)
    evidence = rulings.problem or f"{rulings.sustained} of {len(rulings.rows)} findings sustained"
    return {
        "port": "review",
        "adapter": adapter,
        "status": _status(rulings),
        "run_index": run_index,
        "evidence": f"{evidence}; prosecution passes: {_PASSES.get(adapter, 'none')}",
    }


def _status(rulings: Rulings) -> str:
    if rulings.problem:
        return "inconclusive"
    return "failed" if any(_fails(row) for row in rulings.rows) else "passed"


def _fails(row: dict[str, str]) -> bool:
    return row.get("judge_ruling") == "sustained" and row.get("points_awarded") == _FAILING


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'" else text
