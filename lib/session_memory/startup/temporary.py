"""Folders that go when the work is done, without the price of ``import tempfile``."""

from session_memory.core.system import WINDOWS, environ, is_absolute, join, native

# As tempfile looks for them.
_VARIABLES = ("TMPDIR", "TEMP", "TMP")
_USUAL = ("/tmp", "/var/tmp")  # noqa: S108 - the folder made there is private and has a random name
_ATTEMPTS = 5
_MAX_DEPTH = 8


def make(prefix: str, within: str = "") -> str:
    """A new folder that only this user can enter, in ``within`` or where such folders belong.

    Raises :class:`OSError`.
    """
    failure: OSError | None = None
    for place in [within] if within else _places():
        for _ in range(_ATTEMPTS):
            path = join(place, prefix + native.urandom(8).hex())
            try:
                native.mkdir(path, 0o700)
                return path
            except FileExistsError as error:
                failure = error
            except OSError as error:
                failure = failure or error
                break
    raise failure or OSError("no place for temporary files")


def remove(folder: str, depth: int = 0) -> None:
    """Take a folder of ours away as far as that is possible. Links are not followed."""
    try:
        with native.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and depth < _MAX_DEPTH:
                    remove(entry.path, depth + 1)
                else:
                    native.unlink(entry.path)
        native.rmdir(folder)
    except OSError:
        pass


def _places() -> "list[str]":
    named = [environ(name) for name in _VARIABLES]
    if WINDOWS:  # pragma: no cover
        import tempfile

        return [tempfile.gettempdir()]
    return [path for path in named if is_absolute(path)] + list(_USUAL)
