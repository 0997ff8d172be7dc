"""Probe sets: choose the units, begin a series with a baseline, set how often it goes on."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotation.models import GoldAnswer, Question, Study, Unit, User, log_change
from judges.definitions.versions import method_of
from judges.models import Judge, JudgeRun, ProbeAnswer, ProbeSet
from judges.runs.plans.plan import plan_probe
from judges.runs.plans.scope import RunRefused, chosen_blocks, chosen_subset, questions_of
from tasktypes.pages.candidates import lot

# Units that are drawn where nobody says how many.
SIZE = 50
# Askings at once that the baseline is made of: a model that samples differs from itself.
BASELINE = 2
LONGEST_DAYS = 365


@dataclass(frozen=True)
class ProbeChoice:
    """What a probe set is to be.

    size: how many units to draw. subset: all units of it instead; empty: they are drawn. seed: of
    the draw and of the judge. every_days: 0 for no schedule. max_cost: USD for each asking.
    """

    size: int = SIZE
    subset: str = ""
    seed: int = 0
    every_days: int = 0
    max_cost: Decimal | None = None


def begin_series(
    *, study: Study, judge: Judge, choice: ProbeChoice, by: User | None = None
) -> JudgeRun:
    """Freeze the units of a new probe set and ask them twice, as its baseline.

    The set takes the place of the judge's earlier one, also of another version: its series ends.
    RunRefused where the judge cannot be asked or that would cost too much; then nothing changes.
    """
    units = chosen_units(study, judge, choice)
    probe_set = ProbeSet.objects.create(
        study=study,
        judge=judge,
        size=len(units),
        subset=choice.subset,
        seed=choice.seed,
        every_days=choice.every_days,
        max_cost=choice.max_cost,
        created_by=by,
        # It is the current one once its baseline is planned, which may take many transactions.
        ended_at=study.created_at,
    )
    probe_set.units.set(units)
    try:
        run = plan_probe(probe_set=probe_set, replicates=BASELINE, requested_by=by)
    except BaseException:
        probe_set.delete()
        raise
    _make_current(probe_set, by)
    return run


def chosen_units(study: Study, judge: Judge, choice: ProbeChoice) -> list[int]:
    """The keys of the units that a choice means; RunRefused where there are none.

    Drawn are first units with a right answer: a gold answer of adjudication, or a reference, as
    controls have. Then others. Which of them depends on the seed and the keys of the units alone.
    """
    method = method_of(judge)
    subset = chosen_subset(study, choice.subset)
    questions = questions_of(study, chosen_blocks(study, method, ()), subset, None, method)
    gold = GoldAnswer.objects.current().filter(question=OuterRef("pk"))
    right = questions.filter(Q(reference__isnull=False) | Exists(gold)).order_by()
    with_right = set(right.values_list("unit", flat=True))
    asked = Question.objects.filter(pk__in=questions.order_by().values("pk"))
    units = Unit.objects.filter(retired_at=None, pk__in=asked.values("unit"))
    keys = dict(units.values_list("pk", "key"))
    if not keys:
        raise RunRefused("probe set: every unit that the judge answers is disabled")
    if subset:
        return sorted(keys)
    drawn = sorted(keys, key=lambda pk: (pk not in with_right, lot(choice.seed, keys[pk])))
    return drawn[: choice.size]


def current_set(study: Study, judge: Judge) -> ProbeSet | None:
    """The set of the series that goes on; None where there is none."""
    sets = ProbeSet.objects.filter(study=study, judge=judge, ended_at=None)
    return sets.select_related("study", "judge").first()


def baseline_of(probe_set: ProbeSet) -> JudgeRun | None:
    """The asking that all later ones are compared with: the first that led to any answer."""
    answered = Exists(ProbeAnswer.objects.filter(run=OuterRef("pk")))
    return probe_set.runs.filter(answered, replicates=BASELINE).order_by("pk").first()


@transaction.atomic
def set_schedule(
    *, probe_set: ProbeSet, every_days: int, max_cost: Decimal | None, by: User | None = None
) -> bool:
    """Ask again every so many days, 0 for no more by itself, for at most so many USD each time.
    False where that is so already."""
    fields = {"every_days": every_days, "max_cost": max_cost}
    before = {name: getattr(probe_set, name) for name in fields}
    if before == fields:
        return False
    ProbeSet.objects.filter(pk=probe_set.pk).update(**fields, tried_at=None, problem="")
    detail = {"judge": str(probe_set.judge), **fields}
    subject = str(probe_set.pk)
    log_change(study=probe_set.study, by=by, action="probes.scheduled", subject=subject,
               detail=detail)  # fmt: skip
    return True


@transaction.atomic
def _make_current(probe_set: ProbeSet, by: User | None) -> None:
    study, judge = probe_set.study, probe_set.judge
    now: datetime = probe_set.created_at
    others = ProbeSet.objects.filter(study=study, judge__name=judge.name, ended_at=None)
    if others.exclude(pk=probe_set.pk).update(ended_at=now):
        Study.objects.filter(pk=study.pk).touch()  # its report had that one's figures
    ProbeSet.objects.filter(pk=probe_set.pk).update(ended_at=None)
    detail = {"judge": str(judge), "units": probe_set.size, "every_days": probe_set.every_days}
    subject = str(probe_set.pk)
    log_change(study=study, by=by, action="probes.fixed", subject=subject, detail=detail)
