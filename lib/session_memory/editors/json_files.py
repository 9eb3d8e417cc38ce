"""JSON files of other programs, read with what is wrong with them."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from session_memory.core.system import read_file
from session_memory.editors import jsonc

_MAX_BYTES = 4 << 20
UNREADABLE = "it cannot be read"
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class JsonFile:
    """``text`` is what the file holds, ``fault`` why ``value`` could not be had from it."""

    path: Path
    exists: bool
    value: dict[str, Any]
    text: str = ""
    fault: str = ""
    bom: bool = False


def read(path: Path, comments: bool = False) -> JsonFile:
    """Read ``path``; with ``comments``, these are allowed, and commas that close a list."""
    data = read_file(str(path), _MAX_BYTES)
    if data is None:
        exists = os.path.exists(path)
        return JsonFile(path, exists, {}, fault=UNREADABLE if exists else "")
    text = data.decode("utf-8-sig", "replace")
    parse = _parse_with_comments if comments else _parse
    value, fault = parse(text) if text.strip() else ({}, "")
    return JsonFile(path, True, value, text, fault, data.startswith(_BOM))


def member(value: object, *names: str) -> dict[str, Any]:
    """The object below ``names``; empty when there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _parse(text: str) -> "tuple[dict[str, Any], str]":
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f" at line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        return {}, _extension(text) or f"it is not JSON{place}"
    return (value, "") if isinstance(value, dict) else ({}, "it is not a JSON object")


def _parse_with_comments(text: str) -> "tuple[dict[str, Any], str]":
    try:
        value = jsonc.parse(text).root.plain()
    except jsonc.Malformed as error:
        return {}, f"it is not JSON at line {error.line}"
    return (value, "") if isinstance(value, dict) else ({}, "it is not a JSON object")


def _extension(text: str) -> str:
    """What keeps a text from being JSON that is so but for comments and commas."""
    try:
        line = jsonc.parse(text).extension
    except jsonc.Malformed:
        return ""
    return f"line {line} has a comment, or a comma with nothing after it" if line else ""
