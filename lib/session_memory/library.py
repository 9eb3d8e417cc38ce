"""A copy of this bundle: its entry points, and the package as they find it.

A clone, and what an editor copies of one, has the entry points in ``hooks`` beside ``lib``; a wheel
has them in the package itself.
"""

import ast
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "session_memory"

_OWN = Path(__file__).resolve().parent
_INSIDE = "entry_points"
# More files than that are brought back with all the others.
_FEW = 5


@dataclass(frozen=True)
class Library:
    """The folder of the entry points, and the package; either may be missing, or not whole."""

    hooks: Path
    package: Path

    @classmethod
    def at(cls, hooks: Path) -> "Library":
        """The bundle whose entry points lie in ``hooks``."""
        inside = hooks.name == _INSIDE or os.path.isfile(hooks.parent / "core" / "guard.py")
        return cls(hooks, hooks.parent if inside else hooks.parent / "lib" / PACKAGE)

    @property
    def is_wheel(self) -> bool:
        """Whether the package was installed, and has the entry points inside."""
        return self.hooks.parent == self.package

    @property
    def source_root(self) -> str:
        """The folder above the package as entry points spell it.

        A cache elsewhere is keyed by that.
        """
        return str(self.package.parent) if self.is_wheel else f"{self.hooks.as_posix()}/../lib"

    @property
    def version(self) -> str:
        """The version that the package states; empty when it cannot be read."""
        try:
            tree = ast.parse((self.package / "__init__.py").read_bytes())
        except (OSError, SyntaxError, ValueError):
            return ""
        for statement in tree.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
                return str(statement.value.value)
        return ""

    def mend(self, broken: Sequence[Path] = ()) -> str:
        """The command, or the step, that brings back the files ``broken``, or all of it."""
        if self.is_wheel:
            return _reinstall(self.package)
        root = self.hooks.parent
        if (root / ".git").exists():
            few = broken if len(broken) <= _FEW else ()
            names = [str(path.relative_to(root)) for path in few] or ["."]
            return shlex.join(["git", "-C", str(root), "checkout", "HEAD", "--", *names])
        return "uninstall the plugin and install it again, or clone the repository again"


def locate() -> Library:
    """The copy that this very code is part of."""
    beside = _OWN.parents[1] / "hooks"
    is_clone = _OWN.parent.name == "lib" and beside.is_dir()
    return Library(beside if is_clone else _OWN / _INSIDE, _OWN)


def _reinstall(package: Path) -> str:
    """How to install a wheel once more, over the one that ``package`` came with."""
    if "pipx" in package.parts:
        return "pipx reinstall session-memory-hooks"
    folder = "Scripts" if os.name == "nt" else "bin"
    beside = [parent / folder / "python" for parent in package.parents[1:4]]
    python = next((str(path) for path in beside if path.exists()), sys.executable)
    command = shlex.join([python, "-m", "pip", "install", "--force-reinstall"])
    return f"{command} /path/to/session-memory-hooks"
