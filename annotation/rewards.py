"""What a panel pays by itself: a reward for each session that ends in completed work, and the fixed
pay of its code for a screen-out. Files hold the rest of what is owed."""

from collections.abc import Callable, Hashable
from decimal import Decimal
from typing import NamedTuple

from django.db import models
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext_lazy as _

from annotation.inviting import INVITED
from annotation.models import Assignment, LedgerRow, Participation, Study
from annotation.panels.registry import panel_of

Kind, State = LedgerRow.Kind, Participation.State


class Covers(models.TextChoices):
    """What goes into a file, by what the panel pays of its own."""

    BEYOND_SESSION = (
        "beyond_session",
        _("Everything beyond the reward: the panel pays the first batch of each of its sessions"),
    )
    BEYOND_FIRST = (
        "beyond_first",
        _("Everything beyond the first batch of each round, which the panel pays"),
    )
    EXTRAS = "extras", _("Bonuses, adjustments and unfinished batches: the panel pays every batch")
    ALL = "all", _("Everything, base pay too: the panel pays nothing by itself")

    @classmethod
    def usual(cls, study: Study) -> "Covers":
        """What fits the study's panel: who is sent by one is paid there once a session."""
        return cls.BEYOND_SESSION if panel_of(study).pays_by_session else cls.EXTRAS


class _Batch(NamedTuple):
    """A submitted batch, by its keys."""

    key: int
    who: int
    stage: int
    visit: int
    training: bool


# Which batches share one reward, which is the base pay of the first of them.
SHARING: dict[str, Callable[[_Batch], Hashable]] = {
    Covers.BEYOND_SESSION: lambda batch: (batch.who, batch.visit),
    Covers.BEYOND_FIRST: lambda batch: (batch.who, batch.stage),
    Covers.EXTRAS: lambda batch: batch.key,
}


class PaidByPanel:
    """How much of each ledger row the panel pays by itself, as long as it pays as `covers` says.

    Training is never completed work there. A session that ends in a screen-out pays the code's
    fixed sum and no reward. Three queries.
    """

    def __init__(self, study: Study, covers: Covers) -> None:
        self._by_session = covers == Covers.BEYOND_SESSION
        batches = _submitted(study)
        # Of each worker's batches, in the order they were submitted, the last one stays.
        self._last_visit = {batch.who: batch.visit for batch in batches}
        self._rewarded = _first(batches, SHARING[covers])
        self._left_of_code = _left_of_code(study)

    def part_of(self, row: LedgerRow) -> Decimal:
        """Of one row after another, each asked for once."""
        if row.kind != Kind.BASE or not self._may_pay(row.participation):
            return Decimal()
        if self._is_of_screenout(row):
            part = min(row.amount, self._left_of_code[row.participation_id])
            self._left_of_code[row.participation_id] -= part
            return part
        # A batch that was closed unfinished earns no reward. A row without any is the pay for a
        # screen-out of somebody who was brought back: the code had paid it by then.
        rewarded = row.assignment_id is None or row.assignment_id in self._rewarded
        return row.amount if rewarded else Decimal()

    def _may_pay(self, who: Participation) -> bool:
        """Who came by an invitation is in none of the panel's sessions."""
        return not (self._by_session and who.worker.panel == INVITED)

    def _is_of_screenout(self, row: LedgerRow) -> bool:
        """Whether it was earned in a session that ended in a screen-out."""
        if row.participation_id not in self._left_of_code:
            return False
        batch = row.assignment
        return batch is None or batch.visit == self._last_visit.get(row.participation_id)


def _submitted(study: Study) -> list[_Batch]:
    rows = Assignment.objects.filter(
        participation__study=study, state=Assignment.State.SUBMITTED
    ).order_by("submitted_at", "pk")
    keys = ("pk", "participation", "round", "visit", "round__shows_answers")
    return [_Batch(*row) for row in rows.values_list(*keys)]


def _first(batches: list[_Batch], sharing: Callable[[_Batch], Hashable]) -> set[int]:
    first: dict[Hashable, int] = {}
    for batch in batches:
        if not batch.training:
            first.setdefault(sharing(batch), batch.key)
    return set(first.values())


def _left_of_code(study: Study) -> dict[int, Decimal]:
    """Participation -> what the code for a screen-out pays beyond the parts that files have left
    to it. Of those alone who are screened out."""
    people = screened_out(study).annotate(
        filed=Sum("ledger__by_panel", filter=Q(ledger__exported_at__isnull=False))
    )
    found = people.values_list("pk", "screenout_pay", "filed")
    return {who: (pay or Decimal()) - (filed or Decimal()) for who, pay, filed in found}


def screened_out(study: Study) -> QuerySet[Participation]:
    """Whose last code was that for a screen-out; whoever withdraws after that keeps it."""
    withdrawn = Participation.objects.filter(
        state=State.WITHDRAWN,
        state_changes__after=State.WITHDRAWN,
        state_changes__before=State.SCREENED_OUT,
    )
    people = Participation.objects.filter(study=study)
    return people.filter(Q(state=State.SCREENED_OUT) | Q(pk__in=withdrawn.values("pk")))
