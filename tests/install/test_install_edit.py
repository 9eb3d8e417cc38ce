"""Changing one value, with the layout of what surrounds it."""

import pytest

from session_memory.editors import jsonc
from session_memory.install import edit


def insert(text: str) -> str:
    document = jsonc.parse(text)
    return edit.apply(text, edit.insert(document, document.root, [("new", [1])]))


def remove(text: str, *indices: int) -> str:
    document = jsonc.parse(text)
    return edit.apply(text, edit.remove(document, document.root, indices))


# The text, and the text with the member "new" added to the outermost object.
INSERTIONS = {
    "empty": ("{}", '{\n  "new": [\n    1\n  ]\n}'),
    "empty with a line end": ("{\n}\n", '{\n  "new": [\n    1\n  ]\n}\n'),
    "blank": ("{ }", '{\n  "new": [\n    1\n  ]\n}'),
    "two spaces": ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "new": [\n    1\n  ]\n}\n'),
    "four spaces": ('{\n    "a": 1\n}', '{\n    "a": 1,\n    "new": [\n        1\n    ]\n}'),
    "tabs": ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"new": [\n\t\t1\n\t]\n}'),
    "windows": ('{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "new": [\r\n    1\r\n  ]\r\n}'),
    "one line": ('{"a": 1, "b": 2}', '{"a": 1, "b": 2, "new": [1]}'),
    "minified": ('{"a":1,"b":{"c":2}}', '{"a":1,"b":{"c":2},"new":[1]}'),
    "trailing comma": ('{\n  "a": 1,\n}', '{\n  "a": 1,\n  "new": [\n    1\n  ],\n}'),
    "comment after the last": (
        '{\n  "a": 1 // one\n}',
        '{\n  "a": 1, // one\n  "new": [\n    1\n  ]\n}',
    ),
    "comment before the end": (
        '{\n  "a": 1\n  /* end */\n}',
        '{\n  "a": 1\n  /* end */,\n  "new": [\n    1\n  ]\n}'.replace(
            "1\n  /*", "1,\n  /*"
        ).replace("*/,", "*/"),
    ),
    "nothing but a comment": ("{\n  // x\n}", '{\n  // x\n  "new": [\n    1\n  ]\n}'),
    "nothing but a comment on the line": ("{ /* x */ }", '{ /* x */\n  "new": [\n    1\n  ]\n}'),
    "closer on the last line": (
        '{\n "a": 1,\n "b": 2}',
        '{\n "a": 1,\n "b": 2,\n "new": [\n  1\n ]}',
    ),
}


@pytest.mark.parametrize(("before", "after"), INSERTIONS.values(), ids=INSERTIONS)
def test_insert(before: str, after: str) -> None:
    assert insert(before) == after


@pytest.mark.parametrize("before", [b for b, _ in INSERTIONS.values()], ids=INSERTIONS)
def test_remove_undoes_insert(before: str) -> None:
    changed = insert(before)
    undone = remove(changed, len(jsonc.parse(changed).root.items) - 1)
    if jsonc.parse(before).root.items:
        assert undone == before
    else:
        assert "".join(undone.split()) == "".join(before.split())


REMOVALS = {
    "first of two lines": ("[\n  1,\n  2\n]", 0, "[\n  2\n]"),
    "last of two lines": ("[\n  1,\n  2\n]", 1, "[\n  1\n]"),
    "middle": ("[\n  1,\n  2,\n  3\n]", 1, "[\n  1,\n  3\n]"),
    "first on the line": ("[1, 2]", 0, "[2]"),
    "last on the line": ("[1, 2]", 1, "[1]"),
    "minified": ("[1,2,3]", 1, "[1,3]"),
    "only": ("[ 1 ]", 0, "[ ]"),
    "trailing comma": ("[\n  1,\n  2,\n]", 1, "[\n  1,\n]"),
    "comments stay": ("[1 /* a */, /* b */ 2 /* c */]", 1, "[1 /* a */ /* b */ /* c */]"),
    "line comment before": ("[ // a\n1]", 0, "[ // a\n]"),
    "line comment before the next": ("[ // a\n1,2]", 0, "[ // a\n2]"),
    "line comment after a comma": ("[1, // a\n2]", 1, "[1 // a\n]"),
    "comment before stays": ("[\n  // a\n  1,\n  2\n]", 0, "[\n  // a\n  2\n]"),
}


@pytest.mark.parametrize(("before", "index", "after"), REMOVALS.values(), ids=REMOVALS)
def test_remove(before: str, index: int, after: str) -> None:
    assert remove(before, index) == after


SEVERAL = {
    "all": ("[\n  1,\n  2\n]", (0, 1), "[\n]"),
    "all on the line": ("[1, 2, 3]", (0, 1, 2), "[]"),
    "first two on the line": ("[1, 2, 3]", (0, 1), "[3]"),
    "last two on the line": ("[1, 2, 3]", (1, 2), "[1]"),
    "both ends": ("[1, 2, 3]", (0, 2), "[2]"),
    "last two of lines": ("[\n  1,\n  2,\n  3\n]", (1, 2), "[\n  1\n]"),
    "first two of lines": ("[\n  1,\n  2,\n  3\n]", (0, 1), "[\n  3\n]"),
    "trailing comma": ("[\n  1,\n  2,\n  3,\n]", (1, 2), "[\n  1,\n]"),
    "line comment before lines": ("[ // a\n1,\n2]", (0, 1), "[ // a\n]"),
    "line comment between": ("[1, // a\n2, // b\n3]", (1, 2), "[1 // a\n // b\n]"),
    "comments stay": ("[1, /* a */ 2, // b\n3 /* c */]", (1, 2), "[1 /* a */ // b\n /* c */]"),
}


@pytest.mark.parametrize(("before", "indices", "after"), SEVERAL.values(), ids=SEVERAL)
def test_remove_several(before: str, indices: tuple[int, ...], after: str) -> None:
    assert remove(before, *indices) == after


@pytest.mark.parametrize(("before", "indices"), [v[:2] for v in SEVERAL.values()], ids=SEVERAL)
def test_remove_several_is_to_remove_one_after_the_other(
    before: str, indices: tuple[int, ...]
) -> None:
    one_by_one = before
    for removed, index in enumerate(indices):
        one_by_one = remove(one_by_one, index - removed)
    assert remove(before, *indices) == one_by_one


REPLACEMENTS = {
    "lines": ('{\n\t"a": {\n\t\t"b": 1\n\t}\n}', '{\n\t"a": {\n\t\t"c": 2\n\t}\n}'),
    "one line": ('{"a":{"b":1}}', '{"a":{"c":2}}'),
    "null": ('{\n  "a": null // x\n}', '{\n  "a": {\n    "c": 2\n  } // x\n}'),
}


@pytest.mark.parametrize(("before", "after"), REPLACEMENTS.values(), ids=REPLACEMENTS)
def test_replace(before: str, after: str) -> None:
    document = jsonc.parse(before)
    change = edit.replace(document, document.root.items[0], {"c": 2})
    assert edit.apply(before, [change]) == after


@pytest.mark.parametrize("gap", [" ", "// x\n", "/**/"], ids=["blanks", "lines", "blocks"])
def test_a_long_gap_behind_the_last_item_takes_no_time(gap: str) -> None:
    assert jsonc.parse(insert('{"a": 1' + gap * 2000 + "}")).root.items
