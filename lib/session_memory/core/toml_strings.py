"""The white space, comments and strings of TOML documents."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_HEX = frozenset("0123456789abcdefABCDEF")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


class Strings:
    """Reads from a position in the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, reason: str) -> "NoReturn":
        line = self.text.count("\n", 0, self.at) + 1
        raise ValueError(f"{reason} in line {line}")

    def skip(self, characters: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in characters:
            self.at += 1

    def skip_lines(self) -> None:
        """Go over blanks, line ends and comments."""
        self.skip(" \t\n")
        while self.text.startswith("#", self.at):
            self._comment()
            self.skip(" \t\n")

    def end_line(self) -> None:
        self.skip(" \t")
        if self.text.startswith("#", self.at):
            self._comment()
        if self.at < len(self.text) and not self.take("\n"):
            self.fail("unexpected text")

    def _comment(self) -> None:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        self._require_plain(self.text[self.at : end])
        self.at = end

    def take(self, token: str) -> bool:
        """Whether ``token`` is next; then go over it."""
        found = self.text.startswith(token, self.at)
        if found:
            self.at += len(token)
        return found

    def need(self, token: str) -> None:
        if not self.take(token):
            self.fail(f"expected {token}")

    def one_line(self, quote: str) -> str:
        start = self.at + 1
        end = self.text.find(quote, start)
        line_end = self.text.find("\n", start, end if end >= 0 else len(self.text))
        if end < 0 or line_end >= 0:
            self.fail("string without end")
        if quote == '"' and "\\" in self.text[start:end]:
            self.at = start
            return self._escaped('"')
        self.at = end + 1
        return self._require_plain(self.text[start:end])

    def many_lines(self, quote: str) -> str:
        self.at += 3
        self.take("\n")
        if quote == '"':
            return self._escaped('"""')
        start = self.at
        end = self.text.find("'''", start)
        if end < 0:
            self.fail("string without end")
        self.at = end + 3
        return self._require_plain(self.text[start:end] + self._spare_quotes("'"), "\t\n")

    def _spare_quotes(self, quote: str) -> str:
        """One or two quotes may stand directly before the three that end a string."""
        start = self.at
        while self.at - start < 2 and self.take(quote):
            pass
        return self.text[start : self.at]

    def _escaped(self, ending: str) -> str:
        """The rest of a basic string, up to ``ending``."""
        pieces: list[str] = []
        start = self.at
        while not self.text.startswith(ending, self.at):
            here = self.text[self.at : self.at + 1]
            if not here or (here == "\n" and ending == '"'):
                self.fail("string without end")
            self.at += 1
            if here == "\\":
                pieces += [self.text[start : self.at - 1], self._escape(len(ending) == 3)]
                start = self.at
        pieces.append(self.text[start : self.at])
        self.at += len(ending)
        spare = self._spare_quotes('"') if len(ending) == 3 else ""
        # Escapes may stand for any character, so only what was written as it is gets checked.
        self._require_plain("".join(pieces[::2]), "\t\n" if len(ending) == 3 else "\t")
        return "".join(pieces) + spare

    def _escape(self, many_lines: bool) -> str:
        sign = self.text[self.at : self.at + 1]
        if many_lines and sign in (" ", "\t", "\n"):
            self.skip(" \t")
            if not self.take("\n"):
                self.fail("bad escape")
            self.skip(" \t\n")
            return ""
        self.at += 1
        if sign in ("u", "U"):
            return self._code_point(4 if sign == "u" else 8)
        if sign not in _ESCAPES:
            self.fail("bad escape")
        return _ESCAPES[sign]

    def _code_point(self, length: int) -> str:
        digits = self.text[self.at : self.at + length]
        if len(digits) < length or not _HEX.issuperset(digits):
            self.fail("bad escape")
        number = int(digits, 16)
        if number > 0x10FFFF or 0xD800 <= number < 0xE000:
            self.fail("bad escape")
        self.at += length
        return chr(number)

    def _require_plain(self, text: str, allowed: str = "\t") -> str:
        """``text``, which must not hold control characters."""
        if not text.isprintable():
            for c in text:
                if (c < " " and c not in allowed) or c == "\x7f":
                    self.fail("control character")
        return text
