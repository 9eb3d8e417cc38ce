"""Where ``doctor`` looks: a home, an environment, a checkout, and the bundle it belongs to."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from session_memory.core.checkout import Checkout, locate

DISTRIBUTION = "session-memory-hooks"

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Surroundings:
    """``checkout`` is ``None`` outside any repository."""

    cwd: Path
    home: Path
    environ: Mapping[str, str]
    checkout: "Checkout | None"

    @classmethod
    def of(cls, cwd: str) -> "Surroundings":
        """The surroundings of this process, in the folder ``cwd``."""
        folder = Path(os.path.abspath(cwd))
        home = Path(os.path.expanduser("~"))
        return cls(folder, home, dict(os.environ), locate(str(folder)))

    @property
    def root(self) -> "Path | None":
        """The checkout's root."""
        return Path(self.checkout.root) if self.checkout else None

    @property
    def project(self) -> Path:
        """The folder whose settings an editor reads."""
        return self.root or self.cwd

    @property
    def own_hooks(self) -> "Path | None":
        """The entry points that came with this command; a clone has them at its root."""
        folders = (_PACKAGE / "entry_points", _PACKAGE.parents[1] / "hooks")
        found = (folder for folder in folders if os.path.exists(folder / "session_start.py"))
        return next(found, None)

    def folder(self, variable: str, default: str) -> Path:
        """A folder that ``variable`` may move; ``default`` is relative to the home."""
        return Path(self.environ.get(variable) or self.home / default)

    @property
    def cache(self) -> Path:
        """Where the launcher keeps its memory for hooks that are no plugin's."""
        return self.folder("XDG_CACHE_HOME", ".cache") / DISTRIBUTION

    def shown(self, path: "Path | str") -> str:
        """``path``, with the home as ``~``."""
        text = str(path)
        home = str(self.home)
        return "~" + text[len(home) :] if text.startswith(home + os.sep) else text
