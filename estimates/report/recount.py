"""Count a large study's answers anew in the background: one at a time, and no more than needed.

The state is a row: the first process to ask claims it, and a message only names the study. A
lost message costs another request, a worker that dies half an hour at most.
"""

import time
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from annotation.models import Annotation, Rater, Study
from estimates.data.database import from_database
from estimates.data.options import SIMILARITY, Options
from estimates.kept.columns import keep_columns
from estimates.models import CachedEstimates, KeptRatings, Recount
from estimates.report.cache import compute, revision_of
from jobs.messages import send_task

RECOUNT = "results.tasks.recount"
# A message that no worker took by then expires, and may be sent again.
PATIENCE = timedelta(seconds=30)
# The task's own limit: a worker that has not ended by then was killed.
LONGEST = timedelta(minutes=30)
# Studies that are counted for the first time in one round of five minutes.
AT_ONCE = 20


def ask_for_recount(*, study: Study) -> bool:
    """Let a worker count the study anew, unless this was requested just now or is under way.
    Whether a message was sent; with the broker down none is, and the next view asks again."""
    now = timezone.now()
    row, _ = Recount.objects.get_or_create(study=study)
    if row.until is not None and row.until > now:
        return False  # most views end here, and write nothing
    due = Recount.objects.filter(Q(until=None) | Q(until__lte=now), study=study)
    asked_at = now if row.asked_at is None else row.asked_at
    if not due.update(until=now + PATIENCE, running=False, asked_at=asked_at):
        return False
    if send_task(RECOUNT, study.pk, expires=PATIENCE):
        return True
    Recount.objects.filter(study=study, running=False).update(until=None)
    return False


def seconds_waited(*, study: Study) -> float:
    """For how long a recount was asked for that nobody has begun; 0 where none is awaited."""
    asked_at = Recount.objects.filter(study=study).values_list("asked_at", flat=True).first()
    return 0.0 if asked_at is None else (timezone.now() - asked_at).total_seconds()


def recount(*, study: Study, options: Options | None = None) -> bool:
    """Compute the report that pages show and keep the ratings; False where another process does.

    Afterwards the study rests for as long as this took: where answers come in all the time, a
    worker spends no more than half of its time on them.
    """
    mine = timezone.now() + LONGEST
    Recount.objects.get_or_create(study=study)
    if not _claim(study, until=mine):
        return False
    started = time.monotonic()
    try:
        _count(study, options or Options())
    finally:
        rests = timedelta(seconds=time.monotonic() - started)
        claimed = Recount.objects.filter(study=study, running=True, until=mine)
        claimed.update(running=False, until=timezone.now() + rests)
    return True


def count_for_rules() -> int:
    """Have open studies with a rule that may close them counted where answers have come; how many.
    Nobody needs to look at a study for it to stop."""
    ruled = Study.objects.filter(state=Study.State.OPEN).exclude(stop_rule={})
    current = CachedEstimates.objects.filter(
        study=OuterRef("pk"), options_hash=Options().hash, revision=OuterRef("revision")
    )
    return sum(ask_for_recount(study=study) for study in ruled.exclude(Exists(current)))


def count_first_time() -> int:
    """Have studies with answers counted that never were, so that lists can say how far people
    agree; how many. The newest first, a few at once: somebody may have just imported many."""
    counted = CachedEstimates.objects.filter(study=OuterRef("pk"), options_hash=Options().hash)
    answers = Annotation.objects.filter(study=OuterRef("pk"), withdrawn_at=None)
    studies = Study.objects.filter(tryout_of=None, archived_at=None, importing=None)
    uncounted = studies.filter(Exists(answers)).exclude(Exists(counted)).order_by("-pk")
    return sum(ask_for_recount(study=study) for study in uncounted[:AT_ONCE])


def renew_outdated() -> int:
    """Drop what is kept of answers that have changed since, or have it counted anew where pages
    show it; how many studies. Withdrawn answers thus disappear even where no page is opened."""
    outdated = ~Q(revision=F("study__revision"))
    shown = Q(options_hash=Options().hash)
    CachedEstimates.objects.filter(outdated & ~shown).delete()
    studies = Study.objects.filter(
        Q(pk__in=KeptRatings.objects.filter(outdated).values("study"))
        | Q(pk__in=CachedEstimates.objects.filter(outdated).values("study"))
    )
    return sum(ask_for_recount(study=study) for study in studies)


def _claim(study: Study, *, until: datetime) -> bool:
    claim = {"running": True, "until": until, "asked_at": None}
    free = Q(running=False) | Q(until__lte=timezone.now())
    return bool(Recount.objects.filter(free, study=study).update(**claim))


def _count(study: Study, options: Options) -> None:
    revision = revision_of(study)
    if _is_current(study, options, revision):
        return
    data = from_database(study)
    compute(study, revision, options, data=data)
    if _compares_workers(study):
        compute(study, revision, SIMILARITY, data=data)
    keep_columns(study, revision, data)


def _is_current(study: Study, options: Options, revision: int) -> bool:
    kept = KeptRatings.objects.filter(study=study, revision=revision)
    wanted = [options.hash, *([SIMILARITY.hash] if _compares_workers(study) else [])]
    rows = CachedEstimates.objects.filter(study=study, options_hash__in=wanted, revision=revision)
    return kept.exists() and rows.count() == len(wanted)


def _compares_workers(study: Study) -> bool:
    """Whether pages of workers show how close they are to judges."""
    judged = study.raters.filter(kind=Rater.Kind.JUDGE)
    return judged.exists() and study.participations.exists()
