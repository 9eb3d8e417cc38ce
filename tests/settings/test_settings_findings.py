"""What is wrong with a file of settings, with its line."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from session_memory.core.settings import MAX_BYTES, OWN, PROJECT, USER
from session_memory.settings import findings
from session_memory.settings.files import SettingsFile, files_of_repository, read_files
from session_memory.settings.lines import Lines

HEADER = "[tool.session-memory]\n"


def own(root: Path, text: "str | bytes") -> SettingsFile:
    data = text.encode() if isinstance(text, str) else text
    (root / OWN).write_bytes(data)
    return files_of_repository(str(root))[1]


def told(file: SettingsFile) -> list[tuple[str, str, int]]:
    return [(one.severity, one.code, one.line) for one in findings.of_file(file)]


GOOD = {
    "absent table": "[project]\nx = 1.5\n",
    "all": HEADER
    + 'enabled = true\nbump_command = "x"\nmanaged_files = [{path = "a", pattern = "(VERSION)"}]\n'
    + "gates.enabled = false\nhygiene.enabled = true\nstartup = {enabled = true, network = true}\n"
    + '[tool.session-memory.references]\nenabled = true\nmatch = "any"\n',
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_good_file(tmp_path: Path, text: str) -> None:
    (tmp_path / PROJECT).write_text(text)
    assert told(files_of_repository(str(tmp_path))[0]) == []


def test_absent_files(tmp_path: Path) -> None:
    files = read_files(str(tmp_path), lambda _: "")
    assert [(file.name, file.exists) for file in files] == [
        (USER, False),
        (PROJECT, False),
        (OWN, False),
    ]
    assert list(findings.of_files(files)) == []


BAD: dict[str, tuple[str, list[tuple[str, str, int]]]] = {
    "no TOML": ("\n\na = \n", [("error", findings.UNUSABLE, 3)]),
    "fraction": ("enabled = true\nx = [\n1.5]\n", [("error", findings.UNUSABLE, 3)]),
    "too deep": ("\na" + ".a" * 40 + " = 1\n", [("error", findings.UNUSABLE, 2)]),
    "unknown": ("\nbump = 1\n", [("warning", findings.UNKNOWN, 2)]),
    "unknown in a table": ("[gates]\n\nnetwork = true\n", [("warning", findings.UNKNOWN, 3)]),
    "dotted": ("enabled = true\nstartup.network = 1\n", [("error", findings.INVALID, 2)]),
    "no table": ("\n\ngates = 5\n", [("error", findings.INVALID, 3)]),
    "in order": (
        'x = 1\n[startup]\nenabled = "no"\n[references]\nmatch = "x"\n',
        [
            ("warning", findings.UNKNOWN, 1),
            ("error", findings.INVALID, 3),
            ("error", findings.INVALID, 5),
        ],
    ),
    "second of a list": (
        """managed_files = [\n{path = "a", pattern = "(VERSION)"},
{path = "../b", pattern = "(VERSION)"},\n]\n""",
        [("error", findings.INVALID, 3)],
    ),
    "second table of a list": (
        '[[managed_files]]\npath = "a"\npattern = "(VERSION)"\n[[managed_files]]\npath = "a"\n',
        [("error", findings.INVALID, 4)],
    ),
    "unknown in a list": (
        'managed_files = [\n  {path = "a", pattern = "(VERSION)", x = 1},\n]\n',
        [("error", findings.INVALID, 1)],
    ),
}


@pytest.mark.parametrize(("text", "expected"), BAD.values(), ids=BAD)
def test_bad_file(tmp_path: Path, text: str, expected: list[tuple[str, str, int]]) -> None:
    assert told(own(tmp_path, text)) == expected


def test_lines_of_a_table_in_the_project(tmp_path: Path) -> None:
    (tmp_path / PROJECT).write_text(f"[project]\r\ngates = 1\r\n\r\n{HEADER}gates = 1\n")
    assert told(files_of_repository(str(tmp_path))[0]) == [("error", findings.INVALID, 5)]


INSTEAD = {
    "gates = 1": "gates.enabled = false counts",
    "enabled = 1": "false counts",
    "startup.network = 1": "false counts",
    "references.match = 1": '"labels" counts',
    "bump_command = 1": '".github/scripts/bump-version.ps1" counts',
    "managed_files = []": "the default counts",
    "x = 1": "it is ignored",
    "x = 1.5": "all of the file is ignored",
}


@pytest.mark.parametrize(("text", "used"), INSTEAD.items())
def test_what_counts_instead(tmp_path: Path, text: str, used: str) -> None:
    (found,) = findings.of_file(own(tmp_path, text))
    assert found.used == used


@pytest.mark.parametrize("key", ["bump_command", "managed_files"])
def test_key_in_the_wrong_file(tmp_path: Path, key: str) -> None:
    path = tmp_path / "session-memory" / "settings.toml"
    path.parent.mkdir()
    path.write_text(f"enabled = true\n{key} = 7\n")
    (file,) = read_files("", lambda name: str(tmp_path) if name == "XDG_CONFIG_HOME" else "")
    assert told(file) == [("error", findings.MISPLACED, 2)]


def test_file_in_the_place_of_the_users_folder(tmp_path: Path) -> None:
    (tmp_path / "session-memory").write_text("")
    (file,) = read_files("", lambda name: str(tmp_path) if name == "XDG_CONFIG_HOME" else "")
    assert told(file) == [("error", findings.UNUSABLE, 0)]
    assert file.problem == "Not a directory"


@pytest.mark.parametrize(
    ("text", "ours"),
    [("a = 1.5\n", True), ("a = 1979-05-27\n", True), ("a = \n", False), ("a = 1\na = 2\n", False)],
)
def test_toml_that_hooks_do_not_read_is_told_apart(tmp_path: Path, text: str, ours: bool) -> None:
    pytest.importorskip("tomllib")
    (found,) = findings.of_file(own(tmp_path, text))
    assert found.message.endswith("; this is TOML, but more than hooks read") == ours


PLANTED: dict[str, Callable[[Path], object]] = {
    "link": lambda path: path.symlink_to("/etc/passwd"),
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "folder": lambda path: path.mkdir(),
    "large": lambda path: path.write_text("#" * (MAX_BYTES + 1)),
    "no text": lambda path: path.write_bytes(b"a = '\xff'"),
}


@pytest.mark.parametrize("plant", PLANTED.values(), ids=PLANTED)
def test_planted_file(tmp_path: Path, plant: Callable[[Path], object]) -> None:
    plant(tmp_path / OWN)
    file = files_of_repository(str(tmp_path))[1]
    assert told(file) == [("error", findings.UNUSABLE, 0)]
    assert "root:" not in file.problem


HOSTILE = {
    "many unknown keys": "".join(f"k{number} = 1\n" for number in range(2500)),
    "huge key": "k" * (MAX_BYTES - 10) + " = 1",
    "huge value": f'bump_command = "{"x" * (MAX_BYTES - 20)}"',
    "dots": "a" + ".a" * (MAX_BYTES // 2 - 10),
    "brackets": "a = " + "[" * (MAX_BYTES - 10),
    "huge number": "a = " + "9" * (MAX_BYTES - 10),
    "list of values": "managed_files = [" + "1," * 9000 + "]",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_file_costs_little_and_says_little(tmp_path: Path, text: str) -> None:
    start = time.process_time()
    found = list(findings.of_file(own(tmp_path, text)))
    assert time.process_time() - start < 2
    assert 0 < len(found) <= 21
    assert all(len(one.message) <= 300 for one in found)


def test_environment() -> None:
    environ = {
        "SESSION_MEMORY_NETWORK": "please",
        "SESSION_MEMORY_DISABLED": "1",
        "SESSION_MEMORY_PYTHON": "/x",
        "OTHER": "1",
    }
    found = [(one.code, one.message, one.used) for one in findings.of_environment(environ)]
    assert found == [
        (findings.INVALID, "SESSION_MEMORY_NETWORK is neither 1 nor 0", "taken as 0"),
        (
            findings.UNKNOWN,
            "there is no variable called SESSION_MEMORY_DISABLED",
            "it is ignored",
        ),
    ]


# --- lines of keys

TEXT = """\
a = 1
b.c = {d = 1, 'e f' = 2}

[g]
h = [
  {i = 1},
  {i = 2},
]
[[j]]
k = 1
[[j]]
k = 2
[l."m.n"]
o = '''
p = 1
'''
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("a",), 1),
        (("b", "c"), 2),
        (("b", "c", "e f"), 2),
        (("b", "c", "x"), 2),
        (("g",), 4),
        (("g", "h", 0, "i"), 6),
        (("g", "h", 1, "i"), 7),
        (("j", 1), 11),
        (("j", 1, "k"), 12),
        (("l", "m.n", "o"), 14),
        (("p",), 0),
        ((), 0),
    ],
    ids=str,
)
def test_line(path: tuple[object, ...], line: int) -> None:
    assert Lines(TEXT, ()).find(path) == line
