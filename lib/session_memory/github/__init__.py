"""GitHub's REST interface through the ``gh`` executable, which keeps the credentials to itself.

:mod:`~session_memory.github.connection` is what other rooms use; a failure is always one of
:mod:`~session_memory.github.errors`, so "not there" and "could not ask" cannot be confused.
"""
