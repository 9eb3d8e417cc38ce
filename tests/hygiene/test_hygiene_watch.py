"""Which files an edit touched, and which of them are entry points."""

import json
from typing import Any

import pytest

from session_memory.core.payload import Event
from session_memory.hygiene import ENTRY_POINTS, is_entry_point, may_be_entry_point
from session_memory.hygiene.watch import absolute, touched_files

PATCH = """*** Begin Patch
*** Add File: agents/new.md
+*** Add File: in/the/content.md
*** Update File: skills/a/SKILL.md
*** Move to: skills/b/SKILL.md
@@
-x
+y
*** Delete File: commands/old.md
*** End Patch
"""
PATCHED = ["agents/new.md", "skills/a/SKILL.md", "skills/b/SKILL.md", "commands/old.md"]

ARGUMENTS: dict[str, tuple[Any, list[str]]] = {
    "claude edit": ({"file_path": "/r/a.md", "old_string": "x"}, ["/r/a.md"]),
    "claude notebook": ({"notebook_path": "/r/a.ipynb"}, ["/r/a.ipynb"]),
    "claude multi-edit": (
        {"file_path": "/r/a.md", "edits": [{"old_string": "x", "new_string": "y"}]},
        ["/r/a.md"],
    ),
    "copilot": ({"path": "a.md", "old_str": "x"}, ["/cwd/a.md"]),
    "copilot json text": ('{"path":"README.md"}', ["/cwd/README.md"]),
    "text that is no json": ("README.md", []),
    "vs code": ({"filePath": "/r/a.md", "newString": "x"}, ["/r/a.md"]),
    "vs code replacements": (
        {"explanation": "x", "replacements": [{"filePath": "/r/a"}, {"filePath": "/r/b"}]},
        ["/r/a", "/r/b"],
    ),
    "file objects": ({"files": [{"filePath": "a"}, {"path": "b"}]}, ["/cwd/a", "/cwd/b"]),
    "file names": ({"files": ["a", "b", "a"]}, ["/cwd/a", "/cwd/b"]),
    "edits with their own paths": ({"edits": [{"file_path": "a"}, "b"]}, ["/cwd/a"]),
    "patch as text": (PATCH, ["/cwd/" + path for path in PATCHED]),
    "patch as input": ({"input": PATCH}, ["/cwd/" + path for path in PATCHED]),
    "patch with windows line ends": (PATCH.replace("\n", "\r\n"), ["/cwd/" + p for p in PATCHED]),
    "patch member": ({"patch": PATCH}, ["/cwd/" + path for path in PATCHED]),
    "wrong types": ({"file_path": 1, "files": {"a": "b"}, "edits": [None, 1], "input": []}, []),
    "nothing": ({}, []),
    "no arguments": (None, []),
    "a list": (["/r/a.md"], []),
    "unusable names": ({"files": ["", "a\0b", "x" * 5000, "ok"]}, ["/cwd/ok"]),
}


@pytest.mark.parametrize(("arguments", "wanted"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_touched_files(arguments: Any, wanted: list[str]) -> None:
    event = Event({"tool_name": "Edit", "tool_input": arguments})
    assert touched_files(event.tool_arguments(), "/cwd") == wanted


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("/r/a/../b.md", "/r/b.md"),
        ("./b.md", "/cwd/b.md"),
        ("../b.md", "/b.md"),
        ("../../../b.md", "/b.md"),
        ("/r//a/./b.md", "/r/a/b.md"),
        ("/r/.github/b.md", "/r/.github/b.md"),
        ("skills\\a\\SKILL.md", "/cwd/skills/a/SKILL.md"),
        ("/r/100%#.md", "/r/100%#.md"),
    ],
)
def test_absolute(path: str, wanted: str) -> None:
    assert absolute(path, "/cwd") == wanted


def test_relative_path_without_a_folder_is_nowhere() -> None:
    assert absolute("a.md", "") == ""


INSIDE = [
    *("agents/a.md", "Agents/Deep/A.MD", "commands/c.md", "skills/x/SKILL.md", "hooks/run"),
    *(".claude-plugin/plugin.json", "plugin.json", "readme.md", ".github/Copilot-Instructions.md"),
    *("./agents/a.md", "skills\\x\\SKILL.md"),
]
OUTSIDE = [
    *("src/app.py", "docs/agents/a.md", "plugin.json.bak", "docs/README.md", "agents.md"),
    *(".github/plugin/marketplace.json", "hooks.json", ".claude-plugin", "././agents/a.md", ""),
]


@pytest.mark.parametrize("path", INSIDE)
def test_entry_point(path: str) -> None:
    assert is_entry_point(path)
    assert may_be_entry_point(absolute(path, "/home/dev/repo"))


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_entry_point(path: str) -> None:
    assert not is_entry_point(path)


@pytest.mark.parametrize("path", ["/r/src/app.py", "/r/plugin.json.bak", "/r/my-agents/a.md"])
def test_most_paths_cannot_be_entry_points(path: str) -> None:
    assert not may_be_entry_point(path)


def test_every_entry_point_passes_the_first_test() -> None:
    for name in ENTRY_POINTS:
        assert may_be_entry_point("/r/" + name.replace("**", "x/y"))


def test_five_megabytes_of_patch_are_read_quickly() -> None:
    text = json.dumps({"input": "*** Update File: agents/a.md\n" + "+x\n" * 1_700_000})
    event = Event({"tool_name": "apply_patch", "tool_input": text})
    assert touched_files(event.tool_arguments(), "/r") == ["/r/agents/a.md"]


def test_a_path_of_more_folders_than_any_work_tree_has() -> None:
    assert absolute("a/" * 70 + "agents/a.md", "/r") == ""
