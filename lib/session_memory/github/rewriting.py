r"""What gh does to text on its way in, so that it cannot be mistaken for somebody's edit.

gh prints GitHub's JSON with control characters made harmless: an escape character is read as
``^[``, and so is the literal text ``\u001b``, of which only the backslash remains in front. Version
2.23 also turns the literal text ``\u0041`` into ``\A``. What GitHub stores is not touched.
"""

import re

from session_memory.markers.text import normalize

# Tab, line feed and carriage return pass.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x80-\x9f]")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\u00([0-7][0-9a-fA-F])")
# What becomes of these depends on the version, and looks like other text.
_LATE_ESCAPE = re.compile(r"\\u00([89][0-9a-fA-F])")
# A backslash before a control character in caret notation: hardly anything else looks like that.
_REWRITTEN = re.compile(r"\\\^[@-_]")


def same_text(sent: str, read: str) -> bool:
    """Whether ``read`` is what becomes of ``sent``: line ends, trailing blanks and gh aside."""
    return _folded(sent) == _folded(read)


def unsendable(text: str) -> str:
    """Why ``text`` could not be read back as it is, or ``""``.

    The position is named by line and code point, never by the text around it.
    """
    match = _CONTROL.search(text) or _HALF_PAIR.search(text)
    if match:
        return f"{_place(match)} U+{ord(match[0]):04X}, which gh cannot read back"
    match = _LATE_ESCAPE.search(text)
    if match:
        return f"{_place(match)} the escape of U+00{match[1].upper()}, which gh cannot read back"
    return ""


def is_doubtful(read: str) -> bool:
    """Whether ``read`` may be another text than GitHub holds, so that it must not be sent back.

    Version 2.23 leaves no trace of some rewritings; newer ones of none.
    """
    return _REWRITTEN.search(read) is not None


def _place(match: re.Match[str]) -> str:
    return f"line {match.string.count(chr(10), 0, match.start()) + 1} holds"


def _folded(text: str) -> str:
    return _ESCAPE.sub(_as_read, normalize(text))


def _as_read(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return "\\" + (chr(code) if code >= 0x20 else "^" + chr(code + 0x40))
