"""Times in records: ISO-8601, UTC, really on the calendar."""

import re
from datetime import datetime, timezone

# Schemas carry this text. ``(?!\n)`` because Python's ``$`` allows a last line feed.
PATTERN = (
    r"^(?!0000)(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    r"|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    r"|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
    r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|\+00:00)(?!\n)$"
)

_SHAPE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(?:Z|\+00:00)", re.ASCII
)


def parse(text: object) -> float:
    """Seconds since 1970. Raises :class:`ValueError` for anything but a time in UTC."""
    shape = _SHAPE.fullmatch(text) if isinstance(text, str) else None
    if shape is None:
        raise ValueError("not an ISO-8601 time in UTC")
    *fields, fraction = shape.groups()
    year, month, day, hour, minute, second = map(int, fields)
    moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc)
    return moment.timestamp() + float(fraction or 0)


def is_instant(text: object) -> bool:
    """Whether :func:`parse` understands ``text``."""
    try:
        parse(text)
    except ValueError:
        return False
    return True
