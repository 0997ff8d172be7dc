"""The section of a judge's page about its drift."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Study
from judges.definitions.versions import BadJudge
from judges.models import Judge, JudgeRun, ProbeSet
from judges.probes.askings import NEW_SERIES, changed_since, next_at, superseded_by
from judges.probes.drift import Drift, Measure
from judges.probes.pairs import ProbedQuestion, pairs_of
from judges.probes.sets import baseline_of, current_set
from judges.probes.words import heading, interval, left_out, reported_models, value, verdict
from judges.runs.plans.scope import RunRefused

# How many of the answers that changed are listed.
SHOWN = 50


@dataclass(frozen=True)
class DriftCell:
    """A measure at one asking: its estimate and its interval, in words, under a column's title."""

    title: str
    value: str
    interval: str


@dataclass(frozen=True)
class Asking:
    """One asking of a probe set: the baseline, one under way, or one that was compared."""

    run: JudgeRun
    is_baseline: bool
    drift: Drift | None
    cells: Sequence[DriftCell]


@dataclass(frozen=True)
class Series:
    """A probe set and its askings, the newest first.

    measures: the columns. newest: what the last asking that was compared came to. changed: the
    answers that it gave otherwise, up to `SHOWN`, of n_changed. obstacle: why it cannot be asked
    again, or why the schedule could not.
    """

    probe_set: ProbeSet
    askings: Sequence[Asking]
    measures: Sequence[Measure]
    newest: Drift | None
    changed: Sequence[ProbedQuestion]
    n_changed: int
    under_way: JudgeRun | None
    obstacle: str
    next_at: datetime | None

    @property
    def columns(self) -> list[str]:
        """The titles of the measures."""
        return [heading(measure) for measure in self.measures]

    @property
    def verdict(self) -> str:
        """What the newest asking came to."""
        return "" if self.newest is None else verdict(self.newest)

    @property
    def notes(self) -> list[str]:
        """What to know beside it."""
        if self.newest is None:
            return []
        return list(filter(None, [left_out(self.newest), reported_models(self.newest)]))

    @property
    def confidence(self) -> str:
        """The confidence of the newest intervals, in percent."""
        return "" if self.newest is None else f"{100 * self.newest.confidence:.2f}".rstrip("0")


def series_of(study: Study, judge: Judge) -> Series | None:
    """The series of a judge's probe set; None where it has none. Few queries, however many
    askings."""
    probe_set = current_set(study, judge)
    if probe_set is None:
        return None
    runs = list(probe_set.runs.select_related("drift_check", "judge", "study").order_by("-pk"))
    baseline = baseline_of(probe_set)
    drifts = [_drift(run) for run in runs]
    compared = [(run, drift) for run, drift in zip(runs, drifts, strict=True) if drift is not None]
    newest_run, newest = compared[0] if compared else (None, None)
    measures = () if newest is None else newest.measures
    changed = []
    if newest_run is not None and baseline is not None:
        newest_run.probe_set = probe_set
        changed = pairs_of(newest_run, baseline, changed_alone=True).changed
    return Series(
        probe_set=probe_set,
        askings=[
            Asking(run, run == baseline, drift, _cells(measures, drift))
            for run, drift in zip(runs, drifts, strict=True)
        ],
        measures=measures,
        newest=newest,
        changed=changed[:SHOWN],
        n_changed=len(changed),
        under_way=next((run for run in runs if not run.has_ended), None),
        obstacle=_obstacle(probe_set, baseline),
        next_at=next_at(probe_set),
    )


def _drift(run: JudgeRun) -> Drift | None:
    check = getattr(run, "drift_check", None)
    return None if check is None else Drift.from_json(check.figures)


def _cells(measures: Sequence[Measure], drift: Drift | None) -> list[DriftCell]:
    """A cell for each column; an asking may lack a measure."""
    if drift is None:
        return []
    by_key = {(measure.name, measure.facet): measure for measure in drift.measures}
    cells = []
    for column in measures:
        measure = by_key.get((column.name, column.facet))
        shown = ("–", "") if measure is None else (value(measure), interval(measure))
        cells.append(DriftCell(heading(column), *shown))
    return cells


def _obstacle(probe_set: ProbeSet, baseline: JudgeRun | None) -> str:
    """Why the judge is not asked again as it was; empty where it can be."""
    try:
        changed = "" if baseline is None else changed_since(baseline)
    except (BadJudge, RunRefused) as error:
        return str(error)
    if changed:
        return f"{changed} {NEW_SERIES}"
    if newer := superseded_by(probe_set):
        return (
            f"The study's judge is {newer} by now. That is another judge, not a drift of this one."
        )
    return probe_set.problem
