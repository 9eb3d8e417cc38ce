"""JSON of which nothing is guessed: no key twice, no NaN, bounded depth and numbers."""

import json
from collections.abc import Mapping
from typing import NoReturn

from session_memory.markers.problem import echo

MAX_DEPTH = 32
# More digits are no number of anything here, and converting them takes quadratic time.
_MAX_DIGITS = 40
_INFINITY = float("inf")


def parse(data: bytes) -> object:
    """The one value in ``data``, UTF-8 with or without a byte order mark.

    Raises :class:`ValueError`, which names a key, or a line, and quotes nothing else.
    """
    try:
        value: object = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_bounded,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at line {error.lineno}") from None
    except RecursionError:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels") from None
    _check_depth(value)
    return value


def parse_object(data: bytes) -> dict[str, object]:
    """The JSON object in ``data``; :class:`ValueError` for anything else."""
    value = parse(data)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def format_object(value: Mapping[str, object]) -> bytes:
    """``value`` for a file that people edit, in ASCII; what :func:`parse` reads is the same."""
    return json.dumps(value, indent=2, allow_nan=False).encode() + b"\n"


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {echo(twice)} twice in one object")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if abs(number) == _INFINITY:
        raise ValueError("a number too large to keep")
    return number


def _bounded(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number of more than {_MAX_DIGITS} digits")
    return int(text)


def _check_depth(value: object) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise ValueError(f"nested deeper than {MAX_DEPTH} levels")


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
