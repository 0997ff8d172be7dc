"""The conditions of people's work, judges and money that open alerts.

Each takes a study at one check and returns what is the matter, or None. An alert ends later than it
opens, so that a figure that wavers about its threshold does not open it again and again.
"""

from collections.abc import Iterable
from datetime import timedelta
from statistics import fmean

from django.db.models import Max

from alerts.watched import Watched
from annotation.models import Assignment, Change, Participation, Place, Unit
from annotation.work.batch_times import batch_times
from annotation.work.control_answers import controls_met
from judges.models import JudgeRun
from judges.runs.states import calls_by_status, failures_in_words
from results.reading.quality import CONTROLS
from results.reading.wording import counted, percent

Verdict, RunState = Assignment.Verdict, JudgeRun.State
# Of the newest batches, so many are looked at, and those of so long ago.
BATCHES, WINDOW = 100, timedelta(hours=24)
# So far above its threshold an alert about controls ends.
EASE = 0.05
# So many calls of a run make a share; a run that ended so long ago is old news.
LEAST_CALLS, RECENT_RUNS = 10, timedelta(days=7)
# So many workers are named.
NAMED = 5


def fast_workers(watched: Watched) -> str | None:
    """People who were much faster than expected, in batches that nobody has decided about."""
    share = watched.thresholds.fast_share
    if share is None or not watched.is_open:
        return None
    rows = Assignment.objects.filter(
        participation__study=watched.study,
        state=Assignment.State.SUBMITTED,
        submitted_at__gte=watched.now - WINDOW,
        verdict=Verdict.OPEN,
        round__shows_answers=False,
    ).exclude(participation__state=Participation.State.REMOVED)
    expected = {
        key: minutes * 60
        for key, minutes in rows.order_by("-submitted_at").values_list("pk", "expected_minutes")[
            : BATCHES * 5
        ]
        if minutes
    }
    times = batch_times(watched.study, assignments=list(expected))
    people = {t.participation for t in times if t.seconds < share * expected[t.assignment]}
    if not people:
        return None
    names, some = _pseudonyms(people), counted(len(people), "person", "people")
    return (
        f"{some} took less than {percent(share)} of the expected time for a batch within "
        f"the last day: {names}. Look at what they answered, and accept or exclude it."
    )


def _pseudonyms(people: Iterable[int]) -> str:
    rows = Participation.objects.filter(pk__in=people).order_by("number")
    names = [row.pseudonym for row in rows[: NAMED + 1]]
    return ", ".join([*names[:NAMED], *(["…"] if len(names) > NAMED else [])])


def controls_missed(watched: Watched) -> str | None:
    """Many controls of the newest batches were answered wrong."""
    least = watched.thresholds.control_accuracy
    if least is None or not watched.is_open:
        return None
    newest = Assignment.objects.filter(
        participation__study=watched.study, state=Assignment.State.SUBMITTED
    ).exclude(verdict=Verdict.EXCLUDED)
    keys = list(newest.order_by("-submitted_at").values_list("pk", flat=True)[:BATCHES])
    met = controls_met(watched.study, assignments=keys) if keys else []
    if len(met) < CONTROLS.least:
        return None
    right = fmean(control.right for control in met)
    if right >= least + (EASE if "controls" in watched.open else 0):
        return None
    return (
        f"{percent(right)} of {len(met)} controls in the newest batches were answered right; the "
        f"threshold is {percent(least)}. Check the controls, too: a wrong one can be disabled."
    )


def judge_failures(watched: Watched) -> str | None:
    """Runs of judges that failed, stopped by themselves, or in which many calls failed."""
    most = watched.thresholds.judge_failures
    if most is None:
        return None
    if "judges" in watched.open:
        most /= 2
    since = watched.now - RECENT_RUNS
    newest: dict[tuple[int, bool], JudgeRun] = {}
    for run in watched.study.judge_runs.filter(created_at__gte=since).select_related("judge"):
        # The newest of each judge comes first; a probe takes no other run's place.
        newest.setdefault((run.judge_id, run.is_probe), run)
    problems = [text for run in newest.values() if (text := _failing(run, most))]
    return "; ".join(problems[:NAMED]) or None


def _failing(run: JudgeRun, most: float) -> str:
    if run.state == RunState.FAILED or (run.state == RunState.PAUSED and run.reason):
        return f"{run} is {run.state}: {run.reason[:120]}".strip(": ")
    if run.state in (RunState.PLANNING, RunState.CANCELLED):
        return ""
    counts = calls_by_status(run_id=run.pk)
    failed = sum(counts.get(status, 0) for status in run.calls.model.FAILED)
    asked = failed + counts.get(run.calls.model.Status.ANSWERED, 0)
    if asked < LEAST_CALLS or failed <= most * asked:
        return ""
    return f"{failed} of {asked} calls of {run} failed ({failures_in_words(counts)})"


def silence(watched: Watched) -> str | None:
    """Nobody submits anything, though the study is open and has batches left."""
    hours = watched.thresholds.silent_hours
    if hours is None or not watched.is_open:
        return None
    submitted = Assignment.objects.filter(participation__study=watched.study)
    last = submitted.aggregate(last=Max("submitted_at"))["last"]
    opened = Change.objects.filter(
        study=watched.study, action__in=("study.opened", "study.resumed")
    ).aggregate(last=Max("at"))["last"]
    since = max(filter(None, (last, opened)), default=watched.study.created_at)
    if watched.now - since < timedelta(hours=hours):
        return None
    open_ = Place.objects.filter(round__study=watched.study, role=Unit.Role.NORMAL, room__gt=0)
    if not open_.exists():
        return None
    what = "The last batch was submitted" if since == last else "No batch has been submitted since"
    return f"{what} {_when(watched, since)}. The study is open and wants more answers."


def _when(watched: Watched, since: object) -> str:
    return f"{since:%d %B, %H:%M} UTC"
