"""JSON of which nothing is guessed: no key twice, no NaN, bounded depth and numbers."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, NoReturn

from session_memory.markers.problem import echo

MAX_DEPTH = 32
# More digits are no number of anything here, and converting them takes quadratic time.
_MAX_DIGITS = 40
_INFINITY = float("inf")
# A number too long, or with an exponent that may be too large; or a text with the like.
_SUSPICIOUS = re.compile(rf"[0-9]{{{_MAX_DIGITS + 1}}}|[0-9][eE]\+?[0-9]{{3}}")
_CONTAINERS = (dict, list)
_encode = json.JSONEncoder(allow_nan=False).encode


def parse(data: bytes) -> object:
    """The one value in ``data``, UTF-8 with or without a byte order mark.

    Raises :class:`ValueError`, which names a key, or a line, and quotes nothing else.
    """
    try:
        text = data.decode("utf-8-sig")
        # Looking at each number costs more than reading all of them.
        wary = _SUSPICIOUS.search(text) is not None
        value: object = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_float=_finite if wary else None,
            parse_int=_bounded if wary else None,
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
    """``value`` for a file that people edit and compare: a line for each item of a list.

    It is ASCII, and :func:`parse` reads the same out of it.
    """
    members = [f"  {_encode(name)}: {_format_member(member)}" for name, member in value.items()]
    return "".join(["{\n", ",\n".join(members), "\n}\n"]).encode()


def _format_member(value: object) -> str:
    if not isinstance(value, list) or not value:
        return _encode(value)
    return "[\n    " + ",\n    ".join(map(_encode, value)) + "\n  ]"


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
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
    level: list[Any] = [[value]]
    for _ in range(MAX_DEPTH + 1):
        inside = (outer.values() if isinstance(outer, dict) else outer for outer in level)
        level = [one for values in inside for one in values if isinstance(one, _CONTAINERS)]
        if not level:
            return
    raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
