"""Several judgements of a response become one: labels by the majority, the order by mean place."""

import math
from collections.abc import Sequence
from typing import Any

from tasktypes.importance.schema import Answer, ClaimAnswer, NuggetAnswer
from tasktypes.machines.votes import NoConsensus, together


def combined(answers: Sequence[Answer], how: str | None, *, vital: bool = False) -> Answer:
    """The judgement of all. A label that some left out is combined from those who gave it.

    vital: whether each order is of the claims that its answer labels vital.
    """
    claims = [
        ClaimAnswer(
            claim=row[0].claim,
            importance=_label([claim.importance for claim in row], how, "importance"),
            support=_label([claim.support for claim in row], how, "support"),
        )
        for row in zip(*(answer.claims for answer in answers), strict=True)
    ]
    nuggets = [
        NuggetAnswer(
            nugget=row[0].nugget, support=_label([nugget.support for nugget in row], how, "nuggets")
        )
        for row in zip(*(answer.nuggets for answer in answers), strict=True)
    ]
    order = _order_of_vital(answers, claims) if vital else _order(answers)
    return Answer(claims=tuple(claims), order=order, nuggets=tuple(nuggets))


def first_claim(answers: Sequence[Answer]) -> int | None:
    """The claim that most put in order, by its mean place; without any order the one claim that
    more than half label vital. Of equals the one with the lower number; None where there is none.
    """
    orders = [answer.order for answer in answers if answer.order]
    if orders:
        places: dict[int, list[int]] = {}
        for order in orders:
            for place, claim in enumerate(order):
                places.setdefault(claim, []).append(place)
        return min(places, key=lambda c: (-len(places[c]), sum(places[c]) / len(places[c]), c))
    vital = [c.claim for answer in answers for c in answer.claims if c.importance == "vital"]
    most = [claim for claim in dict.fromkeys(vital) if 2 * vital.count(claim) > len(answers)]
    return most[0] if len(most) == 1 else None


def _label(labels: Sequence[str | None], how: str | None, where: str) -> Any:
    votes = [label for label in labels if label is not None]
    return together(votes, kind="label", how=how, where=where) if votes else None


def _order(answers: Sequence[Answer]) -> tuple[int, ...] | None:
    """Claims by their mean place; of equals the one with the lower number comes first."""
    orders = [answer.order for answer in answers if answer.order is not None]
    if not orders:
        return None
    if len({frozenset(order) for order in orders}) > 1:
        raise NoConsensus("order: not everybody put the same claims in order")
    return tuple(
        sorted(orders[0], key=lambda claim: (sum(order.index(claim) for order in orders), claim))
    )


def _order_of_vital(
    answers: Sequence[Answer], claims: Sequence[ClaimAnswer]
) -> tuple[int, ...] | None:
    """The claims that are vital to most, by their mean place in the orders that hold them."""
    orders = [answer.order for answer in answers if answer.order is not None]

    def place(claim: int) -> tuple[float, int]:
        places = [order.index(claim) for order in orders if claim in order]
        return (sum(places) / len(places) if places else math.inf), claim

    vital = (claim.claim for claim in claims if claim.importance == "vital")
    return tuple(sorted(vital, key=place)) if orders else None
