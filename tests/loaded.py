"""What an entry point has in memory when it ends."""

import json
import subprocess
from pathlib import Path

_REPORT = """
import sys, posix
end = posix._exit
def tell(code):
    posix.write(2, "\\n".join(["", *sys.modules]).encode())
    end(code)
posix._exit = tell
sys.argv = [{script!r}]
__file__ = {script!r}
exec(compile(open(__file__).read(), __file__, "exec"))
"""


def modules(
    python: str, script: Path, payload: dict[str, object], env: dict[str, str], *options: str
) -> set[str]:
    """The names of all modules loaded in one run of ``script``."""
    done = subprocess.run(
        [python, "-I", "-S", *options, "-c", _REPORT.format(script=str(script))],
        input=json.dumps(payload).encode(),
        cwd=script.parent,
        env=env,
        capture_output=True,
        check=True,
    )
    return set(done.stderr.decode().split("\n"))
