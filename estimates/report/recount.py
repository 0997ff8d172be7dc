"""Count a study's answers anew in the background: one job at a time, and no more than needed."""

from django.db.models import Exists, F, OuterRef, Q
from django.dispatch import Signal
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotation, Rater, Study
from annotation.queries.group_keys import OF_RATERS
from estimates.data.database import from_database
from estimates.data.options import RATER_GROUPS, SIMILARITY, Options
from estimates.kept.columns import keep_columns
from estimates.models import CachedEstimates, KeptRatings
from estimates.report.cache import compute, revision_of
from jobs.kinds import JobOutcome, Kind
from jobs.models import Job, JobState
from jobs.queue import ask_unless_resting
from jobs.reports import Report

# Studies that are counted for the first time in one round of five minutes.
AT_ONCE = 20

# Sent with `study` once a job has counted it: receivers renew what they keep of its answers.
study_counted = Signal()


class Recount(Kind):
    """Count what pages show of a study."""

    name, title, waits = "recount", "Counting answers", True

    def run(self, job: Job, report: Report) -> JobOutcome:
        """Count it where answers have changed, and let others renew what they keep. While answers
        come in there is one job after the other: of those that have ended the last one stays."""
        Job.objects.filter(digest=job.digest, ended_at__isnull=False).delete()
        study = _study_of(job)
        recount(study=study)
        study_counted.send(sender=Study, study=study)
        return {}

    def address(self, job: Job) -> str:
        """The first page of results."""
        return reverse("results:summary", args=[_study_of(job).slug])


RECOUNT = Recount()


def ask_for_recount(*, study: Study) -> Job | None:
    """The job that counts the study anew; None while the study rests after the last one."""
    return ask_unless_resting(RECOUNT, study=study)


def seconds_waited(job: Job) -> float:
    """For how long a job under way has waited for somebody to begin, or to report again."""
    since = job.alive_at if job.state == JobState.RUNNING else None
    return (timezone.now() - (since or job.asked_at)).total_seconds()


def recount(*, study: Study, options: Options | None = None) -> None:
    """Compute the report that pages show and keep the ratings, where answers have changed."""
    options, revision = options or Options(), revision_of(study)
    if _is_current(study, options, revision):
        return
    data = from_database(study)
    for each in (options, *_beside(study)):
        compute(study, revision, each, data=data)
    keep_columns(study, revision, data)


def count_unseen() -> None:
    """Have studies counted that nobody needs to look at: open ones with a rule that may close them,
    where answers have come, and those with answers that never were counted, so that lists can say
    how far people agree. Of the latter the newest first, a few at once: somebody may have just
    imported many."""
    counted = CachedEstimates.objects.filter(study=OuterRef("pk"), options_hash=Options().hash)
    ruled = Study.objects.filter(state=Study.State.OPEN).exclude(stop_rule={})
    outdated = ruled.exclude(Exists(counted.filter(revision=OuterRef("revision"))))
    answers = Annotation.objects.filter(study=OuterRef("pk"), withdrawn_at=None)
    studies = Study.objects.filter(tryout_of=None, archived_at=None, importing=None)
    uncounted = studies.filter(Exists(answers)).exclude(Exists(counted)).order_by("-pk")
    for study in (*outdated, *uncounted[:AT_ONCE]):
        ask_for_recount(study=study)


def renew_outdated() -> None:
    """Drop what is kept of answers that have changed since, or have it counted anew where pages
    show it. Withdrawn answers thus disappear even where no page is opened."""
    outdated = ~Q(revision=F("study__revision"))
    shown = Q(options_hash=Options().hash)
    CachedEstimates.objects.filter(outdated & ~shown).delete()
    studies = Study.objects.filter(
        Q(pk__in=KeptRatings.objects.filter(outdated).values("study"))
        | Q(pk__in=CachedEstimates.objects.filter(outdated).values("study"))
    )
    for study in studies:
        ask_for_recount(study=study)


def _study_of(job: Job) -> Study:
    assert job.study is not None  # every recount is of a study
    return job.study


def _is_current(study: Study, options: Options, revision: int) -> bool:
    kept = KeptRatings.objects.filter(study=study, revision=revision)
    wanted = [each.hash for each in (options, *_beside(study))]
    rows = CachedEstimates.objects.filter(study=study, options_hash__in=wanted, revision=revision)
    return kept.exists() and rows.count() == len(wanted)


def _beside(study: Study) -> list[Options]:
    """What else pages show: on those of workers how close they are to judges, and figures of
    people by what files tell of them."""
    judged = study.raters.filter(kind=Rater.Kind.JUDGE)
    similar = [SIMILARITY] if judged.exists() and study.participations.exists() else []
    grouped = any(key.startswith(OF_RATERS) for key in study.group_by)
    return [*similar, *([RATER_GROUPS] if grouped else [])]
