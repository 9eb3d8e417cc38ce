"""All settings of the bundle: the table of them, their values with sources, what is wrong.

Hooks read settings by :mod:`session_memory.core.settings`; this room is for the command line.
"""
