"""A repository for hooks that are run on trial, so that they change nothing of the user's."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from session_memory.core.system import WINDOWS
from session_memory.doctor import bytecode
from session_memory.doctor.interpreter import Python
from session_memory.doctor.launches import Launch

_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "PATHEXT", "COMSPEC")


@dataclass(frozen=True)
class Scratch:
    """A folder with a repository, a home, and a launcher's memory in it.

    With ``compiles``, compiled modules are kept there, as later hooks would keep them in their
    place; without, they are looked for in their place and nothing is kept.
    """

    folder: Path
    compiles: bool

    @property
    def repository(self) -> Path:
        """An empty repository on the branch ``main``."""
        return self.folder / "repository"

    @property
    def log(self) -> Path:
        """Where trial questions are logged."""
        return self.repository / "memories" / "session"

    @classmethod
    def build(cls, folder: str, compiles: bool) -> "Scratch":
        """Make it in ``folder``. Raises :class:`OSError`."""
        made = cls(Path(folder).resolve(), compiles)
        git = made.repository / ".git"
        for path in (git / "objects", git / "refs" / "heads", made.folder / "home"):
            path.mkdir(parents=True)
        # What git itself writes, without a git that may be missing.
        (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
        (git / "config").write_text("[core]\n\trepositoryformatversion = 0\n", encoding="utf-8")
        return made

    def command(self, launch: Launch, python: Python, entry: str) -> list[str]:
        """How an editor starts ``entry``, but without keeping compiled modules."""
        if launch.python or WINDOWS:
            own = [] if self.compiles else bytecode.prefix(launch)
            options = [*self._caching, "-I", "-S", "-X", "utf8", *own]
            return [python.path, *options, str(launch.hooks / f"{entry}.py")]
        return ["sh", str(launch.hooks / "run"), entry]

    def floor(self, launch: Launch, python: Python) -> list[str]:
        """The least that a command of :meth:`command` can cost."""
        if launch.python or WINDOWS:
            return [python.path, "-I", "-S", "-c", "pass"]
        return [str(self._stand_in), "-I", "-S", "-c", "pass"]

    def remember(self, launch: Launch, python: Python) -> None:
        """Let the launcher find an interpreter that keeps nothing. Raises :class:`OSError`."""
        data = self._data
        data.mkdir(exist_ok=True)
        self._stand_in.write_text(
            f'#!/bin/sh\nexec {shlex.join([python.real, *self._caching])} "$@"\n', encoding="utf-8"
        )
        self._stand_in.chmod(0o700)
        (data / "python").write_text(f"{self._stand_in}\n\n", encoding="utf-8")
        if not self.compiles:
            self._cache.symlink_to(launch.data / "pycache")

    def environment(self, environ: Mapping[str, str]) -> dict[str, str]:
        """An environment in which neither the user's home nor an editor's variables are seen."""
        kept = {name: environ[name] for name in _KEPT if name in environ}
        own = {"HOME": self.folder / "home", "CLAUDE_PLUGIN_DATA": self._data}
        return {**kept, **{name: os.fspath(path) for name, path in own.items()}}

    @property
    def _caching(self) -> list[str]:
        return ["-X", f"pycache_prefix={self._cache}"] if self.compiles else ["-B"]

    @property
    def _cache(self) -> Path:
        return self._data / "pycache"

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    @property
    def _stand_in(self) -> Path:
        return self._data / "stand-in"
