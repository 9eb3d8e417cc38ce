"""What can go wrong between here and GitHub, one class for each thing that a caller does about it.

A message says what was asked, what came of it, and the next step. It never repeats a comment's
text; what it repeats of GitHub's or gh's own words is cut.
"""

from session_memory.markers.problem import ECHO_MESSAGE, ECHO_VALUE, echo

# GitHub's limits are those of an hour.
_BELIEVABLE_S = 86_400.0


class GitHubError(Exception):
    """A request that did not give what was asked for.

    ``what`` names the request, ``detail`` is the answer in short, ``status`` the HTTP status or 0,
    ``wait_s`` how long GitHub asks to wait, in seconds, if it said so.
    """

    reason = "failed"
    advice = ""

    def __init__(
        self,
        what: str,
        detail: str = "",
        *,
        advice: str = "",
        status: int = 0,
        wait_s: float | None = None,
    ) -> None:
        self.what, self.status, self.wait_s = what, status, wait_s
        self.detail = echo(_one_line(detail), ECHO_VALUE)
        self.next_step = advice or self.advice
        super().__init__(what, self.detail)

    def __str__(self) -> str:
        answer = f"{self.reason} ({self.detail})" if self.detail else self.reason
        return echo(f"{self.what}: {answer}. {self.next_step}".rstrip(" "), ECHO_MESSAGE)


class GhMissing(GitHubError):
    """gh could not be found or started."""

    reason = "gh could not be started"
    advice = "Install GitHub's command line from https://cli.github.com."


class GhTooOld(GitHubError):
    """gh lacks what is used here, or another program of that name was found."""

    reason = "this gh is too old"
    advice = "Install a newer one from https://cli.github.com."


class NotSignedIn(GitHubError):
    """gh has no credentials for the host, or GitHub does not accept them."""

    reason = "not signed in"
    advice = "Run gh auth login, or set GH_TOKEN."


class RepositoryUnknown(GitHubError):
    """Nothing tells which repository is meant, or what does is no repository's name."""

    reason = "no repository"
    advice = "Name it with --repo OWNER/NAME."


class Absent(GitHubError):
    """GitHub confirms that it is not there, or hides that it is."""

    reason = "not found"
    advice = "Check the number and the repository, and that the account may see it."


class Elsewhere(Absent):
    """GitHub leads to another conversation: the issue was transferred."""

    reason = "transferred"
    advice = "Name its new repository with --repo, and its new number."


class OtherKind(GitHubError):
    """The number is a pull request's where an issue was asked for, or the other way round."""

    reason = "not what was asked for"


class Forbidden(GitHubError):
    """The account or its token may not do this."""

    reason = "not allowed"
    advice = "Use an account or a token with access to this repository."


class RateLimited(GitHubError):
    """GitHub asks to slow down, for longer than was worth waiting."""

    reason = "GitHub's rate limit"

    def __str__(self) -> str:
        told = self.wait_s is not None and self.wait_s <= _BELIEVABLE_S
        wait = f"in {self.wait_s:.0f} s" if told else "later"
        return echo(f"{self.what}: {self.reason}. Try again {wait}.", ECHO_MESSAGE)


class TooLarge(GitHubError):
    """The text is longer than GitHub takes, or the answer longer than is read here."""

    reason = "too large"
    advice = "A comment holds at most 65,536 characters: shorten it or split it."


class Rejected(GitHubError):
    """GitHub, or this package on its behalf, does not take the request as it stands."""

    reason = "refused"
    advice = "Nothing was written."


class Transient(GitHubError):
    """A server error, a cut connection, or a failure of unknown kind; it may pass."""

    reason = "GitHub could not be reached"
    advice = "Try again."


class TimedOut(Transient):
    """No answer within the limit."""

    reason = "no answer in time"


class InvalidAnswer(GitHubError):
    """An answer that is not what GitHub's documentation promises."""

    reason = "an answer that makes no sense"
    advice = "Check gh by hand: gh api user."


class Unconfirmed(GitHubError):
    """A comment was sent, and whether it arrived could not be found out."""

    reason = "sent, but it could not be confirmed that it arrived"
    advice = "Look at the conversation, then run this again: what is there is not written twice."


def _one_line(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text).strip()
