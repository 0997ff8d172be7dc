"""How far a member of a team has come in their table."""

from collections import defaultdict
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import (
    Allotment,
    Assignment,
    AssignmentUnit,
    Participation,
    Round,
    Study,
)
from annotation.rounds.team.orders import least_between

SUBMITTED = AssignmentUnit.objects.filter(
    place=OuterRef("place"),
    assignment__participation=OuterRef("seat__participation"),
    assignment__state=Assignment.State.SUBMITTED,
)


class Progress(NamedTuple):
    """Units submitted, of those in the table."""

    done: int
    of: int

    @property
    def is_complete(self) -> bool:
        return self.done >= self.of


def progress_in(participation: Participation, round_: Round) -> Progress:
    """What the member has submitted of their table in that round; retired units are left out, and
    for those who have left what they have not answered."""
    rows = Allotment.objects.filter(
        Q(seat__left_at=None) | Exists(SUBMITTED),
        seat__participation=participation,
        place__round=round_,
        place__retired=False,
    )
    return Progress(**rows.aggregate(done=Count("pk", filter=Q(Exists(SUBMITTED))), of=Count("pk")))


def table_progress(participation: Participation, round_: Round | None) -> Progress | None:
    """What the worker's pages say of it; None where there is no table."""
    if round_ is None or round_.shows_answers or not participation.study.has_team:
        return None
    return progress_in(participation, round_)


def gaps(study: Study) -> dict[int, int | None]:
    """By seat: how many units lie at least between two of one source in the member's table; None
    where no source comes twice."""
    rows = Allotment.objects.filter(seat__study=study, place__retired=False)
    columns = ("seat", "place", "place__source")
    orders: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for seat, place, source in rows.order_by("seat", "position").values_list(*columns):
        orders[seat].append((place, source))
    return {
        seat: least_between([place for place, _source in order], dict(order))
        for seat, order in orders.items()
    }


def least_gap(study: Study) -> int | None:
    """The least of all members."""
    return min((gap for gap in gaps(study).values() if gap is not None), default=None)
