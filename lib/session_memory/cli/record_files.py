"""``session-memory records render`` and ``check``: bodies of engagement records, without GitHub."""

import json
from dataclasses import dataclass, field

import click

from session_memory.cli import reading as shared
from session_memory.cli.errors import REFUSED, Refused
from session_memory.cli.output import print_json, printable
from session_memory.markers.families import marker
from session_memory.markers.payload import extract
from session_memory.markers.problem import echo, refusal
from session_memory.markers.target import Target
from session_memory.markers.text import first_line
from session_memory.records import engagement, mirror, rendering, validators
from session_memory.records.sources import REVIEW
from session_memory.yaml_text import YamlError, load

OK, DIFFERS, NO_MIRROR, UNREADABLE = "ok", "differs", "no-mirror", "unreadable"


@click.command("render", short_help="Print the comment of a payload.")
@click.argument("file")
@click.option("--mirror-only", is_flag=True, help="Only the section for an issue body or a plan.")
@click.option("--no-mirror", is_flag=True, help="Only the marker and the payload.")
@shared.as_json
@shared.on_target(phase=False)
def render(file: str, target: Target, mirror_only: bool, no_mirror: bool, as_json: bool) -> None:
    """Print the comment body of the payload in FILE, JSON or YAML; - is standard input.

    Text that could end the fence or begin another record is refused, and so is a payload that the
    writer would refuse, with exit code 2.
    """
    payload = _payload(file)
    decisions = engagement.decisions_of(payload)
    try:
        if mirror_only:
            body = mirror.render(decisions) + "\n"
        else:
            prose = "" if no_mirror else mirror.render(decisions, nested=True)
            body = _body(payload, target, prose)
    except rendering.Refused as error:
        raise Refused(f"{error} [{error.code}]") from None
    if as_json:
        print_json({"marker": "" if mirror_only else first_line(body), "body": body})
    else:
        click.echo(body.encode(), nl=False)


def _payload(file: str) -> dict[str, object]:
    text, name = shared.read_text(file), shared.name_of(file)
    try:
        value = json.loads(text) if text.lstrip().startswith("{") else load(text)
    except YamlError as error:
        raise Refused(f"{name}: {error}") from None
    except json.JSONDecodeError as error:
        raise Refused(f"{name}: {error.msg} at line {error.lineno}") from None
    except (RecursionError, ValueError):
        raise Refused(f"{name}: not a JSON value that can be used") from None
    if not isinstance(value, dict):
        raise Refused(f"{name}: the payload is not a mapping")
    return value


def _body(payload: dict[str, object], target: Target, prose: str) -> str:
    phase = engagement.phase_of(payload)
    is_review = phase == REVIEW
    number = target.pull_request if is_review else target.issue
    if not number:
        where = "a pull request: give --pr" if is_review else "an issue: give --issue"
        raise Refused(f"a record of phase {echo(phase or None)} belongs to {where}.")
    try:
        own = marker("engagement-record", number, phase)
    except ValueError as error:
        raise Refused(str(error)) from None
    body = rendering.render_body(own, payload, prose)
    problems = validators.check(body, own)
    if problems:
        raise Refused(refusal(own.family.name, own.surface, number, problems))
    return body


@dataclass(frozen=True)
class _Checked:
    """What came of comparing one file."""

    file: str
    status: str
    message: str = ""
    compared: mirror.Comparison = field(default_factory=mirror.Comparison)
    warnings: tuple[str, ...] = ()

    @property
    def differences(self) -> dict[str, list[str]]:
        return {
            "only_in_mirror": [echo(name) for name in self.compared.orphans_markdown],
            "only_in_payload": [echo(name) for name in self.compared.orphans_yaml],
            "differing": [echo(name) for name in self.compared.diffs],
        }


@click.command("check", short_help="Compare a mirror with its payload.")
@click.argument("files", nargs=-1, required=True)
@click.option("--mirror", "elsewhere", default="", metavar="FILE", help="Where the mirror stands.")
@shared.as_json
def check(files: tuple[str, ...], elsewhere: str, as_json: bool) -> None:
    """Compare the mirror in each body FILE with its payload. Exit code 2 unless they agree.

    --mirror names another file, an issue's body or a plan, in which the mirror stands.
    """
    if elsewhere and len(files) > 1:
        raise click.UsageError("--mirror goes with one FILE.")
    mirrored = shared.read_text(elsewhere) if elsewhere else None
    results = [_compare(name, mirrored) for name in files]
    if as_json:
        print_json([_as_json(result) for result in results])
    for result in [] if as_json else results:
        _print(result)
    if any(result.status != OK for result in results):
        click.get_current_context().exit(REFUSED)


def _compare(name: str, mirrored: str | None) -> _Checked:
    body = shared.read_text(name)
    try:
        payload = extract(body).load()
    except YamlError as error:
        return _Checked(name, UNREADABLE, str(error))
    if not isinstance(payload, dict):
        return _Checked(name, UNREADABLE, "no payload of an engagement record")
    text = body if mirrored is None else mirrored
    compared = mirror.compare(text, engagement.decisions_of(payload))
    near = mirror.near_limit(text)
    warnings = (near.message,) if near else ()
    if "# Named Decisions" not in text:
        return _Checked(name, NO_MIRROR, warnings=warnings)
    return _Checked(name, OK if compared.ok else DIFFERS, compared=compared, warnings=warnings)


def _as_json(result: _Checked) -> dict[str, object]:
    return {
        "file": result.file,
        "status": result.status,
        "message": result.message,
        **result.differences,
        "warnings": list(result.warnings),
    }


def _print(result: _Checked) -> None:
    told = [
        f"{name.replace('_', ' ')}: {', '.join(names)}"
        for name, names in result.differences.items()
        if names
    ]
    detail = "; ".join([*told, *([result.message] if result.message else [])])
    click.echo(printable(": ".join(filter(None, [result.file, result.status, detail]))))
    for warning in result.warnings:
        click.echo(f"warning: {result.file}: {warning}", err=True)
