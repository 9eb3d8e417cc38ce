"""Entry point of the PostToolUse event. It stays tiny, because a script is never cached."""

import gc
import sys

gc.disable()  # the process ends before there is anything to collect
sys.path.reverse()  # compiled modules first: the large folder of the library is never listed
sys.path.insert(0, __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1] + "../lib")

try:
    from session_memory.core.guard import main
except BaseException as error:  # noqa: BLE001 - a library half removed, unreadable, or torn
    import os

    try:
        line = "session-memory: post_tool_use: cannot load: " + type(error).__name__ + "\n"
        os.write(2, line.encode())
    finally:
        os._exit("--probe" in sys.argv)

main("post_tool_use")
