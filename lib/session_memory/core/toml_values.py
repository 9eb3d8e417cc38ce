"""The keys and values of TOML documents.

Strings, whole numbers, booleans, arrays and inline tables are read; floats and times are only
recognised, so that what follows them is read rightly.
"""

from session_memory.core.toml_strings import Strings

MAX_DEPTH = 32
# Tables and values of a document. The largest projects have a few thousand.
MAX_ITEMS = 10_000
# Some versions of Python take a second for the number that fills a file.
MAX_DIGITS = 100

_BARE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_DIGITS = {"0x": "0123456789abcdefABCDEF", "0o": "01234567", "0b": "01"}
_BASES = {"0x": 16, "0o": 8, "0b": 2}
_UNREAD = frozenset("0123456789+-.:_eETZtz")


class Unread:
    """A float or a time, which ends at the offset ``at``."""

    __slots__ = ("at",)

    def __init__(self, at: int) -> None:
        self.at = at


class Values(Strings):
    """Reads keys and values."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        # Containers that are written in one piece are closed to later additions. The tree keeps
        # them alive, so their ids stay theirs.
        self.closed: set[int] = set()
        self.items = 0

    def count_item(self) -> None:
        self.items += 1
        if self.items > MAX_ITEMS:
            self.fail(f"more than {MAX_ITEMS} tables and values")

    def key(self) -> "list[str]":
        parts = [self._key_part()]
        self.skip(" \t")
        while self.take("."):
            self.skip(" \t")
            parts.append(self._key_part())
            self.skip(" \t")
            self.require_depth(len(parts))
        return parts

    def require_depth(self, depth: int) -> None:
        """Headers, dotted keys, arrays and inline tables all add to the depth of a value."""
        if depth > MAX_DEPTH:
            self.fail("nested too deeply")

    def _key_part(self) -> str:
        if self.text.startswith(('"', "'"), self.at):
            return self.one_line(self.text[self.at])
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in _BARE:
            self.at += 1
        if start == self.at:
            self.fail("expected a key")
        return self.text[start : self.at]

    def value(self, depth: int = 0) -> object:
        self.require_depth(depth)
        self.count_item()
        for quote in ('"', "'"):
            if self.text.startswith(quote * 3, self.at):
                return self.many_lines(quote)
            if self.text.startswith(quote, self.at):
                return self.one_line(quote)
        if self.take("["):
            return self._array(depth)
        if self.take("{"):
            return self._inline_table(depth)
        return self._word()

    def _array(self, depth: int) -> "list[object]":
        items: list[object] = []
        self.closed.add(id(items))
        self.skip_lines()
        while not self.take("]"):
            items.append(self.value(depth + 1))
            self.skip_lines()
            if not self.take(","):
                self.need("]")
                break
            self.skip_lines()
        return items

    def _inline_table(self, depth: int) -> "dict[str, object]":
        table: dict[str, object] = {}
        made: set[int] = set()
        self.skip(" \t")
        more = not self.take("}")
        while more:
            self.skip(" \t")
            self.assign(table, made, depth + 1)
            self.skip(" \t")
            more = self.take(",")
            if not more:
                self.need("}")
        self.closed |= made | {id(table)}
        return table

    def assign(self, table: "dict[str, object]", made: "set[int]", depth: int = 0) -> None:
        """Read ``key = value`` into ``table``; ``made`` are the tables that dotted keys made."""
        *parts, last = self.key()
        depth += len(parts)
        self.require_depth(depth)
        self.need("=")
        self.skip(" \t")
        for part in parts:
            inner = table.get(part)
            if inner is None:
                inner = {}
                made.add(id(inner))
                table[part] = inner
            if not isinstance(inner, dict) or id(inner) not in made:
                self.fail("key defined twice")
            table = inner
        if last in table:
            self.fail("key defined twice")
        table[last] = self.value(depth)

    def _word(self) -> object:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in ",]}#\n":
            self.at += 1
        word = self.text[start : self.at].rstrip(" \t")
        self.at = start + len(word)
        if word in ("true", "false"):
            return word == "true"
        number = _whole_number(word)
        if number is not None:
            return number
        if word.lstrip("+-") in ("inf", "nan") or _looks_unread(word):
            return Unread(self.at)
        return self.fail("expected a value")


def _whole_number(word: str) -> "int | None":
    prefix = word[:2]
    if prefix in _BASES:
        return _joined(word[2:], _DIGITS[prefix], _BASES[prefix])
    digits = word[1:] if word[:1] in ("+", "-") else word
    if len(digits) > 1 and digits.startswith("0"):
        return None
    number = _joined(digits, "0123456789", 10)
    return -number if number and word.startswith("-") else number


def _joined(text: str, digits: str, base: int) -> "int | None":
    """The number in groups of digits, which single underscores part."""
    groups = text.split("_")
    if not all([group and set(digits).issuperset(group) for group in groups]):
        return None
    joined = "".join(groups)
    return int(joined, base) if len(joined) <= MAX_DIGITS else None


def _looks_unread(word: str) -> bool:
    """Whether this is a float or a time, as far as it matters."""
    number = word.lstrip("+-")[:1].isdigit()
    dotted = any([c in word[1:] for c in ".:-eE"])
    return number and dotted and _UNREAD.issuperset(word.replace(" ", ""))
