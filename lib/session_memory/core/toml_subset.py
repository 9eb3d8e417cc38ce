"""TOML for settings: tables, strings, whole numbers, booleans, arrays.

:mod:`tomllib` costs more than one and a half interpreter starts to import and is missing before
Python 3.11. Here the structure of a document is read in full, so that nothing inside a string is
taken for a table; but a table that holds a float or a time is refused.
"""

from session_memory.core.toml_values import Unread, Values


def read_table(text: str, name: "tuple[str, ...]") -> "dict[str, object]":
    """The table called ``name`` in a document, the whole document for ``()``.

    Empty when there is no such table. Raises :class:`ValueError`, with a line number, for what is
    not TOML or not of the kinds above.
    """
    text = text.replace("\r\n", "\n")
    found: object = Document(text).read()
    for part in name:
        found = found.get(part, {}) if isinstance(found, dict) else {}
    _require_read(found, text)
    return found if isinstance(found, dict) else {}


def _require_read(value: object, text: str) -> None:
    if isinstance(value, Unread):
        line = text.count("\n", 0, value.at) + 1
        raise ValueError(f"a number with a fraction or a time is no setting in line {line}")
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            _require_read(item, text)


class Document(Values):
    """Reads a whole document."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.root: dict[str, object] = {}
        # Tables that a header, or a dotted key, has defined.
        self.defined: set[int] = set()
        self.growing: set[int] = set()

    def read(self) -> "dict[str, object]":
        table = self.root
        made: set[int] = set()
        depth = 0
        self.skip_lines()
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                self.defined |= made
                table, depth = self._opened()
                made = set()
            else:
                self.assign(table, made, depth)
            self.end_line()
            self.skip_lines()
        return self.root

    def _opened(self) -> "tuple[dict[str, object], int]":
        """The table that the header at this place opens, and its depth."""
        self.count_item()
        if self.take("[["):
            key = self._header("]]")
            return self._next_in_array(key), len(key)
        self.need("[")
        key = self._header("]")
        return self._table(key), len(key)

    def _header(self, ending: str) -> "list[str]":
        self.skip(" \t")
        key = self.key()
        self.need(ending)
        return key

    def _table(self, key: "list[str]") -> "dict[str, object]":
        table = self._descend(key)
        if id(table) in self.defined:
            self.fail("table defined twice")
        self.defined.add(id(table))
        return table

    def _next_in_array(self, key: "list[str]") -> "dict[str, object]":
        *parts, last = key
        above = self._descend(parts)
        if last not in above:
            fresh: list[object] = []
            above[last] = fresh
            self.growing.add(id(fresh))
        tables = above[last]
        if not isinstance(tables, list) or id(tables) not in self.growing:
            self.fail("table defined twice")
        table: dict[str, object] = {}
        self.defined.add(id(table))
        tables.append(table)
        return table

    def _descend(self, key: "list[str]") -> "dict[str, object]":
        table = self.root
        for part in key:
            inner = table.setdefault(part, {})
            if isinstance(inner, list) and id(inner) in self.growing:
                inner = inner[-1]
            if not isinstance(inner, dict) or id(inner) in self.closed:
                self.fail("key defined twice")
            table = inner
        return table
