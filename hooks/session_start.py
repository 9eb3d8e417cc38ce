"""Entry point of the SessionStart event. It stays tiny, because a script is never cached."""

import gc
import sys

gc.disable()  # the process ends before there is anything to collect
sys.path.reverse()  # compiled modules first: the large folder of the library is never listed
sys.path.insert(0, __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1] + "../lib")

from session_memory.core.guard import main  # noqa: E402 - found through the line above

main("session_start")
