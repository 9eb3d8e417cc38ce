"""The Markdown mirror of a record's decisions: written for people, compared, never read as data."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from session_memory.markers.problem import Problem
from session_memory.markers.text import fences, to_lf
from session_memory.records.rendering import check_text, quoted
from session_memory.yaml_text import YamlError, load

BEGIN = "<!-- named-decisions:begin -->"
END = "<!-- named-decisions:end -->"
NOTHING = "No load-bearing decisions captured in this session."
PENDING = "<!-- CE Gate articulation pending per #578 -->"

# Bullet label to payload key, in the order of the bullets.
LABELS = {
    "Classification": "classification",
    "Engineer choice": "engineer_choice",
    "Audit rationale": "audit_rationale",
    "Decision brief excerpt": "teaching_paragraph_excerpt",
    "Articulation text": "articulation_text",
    "Articulation status": "articulation_status",
    "Recommendation shift trigger": "recommendation_shift_trigger",
}
_QUOTED = frozenset({"engineer_choice", "audit_rationale", "teaching_paragraph_excerpt"})

# Bytes from which an issue body or plan comment that holds a mirror is getting too long.
NEAR_LIMIT_BYTES = 60_000

_HEADING = re.compile(r"###[ \t]+((?:.*[^ \t])?)[ \t]*")
_NESTED_ID = re.compile(r"[-*][ \t]+(?:\*\*)?`?([^`*:\s]+)`?(?:\*\*)?[ \t]*")
_BULLET = re.compile(r"[ \t]*[-*][ \t]+\*\*([^*:]+?):?\*\*:?[ \t]*(.*)")


@dataclass(frozen=True)
class Comparison:
    """Ids that only one side has, and fields ``id.key`` that differ."""

    orphans_markdown: tuple[str, ...] = ()
    orphans_yaml: tuple[str, ...] = ()
    diffs: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not (self.orphans_markdown or self.orphans_yaml or self.diffs)


def render(decisions: Sequence[Mapping[str, object]], *, nested: bool = False) -> str:
    """The mirror of ``decisions``; ``nested`` is the layout inside a record's own comment.

    Raises :class:`~session_memory.records.rendering.Refused` for text that the policy keeps out.
    """
    if nested:
        return "\n".join(["### Named Decisions", "", *_nested(decisions)])
    sections = [_section(decision) for decision in decisions] or [NOTHING]
    return "\n\n".join(["## Named Decisions", BEGIN, *sections, END])


def compare(markdown: str, decisions: Sequence[Mapping[str, object]]) -> Comparison:
    """How the mirror in ``markdown`` differs from the decisions of the payload."""
    mirrored = parse(markdown)
    recorded = {str(decision.get("decision_id")): decision for decision in decisions}
    return Comparison(
        tuple(name for name in mirrored if name not in recorded),
        tuple(name for name in recorded if name not in mirrored),
        tuple(_diffs(mirrored, recorded)),
    )


def parse(markdown: str) -> dict[str, dict[str, str]]:
    """The bullets of each decision in the mirror, by payload key, unquoted."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] | None = None
    rows, nested = _region(markdown)
    for at, row in enumerate(rows):
        heading = (_NESTED_ID if nested else _HEADING).fullmatch(row)
        bullet = _BULLET.fullmatch(row)
        if heading and not bullet:
            current = found.setdefault(heading[1], {})
        elif bullet and current is not None and bullet[1].strip() in LABELS:
            current[LABELS[bullet[1].strip()]] = _value(bullet[2], rows[at + 1 :])
    return found


def near_limit(artifact: str) -> Problem | None:
    """A warning when the text that holds a mirror is about to outgrow a comment."""
    size = len(artifact.encode("utf-8", "surrogatepass"))
    if size < NEAR_LIMIT_BYTES:
        return None
    return Problem("near-limit", f"{size} bytes: close to the size that GitHub accepts")


def _section(decision: Mapping[str, object]) -> str:
    return "\n".join([f"### {decision.get('decision_id')}", *_bullets(decision)])


def _nested(decisions: Iterable[Mapping[str, object]]) -> list[str]:
    rows = []
    for decision in decisions:
        rows.append(f"- `{decision.get('decision_id')}`")
        rows += [f"  {row}" for row in _bullets(decision)]
    return rows or [NOTHING]


def _bullets(decision: Mapping[str, object]) -> list[str]:
    rows = []
    for label, key in LABELS.items():
        value = decision.get(key)
        if value is None:
            continue
        text = str(value)
        check_text(text, key)
        if key == "articulation_text" and not text.strip():
            rows += [f"- **{label}**: |", f"    {PENDING}"]
        else:
            plain = key not in _QUOTED and _is_plain(text)
            rows.append(f"- **{label}**: {text if plain else quoted(text)}")
    return rows


def _is_plain(text: str) -> bool:
    """Whether it can stand as it is, and neither hides what follows nor reads as another form."""
    return not ("\n" in text or "<!--" in text or text.startswith(("|", '"', "'")))


def _region(markdown: str) -> tuple[list[str], bool]:
    """The rows that can hold the mirror, fenced ones left out, and whether the layout is nested."""
    text = to_lf(markdown)
    begin, end = text.find(BEGIN), text.rfind(END)
    if begin >= 0:
        text = text[begin + len(BEGIN) : end if end > begin else len(text)]
    rows = [row for _, row, fenced in fences(text) if not fenced]
    heading = next((at for at, row in enumerate(rows) if row.strip() == "### Named Decisions"), -1)
    return (rows, False) if begin >= 0 or heading < 0 else (rows[heading + 1 :], True)


def _value(text: str, following: list[str]) -> str:
    if text.strip() in {"|", "|-"}:
        block = []
        for row in following:
            if row.strip() and (not row.startswith((" ", "\t")) or _BULLET.fullmatch(row)):
                break
            block.append(row.strip())
        return "\n".join(block).strip()
    return _unquoted(text.strip())


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        try:
            return str(load(text))
        except YamlError:
            return text[1:-1]
    return text


def _diffs(
    mirrored: dict[str, dict[str, str]], recorded: Mapping[str, Mapping[str, object]]
) -> Iterable[str]:
    for name, fields in mirrored.items():
        if name in recorded:
            for key in LABELS.values():
                if not _same(key, fields.get(key), recorded[name].get(key)):
                    yield f"{name}.{key}"


def _same(key: str, mirrored: str | None, recorded: object) -> bool:
    if recorded is None or mirrored is None:
        return recorded is None and mirrored is None
    text = _trimmed(str(recorded))
    if key == "articulation_text" and not text:
        return not mirrored or mirrored == PENDING
    return _trimmed(mirrored) == text


def _trimmed(text: str) -> str:
    return to_lf(text).strip()
