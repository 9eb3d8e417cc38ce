"""Entering folders without following links."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from session_memory.core.folder import Folder, NotOurs


def test_made_folders_are_private_whatever_the_mask(tmp_path: Path) -> None:
    for mask in (0o000, 0o022, 0o077):
        root = tmp_path / oct(mask)
        root.mkdir()
        before = os.umask(mask)
        try:
            folder = Folder(str(root), ("a", "b"), create=True)
            os.close(folder.open("file", os.O_WRONLY | os.O_CREAT))
        finally:
            assert os.umask(before) == mask
        assert folder.created
        folder.close()
        modes = [(root / name).stat().st_mode & 0o777 for name in ("a", "a/b", "a/b/file")]
        assert modes == [0o700, 0o700, 0o600]


def test_an_existing_folder_is_not_created(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    folder = Folder(str(tmp_path), ("a",), create=True)
    assert not folder.created
    assert folder.path == str(tmp_path / "a")
    folder.close()
    folder.close()


def test_an_absent_folder_is_not_made_unasked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Folder(str(tmp_path), ("a",), create=False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("target", ["outside", "nowhere"])
def test_a_link_on_the_way_is_refused(tmp_path: Path, target: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "a").symlink_to(tmp_path / target)
    with pytest.raises(OSError, match=r"Not a directory|symbolic links|File exists"):
        Folder(str(root), ("a", "b"), create=True)
    assert not list(outside.iterdir())


def test_a_file_on_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(NotADirectoryError):
        Folder(str(tmp_path), ("a", "b"), create=True)


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR | os.O_CREAT | os.O_APPEND])
def test_only_plain_files_with_one_name(tmp_path: Path, flags: int) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "one").touch()
    os.link(tmp_path / "one", tmp_path / "two")
    folder = Folder(str(tmp_path), (), create=False)
    for name in ("pipe", "one", "two"):
        with pytest.raises(NotOurs, match="is not a plain file"):
            folder.open(name, flags)
    folder.close()


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="needs a way to enter without reading")
def test_a_root_that_may_not_be_listed_is_good_enough() -> None:
    uid = os.geteuid() or 12345
    root = tempfile.mkdtemp()
    os.chown(root, uid, -1)
    os.chmod(root, 0o311)
    child = os.fork()
    if child == 0:
        os._exit(_store_as(uid, root))
    assert os.waitpid(child, 0)[1] == 0
    os.chmod(root, 0o700)
    shutil.rmtree(root)


def _store_as(uid: int, root: str) -> int:
    os.setuid(uid)
    with contextlib.suppress(PermissionError):
        os.listdir(root)
        return 1
    folder = Folder(root, ("a",), create=True)
    os.close(folder.open("file", os.O_WRONLY | os.O_CREAT))
    return 0 if folder.names() == ["file"] else 2


def test_reading_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 100)
    folder = Folder(str(tmp_path), (), create=False)
    assert folder.read("file", 10) == b"x" * 10
    assert folder.read("absent", 10) is None
    assert folder.modified("absent") is None
    assert folder.identity("absent") is None
    folder.close()
