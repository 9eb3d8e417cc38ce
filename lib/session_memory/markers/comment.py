"""A GitHub comment, and the one order that every reader uses."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

_INSTANT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?)?"
    r"(?:[Zz]|([+-])(\d\d):?(\d\d))?"
)
_UNDATED = float("-inf")


def instant(text: str) -> float | None:
    """An ISO 8601 date or time in seconds since 1970; UTC where it names no zone."""
    match = _INSTANT.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, zone_hours, zone_minutes = (
        match.groups()
    )
    try:
        moment = datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0),
            tzinfo=timezone.utc,
        )  # fmt: skip
    except ValueError:
        return None
    offset = timedelta(hours=int(zone_hours or 0), minutes=int(zone_minutes or 0))
    return (moment - (-offset if sign == "-" else offset)).timestamp() + float(fraction or 0)


@dataclass(frozen=True)
class Comment:
    """One comment of an issue's or pull request's conversation, as the REST interface tells it."""

    id: int
    body: str
    author: str = ""
    author_id: int = 0
    author_type: str = ""
    association: str = ""
    created_at: str = ""
    updated_at: str = ""
    html_url: str = ""

    @classmethod
    def from_api(cls, data: Mapping[str, object]) -> "Comment":
        """A comment out of GitHub's JSON. A deleted account has no user; a body may be null."""
        user = data.get("user")
        user = user if isinstance(user, Mapping) else {}
        return cls(
            id=_number(data.get("id")),
            body=_text(data.get("body")),
            author=_text(user.get("login")),
            author_id=_number(user.get("id")),
            author_type=_text(user.get("type")),
            association=_text(data.get("author_association")),
            created_at=_text(data.get("created_at")),
            updated_at=_text(data.get("updated_at")),
            html_url=_text(data.get("html_url")),
        )

    @property
    def order(self) -> tuple[float, int]:
        """Age: (created_at, id). A comment without a usable date is older than any other."""
        created = instant(self.created_at)
        return (_UNDATED if created is None else created, self.id)

    @property
    def edited(self) -> bool | None:
        """Whether it was changed after it was posted; ``None`` when that cannot be told."""
        created, updated = instant(self.created_at), instant(self.updated_at)
        return None if created is None or updated is None else updated > created

    @property
    def name(self) -> str:
        """How messages call this comment: never by its text."""
        by = f" by {self.author}" if self.author else ""
        return f"comment {self.id}{by}"


def by_age(comments: Iterable[Comment]) -> list[Comment]:
    """Oldest first. Comments of equal age stay in the order given."""
    return sorted(comments, key=lambda comment: comment.order)


def latest(comments: Iterable[Comment]) -> Comment | None:
    """The youngest comment, or ``None``."""
    ordered = by_age(comments)
    return ordered[-1] if ordered else None


def same_login(one: str, other: str) -> bool:
    """Whether two logins name one account; REST says ``name[bot]`` where GraphQL says ``name``."""
    return bool(_login(one)) and _login(one) == _login(other)


def _login(login: str) -> str:
    return login.lower().removesuffix("[bot]")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
