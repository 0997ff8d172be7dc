"""Export files with answers that somebody has taken back: they are given out no more."""

from functools import partial

from django.db import transaction
from django.db.models import Min, Q
from django.utils import timezone

from annotation.models import Annotation, Participation, Study, log_change
from exports.choice import WITH
from exports.jobs import exports_of, path_of
from jobs.models import JobState

_RUNNING = Q(state=JobState.RUNNING)


def withdraw_exports(study: Study, participation: Participation, **_signal: object) -> None:
    """Give out no export that may hold this person's answers: those that are being written, and
    those that ended after the first of the answers, or with personal data since the person came.
    Their files go when the transaction commits.

    Jobs that wait are locked until then, so that a worker takes them up when the answers are gone
    for it, too.
    """
    answers = Annotation.objects.filter(rater__participation=participation)
    first = answers.aggregate(first=Min("created_at"))["first"]
    came = participation.arrived_at
    holding = Q(parameters__choice__personal=WITH) & (_RUNNING | Q(ended_at__gte=came))
    if first is not None:
        holding |= _RUNNING | Q(ended_at__gte=first)
    waiting = exports_of(study).filter(state=JobState.QUEUED).order_by("pk")
    list(waiting.select_for_update(no_key=True, of=("self",)).values_list("pk"))
    _withdraw(study, holding)
    # Those that were asked for, taken up and written before this transaction commits.
    transaction.on_commit(partial(_withdraw, study, holding))


@transaction.atomic
def _withdraw(study: Study, holding: Q) -> None:
    jobs = exports_of(study).filter(holding, state__in=(JobState.RUNNING, JobState.DONE))
    jobs = jobs.order_by("pk")
    for job in jobs.select_for_update(no_key=True, of=("self",)):
        job.state, job.ended_at, job.outcome = JobState.WITHDRAWN, timezone.now(), None
        job.save(update_fields=["state", "ended_at", "outcome"])
        subject = job.parameters["format_name"]
        log_change(study=study, by=None, action="export.withdrawn", subject=subject)
        transaction.on_commit(partial(path_of(job).unlink, missing_ok=True))
