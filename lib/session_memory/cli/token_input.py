"""Where a command's token and times come from: options, a file, standard input."""

import json
import re
import sys
import time
from typing import NoReturn

import click

from session_memory.gates import emission, instant
from session_memory.gates.lines import MAX_LINE_BYTES

_UNITS_S = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def from_options(given: dict[str, object]) -> dict[str, object]:
    """A token out of the options that were given; its time is now unless told."""
    if not given:
        raise click.UsageError("Give the fields of the token as options, or --json-file.")
    return {"timestamp": emission.now(), **given}


def read(path: str) -> object:
    """The token in the file; ``-`` is standard input. Its time is now unless it tells.

    Raises :class:`emission.Refused`, which never quotes it, for what is not one JSON value.
    """
    token = _parse(path, _bytes(path))
    return {"timestamp": emission.now(), **token} if isinstance(token, dict) else token


def _parse(path: str, data: bytes) -> object:
    if len(data) > MAX_LINE_BYTES:
        raise _unusable(path, f"more than {MAX_LINE_BYTES} bytes")
    try:
        return json.loads(
            data.decode("utf-8-sig"), parse_constant=_refuse, object_pairs_hook=_unique
        )
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at line {error.lineno}, column {error.colno}"
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 at byte {error.start}"
    except RecursionError:
        reason = "nested too deeply"
    except ValueError as error:
        reason = str(error)
    raise _unusable(path, reason)


def _unusable(path: str, reason: str) -> emission.Refused:
    return emission.Refused(["syntax:token"], f"{path}: {reason}")


def _bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(MAX_LINE_BYTES + 1)
    try:
        with open(path, "rb") as file:
            return file.read(MAX_LINE_BYTES + 1)
    except OSError as error:
        reason = f"{path}: {error.strerror or error}"
        raise click.BadParameter(reason, param_hint="--json-file") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name occurs twice")
    return dict(pairs)


def _refuse(_: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not JSON")


def moment(_ctx: click.Context, _param: click.Parameter, text: str) -> float:
    """An option's time, or an age such as ``15m``, in seconds since 1970; 0 when it is empty."""
    if not text:
        return 0.0
    age = re.fullmatch(r"([0-9]{1,9})([smhd])", text)
    if age:
        return time.time() - int(age[1]) * _UNITS_S[age[2]]
    try:
        return instant.parse(text if "T" in text else text + "T00:00:00Z")
    except ValueError:
        reason = "give a date, a time in UTC that ends with Z, or an age such as 15m."
        raise click.BadParameter(reason) from None
