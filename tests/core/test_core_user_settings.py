"""The user's own settings, and how those of several places become one."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.core import places
from session_memory.core.settings import (
    NARROWING,
    NETWORK,
    OWN,
    PROJECT,
    TABLES,
    is_on,
    joined,
    read_settings,
)


def variables(**values: str) -> Callable[[str], str]:
    return lambda name: values.get(name, "")


# --- where the file lies

PLACES: dict[str, tuple[bool, dict[str, str], str]] = {
    "home": (False, {"HOME": "/u"}, "/u/.config/session-memory/settings.toml"),
    "XDG": (False, {"HOME": "/u", "XDG_CONFIG_HOME": "/x/"}, "/x/session-memory/settings.toml"),
    "XDG alone": (False, {"XDG_CONFIG_HOME": "/x"}, "/x/session-memory/settings.toml"),
    "XDG is relative": (
        False,
        {"HOME": "/u", "XDG_CONFIG_HOME": "x"},
        "/u/.config/session-memory/settings.toml",
    ),
    "home is relative": (False, {"HOME": "u"}, ""),
    "root's home": (False, {"HOME": "/"}, "/.config/session-memory/settings.toml"),
    "nothing": (False, {}, ""),
    "APPDATA means nothing here": (False, {"APPDATA": "/a"}, ""),
    "Windows": (
        True,
        {"APPDATA": "C:\\Users\\u\\AppData\\Roaming", "HOME": "/u"},
        "C:\\Users\\u\\AppData\\Roaming\\session-memory\\settings.toml",
    ),
    "Windows, share": (True, {"APPDATA": "\\\\h\\s"}, "\\\\h\\s\\session-memory\\settings.toml"),
    "Windows, relative": (True, {"APPDATA": "x"}, ""),
    "Windows, nothing": (True, {"HOME": "/u"}, ""),
}


@pytest.mark.parametrize(("windows", "environ", "path"), PLACES.values(), ids=PLACES)
def test_place_of_the_users_file(windows: bool, environ: dict[str, str], path: str) -> None:
    assert places.user_settings(variables(**environ), windows) == path


# --- the file


class Scene:
    """A checkout and a user's folder."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repo"
        self.user = folder / "config" / "session-memory" / "settings.toml"
        self.root.mkdir()
        self.user.parent.mkdir(parents=True)
        self.losses: list[str] = []
        self.environ = {"XDG_CONFIG_HOME": str(folder / "config")}

    def write(self, user: str = "", own: str = "", project: str = "") -> None:
        for path, text in {
            self.user: user,
            self.root / OWN: own,
            self.root / PROJECT: project and f"[tool.session-memory]\n{project}",
        }.items():
            if text:
                path.write_text(text, "utf-8")

    def read(self, **environ: str) -> dict[str, Any]:
        told = variables(**{**self.environ, **environ})
        return read_settings(str(self.root), self.losses.append, told)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_users_file_counts_without_a_repository(scene: Scene) -> None:
    scene.write(user="enabled = false")
    told = variables(**scene.environ)
    assert read_settings("", scene.losses.append, told) == {"enabled": False}


def test_users_file_may_be_a_link(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[gates]\nenabled = false\n")
    scene.user.symlink_to(tmp_path / "mine.toml")
    assert scene.read() == {"gates": {"enabled": False}}
    assert scene.losses == []


@pytest.mark.parametrize("kind", ["folder", "fifo", "link to a device"])
def test_users_file_must_be_a_file(scene: Scene, kind: str) -> None:
    if kind == "folder":
        scene.user.mkdir()
    elif kind == "fifo":
        os.mkfifo(scene.user)
    else:
        scene.user.symlink_to("/dev/zero")
    assert scene.read() == {}
    assert scene.losses == ["user settings ignored: not a plain file"]


def test_link_to_nowhere_is_no_file(scene: Scene) -> None:
    scene.user.symlink_to("gone.toml")
    assert scene.read() == {}
    assert scene.losses == []


@pytest.mark.parametrize("key", ["bump_command", "managed_files"])
def test_facts_about_a_repository_do_not_count_in_the_users_file(scene: Scene, key: str) -> None:
    scene.write(user=f'{key} = "x"\nenabled = true\n')
    assert scene.read() == {"enabled": True}
    assert scene.losses == [f"user settings: {key} counts only in the settings of a repository"]


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_value_in_the_place_of_a_table_switches_off(scene: Scene, table: str) -> None:
    scene.write(own=f"{table} = 5\n")
    settings = scene.read()
    assert not is_on(settings, table, scene.losses.append)
    assert scene.losses == [f"{OWN}: {table} is not a table; taken as {table}.enabled = false"]


# --- whether to look at all

LOOKS: dict[str, tuple[dict[str, str], bool]] = {
    "nothing": ({}, False),
    "user": ({"user": "enabled = true"}, True),
    "own file": ({"own": "enabled = true"}, True),
    "project": ({"project": "enabled = true"}, True),
}


@pytest.mark.parametrize(("files", "expected"), LOOKS.values(), ids=LOOKS)
def test_first_look(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], expected: bool
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", scene.environ["XDG_CONFIG_HOME"])
    scene.write(**files)
    assert places.may_have_settings(str(scene.root)) == expected


@pytest.mark.parametrize(
    ("plant", "expected"),
    [
        (lambda path: path.write_text("[project]\nname = 'x'\n"), False),
        (lambda path: path.write_text("#" * places.MAX_PROJECT_BYTES), True),
        (lambda path: path.symlink_to("/dev/zero"), True),
        (os.mkfifo, True),
    ],
    ids=["of others", "large", "link", "fifo"],
)
def test_first_look_at_a_project(
    scene: Scene,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[Path], object],
    expected: bool,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", scene.environ["XDG_CONFIG_HOME"])
    plant(scene.root / PROJECT)
    assert places.may_have_settings(str(scene.root)) == expected


# --- several places

BOOLEAN: dict[str, tuple[tuple[str, str, str], Any]] = {
    "user alone": (("true", "", ""), True),
    "repository alone": (("", "", "true"), True),
    "all allow": (("true", "true", "true"), True),
    "user forbids": (("false", "true", "true"), False),
    "project forbids": (("true", "false", "true"), False),
    "own file forbids": (("true", "true", "false"), False),
    "unusable stays": (('"yes"', "true", "true"), "yes"),
    "number is not true": (("1", "true", ""), 1),
    "unusable at last": (("true", "", "0"), 0),
}


@pytest.mark.parametrize("name", ["enabled", "startup.network", "gates.enabled"])
@pytest.mark.parametrize(("written", "expected"), BOOLEAN.values(), ids=BOOLEAN)
def test_what_narrows_stays(
    scene: Scene, name: str, written: tuple[str, str, str], expected: object
) -> None:
    user, project, own = [f"{name} = {value}" if value else "" for value in written]
    scene.write(user, own, project)
    value: Any = scene.read()
    for part in name.split("."):
        value = value[part]
    assert (type(value), value) == (type(expected), expected)


@pytest.mark.parametrize(
    ("user", "own", "expected"),
    [("any", "labels", "labels"), ("labels", "any", "labels"), ("any", "any", "any")],
)
def test_labels_stay(scene: Scene, user: str, own: str, expected: str) -> None:
    scene.write(f'references.match = "{user}"', f'references.match = "{own}"')
    assert scene.read() == {"references": {"match": expected}}


def test_tables_are_joined_key_by_key(scene: Scene) -> None:
    scene.write("startup.enabled = false", "startup.network = true")
    assert scene.read() == {"startup": {"enabled": False, "network": True}}


TABLE = st.one_of(
    st.dictionaries(
        st.sampled_from(["enabled", "network", "match"]),
        st.sampled_from([True, False, 0, 1, "any", "labels", "x"]),
    )
)
SETTINGS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {}, optional={"enabled": st.sampled_from([True, False, 1]), **dict.fromkeys(TABLES, TABLE)}
)


@given(SETTINGS, SETTINGS)
def test_no_file_takes_back_what_another_forbids(first: Any, second: Any) -> None:
    both: Any = joined(first, second)
    for feature in TABLES:
        parts = [is_on(one, feature, lambda _: None) for one in (first, second)]
        assert is_on(both, feature, lambda _: None) == all(parts)
        for key, wide in NARROWING[feature].items():
            made = [one[feature][key] for one in (first, second) if key in one.get(feature, {})]
            narrow = [one for one in made if type(one) is not type(wide) or one != wide]
            assert not narrow or both[feature][key] in narrow


# --- the environment

WORDS = {"1": True, "true": True, " TRUE ": True, "0": False, "false": False}


@pytest.mark.parametrize(("word", "expected"), WORDS.items())
@pytest.mark.parametrize("own", ["", "startup.network = true", "startup.network = false"])
def test_variable_has_the_last_word(scene: Scene, word: str, expected: bool, own: str) -> None:
    scene.write(own=own)
    assert scene.read(**{NETWORK: word}) == {"startup": {"network": expected}}
    assert scene.losses == []


def test_variable_keeps_the_rest_of_the_table(scene: Scene) -> None:
    scene.write(own="startup.enabled = false")
    assert scene.read(**{NETWORK: "1"}) == {"startup": {"enabled": False, "network": True}}


def test_a_word_that_is_none_is_a_no(scene: Scene) -> None:
    scene.write(user="startup.network = true")
    assert scene.read(**{NETWORK: "please"}) == {"startup": {"network": False}}
    assert scene.losses == [f"{NETWORK} is neither 1 nor 0; taken as 0"]


# --- switches


@pytest.mark.parametrize("feature", sorted(TABLES))
def test_features_are_on_without_settings(feature: str) -> None:
    assert is_on({}, feature, pytest.fail)


@pytest.mark.parametrize("value", ["no", 0, 1, [], None], ids=repr)
@pytest.mark.parametrize("name", ["enabled", "hygiene.enabled"])
def test_a_switch_that_is_neither_is_off_and_told(value: object, name: str) -> None:
    settings: dict[str, object] = (
        {"enabled": value} if name == "enabled" else {"hygiene": {"enabled": value}}
    )
    losses: list[str] = []
    assert not is_on(settings, "hygiene", losses.append)
    assert losses == [f"settings: {name} is neither true nor false; taken as false"]
