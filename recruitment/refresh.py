"""Bring a study's rows up to what Prolific says: by the button, and every five minutes."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.models import PanelDecision, PanelPayment, PanelStudy
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.connection import connect, is_connected
from annotation.panels.prolific_api.errors import ProlificError
from annotation.panels.prolific_api.shapes import StudyStatus
from recruitment import confirmations, decisions
from recruitment.submissions import read_submissions

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


def studies_to_read() -> list[int]:
    """The keys of studies at Prolific that are not over, and for which there is a token."""
    going_on = _going_on().select_related("study")
    return [made.pk for made in going_on if is_connected(made.study)]


def read_study(*, made_id: int, now: datetime) -> bool:
    """Refresh one study at Prolific, if it is still there. What fails says so in its row, and is
    False."""
    made = PanelStudy.objects.select_related("study").filter(pk=made_id).first()
    if made is None:
        return False
    try:
        with connect(made.study) as client:
            refresh(made=made, client=client, now=now)
    except ProlificError as error:
        PanelStudy.objects.filter(pk=made.pk).update(problem=str(error)[:500])
        return False
    return True


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
