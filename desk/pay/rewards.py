"""What a panel pays by itself: a reward for each session that ends in completed work, and the fixed
pay of its code for a screen-out. Files hold the rest of what is owed."""

from collections.abc import Callable, Collection, Hashable
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db import models
from django.db.models import Max, Q, Sum
from django.utils.translation import gettext_lazy as _

from annotation.entry.invitations import INVITED
from annotation.models import Assignment, LedgerRow, Participation, StateChange, Study
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
    round: int
    visit: int
    at: datetime
    training: bool


# Which batches share one reward, which is the base pay of the first of them.
SHARING: dict[str, Callable[[_Batch], Hashable]] = {
    Covers.BEYOND_SESSION: lambda batch: (batch.who, batch.visit),
    Covers.BEYOND_FIRST: lambda batch: (batch.who, batch.round),
    Covers.EXTRAS: lambda batch: batch.key,
}


class PaidByPanel:
    """How much of each ledger row the panel pays by itself, as long as it pays as `covers` says.

    Training is never completed work there. A session that ends in a screen-out pays the code's
    fixed sum and no reward. Three queries.
    """

    def __init__(self, study: Study, covers: Covers) -> None:
        self._by_session = covers == Covers.BEYOND_SESSION
        batches, screened_out = _submitted(study), _screened_out(study)
        # Of the batches until then, in the order they were submitted, the last one stays.
        self._screened_out_in = {
            batch.who: batch.visit
            for batch in batches
            if batch.who in screened_out and batch.at <= screened_out[batch.who]
        }
        self._rewarded = _first(batches, SHARING[covers])
        self._left_of_code = _left_of_code(screened_out)

    def part_of(self, row: LedgerRow) -> Decimal:
        """Of one row after another, each asked for once."""
        if row.kind != Kind.BASE or not self._may_pay(row.participation):
            return Decimal()
        if self._is_of_screenout(row):
            part = min(row.amount, self._left_of_code[row.participation_id])
            self._left_of_code[row.participation_id] -= part
            return part
        # A batch that was closed unfinished earns no reward.
        return row.amount if row.assignment_id in self._rewarded else Decimal()

    def _may_pay(self, who: Participation) -> bool:
        """Who came by an invitation is in none of the panel's sessions."""
        return not (self._by_session and who.worker.panel == INVITED)

    def _is_of_screenout(self, row: LedgerRow) -> bool:
        """Whether it was earned in a session that ended in a screen-out."""
        if row.participation_id not in self._left_of_code:
            return False
        batch = row.assignment
        return batch is None or batch.visit == self._screened_out_in.get(row.participation_id)


def _submitted(study: Study) -> list[_Batch]:
    rows = Assignment.objects.filter(
        participation__study=study, state=Assignment.State.SUBMITTED
    ).order_by("submitted_at", "pk")
    keys = ("pk", "participation", "round", "visit", "submitted_at", "round__shows_answers")
    return [_Batch(*row) for row in rows.values_list(*keys)]


def _first(batches: list[_Batch], sharing: Callable[[_Batch], Hashable]) -> set[int]:
    first: dict[Hashable, int] = {}
    for batch in batches:
        if not batch.training:
            first.setdefault(sharing(batch), batch.key)
    return set(first.values())


def _screened_out(study: Study) -> dict[int, datetime]:
    """Participation -> when they were screened out last. Whoever was brought back after that has
    ended that session of the panel all the same."""
    changes = StateChange.objects.filter(participation__study=study, after=State.SCREENED_OUT)
    last = changes.values("participation").annotate(at=Max("at")).order_by("participation")
    return dict(last.values_list("participation", "at"))


def _left_of_code(people: Collection[int]) -> dict[int, Decimal]:
    """Participation -> what the code for a screen-out pays beyond the parts that files have left
    to it."""
    filed = Sum("ledger__by_panel", filter=Q(ledger__exported_at__isnull=False))
    rows = Participation.objects.filter(pk__in=people).annotate(filed=filed)
    found = rows.values_list("pk", "screenout_pay", "filed")
    return {who: (pay or Decimal()) - (filed or Decimal()) for who, pay, filed in found}
