"""An issue, as far as references depend on it."""

from session_memory.core.digest import sha256_hex
from session_memory.core.json_text import parse_object, well_formed


class Issue:
    """Title, body, names of labels, and the paths that its work touches, as far as known."""

    __slots__ = ("body", "changed_paths", "labels", "title")

    def __init__(
        self,
        title: str = "",
        body: str = "",
        labels: "tuple[str, ...]" = (),
        changed_paths: "tuple[str, ...]" = (),
    ) -> None:
        self.title = title
        self.body = body
        self.labels = labels
        self.changed_paths = changed_paths

    @property
    def text(self) -> str:
        """Title and body, where keywords and tokens are looked for."""
        return f"{self.title}\n{self.body}"

    @property
    def body_hash(self) -> str:
        """Sixteen hexadecimal digits that change when the body does."""
        return sha256_hex(self.body.encode())[:16]


def parse_issue(text: str) -> Issue:
    """The issue in an answer of ``gh issue view``; :class:`ValueError` when it is none."""
    answer = parse_object(text)
    labels = answer.get("labels")
    names = [_label(label) for label in labels] if isinstance(labels, list) else []
    return Issue(
        _text(answer.get("title")),
        _text(answer.get("body")),
        tuple([name for name in names if name]),
    )


def _label(label: object) -> str:
    """Labels are objects; some tools print plain names."""
    return _text(label.get("name") if isinstance(label, dict) else label)


def _text(value: object) -> str:
    return well_formed(value) if isinstance(value, str) else ""
