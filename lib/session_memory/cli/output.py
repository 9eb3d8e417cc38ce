"""What the command line prints: safe for any terminal, any pipe, any encoding."""

import io
import json
import os
import sys
from collections.abc import Mapping

import click

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def print_json(value: object) -> None:
    """``value`` on one line, ASCII only."""
    click.echo(json.dumps(value))


def print_facts(facts: Mapping[str, str]) -> None:
    """Names and values in two columns; empty values are left out."""
    width = max(map(len, facts))
    for name, value in facts.items():
        if value:
            click.echo(f"{name:<{width}}  {printable(value)}")


def printable(text: str) -> str:
    """``text`` without what a terminal would obey: controls, bidirectional marks, surrogates."""
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() else ascii(c)[1:-1] for c in text])


def counted(count: int, noun: str, plural: str = "") -> str:
    """The number with its noun, such as "1 error" and "2 errors"."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def tolerate_any_encoding() -> None:
    """A character that the terminal lacks is escaped rather than fatal."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def replace_closed_streams() -> None:
    """A stream that the caller has closed is empty, or takes everything, rather than missing.

    In this order each gets its own descriptor again, so that no other file is taken for it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            fd = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(fd, mode, encoding="utf-8"))


def abandon_stdout() -> None:
    """The reader has gone: what is still buffered goes nowhere, quietly."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
