"""Where a command looks: a folder and its checkout, a home, and an environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from session_memory.core.checkout import Checkout, locate

DISTRIBUTION = "session-memory-hooks"


class NoHome(ValueError):
    """Nobody can tell which settings are the user's."""


@dataclass(frozen=True)
class Surroundings:
    """``checkout`` is ``None`` outside any repository, ``system`` the root of all files."""

    cwd: Path
    home: Path
    environ: Mapping[str, str]
    checkout: "Checkout | None"
    system: Path = Path("/")

    @classmethod
    def of(cls, cwd: "str | Path", environ: "Mapping[str, str] | None" = None) -> "Surroundings":
        """What is around the folder ``cwd``, by default in the environment of this process.

        Raises :class:`NoHome`.
        """
        folder = Path(os.path.abspath(cwd))
        variables = dict(os.environ) if environ is None else dict(environ)
        return cls(folder, _home(variables), variables, locate(str(folder)))

    @property
    def root(self) -> "Path | None":
        """The checkout's root."""
        return Path(self.checkout.root) if self.checkout else None

    @property
    def project(self) -> Path:
        """The folder whose settings an editor reads."""
        return self.root or self.cwd

    def folder(self, variable: str, default: str) -> Path:
        """A folder that ``variable`` may move; ``default`` is relative to the home."""
        named = self.environ.get(variable)
        return self.cwd / named if named else self.home / default

    @property
    def cache(self) -> Path:
        """Where what belongs to hooks that are no plugin's is kept: the launcher's rule."""
        named = self.environ.get("XDG_CACHE_HOME", "")
        base = Path(named) if os.path.isabs(named) else self.home / ".cache"
        return base / DISTRIBUTION

    def shown(self, path: "Path | str") -> str:
        """``path``, with the home as ``~``."""
        text = str(path)
        home = str(self.home)
        return "~" + text[len(home) :] if text.startswith(home + os.sep) else text


def _home(environ: Mapping[str, str]) -> Path:
    named = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    if not os.path.isabs(named):
        raise NoHome("HOME is not set to an absolute path")
    return Path(named)
