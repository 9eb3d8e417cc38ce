"""How many candidates may still be asked about, and for how long."""

from session_memory.startup.eligibility import BUDGET_COUNT, BUDGET_TIME
from session_memory.startup.limits import PAID_S, PER_CATEGORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable


class Budget:
    """One for all paid evidence of a run; ``clock`` starts to count when it is made."""

    def __init__(
        self,
        clock: "Callable[[], float]",
        per_category: int = PER_CATEGORY,
        seconds: float = PAID_S,
    ) -> None:
        self._clock = clock
        self._per_category = per_category
        self._end = clock() + seconds
        self.charged: dict[str, int] = {}

    def refusal(self, category: str) -> str:
        """``""`` if one more of ``category`` is allowed, which is then charged; else the reason.

        Time is looked at first, so that the reason is the one that really applies.
        """
        if self._clock() >= self._end:
            return BUDGET_TIME
        used = self.charged.get(category, 0)
        if used >= self._per_category:
            return BUDGET_COUNT
        self.charged[category] = used + 1
        return ""
