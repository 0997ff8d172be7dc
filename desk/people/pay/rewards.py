"""What panels pay by themselves; payment files hold the rest of what is owed.

A panel pays a reward for each session that ends in completed work, and the fixed pay of its code
for a screen-out.
"""

from collections.abc import Callable, Collection, Hashable
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.db import models
from django.db.models import Max, Q, Sum
from django.utils.translation import gettext_lazy as _

from annotation.entry.invitations import INVITED
from annotation.models import (
    Assignment,
    LedgerRow,
    PanelSubmission,
    Participation,
    StateChange,
    Study,
)
from annotation.panels.prolific_api.shapes import SubmissionStatus
from annotation.panels.registry import panel_of

Kind, State = LedgerRow.Kind, Participation.State
PAID_NOTHING = (SubmissionStatus.RETURNED, SubmissionStatus.TIMED_OUT)


class Covers(models.TextChoices):
    """What goes into a file, depending on what the panel pays by itself."""

    BEYOND_SESSION = (
        "beyond_session",
        _("Everything beyond the reward: the panel pays the first batch of each of its sessions"),
    )
    BEYOND_FIRST = (
        "beyond_first",
        _("Everything beyond the first batch of each round, which the panel pays"),
    )
    EXTRAS = "extras", _("Bonuses, adjustments and unfinished batches: the panel pays every batch")
    ALL = "all", _("Everything, including base pay: the panel itself pays nothing")

    @classmethod
    def usual(cls, study: Study) -> "Covers":
        """The usual choice for the study's panel: panels that send workers pay once a session."""
        return cls.BEYOND_SESSION if panel_of(study).pays_by_session else cls.EXTRAS


class _SubmittedBatch(NamedTuple):
    """A submitted batch: keys of rows, the visit and the time."""

    key: int
    participation: int
    round: int
    visit: int
    at: datetime
    training: bool


# The key by which batches share one reward: the base pay of the first of them.
SHARING: dict[str, Callable[[_SubmittedBatch], Hashable]] = {
    Covers.BEYOND_SESSION: lambda batch: (batch.participation, batch.visit),
    Covers.BEYOND_FIRST: lambda batch: (batch.participation, batch.round),
    Covers.EXTRAS: lambda batch: batch.key,
}


class PaidByPanel:
    """How much of each ledger row the panel pays by itself, as long as it pays as `covers` says.

    Training is not completed work for a panel. A session that ends in a screen-out pays the
    code's fixed sum and no reward. A session of which the panel's API says that it was returned or
    timed out pays neither. Four queries.
    """

    def __init__(self, study: Study, covers: Covers) -> None:
        self._by_session = covers == Covers.BEYOND_SESSION
        batches, screened_out = _submitted(study), _screened_out(study)
        unpaid = _unpaid_sessions(study) if self._by_session else set()
        # The visit of the last batch submitted before the screen-out: later ones overwrite earlier.
        self._screened_out_in = {
            batch.participation: batch.visit
            for batch in batches
            if batch.participation in screened_out and batch.at <= screened_out[batch.participation]
        }
        rewarding = [batch for batch in batches if (batch.participation, batch.visit) not in unpaid]
        self._rewarded = _rewarded_batches(rewarding, SHARING[covers])
        self._left_of_code = _left_of_code(screened_out)
        for participation in self._left_of_code:
            if (participation, self._screened_out_in.get(participation, 1)) in unpaid:
                self._left_of_code[participation] = Decimal()

    def part_of(self, row: LedgerRow) -> Decimal:
        """The panel's part of a row. Stateful: call it once per row, in the order of the ledger."""
        if row.kind != Kind.BASE or not self._may_pay(row.participation):
            return Decimal()
        if self._is_of_screenout(row):
            part = min(row.amount, self._left_of_code[row.participation_id])
            self._left_of_code[row.participation_id] -= part
            return part
        # A batch that was closed unfinished earns no reward.
        return row.amount if row.assignment_id in self._rewarded else Decimal()

    def _may_pay(self, participation: Participation) -> bool:
        """Whether the panel pays: workers who came by an invitation have no session there."""
        return not (self._by_session and participation.worker.panel == INVITED)

    def _is_of_screenout(self, row: LedgerRow) -> bool:
        """Whether it was earned in a session that ended in a screen-out."""
        if row.participation_id not in self._left_of_code:
            return False
        batch = row.assignment
        return batch is None or batch.visit == self._screened_out_in.get(row.participation_id)


def _submitted(study: Study) -> list[_SubmittedBatch]:
    rows = Assignment.objects.filter(
        participation__study=study, state=Assignment.State.SUBMITTED
    ).order_by("submitted_at", "pk")
    keys = ("pk", "participation", "round", "visit", "submitted_at", "round__shows_answers")
    return [_SubmittedBatch(*row) for row in rows.values_list(*keys)]


def _unpaid_sessions(study: Study) -> set[tuple[int, int]]:
    """Participation and visit of each session that ended at the panel without any pay."""
    rows = PanelSubmission.objects.filter(
        panel_study__study=study, participation__isnull=False, status__in=PAID_NOTHING
    )
    return set(rows.values_list("participation", "visit"))


def _rewarded_batches(
    batches: list[_SubmittedBatch], sharing: Callable[[_SubmittedBatch], Hashable]
) -> set[int]:
    first: dict[Hashable, int] = {}
    for batch in batches:
        if not batch.training:
            first.setdefault(sharing(batch), batch.key)
    return set(first.values())


def _screened_out(study: Study) -> dict[int, datetime]:
    """Participation -> time of the last screen-out. A reinstatement after that does not reopen the
    panel's session."""
    changes = StateChange.objects.filter(participation__study=study, after=State.SCREENED_OUT)
    last = changes.values("participation").annotate(at=Max("at")).order_by("participation")
    return dict(last.values_list("participation", "at"))


def _left_of_code(participations: Collection[int]) -> dict[int, Decimal]:
    """Participation -> what remains of the screen-out code's pay after the parts used by files."""
    filed = Sum("ledger__by_panel", filter=Q(ledger__exported_at__isnull=False))
    rows = Participation.objects.filter(pk__in=participations).annotate(filed=filed)
    sums = rows.values_list("pk", "screenout_pay", "filed")
    return {
        participation: (pay or Decimal()) - (filed or Decimal())
        for participation, pay, filed in sums
    }
