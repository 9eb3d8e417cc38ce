"""What the files in ``/memories/session/`` are called: names hold validated ids, nothing else."""

import os
import re
from dataclasses import dataclass

from session_memory.core.digest import sha256_hex
from session_memory.markers.families import NUMBER

NAMESPACE = "/memories/session/"
MAX_ISSUES = 20

_SCOPE = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?")
_KEY_LENGTH = 12
PROMPT_PREFIX = "cost-collection-install-prompt-"


class BadName(ValueError):
    """What was given cannot be part of a file name; the message says what could."""


@dataclass(frozen=True)
class Shape:
    """One kind of file. ``file`` matches its names, the group is the id in them."""

    name: str
    row: str
    file: re.Pattern[str]


_NUMBER_FILE = rf"({NUMBER})\.md"
SHAPES = (
    Shape("plan", "SMC-01", re.compile(rf"plan-issue-{_NUMBER_FILE}")),
    Shape("plan-bundle", "SMC-02", re.compile(rf"plan-bundle-({NUMBER}(?:-{NUMBER})+)\.md")),
    Shape("design", "SMC-03", re.compile(rf"design-issue-{_NUMBER_FILE}")),
    Shape("review-state", "SMC-05", re.compile(rf"review-state-{_NUMBER_FILE}")),
    Shape("deferred-work", "SMC-15", re.compile(rf"rate-limit-deferred-({_SCOPE.pattern})\.md")),
    Shape("install-prompt", "SMC-18", re.compile(rf"{PROMPT_PREFIX}([0-9a-f]{{{_KEY_LENGTH}}})")),
)


@dataclass(frozen=True)
class Bundle:
    """Issues that one plan is for, the primary one first."""

    issues: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> "Bundle":
        """The bundle called ``163-164``, ``plan-bundle-163-164`` or that with ``.md``."""
        inner = text.removeprefix("plan-bundle-").removesuffix(".md")
        if not re.fullmatch(rf"{NUMBER}(?:-{NUMBER})+", inner):
            raise BadName("a bundle is named by at least two issues, such as 163-164.")
        issues = tuple(map(int, inner.split("-")))
        if len(set(issues)) != len(issues) or len(issues) > MAX_ISSUES:
            raise BadName(f"a bundle has each issue once, and at most {MAX_ISSUES}.")
        return cls(issues)

    @property
    def name(self) -> str:
        return "-".join(map(str, self.issues))

    @property
    def file(self) -> str:
        return f"plan-bundle-{self.name}.md"


def plan(issue: int) -> str:
    """The file of an issue's own plan (SMC-01)."""
    return f"plan-issue-{_number(issue)}.md"


def design(issue: int) -> str:
    """The file of an issue's design (SMC-03)."""
    return f"design-issue-{_number(issue)}.md"


def review_state(issue: int) -> str:
    """The file of an issue's review state (SMC-05)."""
    return f"review-state-{_number(issue)}.md"


def deferred_work(scope: str) -> str:
    """The file of what was deferred in ``scope`` (SMC-15)."""
    if not _SCOPE.fullmatch(scope):
        raise BadName(
            "a scope is up to 64 of a-z, 0-9, dot, dash and underscore, with a letter or digit at"
            " both ends, such as review-pr-9."
        )
    return f"rate-limit-deferred-{scope}.md"


def install_prompt(root: str) -> str:
    """The file that suppresses the install prompt for the workspace at ``root`` (SMC-18).

    The contract puts the absolute path itself into the name, which no file name can hold. The key
    is a digest of the real path instead; the file tells the path.
    """
    return prompt_key(os.path.realpath(root))


def prompt_key(real: str) -> str:
    """The same of a real path; :class:`ValueError` for a text that is no path."""
    return PROMPT_PREFIX + sha256_hex(os.fsencode(os.path.normcase(real)))[:_KEY_LENGTH]


def recognise(file: str) -> "tuple[Shape, str] | None":
    """The shape and the id of a file name; ``None`` for a file that is none of ours."""
    for shape in SHAPES:
        match = shape.file.fullmatch(file)
        if match:
            return shape, match[1]
    return None


def _number(issue: int) -> int:
    if not re.fullmatch(NUMBER, str(issue)):
        raise BadName("an issue has a number from 1 on.")
    return issue
