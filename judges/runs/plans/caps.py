"""What a run may spend: its own cap, the endpoint's, and what its account may still spend there."""

from decimal import Decimal
from typing import Any

from django.db.models import F, Sum

from annotation.models import Study, User
from endpoints.allowances import NotAllowed, usd_left
from judges.backends.factory import CHAT
from judges.methods.contract import Method
from judges.models import JudgeRun
from judges.runs.plans.amounts import in_usd
from judges.runs.plans.scope import RunRefused


def cap_of(
    method: Method[Any], max_cost: Decimal | None, *, study: Study, payer: object
) -> Decimal | None:
    """USD that a run of the account may spend; None: no limit. RunRefused where the account may not
    ask the endpoint, or has spent all, runs under way included."""
    left = left_for(method, study=study, payer=payer)
    caps = (max_cost, method.cost_cap(), left)
    return min((cap for cap in caps if cap is not None), default=None)


def left_for(
    method: Method[Any], *, study: Study, payer: object, but: JudgeRun | None = None
) -> Decimal | None:
    """USD that the account may begin to spend at the method's endpoint; None: no limit. but: a run
    whose own reserve counts as free."""
    name = method.endpoint_name()
    if not name or not isinstance(payer, User):
        return None
    try:
        left = usd_left(name, user=payer, study=study)
    except NotAllowed as error:
        raise RunRefused(str(error)) from error
    if left is None:
        return None
    reserved = _reserved(payer, name, but)
    if reserved >= left:
        raise RunRefused(
            f"endpoint: your other runs at {name} may spend the {in_usd(left)} that you have left; "
            "wait for them or cancel one"
        )
    return left - reserved


def refuse_overdrawn(method: Method[Any], run: JudgeRun) -> None:
    """RunRefused where another run of the account was planned at the same moment, and both together
    could spend more than is left."""
    name, payer = method.endpoint_name(), run.payer
    if not name or payer is None:
        return
    left = usd_left(name, user=payer, study=run.study)
    if left is not None and _reserved(payer, name, None) > left:
        raise RunRefused(f"endpoint: another run of yours at {name} has just begun; try again")


def _reserved(payer: User, endpoint: str, but: JudgeRun | None) -> Decimal:
    """What the account's runs that have not ended may still spend at an endpoint."""
    runs = JudgeRun.objects.filter(
        requested_by=payer, judge__backend=CHAT, judge__parameters__endpoint=endpoint
    ).exclude(state__in=JudgeRun.ENDED)
    if but is not None:
        runs = runs.exclude(pk=but.pk)
    total = runs.filter(max_cost__gt=F("spent")).aggregate(usd=Sum(F("max_cost") - F("spent")))
    return total["usd"] or Decimal(0)
