"""Bring a study's rows up to what Prolific says: by the button, and every five minutes."""

from collections.abc import Callable
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import PanelDecision, PanelPayment, PanelStudy, Study
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.connection import connect, is_connected
from annotation.panels.prolific_api.errors import ProlificError
from annotation.panels.prolific_api.shapes import StudyStatus
from desk.people.recruitment import confirmations, decisions
from desk.people.recruitment.submissions import read_submissions

MADE, SENT = PanelStudy.State.MADE, PanelStudy.State.SENT


def refresh(*, made: PanelStudy, client: Prolific, now: datetime) -> int:
    """Read first, compare with what was sent, and only then send decisions that a process which
    died has left; how many submissions there are. Nothing that pays bonuses is ever sent here."""
    n_submissions = read_submissions(made=made, client=client, now=now)
    if made.state == MADE:
        decisions.settle(made=made, now=now)
        confirmations.settle(made=made, client=client, now=now)
        decisions.send(decisions.waiting(made), client=client, now=now)
    PanelStudy.objects.filter(pk=made.pk, state=MADE).update(problem="")
    return n_submissions


def refresh_all(*, now: datetime, connecting: Callable[[Study], Prolific] = connect) -> int:
    """Refresh every study that is not over; how many were. What fails says so in its row."""
    n_refreshed = 0
    for made in _going_on().select_related("study"):
        if not is_connected(made.study):
            continue
        try:
            with connecting(made.study) as client:
                refresh(made=made, client=client, now=now)
        except ProlificError as error:
            PanelStudy.objects.filter(pk=made.pk).update(problem=str(error)[:500])
        else:
            n_refreshed += 1
    return n_refreshed


def _going_on() -> QuerySet[PanelStudy]:
    """Studies that are being made, or may still change; of finished ones those with something under
    way."""
    payments = PanelPayment.objects.filter(
        panel_study=OuterRef("pk"),
        state__in=(PanelPayment.State.CLAIMED, PanelPayment.State.SENT),
    )
    sent = PanelDecision.objects.filter(
        submission__panel_study=OuterRef("pk"),
        state__in=(PanelDecision.State.INTENDED, PanelDecision.State.SENT),
    )
    goes_on = Q(state=SENT) | (
        Q(state=MADE) & ~Q(status__in=(StudyStatus.COMPLETED, StudyStatus.DRAFT))
    )
    unfinished = Exists(payments) | Exists(sent)
    return PanelStudy.objects.filter(goes_on | Q(unfinished)).order_by("pk")
