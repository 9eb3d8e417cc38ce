"""One HTTP response, as ``gh api --include`` prints it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

# gh ends the status line with LF and the headers with CRLF.
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(r"HTTP/[\d.]+ (\d{3})\b")
_LINK = re.compile(r'<([^<>]*)>\s*;[^,]*?\brel="?next\b')


@dataclass(frozen=True)
class Response:
    """Status, headers by lower-case name, and the undecoded content."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def value(self) -> object:
        """The content as JSON; :class:`ValueError` without a quotation when it is none."""
        try:
            value: object = json.loads(self.content)
        except RecursionError:
            raise ValueError("JSON is nested too deeply") from None
        except ValueError:
            raise ValueError("not JSON") from None
        return value

    @property
    def message(self) -> str:
        """What GitHub says about a failure, with the details of a failed validation."""
        try:
            value = self.value()
        except ValueError:
            return ""
        if not isinstance(value, dict):
            return ""
        errors = value.get("errors")
        details = [_detail(error) for error in errors] if isinstance(errors, list) else []
        return "; ".join(filter(None, [_text(value.get("message")), *details]))

    @property
    def next_path(self) -> str:
        """Path and query of the next page, or ``""`` on the last one.

        The host that a Link header names is left out: credentials go to the host that was asked.
        """
        match = _LINK.search(self.headers.get("link", ""))
        if match is None:
            return ""
        address = urlsplit(match[1])
        path = address.path.removeprefix("/api/v3").lstrip("/")
        return f"{path}?{address.query}" if address.query else path

    @property
    def wait_s(self) -> float | None:
        """Seconds that GitHub asks to wait, or ``None`` when it does not say."""
        after = self.headers.get("retry-after", "")
        if after.isdecimal():
            return float(after)
        until = self._instant("retry-after")
        reset = self.headers.get("x-ratelimit-reset", "")
        if until is None and self.headers.get("x-ratelimit-remaining") == "0":
            until = float(reset) if reset.isdecimal() else None
        now = self._instant("date")
        # Both instants by GitHub's clock: the one of this machine may be wrong.
        return None if until is None or now is None else max(1.0, until - now)

    def _instant(self, name: str) -> float | None:
        """The date that a header holds, in seconds since 1970."""
        try:
            return parsedate_to_datetime(self.headers.get(name, "")).timestamp()
        except (TypeError, ValueError, OverflowError):
            return None


def parse(output: bytes) -> Response | None:
    """The response in what gh printed; ``None`` when there was none, as for a cut connection."""
    split = _HEAD_END.search(output)
    head = output[: split.start()] if split else output
    status_line, *lines = head.decode("latin-1").splitlines() or [""]
    status = _STATUS.match(status_line)
    if status is None:
        return None
    pairs = [line.partition(":") for line in lines]
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return Response(int(status[1]), headers, output[split.end() :] if split else b"")


def _detail(error: object) -> str:
    return _text(error.get("message") if isinstance(error, dict) else error)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
