"""The Markdown pages that people read, taken apart for the tests."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support import ROOT

README = ROOT / "README.md"
PAGES = (README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))

_FENCED = re.compile(r"^(`{3,})(\w*)[^\n]*\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of ``language`` on ``page``."""

    page: Path
    language: str
    text: str

    @property
    def label(self) -> str:
        """For the ids of tests."""
        return f"{name_of(self.page)}: {self.text.split(chr(10))[0][:40]}"


def name_of(page: Path) -> str:
    """The path of a page from the root of the clone."""
    return page.relative_to(ROOT).as_posix()


def blocks(language: str, *pages: Path) -> list[Block]:
    """The fenced blocks of ``language`` on ``pages``, or on all of them."""
    return [
        Block(page, language, text)
        for page in pages or PAGES
        for _, found, text in _FENCED.findall(page.read_text("utf-8"))
        if found == language
    ]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCED.sub("", page.read_text("utf-8"))


def code_spans(page: Path) -> list[str]:
    """The code spans in the prose of a page."""
    return _CODE.findall(prose(page))


def links(page: Path) -> list[str]:
    """The targets of a page's links."""
    return _LINK.findall(_CODE.sub("", prose(page)))


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    plain = [re.sub(r"[^\w\- ]", "", title.lower()) for title in _HEADING.findall(prose(page))]
    return {title.replace(" ", "-") for title in plain}


def commands(page: Path) -> Iterator[str]:
    """Every command line of ours on a page, in shell blocks and in code spans."""
    shell = [block.text.replace("\\\n", " ") for block in blocks("sh", page)]
    lines = [line for text in shell for line in text.splitlines()]
    for text in [*lines, *code_spans(page)]:
        found = re.match(r"(?:\S+/)?session-memory\s+([^#<>|]+)", text)
        if found:
            yield found[1].strip()
