"""What a run is expected to take, before it is planned."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from judges.methods.asks import Cost
from judges.runs.plans.amounts import in_usd
from judges.runs.plans.scope import RunRefused


@dataclass
class Forecast:
    """What a run is expected to take. None: unknown. left_out: what it does not ask, in words.
    examples: how many units it does not ask about, as the judge is shown answers about their
    sources; beside_controls: about how many it does not, as a control is about their source and no
    person is asked about them. cap: USD that it may spend, None for no limit."""

    answers: int = 0
    calls: int = 0
    tokens_in: int | None = 0
    tokens_out: int | None = 0
    usd: Decimal | None = Decimal(0)
    left_out: str = ""
    examples: int = 0
    beside_controls: int = 0
    cap: Decimal | None = None

    def add(self, cost: Cost) -> None:
        """Count one more answer."""
        self.answers += 1
        self.calls += cost.calls
        self.tokens_in = _sum_or_none(self.tokens_in, cost.tokens_in)
        self.tokens_out = _sum_or_none(self.tokens_out, cost.tokens_out)
        self.usd = _sum_or_none(self.usd, cost.usd)


def check_cost(forecast: Forecast, max_cost: Decimal | None) -> None:
    """RunRefused where it would cost more, or nobody knows how much."""
    if max_cost is None:
        return
    if forecast.usd is None:
        raise RunRefused(
            "max cost: the cost of the calls is unknown, because the judge's endpoint has no price "
            "configured for its model; the operator of this installation can add one"
        )
    if forecast.usd > max_cost:
        raise RunRefused(
            f"max cost: {forecast.calls} calls are expected to cost {in_usd(forecast.usd)}, "
            f"more than {in_usd(max_cost)}"
        )


def _sum_or_none(left: Any, right: Any) -> Any:
    return None if left is None or right is None else left + right
