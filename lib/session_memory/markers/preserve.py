"""What a new text carries over from the one that it replaces, when its author left it out.

A planner writes the plan anew and knows nothing of what other tools keep in the same comment; a
designer who resumes must not lose the dispositions of the findings (SMC-19). What is carried over
is what the old comment holds, never anything made up; a reference is kept only while the comment
that it leads to is there.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from session_memory.markers.blocks import blocks
from session_memory.markers.families import Marker
from session_memory.markers.payload import extract
from session_memory.markers.problem import Problem
from session_memory.markers.text import lines, to_lf

# Whether the comment with this id carries this marker. A failure to find out is passed on.
Sibling = Callable[[int, str], bool]

_POINTER = "phase-containment-ledger-ref"
_POINTER_LINE = re.compile(rf"<!-- {_POINTER}: ([0-9]{{1,19}}) -->")
_STRESS_TEST = re.compile(r"^\*\*Plan Stress-Test\*\*", re.MULTILINE)
_NEXT_SECTION = re.compile(r"^(?:\*\*\S|## |<!-- named-decisions:begin)", re.MULTILINE)
_SLICES = re.compile(r"^slice_comment_id:[ \t]*((?:.*[^ \t\n])?)[ \t]*$", re.MULTILINE)
_GENERATED = re.compile(r"^generated_at:.*$", re.MULTILINE)
_CONTAINMENT = re.compile(r"<!-- phase-containment-([0-9]+) -->")


@dataclass(frozen=True)
class Preserved:
    """The text to write, and the names of what was carried over into it."""

    body: str
    kept: tuple[str, ...] = ()


class Forged(Exception):
    """The candidate refers to a comment that is not what it says; ``problem`` tells which."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def preserve(marker: Marker, body: str, existing: str | None, sibling: Sibling) -> Preserved:
    """``body`` with what it must keep of the ``existing`` text (``None`` for the first write).

    Raises :class:`Forged`, also on the first write, when a reference of ``body`` itself is wrong.
    """
    if marker.family.name == "plan-issue":
        return _plan(marker.number, to_lf(body), to_lf(existing or ""), sibling)
    if marker.family.name == "design-phase-complete" and existing:
        return _dispositions(body, existing)
    return Preserved(body)


def _plan(number: int, body: str, existing: str, sibling: Sibling) -> Preserved:
    ledger, slices = (
        f"<!-- phase-containment-ledger-{number} -->",
        f"<!-- frame-slices-{number} -->",
    )
    _check(_pointer(body), ledger, sibling, _POINTER)
    _check(_slice_id(body), slices, sibling, "slice_comment_id")
    kept = []
    pointer, known = _pointer(existing), _slice_id(existing)
    if pointer and not _pointer(body) and sibling(int(pointer), ledger):
        body = _with_pointer(body, pointer)
        kept.append(f"{_POINTER} pointer")
    spliced = _with_slice_id(body, known)
    if spliced != body and sibling(int(known), slices):
        body = spliced
        kept.append("slice_comment_id (frame-spine)")
    for name, section in _sections(existing, legacy=not pointer):
        if section and not _has(name, body):
            body = f"{body.rstrip()}\n\n{section.strip()}\n"
            kept.append(name)
    return Preserved(body, tuple(kept))


def _check(identity: str, marker: str, sibling: Sibling, name: str) -> None:
    if not identity:
        return
    if not identity.isdecimal() or not sibling(int(identity), marker):
        sentence = f"the candidate-supplied {name} is forged or stale: no such comment is there"
        raise Forged(Problem("forged-reference", sentence))


def _pointer(body: str) -> str:
    found = [match for line in lines(body) if (match := _POINTER_LINE.fullmatch(line.strip()))]
    return found[0][1] if found else ""


def _slice_id(body: str) -> str:
    """The id as it stands there, so that one that is no number can be refused."""
    match = next(filter(None, (_SLICES.search(b.text) for b in blocks(body, "frame-spine"))), None)
    return match[1].strip("\"'") if match else ""


def _with_pointer(body: str, pointer: str) -> str:
    marker, _, rest = body.partition("\n")
    return f"{marker.rstrip()}\n\n<!-- {_POINTER}: {pointer} -->\n\n{rest.lstrip(chr(10))}"


def _with_slice_id(body: str, identity: str) -> str:
    """``body`` with the id in its spine; as it was when there is one, or no place for it."""
    spines = blocks(body, "frame-spine")
    if not identity.isdecimal() or _slice_id(body) or len(spines) != 1:
        return body
    text = spines[0].text
    if body.count(text) != 1:
        return body
    changed = body.replace(text, _dated_with(text, f"slice_comment_id: {identity}"))
    return changed if _slice_id(changed) == identity else body


def _dated_with(spine: str, row: str) -> str:
    """The spine with ``row`` in the place of an empty one, else behind its date, else on top."""
    blank, dated = _SLICES.search(spine), _GENERATED.search(spine)
    if blank:
        return f"{spine[: blank.start()]}{row}{spine[blank.end() :]}"
    at = dated.end() if dated else 0
    return f"{spine[:at]}\n{row}{spine[at:]}"


def _sections(existing: str, *, legacy: bool) -> list[tuple[str, str]]:
    """Parts of the old plan. Those of the ledger are only in plans that have none of their own."""
    found = [("Plan Stress-Test", _stress_test(existing))]
    if legacy:
        rulings = blocks(existing, "judge-rulings")
        text = f"<!-- judge-rulings{rulings[0].text}-->" if rulings and rulings[0].text else ""
        pairs = "\n\n".join(_pairs(existing))
        found = [("judge-rulings", text), ("phase-containment", pairs), *found]
    return found


def _has(name: str, body: str) -> bool:
    if name == "Plan Stress-Test":
        return _STRESS_TEST.search(body) is not None
    if name == "phase-containment":
        return bool(_pairs(body))
    return bool(blocks(body, name))


def _pairs(text: str) -> list[str]:
    """Every block of phase containment, from its head to the tag that closes it."""
    found: list[str] = []
    begun, closing = 0, ""
    rows = lines(text)
    for number, row in enumerate(rows):
        head = _CONTAINMENT.fullmatch(row)
        if head:
            begun, closing = number, f"<!-- /phase-containment-{head[1]} -->"
        elif closing and row == closing:
            found.append("\n".join(rows[begun : number + 1]))
            closing = ""
    return found


def _stress_test(existing: str) -> str:
    start = _STRESS_TEST.search(existing)
    if start is None:
        return ""
    end = _NEXT_SECTION.search(existing, start.end())
    return existing[start.start() : end.start() if end else len(existing)]


def _dispositions(body: str, existing: str) -> Preserved:
    """The fence of the newest comment, unless the new one has a fence of its own."""
    old, new = extract(existing), extract(body)
    if not old.fenced or new.fenced or new.ambiguous or not old.text:
        return Preserved(body)
    fence = f"```yaml\n{old.text}\n```\n"
    return Preserved(f"{body.rstrip()}\n\n{fence}", ("finding_dispositions",))
