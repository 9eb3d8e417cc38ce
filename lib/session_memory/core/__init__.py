"""The fast path: standard library only, Python 3.9 or newer, nothing of ours outside it."""
