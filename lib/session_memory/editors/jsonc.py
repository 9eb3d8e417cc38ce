"""JSON with comments and trailing commas, read with the place of every value in the text.

An own reader, because settings must be edited in place. Of the libraries on the package index that
do so, one is under a licence that this bundle cannot take on and refuses trailing commas, one runs
Node.js and downloads its parser at the first use, one keeps the layout but brings a compiled
dependency and a third of a second of import time and has no operation to insert a member.
"""

import json
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MAX_DEPTH = 100
BOM = "\ufeff"

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+)
    | (?P<comment>//[^\r\n]*|/\*.*?\*/)
    | (?P<mark>[{}\[\],:])
    | (?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
    | (?P<word>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)
    """,
    re.VERBOSE | re.DOTALL,
)


class Malformed(ValueError):
    """The text is not JSON, not even with comments."""

    def __init__(self, text: str, offset: int, what: str) -> None:
        self.line = line_of(text, offset)
        super().__init__(f"line {self.line}: {what}")


class Token(NamedTuple):
    """A piece of the text that is neither space nor comment."""

    kind: str
    text: str
    start: int
    end: int


@dataclass
class Node:
    """A value: ``text[start:end]``. Of an object, ``keys`` has a key for each of ``items``."""

    kind: str
    start: int
    end: int
    key_start: int = -1
    value: Any = None
    keys: list[str] = field(default_factory=list)
    items: list["Node"] = field(default_factory=list)

    @property
    def first(self) -> int:
        """Where the value starts in its container: at its key, if it has one."""
        return self.start if self.key_start < 0 else self.key_start

    def get(self, key: str) -> "Node | None":
        """The member ``key`` of an object."""
        return self.items[self.keys.index(key)] if key in self.keys else None

    def plain(self) -> Any:
        """The value as :func:`json.loads` would give it."""
        if self.kind == "object":
            return {key: item.plain() for key, item in zip(self.keys, self.items, strict=True)}
        if self.kind == "array":
            return [item.plain() for item in self.items]
        return self.value


@dataclass(frozen=True)
class Document:
    """A parsed text. ``extension`` is the line of the first comment or trailing comma, or 0."""

    text: str
    root: Node
    ends: list[int]
    comments: list[int]
    extension: int

    def content_end(self, before: int) -> int:
        """Where the last token or comment ends that lies before ``before``."""
        return self.ends[bisect_right(self.ends, before) - 1]

    def has_comment(self, node: Node, besides: list[Node]) -> bool:
        """Whether a comment starts within ``node``, but in none of ``besides``."""
        return self._count(node) > sum(map(self._count, besides))

    def ends_in_line_comment(self, end: int) -> bool:
        """Whether a comment that runs to the end of its line ends at ``end``."""
        before = bisect_left(self.comments, end) - 1
        comment = self.text[self.comments[before] : end] if before >= 0 else ""
        ends_here = self.content_end(end) == end
        return ends_here and comment.startswith("//") and not ("\n" in comment or "\r" in comment)

    def _count(self, node: Node) -> int:
        """How many comments start within ``node``."""
        return bisect_left(self.comments, node.end) - bisect_left(self.comments, node.first)

    def line(self, node: Node) -> int:
        """The line that ``node`` starts on, from 1."""
        return line_of(self.text, node.first)


def line_of(text: str, offset: int) -> int:
    """The line of ``offset``, from 1."""
    return len(re.findall(r"\r\n|\r|\n", text[:offset])) + 1


def parse(text: str) -> Document:
    """Read ``text``, a byte-order mark included; raises :class:`Malformed`."""
    return _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.ends: list[int] = []
        self.comments: list[int] = []
        self.extension = len(text)
        self.at = 0
        self._split()

    def document(self) -> Document:
        root = self._value(0)
        self._expect("end", "nothing after the value")
        found = self.extension < len(self.text)
        line = line_of(self.text, self.extension) if found else 0
        return Document(self.text, root, self.ends, self.comments, line)

    def _split(self) -> None:
        at = len(BOM) if self.text.startswith(BOM) else 0
        while at < len(self.text):
            found = _TOKEN.match(self.text, at)
            if not found:
                raise Malformed(self.text, at, f"unexpected {self.text[at : at + 12]!r}")
            kind = str(found.lastgroup)
            if kind == "comment":
                self.comments.append(at)
                self._extend(at)
            elif kind != "space":
                self.tokens.append(Token(kind, found[0], at, found.end()))
            if kind != "space":
                self.ends.append(found.end())
            at = found.end()
        self.tokens.append(Token("end", "the end of the file", at, at))

    def _extend(self, offset: int) -> None:
        self.extension = min(self.extension, offset)

    def _peek(self) -> str:
        token = self.tokens[self.at]
        return token.text if token.kind == "mark" else token.kind

    def _next(self) -> Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def _expect(self, wanted: str, words: str) -> Token:
        if self._peek() != wanted:
            self._fail(words)
        return self._next()

    def _fail(self, words: str) -> None:
        token = self.tokens[self.at]
        raise Malformed(self.text, token.start, f"expected {words}, found {token.text[:40]}")

    def _value(self, depth: int) -> Node:
        if depth >= MAX_DEPTH:
            raise Malformed(self.text, self.tokens[self.at].start, "nested too deeply")
        kind = self._peek()
        if kind == "{":
            return self._container(Node("object", 0, 0), "}", depth)
        if kind == "[":
            return self._container(Node("array", 0, 0), "]", depth)
        if kind not in ("string", "word"):
            self._fail("a value")
        token = self._next()
        # As a float, since Python refuses to read an integer of thousands of digits.
        value = json.loads(token.text, parse_int=float)
        return Node("scalar", token.start, token.end, value=value)

    def _container(self, node: Node, closer: str, depth: int) -> Node:
        node.start = self._next().start
        while self._peek() != closer:
            self._item(node, depth)
            if self._peek() == ",":
                comma = self._next()
                if self._peek() == closer:
                    self._extend(comma.start)
            elif self._peek() != closer:
                self._fail(f"a comma or {closer}")
        node.end = self._next().end
        return node

    def _item(self, node: Node, depth: int) -> None:
        key = None
        if node.kind == "object":
            key = self._expect("string", "a key in double quotes")
            self._expect(":", "a colon")
        item = self._value(depth + 1)
        if key:
            item.key_start = key.start
            node.keys.append(json.loads(key.text))
        node.items.append(item)
