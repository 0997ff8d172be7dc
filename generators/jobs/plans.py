"""What a request would take before anything is asked: texts, calls, tokens and cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic import ValidationError

from annotation.models import Study, User
from generators.conversations import GenerationRefused, forecast
from generators.jobs.requests import Share, WritingRequest
from generators.payment import Payer
from judges.runs.plans.amounts import in_usd
from judges.runs.plans.forecast import Forecast

# Prompts that a page shows, filled in.
SHOWN = 2


@dataclass(frozen=True)
class PlannedShare:
    """What one model would write, and what that is expected to take. prompts: the first ones, by
    what they are for."""

    share: Share
    forecast: Forecast
    prompts: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class WritingPlan:
    """All shares, and what they take together. cap: USD that may be spent; None: no limit."""

    shares: Sequence[PlannedShare]
    total: Forecast
    cap: Decimal | None


def plan_writing(*, study: Study, request: WritingRequest, by: User | None) -> WritingPlan:
    """What the request would take; nothing is written. GenerationRefused, or another ValueError of
    one sentence, where nothing can be written or it costs too much."""
    try:
        request.check(study)
        shares = [_planned(study, share, request, by) for share in request.shares(study)]
    except ValidationError as error:
        first = error.errors()[0]
        raise GenerationRefused(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    if not any(one.share.planned for one in shares):
        raise GenerationRefused(_nothing_left(request, [one.share for one in shares]))
    total = Forecast()
    for one in shares:
        _add(total, one.forecast)
    caps = [one.forecast.cap for one in shares if one.forecast.cap is not None]
    if request.max_cost is not None and total.usd is not None and total.usd > request.max_cost:
        raise GenerationRefused(
            f"max cost: {total.calls} calls are expected to cost {in_usd(total.usd)}, more than "
            f"{in_usd(request.max_cost)}"
        )
    return WritingPlan(shares, total, min(caps, default=None))


def _planned(study: Study, share: Share, request: WritingRequest, by: User | None) -> PlannedShare:
    cap = Payer(study, by).cap(share.generator, request.max_cost)
    expected = forecast(share.generator, share.planned, max_cost=cap)
    first = share.planned[:SHOWN]
    prompts = [(planned.key, share.generator.first_prompt(planned.ask)) for planned in first]
    return PlannedShare(share, expected, [prompt for prompt in prompts if prompt[1]])


def _nothing_left(request: WritingRequest, shares: Sequence[Share]) -> str:
    why = dict.fromkeys(reason for share in shares for reason in share.left_out)
    existing = sum(share.existing for share in shares)
    said = [f"{existing} are there already"] if existing else []
    said += [f"left out: {', '.join(why)}"] if why else []
    more = f" ({'; '.join(said)})" if said else ""
    return f"There are no {request.things} left to write{more}."


def _add(total: Forecast, more: Forecast) -> None:
    total.answers, total.calls = total.answers + more.answers, total.calls + more.calls
    for name in ("tokens_in", "tokens_out", "usd"):
        left, right = getattr(total, name), getattr(more, name)
        setattr(total, name, None if left is None or right is None else left + right)
