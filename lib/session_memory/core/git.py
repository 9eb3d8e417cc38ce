"""The one place that runs git: bounded, without prompts, without the caller's ``GIT_*``."""

from session_memory.core import deadline
from session_memory.core.system import WINDOWS, native, read_fd, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# A local question takes milliseconds; a repository on a dead mount takes for ever.
LIMIT_S = 2.0

_MAX_OUTPUT = 16 << 20
_SETTINGS = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone must not be completed over the network, with whatever helper it names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}


def first_line(folder: str, *arguments: str) -> str:
    """The first line that git prints in ``folder``, or ``""`` when it fails."""
    output = run(folder, *arguments) or b""
    return output.partition(b"\n")[0].decode("utf-8", "surrogateescape").strip()


def run(
    folder: str, *arguments: str, stdin: bytes = b"", limit_s: "float | None" = None
) -> "bytes | None":
    """What git prints in ``folder``; ``None`` when it fails, is missing, or takes too long.

    That is ``limit_s`` seconds, by default :data:`LIMIT_S`. ``stdin`` must fit into a pipe's
    buffer.
    """
    command = ["git", "-C", folder, *arguments]
    limit_s = LIMIT_S if limit_s is None else limit_s
    deadline.limit(limit_s)
    try:
        if deadline.is_running():
            return _run_interruptible(command, stdin)
        return _run_portable(command, stdin, limit_s)
    except (OSError, ValueError):
        return None
    except deadline.OutOfTime:
        if not deadline.remaining():
            raise
        return None
    finally:
        deadline.limit(deadline.remaining())


def _run_interruptible(command: "list[str]", stdin: bytes) -> "bytes | None":
    # Not subprocess: its import alone costs more than the call. The deadline ends a hanging read.
    source, feed = native.pipe()
    output, sink = native.pipe()
    pid = _spawn(command, source, sink, (source, feed, output, sink))
    status = -1
    try:
        write_all(feed, stdin)
        native.close(feed)
        feed = -1
        answer = read_fd(output, _MAX_OUTPUT)
        status = _reap(pid)
    finally:
        if status < 0:
            native.kill(pid, 9)
            _reap(pid)
        for fd in (feed, output):
            if fd >= 0:
                native.close(fd)
    return answer if status == 0 else None


def _reap(pid: int) -> int:
    return native.waitpid(pid, 0)[1]


def _spawn(command: "list[str]", source: int, sink: int, pipes: "tuple[int, ...]") -> int:
    actions = [
        (native.POSIX_SPAWN_DUP2, source, 0),
        (native.POSIX_SPAWN_DUP2, sink, 1),
        (native.POSIX_SPAWN_OPEN, 2, "/dev/null", native.O_WRONLY, 0),
    ]
    try:
        pid = native.posix_spawnp(command[0], command, environment(), file_actions=actions)
    except OSError:
        for fd in pipes:
            native.close(fd)
        raise
    native.close(source)
    native.close(sink)
    return pid


def environment(more: "dict[str, str] | None" = None) -> "Mapping[bytes, bytes]":
    """The environment that git gets: no ``GIT_*`` of the caller, and ``more``.

    It is of bytes on POSIX and of text on Windows.
    """
    if WINDOWS:
        return _environment_as_text(more or {})  # type: ignore[return-value]
    inherited: dict[bytes, bytes] = native.environ  # type: ignore[assignment]
    kept = {name: value for name, value in inherited.items() if not name.startswith(b"GIT_")}
    settings = {**_SETTINGS, **(more or {})}
    kept.update({name.encode(): value.encode() for name, value in settings.items()})
    return kept


def _run_portable(command: "list[str]", stdin: bytes, limit_s: float) -> "bytes | None":
    import subprocess

    try:
        done = subprocess.run(
            command,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=limit_s,
            env=_environment_as_text({}),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def _environment_as_text(more: "dict[str, str]") -> "dict[str, str]":
    import os

    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, **_SETTINGS, **more}
