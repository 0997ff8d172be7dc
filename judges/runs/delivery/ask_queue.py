"""The asks of a chunk that are not under way yet, and whether another one may begin: within what is
left to spend, and as long as anything has been answered."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from judges.methods.asks import Ask, AskOutcome

# With less left than so many answers cost, one is worked at a time.
NEAR = 10
# A run without any answer is paused after so many failed calls, for so many answers.
HOPELESS_CALLS, HOPELESS_ANSWERS = 50, 10


class Budget:
    """USD that are left, None for no limit. dearest: what an answer can cost, until so many have
    been paid that the dearest of these tells it."""

    def __init__(self, left: Decimal | None, dearest: Decimal = Decimal(0)) -> None:
        self.left, self.is_spent = left, False
        self._limit, self._paid, self._n_paid = dearest, Decimal(0), 0

    def pay(self, cost: Decimal) -> None:
        """Subtract what an answer has cost."""
        if self.left is not None and cost:
            self.left -= cost
            self._paid, self._n_paid = max(self._paid, cost), self._n_paid + 1
            self.is_spent = self.left <= 0

    def note_left(self, left: Decimal | None) -> None:
        """Take in what others have spent of the same money."""
        if self.left is not None and left is not None:
            self.left = min(self.left, left)

    @property
    def dearest(self) -> Decimal:
        return self._paid if self._n_paid >= NEAR else max(self._paid, self._limit)

    @property
    def is_near_end(self) -> bool:
        return self._is_near(0)

    def allows(self, under_way: int) -> bool:
        """Whether another answer may be begun beside so many, which are not paid for yet."""
        return under_way == 0 or not self._is_near(under_way)

    def _is_near(self, under_way: int) -> bool:
        return self.left is not None and self.left < (NEAR + under_way) * self.dearest


class AskQueue(Iterator[Ask]):
    """The asks that are not under way yet.

    Once it is closed no ask begins any more, but those under way are finished: they are paid for.
    It closes when the budget is spent. calls_each: where nothing has been answered yet, how many
    calls an ask takes; it then closes, too, when so many calls have failed that the run is to be
    paused, and does not begin more before. None: that is not watched.
    """

    def __init__(
        self, asks: Iterable[Ask], budget: Budget, *, calls_each: float | None = None
    ) -> None:
        self.asks, self.budget, self.calls_each = iter(asks), budget, calls_each
        self.failed_asks, self.failed_calls, self.is_closed = 0, 0, False

    def __next__(self) -> Ask:
        if self.is_closed:
            raise StopIteration
        return next(self.asks)

    def may_begin(self, under_way: int) -> bool:
        """Whether to take the next ask, or to wait until one of those under way has ended."""
        if self.is_closed or not under_way:
            return True
        return self.budget.allows(under_way) and not self._is_hopeless(under_way)

    def note(self, outcome: AskOutcome) -> None:
        """Count what an ask has cost, and whether it was answered."""
        self.budget.pay(sum((reply.cost or Decimal(0) for reply in outcome.replies), Decimal(0)))
        if outcome.answer is not None:
            self.calls_each = None
        self.failed_asks += 1
        self.failed_calls += sum(reply.failure is not None for reply in outcome.replies)
        self.is_closed = self.is_closed or self.budget.is_spent or self._is_hopeless(0)

    def close(self) -> None:
        self.is_closed = True

    def _is_hopeless(self, under_way: int) -> bool:
        """Whether the run is to be paused, if those under way fail like all before them."""
        if self.calls_each is None:
            return False
        calls = self.failed_calls + under_way * self.calls_each
        return calls >= HOPELESS_CALLS and self.failed_asks + under_way >= HOPELESS_ANSWERS
