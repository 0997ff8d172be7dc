"""All that the overview of a study shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from alerts.models import Alert
from annotation.models import Rater, Study
from annotation.rounds.planned import standing_of
from desk.monitoring.overview.control_rate import ControlRate, control_rate
from desk.monitoring.overview.figures import Bar, Column, ShareLine, bars, histogram, line
from desk.monitoring.overview.groups import Groups, groups_of
from desk.monitoring.overview.money import Budget, Sums, budget_of, money_of
from desk.monitoring.overview.pace import HOUR, HOURS, Pace, recent_pace
from desk.monitoring.overview.presence import Presence, who_is_at_work
from desk.monitoring.overview.progress import (
    Answered,
    RoundProgress,
    all_counting,
    progress_by_round,
)
from estimates.data.options import Options
from estimates.models import CachedEstimates
from judges.models import JudgeRun
from judges.runs.progress import RunProgress, run_progress
from results.reading.headline import Headline, read_headline

# Runs that are shown: the newest.
RUNS = 4


@dataclass(frozen=True)
class Overview:
    """How a study stands now. money: empty for those who may not see it; at_work.people likewise.
    is_watched: whether it changes by itself, so that the page asks again."""

    at: datetime
    state: str
    rounds: Sequence[tuple[RoundProgress, Sequence[Column]]]
    together: Answered
    groups: Sequence[Groups]
    pace: Pace
    pace_bars: Sequence[Bar]
    end: datetime | None
    at_work: Presence
    controls: ControlRate | None
    controls_line: ShareLine | None
    runs: Sequence[RunProgress]
    imported_judges: int
    imported_people: int
    money: Sequence[Sums]
    budget: Budget | None
    alerts: Sequence[Alert]
    headline: Headline | None
    outdated: bool
    is_watched: bool


def state_of(study: Study) -> str:
    """The state by which the page chooses its buttons."""
    if study.paused_at is not None:
        return "paused"
    return "imported" if study.is_finished_data else str(study.state)


def overview(study: Study, now: datetime, *, all_seen: bool) -> Overview:
    """How the study stands. all_seen: with money, and with who is at work."""
    rounds = progress_by_round(study)
    together = all_counting(rounds)
    pace = recent_pace(study, now)
    at_work = who_is_at_work(study, study.blocks.count(), now)
    controls = control_rate(study)
    money = money_of([study.pk]).get(study.pk, []) if all_seen else []
    runs = study.judge_runs.filter(probe_set=None).select_related("judge")[:RUNS]
    headline, outdated = _headline(study)
    elsewhere = study.answered_elsewhere()
    return Overview(
        at=now,
        state=state_of(study),
        rounds=[(progress, histogram(progress)) for progress in rounds],
        together=together,
        groups=groups_of(study, together.units) if together.units else [],
        pace=pace,
        pace_bars=bars(pace.per_hour, _hours(pace)),
        end=pace.end(together.missing) if study.accepts_workers else None,
        at_work=at_work,
        controls=controls,
        controls_line=line(controls.steps) if controls and len(controls.steps) > 1 else None,
        runs=[run_progress(run) for run in runs],
        imported_judges=elsewhere[Rater.Kind.JUDGE],
        imported_people=elsewhere[Rater.Kind.HUMAN],
        money=money,
        budget=budget_of(study) if all_seen else None,
        alerts=list(Alert.objects.open().filter(study=study)),
        headline=headline,
        outdated=outdated,
        is_watched=study.state == Study.State.OPEN or at_work.n > 0 or _runs_under_way(study),
    )


def _hours(pace: Pace) -> list[str]:
    """The time and the count of each bar."""
    begin = pace.until - timedelta(hours=HOURS)
    return [
        f"{begin + at * HOUR:%H:%M}–{begin + (at + 1) * HOUR:%H:%M}: {n}"
        for at, n in enumerate(pace.per_hour)
    ]


def _runs_under_way(study: Study) -> bool:
    waiting = [*JudgeRun.ENDED, JudgeRun.State.PAUSED]
    return study.judge_runs.exclude(state__in=waiting).exists()


def _headline(study: Study) -> tuple[Headline | None, bool]:
    """The kept headline, and whether answers have come in since."""
    rows = CachedEstimates.objects.filter(study=study, options_hash=Options().hash)
    revision, kept = rows.values_list("revision", "headline").first() or (0, None)
    if kept is None:
        return None, False
    return read_headline(kept, standing_of(study)), revision < study.revision
