"""The session-memory contract as data, and the checks that keep documents true to it.

Only the command line imports this room; no hook does.
"""
