"""Which interpreter to write into a command: a real one, that outlives a virtual environment."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from session_memory.install.place import Refused

OLDEST = (3, 9)
_LIMIT_S = 10

# Without -S, since the module site is what finds out about a virtual environment.
_QUESTION = (
    "import json, sys; base = getattr(sys, '_base_executable', '');"
    "print(json.dumps([sys.executable, base, sys.prefix != sys.base_prefix,"
    " list(sys.version_info[:3])]))"
)


@dataclass(frozen=True)
class Interpreter:
    """An interpreter that answered: its own path, and that of the one a virtual one stands on."""

    path: str
    base: str
    virtual: bool
    version: tuple[int, ...]

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))


def choose(named: str = "") -> Interpreter:
    """The interpreter for hooks: ``named``, else the one that runs this, seen through a venv.

    Raises :class:`Refused` when there is none that could be used.
    """
    if named:
        path = shutil.which(named)
        if not path:
            raise Refused(f"no executable called {named}")
        return _usable(str(Path(path).absolute()))
    if sys.prefix != sys.base_prefix:
        base = getattr(sys, "_base_executable", "")
        found = probe(base) if base and base != sys.executable else None
        if found and not found.virtual and found.version >= OLDEST:
            return found
    return _usable(sys.executable)


def probe(path: str) -> "Interpreter | None":
    """What ``path`` really runs; ``None`` when it is not an interpreter that answers in time.

    A version manager's shim answers with the interpreter behind it.
    """
    try:
        done = subprocess.run(
            [path, "-I", "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_S,
            check=True,
        )
        executable, base, virtual, version = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return None
    return Interpreter(executable, base or "", bool(virtual), tuple(version))


def _usable(path: str) -> Interpreter:
    found = probe(path) if path else None
    if found and found.virtual and found.base:
        # What hooks need is in the base as well, and it stays when the environment goes.
        found = probe(found.base) or found
    if not found or not Path(found.path).is_absolute():
        raise Refused(f"{path or 'this process'} is not a Python interpreter that can be named")
    if found.version < OLDEST:
        raise Refused(f"{found.path} is Python {found.version_text}; hooks need 3.9 or newer")
    return found
