"""``python -m session_memory``; the demo needs nothing but the standard library."""

import shlex
import sys
from os.path import abspath, dirname, exists, join

from session_memory.versions_needed import COMMANDS, too_old

# The exit code for what was refused; the module of exit codes needs what may be missing here.
_REFUSED = 2
# Where the README has it.
_VENV = "~/.session-memory"


def main() -> int:
    """Run the command line; its exit code."""
    if sys.argv[1:2] == ["demo"]:
        from session_memory import demo

        return demo.main()
    obstacle = too_old("the command line", COMMANDS)
    if obstacle:
        return _refuse(obstacle)
    try:
        from session_memory.cli.main import main as command
    except ModuleNotFoundError as missing:
        return _refuse(f"{missing.name} is not installed; {_way_out()}")
    command()
    return 0


def _way_out() -> str:
    """How to get what is missing. The package is on no index, so a clone has to name itself."""
    clone = dirname(dirname(dirname(abspath(__file__))))
    if not exists(join(clone, "pyproject.toml")):
        return "install session-memory-hooks again, with its dependencies"
    install = shlex.join(["-m", "pip", "install", clone])
    python = shlex.quote(sys.executable)
    if sys.prefix == sys.base_prefix:
        # Many systems let nobody install into their own Python.
        return f"for the command line: {python} -m venv {_VENV} && {_VENV}/bin/python {install}"
    return f"for the command line: {python} {install}"


def _refuse(reason: str) -> int:
    sys.stderr.write("session-memory: " + reason + "\n")
    return _REFUSED


if __name__ == "__main__":
    sys.exit(main())
