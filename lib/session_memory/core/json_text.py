"""JSON without ``import json``, which costs as much as the rest of a hook.

The C scanner and the C string encoder behind :mod:`json` are used directly. They are private, so
any surprise falls back to :mod:`json`; nothing outside this module knows about them.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    quote: Callable[[str], str]
    make_scanner: Callable[[object], Callable[[str, int], tuple[Any, int]]] | None
else:
    try:
        from _json import encode_basestring_ascii as quote
        from _json import make_scanner
    except ImportError:  # an interpreter without the C accelerator
        from json.encoder import encode_basestring_ascii as quote

        make_scanner = None


class _ScannerOptions:
    """What the C scanner reads from its context: the defaults of ``json.JSONDecoder``."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    array_hook = None  # read from Python 3.15 on
    memo = None


def first_value(text: str) -> "tuple[object, int]":
    """The first JSON value in ``text`` and the offset behind it.

    Raises :class:`ValueError` when there is none, when it is cut off, or when it is nested too
    deeply. The message names a position and never quotes the text.
    """
    start = len(text) - len(text.lstrip(" \t\n\r"))
    try:
        return _scan(text, start)
    except StopIteration as stop:
        raise ValueError(f"no complete JSON value at character {stop.value}") from None
    except RecursionError:
        raise ValueError("JSON is nested too deeply") from None
    except ValueError as error:
        position = getattr(error, "pos", start)
        reason = getattr(error, "msg", "bad number")
        raise ValueError(f"{reason} at character {position}") from None


def _scan(text: str, start: int) -> "tuple[object, int]":
    if make_scanner is not None:
        try:
            return make_scanner(_ScannerOptions)(text, start)
        except (AttributeError, TypeError):  # pragma: no cover - the private interface has moved
            pass
        except SystemError:
            # Before Python 3.12 the scanner cannot report broken text while json is not imported.
            pass
    import json

    return json.JSONDecoder().raw_decode(text, start)


def parse_object(text: str) -> "dict[str, object]":
    """``text`` as one JSON object; :class:`ValueError` for anything else."""
    value, end = first_value(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    if len(text) > end and not text[end:].isspace():
        raise ValueError(f"more text at character {end}")
    return value


def encode(value: object) -> str:
    """``value`` as JSON on one line, all characters beyond ASCII escaped.

    Escaping keeps a record on one line whatever a name contains, and needs no agreement about
    encodings with whoever reads it.
    """
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict):
        items = [f"{quote(str(key))}: {encode(item)}" for key, item in value.items()]
        return "{" + ", ".join(items) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([encode(item) for item in value]) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float) and value - value != 0:
        return "null"  # JSON has neither infinities nor NaN
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def well_formed(text: str) -> str:
    """``text`` with unpaired surrogates replaced, so that it can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
