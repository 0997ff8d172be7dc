"""Retention: erasing identifiers, drafts and free text when a study's retention time is over."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    BrowserSession,
    Consent,
    Draft,
    Invitation,
    PanelSubmission,
    Participation,
    Rater,
    StateChange,
    Study,
    Worker,
)
from annotation.rights.erasure import (
    erase_submissions,
    erase_withdrawn,
    erase_worker,
    forget_properties,
    is_owed,
)
from annotation.rights.withdrawal import erase_due

State = Participation.State


@dataclass(frozen=True)
class Erased:
    """How much was erased.

    unpaid: erased workers whose pay was in no payment file yet; it can no longer be in one.
    """

    workers: int = 0
    unpaid: int = 0
    visits: int = 0
    drafts: int = 0
    comments: int = 0
    problems: int = 0
    counted: int = 0
    properties: int = 0
    texts: int = 0
    questionnaires: int = 0

    def __str__(self) -> str:
        return (
            f"{self.workers} workers' identifiers ({self.unpaid} of them with pay in no file), "
            f"{self.visits} panel sessions, {self.drafts} drafts, {self.comments} comments, "
            f"{self.problems} reported problems, {self.counted} answers' counts of keystrokes, "
            f"{self.properties} raters' properties, {self.texts} texts beside answers, "
            f"{self.questionnaires} filled-in questionnaires"
        )


@transaction.atomic
def erase_expired(*, now: datetime, dry_run: bool = False) -> Erased:
    """Erase identifiers, drafts, comments, reported problems, counts of keystrokes, properties of
    raters, texts beside answers and filled-in questionnaires of studies whose time is over, and the
    identifiers of those who withdrew and have been paid. Answers stay, under pseudonyms.

    Doing it twice changes nothing. A dry run erases nothing, and counts the same.
    """
    expired = [study for study in Study.objects.all() if _is_over(study, now)]
    before = _n_erased()
    erase_due(now=now, studies=expired)
    drafts = Draft.objects.filter(assignment__participation__study__in=expired)
    visits = Participation.objects.filter(study__in=expired).exclude(panel_session={})
    commented = Assignment.objects.filter(participation__study__in=expired).exclude(comment="")
    flagged = AssignmentUnit.objects.filter(assignment__participation__study__in=expired)
    flagged = flagged.exclude(problem="")
    counted = Annotation.objects.filter(study__in=expired, paradata__isnull=False)
    erasable = {"visits": visits, "drafts": drafts, "comments": commented, "problems": flagged}
    described = Rater.objects.filter(study__in=expired).exclude(metadata={})
    erasable |= {"counted": counted, "properties": described}
    written = Annotation.objects.filter(study__in=expired, rater__participation__isnull=False)
    written = written.filter(reasons__isnull=False)
    told = Participation.objects.filter(study__in=expired).exclude(questionnaire={})
    erasable |= {"texts": written, "questionnaires": told}
    counts = {name: rows.count() for name, rows in erasable.items()}
    workers = _workers_of(expired)
    unpaid = sum(_is_unpaid(worker) for worker in workers)
    for worker in workers:
        erase_worker(worker=worker, now=now)
    for worker in _withdrawn_workers():
        erase_withdrawn(worker=worker, now=now)
    drafts.delete()
    visits.update(panel_session={})
    erase_submissions(PanelSubmission.objects.filter(panel_study__study__in=expired))
    commented.update(comment="")
    flagged.update(problem="")
    counted.update(paradata=None)
    written.update(reasons=None)
    told.update(questionnaire={})
    forget_properties(described)
    Invitation.objects.filter(study__in=expired, worker__isnull=False).delete()
    BrowserSession.objects.filter(expire_date__lt=now).delete()
    erased = _n_erased() - before
    if dry_run:
        transaction.set_rollback(True)
    return Erased(workers=erased, unpaid=unpaid, **counts)


def _n_erased() -> int:
    return Worker.objects.filter(erased_at__isnull=False).count()


def _is_over(study: Study, now: datetime) -> bool:
    days, last = study.ethics.get("retention_days"), last_activity(study)
    if not isinstance(days, int) or days < 1 or last is None:
        return False
    return last + timedelta(days=days) <= now


def last_activity(study: Study) -> datetime | None:
    """When a worker last did something in the study, or a researcher last decided about one."""
    batches = Assignment.objects.filter(participation__study=study)
    drafts = Draft.objects.filter(assignment__participation__study=study)
    newest = (
        study.participations.aggregate(at=Max("arrived_at")),
        Consent.objects.filter(participation__study=study).aggregate(at=Max("given_at")),
        StateChange.objects.filter(participation__study=study).aggregate(at=Max("at")),
        batches.aggregate(at=Max("leased_at")),
        batches.aggregate(at=Max("submitted_at")),
        drafts.aggregate(at=Max("saved_at")),
    )
    return max((row["at"] for row in newest if row["at"] is not None), default=None)


def _workers_of(expired: list[Study]) -> list[Worker]:
    """The workers of these studies who are in no other study, or withdrew from it for good."""
    gone = {"state": State.WITHDRAWN, "withdrawal": None}
    elsewhere = Participation.objects.exclude(study__in=expired).exclude(**gone)
    here = Worker.objects.filter(erased_at=None, participations__study__in=expired)
    workers = here.exclude(pk__in=elsewhere.values("worker")).distinct()
    return [worker for worker in workers if not _is_unpaid(worker, outside=expired)]


def _is_unpaid(worker: Worker, *, outside: list[Study] | None = None) -> bool:
    mine = worker.participations.select_related("study", "worker")
    return any(is_owed(participation) for participation in mine.exclude(study__in=outside or []))


def _withdrawn_workers() -> list[Worker]:
    """Workers who withdrew and whose identifiers are not erased yet."""
    withdrawn = Worker.objects.filter(erased_at=None, participations__state=State.WITHDRAWN)
    return list(withdrawn.distinct())
