"""``session-memory hook``."""

from typing import Any

import click

from session_memory.cli import errors, output
from session_memory.core import guard, hosts, stdin

# Hosts call the prompt event by two names; case, hyphens and underscores do not matter.
_ENTRIES = {
    "sessionstart": "session_start",
    "userpromptsubmit": "user_prompt_submit",
    "userpromptsubmitted": "user_prompt_submit",
    "posttooluse": "post_tool_use",
}


def _entry(_ctx: click.Context, _param: click.Parameter, name: str) -> str:
    entry = _ENTRIES.get(name.replace("-", "").replace("_", "").lower())
    if entry is None:
        names = ", ".join(guard.EVENT_NAMES.values())
        raise click.BadParameter(f"{name!r} has no hook; there are {names}.")
    return entry


@click.command("hook")
@click.argument("event", callback=_entry)
@click.option(
    "--host", type=click.Choice(hosts.NAMES), help="Editor; default: told by the payload."
)
@click.option("--explain", "dry", is_flag=True, help="Write nothing; show what would be done.")
@click.option("--json", "as_json", is_flag=True, help="With --explain, print one JSON object.")
def command(event: str, host: str | None, dry: bool, as_json: bool) -> None:
    """Run the hook of EVENT on the payload on standard input, as an editor would.

    EVENT is SessionStart, UserPromptSubmit or PostToolUse. A hook exits 0 whatever happens.

    With --explain nothing is written, and each feature that would do nothing tells why. An unusable
    payload then ends with exit code 2.
    """
    if not dry:
        if as_json:
            raise click.UsageError("--json goes with --explain; a hook's own output is JSON.")
        guard.main(event, host or "")
    from session_memory.cli import explanation

    try:
        facts = explanation.explain(event, host or "")
    except stdin.UnusablePayload as fault:
        raise errors.Refused(f"{fault}; the hook would do nothing") from None
    if as_json:
        output.print_json(facts)
    else:
        _print(facts)


def _print(facts: dict[str, Any]) -> None:
    output.print_facts(_lines(facts))
    _print_list("would write", facts["would_write"] or ["nothing"])
    _print_list("would not write", facts["would_skip"])
    _print_list("would lose", facts["losses"])
    _print_list("would inject", facts["context"].split("\n") if facts["context"] else ["nothing"])
    _print_list("because", [f"{b['feature']}: {b['text']} ({b['code']})" for b in facts["because"]])
    _print_list("standard output", [facts["stdout"]] if facts["stdout"] else [])
    timing = facts["timing_ms"]
    _print_list("timing", [f"{stage:<11}{ms:9.3f} ms" for stage, ms in timing.items()])


def _lines(facts: dict[str, Any]) -> dict[str, str]:
    checkout = facts["checkout"] or {}
    head = checkout.get("branch") or checkout.get("sha", "")
    return {
        "event": facts["event"],
        "payload": facts["payload_event"] or "names no event",
        "host": f"{facts['host']} (from {facts['host_from']})",
        "key": f"{facts['session_key']} (rung {facts['key_rung']}, from {facts['key_from']})",
        "agent": facts["agent_id"],
        "tool": facts["tool"],
        "folder": facts["cwd"],
        "root": facts["root"] or "none: outside any repository",
        "git folder": checkout.get("common_dir", ""),
        "head": head,
        "state": facts["state_folder"] or "none: nothing can be written",
    }


def _print_list(title: str, lines: list[str]) -> None:
    if lines:
        click.echo(f"\n{title}:")
    for line in lines:
        click.echo(f"  {output.printable(line)}")
