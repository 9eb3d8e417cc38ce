"""Runs the demo from a bare clone: ``PYTHONPATH=lib python3 -m session_memory.demo``."""

import sys

from session_memory.demo import main

sys.exit(main())
