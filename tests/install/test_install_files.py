"""Settings files on disk: links, modes, backups, and what must not be edited."""

import json
import os
import stat
from pathlib import Path

import pytest

from install_support import FOREIGN, LIBRARY, RUNNER, Settings
from session_memory.install import plan, settings_file
from session_memory.install.commands import Runner
from session_memory.install.place import GROUPED, Place, Refused

needs_posix = pytest.mark.skipif(os.name == "nt", reason="makes files that Windows has not")
BEFORE = b'{"model": "x"}\n'


@pytest.fixture
def at(tmp_path: Path) -> Settings:
    """Settings in a folder of their own."""
    (tmp_path / "home").mkdir()
    made = Settings.at(tmp_path / "home")
    made.path.write_bytes(BEFORE)
    return made


def backups(at: Settings) -> list[bytes]:
    found = sorted(at.path.parent.glob("*before-session-memory*"), key=lambda p: p.stat().st_mtime)
    return [path.read_bytes() for path in found]


def edit(at: Settings, old: str, new: str) -> None:
    """Somebody else's change."""
    text = at.path.read_text("utf-8")
    assert old in text
    at.path.write_text(text.replace(old, new), encoding="utf-8")


def test_backup_holds_what_was_there(at: Settings) -> None:
    at.install()
    assert backups(at) == [BEFORE]


def test_missing_file_is_made_and_goes_again_with_its_folders(tmp_path: Path) -> None:
    at = Settings.at(tmp_path, name="a/b/settings.json")
    at.install()
    assert len(at.ours()) == 4
    at.uninstall()
    assert list(tmp_path.iterdir()) == []


def test_folders_of_the_user_stay(tmp_path: Path) -> None:
    at = Settings.at(tmp_path)
    at.install()
    at.uninstall()
    assert list(tmp_path.iterdir()) == []


def test_missing_file_brought_up_to_date_goes_too(tmp_path: Path) -> None:
    at = Settings.at(tmp_path, name="a/settings.json")
    at.install(Runner("/old/python3"))
    at.install()
    at.uninstall()
    assert list(tmp_path.iterdir()) == []


def test_file_that_got_something_else_meanwhile_stays(tmp_path: Path) -> None:
    at = Settings.at(tmp_path)
    at.install()
    edit(at, '{\n  "hooks"', '{\n  "model": "y",\n  "hooks"')
    at.uninstall()
    assert at.value() == {"model": "y"}


@pytest.mark.parametrize("before", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\t"])
def test_blank_file_comes_back(before: bytes, at: Settings) -> None:
    at.path.write_bytes(before)
    at.install()
    assert len(at.ours()) == 4
    at.uninstall()
    assert at.path.read_bytes() == before


def test_empty_object_changed_by_others_is_not_removed(at: Settings) -> None:
    at.path.write_bytes(b"{}")
    at.install()
    edit(at, "\n}", "\n\n}")
    at.uninstall()
    assert at.value() == {}


def test_update_keeps_the_way_back(at: Settings) -> None:
    for python in ("/a/python3", "/b/python3", "/c/python3", "/d/python3", "/e/python3"):
        at.install(Runner(python))
    assert set(backups(at)) == {BEFORE}
    at.uninstall()
    assert (at.path.read_bytes(), backups(at)) == (BEFORE, [])


def test_exactly_ours_go_when_others_changed_the_file(at: Settings) -> None:
    at.install()
    edit(at, '"model": "x"', '"model": "y"')
    changed = at.path.read_bytes()
    made = at.uninstall()
    assert at.path.read_bytes() == BEFORE.replace(b'"x"', b'"y"')
    assert (made.exact, backups(at)) == (False, [changed])


def test_hook_added_to_our_event_stays(at: Settings) -> None:
    at.install()
    value = at.value()
    value["hooks"]["PostToolUse"].append(FOREIGN)
    at.path.write_text(json.dumps(value, indent=4), encoding="utf-8")
    at.uninstall()
    assert at.value() == {"model": "x", "hooks": {"PostToolUse": [FOREIGN]}}


def test_install_after_an_uninstall_finds_its_way_back_again(at: Settings) -> None:
    at.install()
    edit(at, '"x"', '"y"')
    at.uninstall()
    left = at.path.read_bytes()
    at.install()
    at.uninstall()
    assert at.path.read_bytes() == left


def test_backups_are_bounded(at: Settings) -> None:
    for number in range(9):
        at.install(Runner(f"/{number}/python3"))
        edit(at, '"model": "', '"model": "x')
    assert len(backups(at)) == settings_file.BACKUPS


def test_file_of_the_user_beside_the_backups_stays(at: Settings) -> None:
    notes = at.path.with_name(f"{at.path.name}.before-session-memory-MY-NOTES.txt")
    notes.write_text("mine", "utf-8")
    at.install()
    at.uninstall()
    assert notes.read_text("utf-8") == "mine"


def test_backup_planted_as_a_link_is_not_restored(at: Settings, tmp_path: Path) -> None:
    at.install()
    (planted,) = at.path.parent.glob("*before*")
    planted.unlink()
    (tmp_path / "other").write_bytes(b'{"planted": 1}')
    planted.symlink_to(tmp_path / "other")
    at.uninstall()
    assert at.value() == {"model": "x"}


def test_change_between_plan_and_write_is_not_lost(at: Settings) -> None:
    made = plan.to_install(at.place, RUNNER, LIBRARY)
    at.path.write_bytes(b'{"model": "z"}')
    with pytest.raises(settings_file.Changed, match="try again"):
        made.install()
    assert at.path.read_bytes() == b'{"model": "z"}'
    assert backups(at) == []


@needs_posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_mode_stays(at: Settings, mode: int) -> None:
    at.path.chmod(mode)
    at.install()
    assert {stat.S_IMODE(p.stat().st_mode) for p in at.path.parent.iterdir()} == {mode}


@needs_posix
def test_failed_write_leaves_the_file_and_no_litter(
    at: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        at.install()
    assert [p.name for p in at.path.parent.iterdir()] == ["settings.json"]
    assert at.path.read_bytes() == BEFORE


# --- links and strange files ---------------------------------------------------------------------


@needs_posix
@pytest.mark.parametrize("absolute", [True, False], ids=["absolute", "relative"])
def test_link_to_the_users_own_file_is_followed(at: Settings, absolute: bool) -> None:
    dotfiles = at.path.parent / "dotfiles"
    dotfiles.mkdir()
    target = dotfiles / "claude.json"
    at.path.rename(target)
    at.path.symlink_to(target if absolute else "dotfiles/claude.json")
    at.install()
    assert at.path.is_symlink()
    assert len(at.ours()) == 4
    assert {p.name.partition(".before")[0] for p in dotfiles.iterdir()} == {"claude.json"}
    at.uninstall()
    assert (at.path.is_symlink(), target.read_bytes()) == (True, BEFORE)


@needs_posix
def test_folder_that_is_a_link_within_the_bounds_is_followed(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / ".claude").symlink_to("dotfiles")
    Settings(Place("claude", "user", tmp_path / ".claude/x.json", GROUPED, (tmp_path,))).install()
    assert (tmp_path / "dotfiles" / "x.json").is_file()


@needs_posix
def test_link_out_of_the_bounds_is_refused(at: Settings, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_bytes(BEFORE)
    at.path.unlink()
    at.path.symlink_to(outside)
    with pytest.raises(Refused, match=r"leads to .*outside\.json, outside"):
        at.install()
    assert outside.read_bytes() == BEFORE


@needs_posix
def test_dangling_link_within_the_bounds_makes_its_target(at: Settings) -> None:
    at.path.unlink()
    at.path.symlink_to("elsewhere.json")
    at.install()
    assert (at.path.is_symlink(), len(at.ours())) == (True, 4)


def hard_link(path: Path) -> None:
    os.link(path, path.with_name("other name"))


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def large(path: Path) -> None:
    path.write_bytes(b" " * (settings_file.MAX_BYTES + 1))


def other_encoding(path: Path) -> None:
    path.write_bytes(b'{\n"a": "\xe9"}')


def another_user(path: Path) -> None:
    try:
        os.chown(path, os.getuid() + 1, -1)
    except PermissionError:
        pytest.skip("this user gives no files away")


STRANGE = {
    "hard link": (hard_link, "hard links"),
    "fifo": (fifo, "not a plain file"),
    "folder": (folder, "not a plain file"),
    "large": (large, "larger than"),
    "encoding": (other_encoding, "line 2: not UTF-8"),
    "owner": (another_user, "belongs to another user"),
}


@needs_posix
@pytest.mark.parametrize(("make", "words"), STRANGE.values(), ids=STRANGE)
def test_strange_file_is_refused(at: Settings, make: "object", words: str) -> None:
    assert callable(make)
    make(at.path)
    for act in (at.install, at.uninstall):
        with pytest.raises(Refused, match=words):
            act()


def test_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(Refused, match="is not a folder"):
        Settings.at(tmp_path, name="a/settings.json").install()


# --- diffs ---------------------------------------------------------------------------------------


def test_diff_adds_and_takes_away_the_same_lines(at: Settings) -> None:
    at.path.write_bytes(b'{\n  "model": "x"\n}')
    there = plan.to_install(at.place, RUNNER, LIBRARY).diff()
    assert there.startswith(f"--- {at.path}\n+++ {at.path}\n@@ ")
    assert there.endswith("\n\\ No newline at end of file\n")
    at.install()
    back = plan.to_uninstall(at.place, LIBRARY).diff()
    added = [line[1:] for line in there.splitlines()[2:] if line[:1] == "+"]
    assert [line[1:] for line in back.splitlines()[2:] if line[:1] == "-"] == added


def test_diff_of_a_file_that_is_made(tmp_path: Path) -> None:
    assert (
        plan.to_install(Settings.at(tmp_path).place, RUNNER, LIBRARY)
        .diff()
        .startswith("--- /dev/null\n")
    )
