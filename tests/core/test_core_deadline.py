"""One deadline, out of which every wait is taken."""

import signal
import time
from collections.abc import Iterator

import pytest

from session_memory.core import deadline, diagnostics, stdin


@pytest.fixture(autouse=True)
def _no_countdown(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(deadline, "_end", None)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


def test_waits_nest() -> None:
    for budget in deadline.BUDGET_S.values():
        assert stdin.IDLE_S < stdin.TOTAL_S < budget


def test_without_a_countdown_nothing_is_interrupted() -> None:
    deadline.limit(0.01)
    deadline.extend(0.01)
    time.sleep(0.03)
    assert deadline.remaining() == 60.0


def test_a_blocking_call_is_interrupted() -> None:
    deadline.start(0.05)
    with pytest.raises(deadline.OutOfTime):
        time.sleep(5)
    assert deadline.remaining() == 0


def test_a_limit_is_narrower_than_the_deadline() -> None:
    deadline.start(30)
    deadline.limit(0.05)
    with pytest.raises(deadline.OutOfTime):
        time.sleep(5)
    assert deadline.remaining() > 20


def test_a_limit_is_never_wider_than_the_deadline() -> None:
    deadline.start(0.05)
    deadline.limit(30)
    with pytest.raises(deadline.OutOfTime):
        time.sleep(5)


def test_a_swallowed_interruption_comes_again() -> None:
    deadline.start(0.05)
    with pytest.raises(deadline.OutOfTime):
        time.sleep(5)
    with pytest.raises(deadline.OutOfTime):
        time.sleep(5)


def test_a_passed_deadline_can_be_extended() -> None:
    deadline.start(0.01)
    with pytest.raises(deadline.OutOfTime):
        time.sleep(5)
    deadline.extend(30)
    time.sleep(0.05)
    assert deadline.remaining() > 20


def test_a_blocked_signal_is_unblocked() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    deadline.start(0.05)
    with pytest.raises(deadline.OutOfTime):
        time.sleep(5)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (deadline.OutOfTime(), "out of time"),
        (stdin.UnusablePayload("payload is empty"), "payload is empty"),
        (OSError(28, "No space left on device"), "OSError (No space left on device) at ?"),
        (ValueError("secret"), "ValueError at ?"),
    ],
)
def test_failures_in_a_few_words(error: Exception, text: str) -> None:
    assert diagnostics.describe(error) == text


def test_a_failure_names_its_place() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        print(1 // 0)
    assert diagnostics.describe(caught.value).startswith(
        "ZeroDivisionError at test_core_deadline.py:"
    )
