"""Compare each asking with its baseline once, when its run has ended."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q

from annotation.models import Study
from judges.models import DriftCheck, JudgeRun, ProbeAnswer, ProbeSet
from judges.probes.comparison import drift_of
from judges.probes.drift import Drift
from judges.probes.sets import baseline_of


@dataclass(frozen=True)
class DriftFinding:
    """Drift of a judge that its newest asking shows, and the first of the askings in a row that
    show it."""

    probe_set: ProbeSet
    newest: DriftCheck
    since: DriftCheck

    @property
    def drift(self) -> Drift:
        """The newest figures."""
        return Drift.from_json(self.newest.figures)


def check_run(*, run: JudgeRun, now: datetime) -> DriftCheck | None:
    """Compare a run that has ended with the baseline of its set, and keep what comes of it; None
    for the baseline itself, and without answers."""
    probe_set = run.probe_set
    if probe_set is None or run.ended_at is None:
        return None
    baseline = baseline_of(probe_set)
    answered = ProbeAnswer.objects.filter(run=run).exists()
    if baseline is None or run.pk <= baseline.pk or not answered:
        return None
    drift = drift_of(run, baseline, look=_look(probe_set, run, baseline))
    values = {
        "look": drift.look,
        "found": drift.found,
        "figures": drift.as_json(),
        "ended_at": run.ended_at,
        "checked_at": now,
    }
    check, _created = DriftCheck.objects.update_or_create(run=run, defaults=values)
    Study.objects.filter(pk=run.study_id).touch()  # its report has the figures
    return check


def check_what_ended(*, now: datetime) -> list[DriftCheck]:
    """Compare each asking that has ended since the last time."""
    answered = Exists(ProbeAnswer.objects.filter(run=OuterRef("pk")))
    of_baseline = ProbeAnswer.objects.filter(
        run__probe_set=OuterRef("probe_set"), run__lt=OuterRef("pk"), replicate=0
    )
    ended = JudgeRun.objects.filter(answered, Exists(of_baseline), ended_at__isnull=False)
    fresh = ended.exclude(probe_set=None).filter(
        Q(drift_check=None) | ~Q(drift_check__ended_at=F("ended_at"))
    )
    runs = fresh.select_related("probe_set", "study", "judge").order_by("pk")
    checks = (check_run(run=run, now=now) for run in runs)
    return [check for check in checks if check is not None]


def findings_of(study: Study) -> list[DriftFinding]:
    """Where the newest asking of a series that goes on shows drift. An asking of too few units says
    nothing, so the one before it counts."""
    sets = ProbeSet.objects.filter(study=study, ended_at=None).select_related("judge", "study")
    findings = []
    for probe_set in sets.order_by("pk"):
        checks = DriftCheck.objects.filter(run__probe_set=probe_set).exclude(found=None)
        row: list[DriftCheck] = []
        for check in checks.select_related("run").order_by("run_id"):
            row = [*row, check] if check.found else []
        if row:
            findings.append(DriftFinding(probe_set, newest=row[-1], since=row[0]))
    return findings


def _look(probe_set: ProbeSet, run: JudgeRun, baseline: JudgeRun) -> int:
    """Which look a run is: its place among the askings that led to answers after the baseline."""
    answered = Exists(ProbeAnswer.objects.filter(run=OuterRef("pk")))
    others = probe_set.runs.filter(answered, pk__gt=baseline.pk, pk__lte=run.pk)
    return max(1, others.count())
