"""Settings of a repository, and the TOML reader below them."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session_memory.core.settings import MAX_BYTES, MAX_PROJECT_BYTES, OWN, PROJECT, read_settings
from session_memory.core.toml_subset import read_table
from session_memory.core.toml_values import MAX_DIGITS, MAX_ITEMS

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

TABLE = ("tool", "session-memory")


def by_tomllib(text: str, name: tuple[str, ...] = ()) -> Any:
    found: Any = tomllib.loads(text)
    for part in name:
        found = found.get(part, {})
    return found


# --- the reader

VALID = {
    "empty": "",
    "comment without line end": "# nothing",
    "basic string": r'a = "x \" \\ \t é \U0001F600"',
    "literal string": r"a = 'C:\new'",
    "many lines": 'a = """\nx\\\n   y\n"z""""',
    "literal lines": "a = '''\nx\n''y'''''",
    "numbers": "a = [0, -0, +7, 1_000, 0xfF, 0o17, 0b11]",
    "booleans": "a = true\nb = false",
    "array over lines": 'a = [ # one\n  "x", # two\n  "y",\n]',
    "inline table": 'a = { b = 1, "c d" = "x", e.f = true }',
    "inline tables in an array": 'a = [{ path = "p", minimum = 2 }, {}]',
    "dotted keys": 'a.b = 1\na."c.d" = 2\n\n[e]\nf . g = 3',
    "sub-table first": "[a.b]\nx = 1\n[a]\ny = 2",
    "array of tables": "[[a]]\nx = 1\n[[a]]\n[a.b]\ny = 2\n[[a.c]]\n",
    "windows line ends": 'a = 1\r\n[b]\r\nc = """x\r\ny"""\r\n',
    "header in a string": '[x]\na = """\n[tool.session-memory]\nb = 1\n"""\n',
    "header in an array": '[x]\na = [\n["y"],\n[1]\n]\n',
    "no space": 'a="x"\n[ b . "c" ]\nd=[1,2,]',
}

INVALID = {
    "no value": "a =",
    "no key": "= 1",
    "bare word": "a = yes",
    "leading zero": "a = 01",
    "underscore at the end": "a = 1_",
    "two keys": "a = 1\na = 2",
    "two tables": "[a]\n[a]",
    "table over a value": "a = 1\n[a]",
    "table over an inline table": "a = {}\n[a.b]",
    "key into an inline table": "a = {}\na.b = 1",
    "key into a table": "[a.b]\n[a]\nb.c = 1",
    "array of tables over an array": "a = []\n[[a]]",
    "array of tables over a table": "[a]\n[[a]]",
    "table over dotted keys": "a.b = 1\n[a]",
    "line end in a string": 'a = "x\ny"',
    "string without end": 'a = "x',
    "many lines without end": 'a = """x',
    "literal lines without end": "a = '''x",
    "unknown escape": r'a = "\q"',
    "surrogate": r'a = "\ud800"',
    "beyond unicode": r'a = "\U00110000"',
    "short escape": r'a = "\u00"',
    "blank after a backslash": 'a = """x\\ y"""',
    "control character": 'a = "\x01"',
    "control character in a comment": "# \x7f",
    "array without end": "a = [1",
    "inline table over lines": "a = {\nb = 1}",
    "comma at the end of an inline table": "a = { b = 1, }",
    "two on a line": "a = 1 b = 2",
    "header without end": "[a",
    "empty header": "[]",
    "carriage return": "a = 1\rb = 2",
}


@pytest.mark.parametrize("text", VALID.values(), ids=VALID)
def test_reader_agrees_with_tomllib(text: str) -> None:
    assert read_table(text, ()) == by_tomllib(text)


@pytest.mark.parametrize("text", INVALID.values(), ids=INVALID)
def test_reader_refuses_what_tomllib_refuses(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
    with pytest.raises(ValueError, match="in line"):
        read_table(text, ())


@pytest.mark.parametrize("value", ["1.5", "-1e9", "inf", "-nan", "1979-05-27", "07:32:00"])
def test_floats_and_times_elsewhere_are_gone_over(value: str) -> None:
    text = f"x = {value}\n[y]\nz = [{value}, {value}] # c\n[tool.session-memory]\na = 1\n"
    assert read_table(text, TABLE) == {"a": 1}


@pytest.mark.parametrize("value", ["1.5", "[1979-05-27 07:32:00Z]", "{ b = inf }"])
def test_floats_and_times_are_no_settings(value: str) -> None:
    with pytest.raises(ValueError, match=r"no setting in line 2$"):
        read_table(f"[tool.session-memory]\na = {value}\n", TABLE)


@pytest.mark.parametrize("opening", ["[", "{a=", '{"a"='])
def test_deep_nesting_is_refused(opening: str) -> None:
    with pytest.raises(ValueError, match="too deeply"):
        read_table("a = " + opening * 5000, ())


def test_a_table_that_is_a_value_counts_as_empty() -> None:
    assert read_table('[tool]\nsession-memory = "x"\n', TABLE) == {}


KEYS = st.text("ab-_ .é\"'\\\n", min_size=1, max_size=4)
SETTINGS = st.recursive(
    st.booleans() | st.integers() | st.text("ab \"'\\\t\n#=é😀", max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def rendered(value: object) -> str:
    """A value as TOML; JSON's strings are TOML's basic strings."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(k)} = {rendered(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(rendered, value)) + "]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@settings(deadline=None)
@given(st.dictionaries(KEYS, SETTINGS, max_size=4))
def test_reader_gives_back_what_was_written(written: dict[str, object]) -> None:
    lines = [f"{quoted(key)} = {rendered(value)}" for key, value in written.items()]
    text = "\n".join(["[other]", "x = 1.5", "[tool.session-memory]", *lines])
    assert read_table(text, TABLE) == by_tomllib(text, TABLE) == written


PIECES = st.sampled_from(
    (
        *("a", "b", '"k"', "'q'", ".", "=", " ", "\n", "\r\n", "\t", ",", "[", "]", "{", "}"),
        *("1", "-0", "1_0", "0x1f", "01", "true", "false", '"x"', r'"\n"', r'"\x"', "#c\n"),
        *('"""m\n\\\n  x"""', "'''l\n'''", '""""a"""""', "x = [1, [2], {a=1}]\n", "a = 1\n"),
        *("[a]\n", "[a.b]\n", "[[a]]\n", "[[a.b]]\n", "a.b = 2\n", 'b = {a = 1, b.c = "s"}\n'),
    )
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_reader_agrees_with_tomllib_on_anything(text: str) -> None:
    try:
        wanted = by_tomllib(text)
    except tomllib.TOMLDecodeError:
        wanted = None
    try:
        found = read_table(text, ())
    except ValueError:
        found = None
    assert found == wanted


# --- the files


@pytest.fixture(autouse=True)
def _no_settings_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


def write(root: Path, project: str = "", own: str = "") -> str:
    if project:
        (root / PROJECT).write_text(project, encoding="utf-8")
    if own:
        (root / OWN).write_text(own, encoding="utf-8")
    return str(root)


def test_no_file_gives_no_settings(tmp_path: Path) -> None:
    losses: list[str] = []
    assert read_settings(str(tmp_path), losses.append) == {}
    assert losses == []


def test_table_of_the_project(tmp_path: Path) -> None:
    root = write(tmp_path, project='[tool.session-memory]\nbump_command = "x"\n')
    assert read_settings(root) == {"bump_command": "x"}


def test_own_file_goes_first_and_joins_sub_tables(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        project='[tool.session-memory]\na = 1\nb = 1\n[tool.session-memory.references]\nc = "x"\n',
        own='b = 2\nreferences = { match = "labels" }\n',
    )
    assert read_settings(root) == {"a": 1, "b": 2, "references": {"c": "x", "match": "labels"}}


def test_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    (tmp_path / OWN).write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert read_settings(str(tmp_path)) == {"a": 1}


def test_project_of_others_is_not_parsed(tmp_path: Path) -> None:
    losses: list[str] = []
    assert read_settings(write(tmp_path, project="not TOML at all"), losses.append) == {}
    assert losses == []


@pytest.mark.parametrize(
    ("content", "loss"),
    [
        (b"session-memory = ", f"{OWN} ignored: expected a value in line 1"),
        (b"a = 1.5\n", f"{OWN} ignored: a number with a fraction or a time is no setting"),
        (b"#" * (MAX_BYTES + 1), f"{OWN} ignored: larger than {MAX_BYTES} bytes"),
        (b'a = "\xff"', f"{OWN} ignored: 'utf-8' codec can't decode"),
    ],
    ids=["broken", "float", "large", "not utf-8"],
)
def test_unusable_file_is_passed_over(tmp_path: Path, content: bytes, loss: str) -> None:
    root = write(tmp_path, project="[tool.session-memory]\nbump_command = 'x'\n")
    (tmp_path / OWN).write_bytes(content)
    losses: list[str] = []
    assert read_settings(root, losses.append) == {"bump_command": "x"}
    assert len(losses) == 1
    assert losses[0].startswith(loss)


@pytest.mark.parametrize("kind", ["link", "dangling link", "folder", "fifo"])
def test_anything_but_a_plain_file_is_passed_over(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    path, target = root / OWN, tmp_path / "target.toml"
    if kind == "link":
        target.write_text("a = 1\n")
    if "link" in kind:
        path.symlink_to(target)
    elif kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    losses: list[str] = []
    assert read_settings(str(root), losses.append) == {}
    assert losses == [f"{OWN} ignored: not a plain file"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("bump_comand = 1\n", "bump_comand"),
        ('"a\\nb" = 1\n', r"a\nb"),
        (f"{'x' * 99} = 1\n", "x" * 40),
        ("a = 1\nb = 1\nc = 1\nd = 1\nreferences = {}\n", "a, b, c and 1 more"),
    ],
    ids=["misspelt", "line end", "long", "many"],
)
def test_unknown_settings_are_told(tmp_path: Path, text: str, shown: str) -> None:
    losses: list[str] = []
    read_settings(write(tmp_path, own=text), losses.append)
    assert losses == [f"{OWN}: unknown setting {shown}"]


def test_project_may_be_larger(tmp_path: Path) -> None:
    text = "[tool.session-memory]\na = 1\n"
    losses: list[str] = []
    root = write(tmp_path, project=text + "#" * (MAX_PROJECT_BYTES - len(text)))
    assert read_settings(root, losses.append) == {"a": 1}
    write(tmp_path, project=text + "#" * MAX_PROJECT_BYTES)
    assert read_settings(root, losses.append) == {}
    assert losses[-1] == f"{PROJECT} ignored: larger than {MAX_PROJECT_BYTES} bytes"


@pytest.mark.parametrize(
    "text",
    [
        "a = [" + "1," * MAX_ITEMS + "]",
        "".join(f"k{number} = 1\n" for number in range(MAX_ITEMS + 1)),
        "[[a]]\n" * (MAX_ITEMS + 1),
        "a = [" + "1.5," * MAX_ITEMS + "]",
    ],
    ids=["array", "keys", "tables", "numbers"],
)
def test_number_of_values_is_limited(text: str) -> None:
    with pytest.raises(ValueError, match="more than 10000 tables and values in line"):
        read_table(text, ())


@pytest.mark.parametrize("digits", ["9", "f", "1_1"], ids=["decimal", "hexadecimal", "parted"])
def test_length_of_a_number_is_limited(digits: str) -> None:
    number = "0x" * (digits == "f") + digits * (MAX_DIGITS + 1)
    with pytest.raises(ValueError, match="expected a value in line 2"):
        read_table(f"\na = {number}", ())


@pytest.mark.parametrize(
    "text",
    [
        "x=" + ("{" + ".".join(["a"] * 32) + "=") * 31 + "1" + "}" * 31,
        "[" + ".".join(["a"] * 20) + "]\n" + ".".join(["b"] * 20) + " = 1",
        "[[" + ".".join(["a"] * 32) + "]]\nb = {c = 1}",
        "x = " + "[" * 40 + "]" * 40,
    ],
    ids=["inline tables", "header and key", "array of tables", "arrays"],
)
def test_depth_is_limited_in_all(text: str) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        read_table(text, ())
