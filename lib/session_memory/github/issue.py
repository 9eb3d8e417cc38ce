"""An issue or a pull request, as far as markers depend on it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Issue:
    """An issue, or a pull request seen as one."""

    number: int
    is_pull_request: bool
    title: str
    body: str
    author: str
    comment_count: int
    updated_at: str
    html_url: str

    @classmethod
    def from_api(cls, data: Mapping[str, object]) -> "Issue":
        """An issue or a pull request out of GitHub's JSON. A body may be null."""
        user = data.get("user")
        return cls(
            number=_number(data.get("number")),
            # The two interfaces tell it differently.
            is_pull_request="pull_request" in data or "head" in data,
            title=_text(data.get("title")),
            body=_text(data.get("body")),
            author=_text(user.get("login")) if isinstance(user, Mapping) else "",
            comment_count=_number(data.get("comments")),
            updated_at=_text(data.get("updated_at")),
            html_url=_text(data.get("html_url")),
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
