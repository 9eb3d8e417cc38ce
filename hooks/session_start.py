"""Entry point of the SessionStart event. It stays tiny, because a script is never cached."""

import gc
import sys

gc.disable()  # the process ends before there is anything to collect
sys.path.reverse()  # compiled modules first: the large folder of the library is never listed
# Here is the folder hooks of a clone, or what a wheel makes of it within the package.
here = __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1]
in_wheel = here[:-1].endswith(("/session_memory/entry_points", "\\session_memory\\entry_points"))
sys.path.insert(0, here + ("../.." if in_wheel else "../lib"))

try:
    from session_memory.preload import load

    load("session_start")
    from session_memory.core.guard import main
except BaseException as error:  # noqa: BLE001 - a library half removed, unreadable, or torn
    import os

    try:
        line = "session-memory: session_start: cannot load: " + type(error).__name__ + "\n"
        os.write(2, line.encode())
        from session_memory.core import torn

        torn.remove(error)
    finally:
        os._exit("--probe" in sys.argv)

del sys.path[0]  # the package has its own; a wheel's neighbours must not stand before the library
main("session_start")
