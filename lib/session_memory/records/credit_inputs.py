"""``credit-input``: what a phase claims for its port, and the row that comes of it (SMC-17)."""

from collections.abc import Mapping
from dataclasses import dataclass

from session_memory.markers.families import PORTS, Marker
from session_memory.markers.payload import extract, fields_to_write
from session_memory.markers.problem import Problem, echo
from session_memory.records.values import is_among
from session_memory.yaml_text import YamlError

FIELDS = ("port", "adapter", "evidence")
DEFAULT_ADAPTER = "work-adapter"


@dataclass(frozen=True)
class CreditInput:
    """The payload, as text."""

    port: str
    adapter: str
    evidence: str

    def row(self, *, completed: bool) -> dict[str, object]:
        """The row of ``credits[]``; ``completed`` tells whether the phase's comment is there."""
        status = entry_status(self.adapter, self.adapter == "auto-na", completed)
        return {
            "port": self.port,
            "adapter": self.adapter,
            "status": status,
            "evidence": self.evidence,
        }


def entry_status(adapter: str, auto_na: bool, completed: bool) -> str:
    """A skip that is meant, then a port that does not apply, then whether the phase is complete."""
    if adapter == "explicit-skip":
        return "skipped"
    if auto_na:
        return "not-applicable"
    return "passed" if completed else "skipped"


def parse(body: str) -> CreditInput | None:
    """The payload of ``body``, or ``None`` when there is none that can be used."""
    payload = extract(body)
    if payload.unfenced:
        return None
    try:
        value = payload.load()
    except YamlError:
        return None
    if not isinstance(value, dict) or check(value):
        return None
    return CreditInput(*[str(value[name]) for name in FIELDS])


def check_body(body: str, found: Marker) -> list[Problem]:
    """What a writer refuses."""
    fields, unreadable = fields_to_write(body)
    problems = unreadable or check(fields)
    if not problems and fields["port"] != found.part:
        sentence = f"the payload's port is {fields['port']}, the marker's {found.part}"
        problems.append(Problem("port-mismatch", sentence))
    return problems


def check(payload: Mapping[str, object]) -> list[Problem]:
    """What is wrong with a payload, in the order port, adapter, evidence."""
    problems = [_text(name, payload.get(name)) for name in FIELDS]
    port = payload.get("port")
    if problems[0] is None and not is_among(port, PORTS):
        sentence = f"invalid port {echo(port)}: it is none of {', '.join(PORTS)}"
        problems[0] = Problem("invalid-port", sentence)
    return [problem for problem in problems if problem]


def _text(name: str, value: object) -> Problem | None:
    if isinstance(value, (dict, list)):
        return Problem(f"nested-{name}", f"{name} must be one text, not nested")
    if value is None or not str(value).strip():
        return Problem(f"missing-{name}", f"missing required field {name}")
    return Problem(f"not-text-{name}", f"{name} is not text") if isinstance(value, bool) else None
