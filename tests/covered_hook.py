"""Runs an entry point under coverage: ``python covered_hook.py hooks/<entry>.py``.

Coverage saves its data when the process ends through ``os._exit``; hooks end through the function
behind it. This file is used only while coverage is being measured.
"""

import os
import runpy
import sys

if os.name == "posix":
    import posix

    posix._exit = os._exit

sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
