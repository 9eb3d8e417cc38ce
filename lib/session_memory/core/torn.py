"""Getting rid of a compiled module that is torn, as a crash may leave it.

Python trusts such a file for ever: every hook that needs the module would fail. Without it the next
hook compiles the source again. Nothing of ours is imported here, since it may be what is torn.
"""

import os
import sys

# What loading raises for byte code that ends too early, or is none.
_SIGNS = (EOFError, ValueError, TypeError)


def remove(error: BaseException) -> None:
    """Remove the file that Python was loading when ``error`` came up, if it was loading one."""
    trace = error.__traceback__
    while trace is not None and isinstance(error, _SIGNS):
        frame = trace.tb_frame
        path = frame.f_locals.get("bytecode_path")
        if path and "importlib" in frame.f_code.co_filename and not sys.dont_write_bytecode:
            _unlink(str(path))
        trace = trace.tb_next


def _unlink(path: str) -> None:
    try:
        if path.endswith(".pyc"):
            os.unlink(path)
    except OSError:  # nor could the next hook write a better one
        pass
