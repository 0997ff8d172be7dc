"""What panels pay by themselves; payment files hold the rest of what is owed.

A panel pays a reward for each session that ends in completed work, and the fixed pay of its code
for a screen-out.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from decimal import Decimal

from django.db import models
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy as _

from annotation.models import (
    Assignment,
    LedgerRow,
    PanelSubmission,
    Participation,
    StateChange,
    Study,
    SubmissionStatus,
)
from annotation.panels.registry import PANELS, panel_of

Kind, State = LedgerRow.Kind, Participation.State
PAID_NOTHING = (SubmissionStatus.RETURNED, SubmissionStatus.TIMED_OUT)
# Invitations and accounts: whoever came by them is paid by files alone.
PAYS_NOTHING = [panel.slug for panel in PANELS if not panel.pays_by_session]
PAYS_SESSIONS = [panel.slug for panel in PANELS if panel.pays_by_session]


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
        """What fits the panels in use: those that send workers pay once a session, no other pays
        anything. A study that has changed its panel has workers of both."""
        sent = study.participations.filter(worker__panel__in=PAYS_SESSIONS)
        pays = panel_of(study).pays_by_session or sent.exists()
        return cls.BEYOND_SESSION if pays else cls.ALL


# Batches that share one reward: it is the base pay of the first of them.
SHARING = {
    Covers.BEYOND_SESSION: ("participation", "visit"),
    Covers.BEYOND_FIRST: ("participation", "round"),
}


class PaidByPanel:
    """How much of each ledger row the panel pays by itself, as long as it pays as `covers` says.

    Training is not completed work for a panel. A session that ends in a screen-out pays the
    code's fixed sum and no reward. A session of which the panel's API says that it was returned or
    timed out pays neither.

    Of people who were never screened out it pays a row wholly or not at all, which the database
    tells; the rows of the others are gone through one by one. Four queries.
    """

    def __init__(self, study: Study, covers: Covers) -> None:
        self._by_session = covers == Covers.BEYOND_SESSION
        screened_out = {} if covers == Covers.ALL else _screened_out(study)
        self.screened_out: Collection[int] = screened_out.keys()
        self._rewarded = _rewarded_batches(study, covers)
        theirs = self._rewarded.filter(participation__in=self.screened_out)
        self._rewarded_there = set(theirs.values_list("pk", flat=True))
        self._screened_out_in = _screened_out_in(screened_out)
        self._left_of_code = _left_of_code(screened_out)
        unpaid = _unpaid_sessions(study, screened_out) if self._by_session else set()
        for participation in self._left_of_code:
            if (participation, self._screened_out_in.get(participation, 1)) in unpaid:
                self._left_of_code[participation] = Decimal()

    def left_to_files(self, rows: QuerySet[LedgerRow]) -> QuerySet[LedgerRow]:
        """The rows of which the panel pays nothing, of people who were never screened out."""
        rewards = Q(kind=Kind.BASE, assignment__in=self._rewarded)
        if self._by_session:
            rewards &= ~Q(participation__worker__panel__in=PAYS_NOTHING)
        return rows.exclude(participation__in=self.screened_out).exclude(rewards).exclude(amount=0)

    def part_of(self, row: LedgerRow) -> Decimal:
        """The panel's part of a row of somebody who was screened out. Stateful: call it once per
        row, in the order of the ledger."""
        if row.kind != Kind.BASE or not self._may_pay(row.participation):
            return Decimal()
        if self._is_of_screenout(row):
            part = min(row.amount, self._left_of_code[row.participation_id])
            self._left_of_code[row.participation_id] -= part
            return part
        # A batch that was closed unfinished earns no reward.
        return row.amount if row.assignment_id in self._rewarded_there else Decimal()

    def _may_pay(self, participation: Participation) -> bool:
        """Whether the panel pays: workers who came by an invitation or with an account have no
        session there."""
        return not (self._by_session and participation.worker.panel in PAYS_NOTHING)

    def _is_of_screenout(self, row: LedgerRow) -> bool:
        """Whether it was earned in a session that ended in a screen-out."""
        if row.participation_id not in self._left_of_code:
            return False
        batch = row.assignment
        return batch is None or batch.visit == self._screened_out_in.get(row.participation_id)


def _rewarded_batches(study: Study, covers: Covers) -> QuerySet[Assignment]:
    """The first submitted batch of each session or round, or every one; none where the panel pays
    nothing. Training is none."""
    rows = Assignment.objects.filter(
        participation__study=study, state=Assignment.State.SUBMITTED, round__shows_answers=False
    )
    if covers == Covers.ALL:
        return rows.none()
    if covers == Covers.EXTRAS:
        return rows
    if covers == Covers.BEYOND_SESSION:
        ended = PanelSubmission.objects.filter(
            panel_study__study=study,
            participation=OuterRef("participation"),
            visit=OuterRef("visit"),
            status__in=PAID_NOTHING,
        )
        rows = rows.exclude(Exists(ended))
    place = Window(
        RowNumber(),
        partition_by=[F(name) for name in SHARING[covers]],
        order_by=[F("submitted_at"), F("pk")],
    )
    return rows.filter(pk__in=rows.annotate(place=place).filter(place=1).values("pk"))


def _screened_out_in(screened_out: Mapping[int, datetime]) -> dict[int, int]:
    """Participation -> the visit of the last batch that they submitted before the screen-out."""
    rows = Assignment.objects.filter(
        participation__in=screened_out, state=Assignment.State.SUBMITTED
    ).order_by("submitted_at", "pk")
    return {  # later ones overwrite earlier
        participation: visit
        for participation, visit, at in rows.values_list("participation", "visit", "submitted_at")
        if at is not None and at <= screened_out[participation]
    }


def _unpaid_sessions(study: Study, participations: Collection[int]) -> set[tuple[int, int]]:
    """Participation and visit of each of their sessions that ended at the panel without pay."""
    rows = PanelSubmission.objects.filter(
        panel_study__study=study, participation__in=participations, status__in=PAID_NOTHING
    )
    return {(key, visit) for key, visit in rows.values_list("participation", "visit") if key}


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
