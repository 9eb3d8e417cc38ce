"""Which error a failed call is."""

import re

from session_memory.github import errors
from session_memory.github.executable import Finished
from session_memory.github.response import Response

_NOT_SIGNED_IN = 4
_FORBIDDEN = 403
_TOO_MANY = 429
_RATE_WORDS = ("rate limit", "abuse detection")
_LARGE_WORDS = ("too long", "too large")
_CLASSES: dict[int, type[errors.GitHubError]] = {
    401: errors.NotSignedIn,
    403: errors.Forbidden,
    404: errors.Absent,
    408: errors.Transient,
    410: errors.Absent,
    413: errors.TooLarge,
    429: errors.RateLimited,
    451: errors.Forbidden,
}
_STATUS_IN_WORDS = re.compile(r"\bHTTP (\d{3})\b|\b(404) Not Found\b")


def of_response(what: str, response: Response) -> errors.GitHubError:
    """The error that a response other than 2xx stands for."""
    message = response.message
    kind = _kind(response.status, message, response)
    wait_s = response.wait_s if issubclass(kind, errors.RateLimited | errors.Transient) else None
    detail = message if kind is not errors.Transient else ""
    return kind(
        what,
        detail or f"HTTP {response.status}",
        advice=_advice(response.status, message),
        status=response.status,
        wait_s=wait_s,
    )


def _advice(status: int, message: str) -> str:
    """What helps where the class alone would mislead; ``""`` where it does not."""
    if 300 <= status < 400:  # gh follows for a read, and cannot for a write
        return "The repository has moved: use its new name."
    words = message.lower()
    if status == _FORBIDDEN and "archived" in words:
        return "An archived repository takes nothing until it is unarchived."
    if status == _FORBIDDEN and "locked" in words:
        return "A locked conversation takes comments of collaborators only."
    return ""


def of_silence(what: str, done: Finished) -> errors.GitHubError:
    """The error of a call that ended without a response."""
    words = done.stderr.decode("utf-8", "replace")
    first = words.partition("\n")[0]
    if done.timed_out:
        return errors.TimedOut(what)
    if done.overflowed:
        return errors.TooLarge(what, "the answer", advice="Look at it in a browser.")
    if done.code == _NOT_SIGNED_IN:
        return errors.NotSignedIn(what)
    if first.startswith(("unknown flag", "unknown shorthand", "unknown command")):
        return errors.GhTooOld(what, first)
    if done.code == 0:
        return errors.InvalidAnswer(what, "nothing" if not done.stdout else "no status line")
    match = _STATUS_IN_WORDS.search(words)
    status = int(match[1] or match[2]) if match else 0
    kind = _kind(status, words, None) if status else errors.Transient
    return kind(what, first or f"gh exited with {done.code}", status=status)


def _kind(status: int, message: str, response: Response | None) -> type[errors.GitHubError]:
    words = message.lower()
    if status in (403, _TOO_MANY) and _is_rate_limit(words, response):
        return errors.RateLimited
    if any(word in words for word in _LARGE_WORDS) and status == 422:
        return errors.TooLarge
    if status >= 500:
        return errors.Transient
    return _CLASSES.get(status, errors.Rejected)


def _is_rate_limit(words: str, response: Response | None) -> bool:
    """GitHub answers 403 both to who may not and to who asks too often."""
    headers = response.headers if response else {}
    told = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    return told or any(word in words for word in _RATE_WORDS)
