"""Read a study's submissions at Prolific, and bring both sides together.

Reading twice changes nothing. What was returned or timed out there gives its places back here.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction

from annotation.models import (
    Assignment,
    PanelStudy,
    PanelSubmission,
    Participation,
    Study,
    SubmissionStatus,
    Worker,
)
from annotation.models.tombstones import tombstones
from annotation.panels.contract import Recruitment, VisitOutcome
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.shapes import SubmissionReply
from annotation.panels.visits import sessions_of
from annotation.work.leases import close_open_batch
from annotation.work.qualification import change_state
from recruitment.publication import PANEL, finish_draft, note

Code, Status = PanelSubmission.Code, SubmissionStatus

# Recorded as the reason where a submission was returned there.
RETURNED = "returned the submission on the panel"
_READ = (
    "participation",
    "visit",
    "status",
    "code",
    "started_at",
    "completed_at",
    "return_asked_at",
)


def read_submissions(*, made: PanelStudy, client: Prolific, now: datetime) -> int:
    """Read the study and all its submissions, and free the places of those who are gone there; how
    many there are. Prolific is asked first, so that nothing here is locked meanwhile."""
    finish_draft(made, client=client, now=now)
    if made.state != PanelStudy.State.MADE:
        return 0
    reply = client.study(made.external_id)
    rows = list(client.submissions(made.external_id))
    with transaction.atomic():
        note(made, reply)
        store(made, rows)
        PanelStudy.objects.filter(pk=made.pk).update(read_at=now)
    made.read_at = now
    for submission in _gone(made):
        free_places(submission=submission, now=now)
    return len(rows)


def store(made: PanelStudy, rows: Iterable[SubmissionReply]) -> None:
    """Store the submissions as they were read. Those of erased people are left alone."""
    replies = {row.id: row for row in rows}
    erased = {tomb: key for key in replies for tomb in tombstones(made.panel, key)}
    for tomb in made.submissions.filter(external_id__in=erased).values_list(
        "external_id", flat=True
    ):
        del replies[erased[tomb]]
    there = {row.external_id: row for row in made.submissions.filter(external_id__in=replies)}
    people, codes = _people(made.study, replies.values()), _codes(made.study)
    rows_now = [
        _filled(there.get(key) or PanelSubmission(panel_study=made, external_id=key), reply, people)
        for key, reply in replies.items()
    ]
    for row in rows_now:
        row.code = _code(replies[row.external_id].code, codes)
    PanelSubmission.objects.bulk_create(
        [row for row in rows_now if row.pk is None], ignore_conflicts=True, batch_size=500
    )
    known_rows = [row for row in rows_now if row.pk is not None]
    PanelSubmission.objects.bulk_update(known_rows, _READ, batch_size=200)


def _filled(
    row: PanelSubmission, reply: SubmissionReply, people: Mapping[str, Participation]
) -> PanelSubmission:
    person = people.get(reply.participant)
    row.participation = person
    # Sessions are erased in time; what was known of one stays.
    row.visit = sessions_of(person).get(reply.id, row.visit) if person else 0
    row.status = reply.status[:40]
    row.started_at, row.completed_at = reply.started_at, reply.completed_at
    row.return_asked_at = reply.return_requested
    return row


def _people(study: Study, replies: Iterable[SubmissionReply]) -> dict[str, Participation]:
    """Prolific's id -> the participation here."""
    ids = {reply.participant for reply in replies}
    workers = Worker.objects.filter(panel=PANEL, external_id__in=ids)
    people = Participation.objects.filter(study=study, worker__in=workers).select_related("worker")
    return {person.worker.external_id: person for person in people}


def _codes(study: Study) -> dict[str, PanelSubmission.Code]:
    named = {
        VisitOutcome.COMPLETED: Code.COMPLETED,
        VisitOutcome.SCREENED_OUT: Code.SCREENED_OUT,
        VisitOutcome.RETURNED: Code.RETURNED,
    }
    codes = Recruitment.of(study.recruitment).codes
    return {code: named[outcome] for outcome, code in codes.items() if code}


def _code(text: str, codes: Mapping[str, PanelSubmission.Code]) -> PanelSubmission.Code:
    if not text or text.upper() == "NOCODE":
        return Code.NONE
    return codes.get(text, Code.OTHER)


# --- Places of those who are gone there -------------------------------------------------------


def _gone(made: PanelStudy) -> list[PanelSubmission]:
    """Submissions that ended there without work while the person is still in the study here."""
    gone = made.submissions.filter(
        status__in=(Status.RETURNED, Status.TIMED_OUT), participation__isnull=False
    ).exclude(participation__state__in=Participation.ENDED)
    return list(gone.select_related("participation__study", "participation__worker"))


@transaction.atomic
def free_places(*, submission: PanelSubmission, now: datetime) -> bool:
    """Give back what somebody holds here who has returned the submission or run out of time there.

    A return ends the participation, as leaving does. After a time-out the person may still be at
    work: their batch is closed only once its lease has run out. Its finished part is paid. False
    where nothing was held, or they have come in another session since then.
    """
    person = submission.participation
    if person is None or sessions_of(person).current != submission.external_id:
        return False
    if submission.status == Status.RETURNED:
        return change_state(participation=person, to=Participation.State.LEFT, reason=RETURNED)
    if submission.status != Status.TIMED_OUT or not _has_run_out(person, now):
        return False
    return close_open_batch(participation=person) is not None


def _has_run_out(person: Participation, now: datetime) -> bool:
    opened = person.assignments.filter(
        state__in=(Assignment.State.ACTIVE, Assignment.State.EXPIRED)
    ).first()
    return opened is not None and (
        opened.state == Assignment.State.EXPIRED or opened.has_run_out(now)
    )
