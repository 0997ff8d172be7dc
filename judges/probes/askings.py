"""Ask a probe set again, by hand or when its schedule says so."""

from datetime import datetime, timedelta

from django.db.models import Q

from annotation.models import User
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for, method_of
from judges.models import JudgeRun, ProbeSet
from judges.probes.sets import BASELINE, baseline_of
from judges.runs.plans.asks import prompts_of
from judges.runs.plans.plan import plan_probe
from judges.runs.plans.scope import RunRefused, chosen_blocks

# A scheduled asking that is refused is tried again after so long.
TRY_AGAIN = timedelta(hours=6)
NEW_SERIES = "Fix a new probe set, which begins a new series."


def ask_again(*, probe_set: ProbeSet, by: User | None = None) -> JudgeRun:
    """Start a run that asks the units of a probe set again, each once; twice where there is no
    baseline yet.

    RunRefused where an asking is still under way, where the set's series has ended, where the judge
    is not what it was at the baseline, or as for any run.
    """
    if probe_set.ended_at is not None:
        raise RunRefused("probe set: another one has taken its place")
    if under_way(probe_set):
        raise RunRefused("probe set: it is being asked already; wait until that run has ended")
    baseline = baseline_of(probe_set)
    if baseline is not None and (difference := changed_since(baseline)):
        raise RunRefused(f"probe set: {difference} {NEW_SERIES}")
    replicates = BASELINE if baseline is None else 1
    return plan_probe(probe_set=probe_set, replicates=replicates, requested_by=by)


def under_way(probe_set: ProbeSet) -> bool:
    """Whether a run of the set may still get answers by itself, or when it is resumed from a
    pause."""
    return probe_set.runs.exclude(state__in=JudgeRun.ENDED).exists()


def changed_since(baseline: JudgeRun) -> str:
    """What is another definition of the judge now than at the baseline, in a sentence: what then
    differs is no drift. Empty where nothing is."""
    judge, study = baseline.judge, baseline.study
    method = method_of(judge)
    if method.version != judge.method_version:
        return (
            f"The method {method.name} has version {method.version} in this program, and "
            f"{judge} was defined with version {judge.method_version}."
        )
    prompts = prompts_of(study, method, chosen_blocks(study, method, ()))
    changed = [
        block
        for block in sorted({*prompts, *baseline.prompts})
        if prompts.get(block, {}).get("hash") != baseline.prompts.get(block, {}).get("hash")
    ]
    if not changed:
        return ""
    blocks = ", ".join(changed)
    return f"The prompt of {blocks} is another than on {baseline.created_at:%Y-%m-%d}."


def superseded_by(probe_set: ProbeSet) -> str:
    """The version that the study means by the judge's name now, where that is another one."""
    try:
        newest = judge_for(probe_set.study, probe_set.judge.name)
    except (BadJudge, UnknownJudge):
        return ""
    return "" if newest.pk == probe_set.judge_id else str(newest)


def next_at(probe_set: ProbeSet) -> datetime | None:
    """When the schedule asks next; None without one."""
    if not probe_set.every_days:
        return None
    last = probe_set.runs.order_by("-pk").values_list("created_at", flat=True).first()
    return (last or probe_set.created_at) + timedelta(days=probe_set.every_days)


def ask_what_is_due(*, now: datetime) -> list[JudgeRun]:
    """Ask each set again that is due by its schedule. What is refused is kept as the set's problem
    and tried again a few hours later."""
    sets = ProbeSet.objects.filter(
        Q(tried_at=None) | Q(tried_at__lte=now - TRY_AGAIN),
        ended_at=None,
        every_days__gt=0,
        study__tryout_of=None,
    )
    runs = []
    for probe_set in sets.select_related("study", "judge").order_by("pk"):
        due_at = next_at(probe_set)
        if due_at is None or due_at > now or under_way(probe_set):
            continue
        # Several processes sweep: the one whose UPDATE changes the row asks.
        mine = ProbeSet.objects.filter(pk=probe_set.pk, tried_at=probe_set.tried_at)
        if not mine.update(tried_at=now):
            continue
        if (run := _try(probe_set)) is not None:
            runs.append(run)
    return runs


def _try(probe_set: ProbeSet) -> JudgeRun | None:
    """The run; None where it is refused."""
    run, newer = None, superseded_by(probe_set)
    problem = f"probe set: the study's judge is {newer} by now. {NEW_SERIES}" if newer else ""
    try:
        run = None if newer else ask_again(probe_set=probe_set)
    except (RunRefused, BadJudge) as error:
        problem = str(error)
    ProbeSet.objects.filter(pk=probe_set.pk).update(problem=problem)
    return run
