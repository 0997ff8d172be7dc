"""A worker's record in a study: all figures of one participation."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from django.db.models import Count

from annotation.models import Assignment, AssignmentUnit, Participation, Study
from annotation.work.control_answers import Score, controls_met, scores
from annotation.work.ledger import earned_each
from desk.worker_records import sameness, timing
from desk.worker_records.sameness import Run, Spread
from desk.worker_records.signs import Sign
from desk.worker_records.timing import Pace

State, Verdict = Assignment.State, Assignment.Verdict


@dataclass(frozen=True)
class Figures:
    """What the answers of a participation say. Empty values mean no data, never zero."""

    controls: Score = field(default_factory=lambda: Score(0, 0))
    agreement: Mapping[str, float] = field(default_factory=dict)
    pace: Pace | None = None
    runs: Sequence[Run] = ()
    spreads: Sequence[Spread] = ()
    signs: tuple[Sign, ...] = ()

    @property
    def least_agreement(self) -> tuple[str, float] | None:
        """The facet with the least agreement with the others, and how much it is."""
        return min(self.agreement.items(), key=lambda item: item[1], default=None)

    @property
    def longest_run(self) -> Run | None:
        """The longest run of all blocks; of equal ones, that of the block with fewer answers."""
        return max(self.runs, key=lambda run: (run.longest, -run.answers), default=None)


@dataclass(frozen=True)
class Record:
    """The record of one participation. Empty values mean no data, never zero."""

    participation: Participation
    batches: Mapping[str, int]
    verdicts: Mapping[str, int]
    figures: Figures = field(default_factory=Figures)
    problems: int = 0
    earned: Sequence[tuple[Decimal, str]] = ()

    @property
    def submitted(self) -> int:
        return self.batches.get(State.SUBMITTED, 0)

    @property
    def excluded(self) -> int:
        return self.verdicts.get(Verdict.EXCLUDED, 0)

    @property
    def to_review(self) -> int:
        return self.verdicts.get(Verdict.OPEN, 0)


def figures_of(
    study: Study,
    keys: Collection[int],
    agreement: Mapping[int, Mapping[str, float]],
    signs: Mapping[int, Sequence[Sign]] | None = None,
) -> dict[int, Figures]:
    """What the answers of each of these participations say, in a constant number of queries.
    agreement, with the others, and signs: of everybody, which are computed at once."""
    controls = scores(controls_met(study, participations=keys))
    paces = timing.paces(study, keys)
    runs, spreads = sameness.runs(study, keys), sameness.spreads(study, keys)
    return {
        key: Figures(
            controls=controls.get(key, Score(0, 0)),
            agreement=agreement.get(key, {}),
            pace=paces.get(key),
            runs=runs.get(key, ()),
            spreads=spreads.get(key, ()),
            signs=tuple((signs or {}).get(key, ())),
        )
        for key in keys
    }


def records_of(
    participations: Sequence[Participation], figures: Mapping[int, Figures]
) -> list[Record]:
    """The records of these participations, in their order, in a constant number of queries."""
    keys = [participation.pk for participation in participations]
    batches, verdicts = _batches(keys)
    problems, earned = problems_reported(keys), earned_each(keys)
    return [
        Record(
            participation=participation,
            batches=batches[participation.pk],
            verdicts=verdicts[participation.pk],
            figures=figures.get(participation.pk, Figures()),
            problems=problems.get(participation.pk, 0),
            earned=earned.get(participation.pk, ()),
        )
        for participation in participations
    ]


def _batches(keys: Sequence[int]) -> tuple[dict[int, Counter[str]], dict[int, Counter[str]]]:
    """Per participation: assignments by state, and submitted ones by verdict."""
    states: dict[int, Counter[str]] = defaultdict(Counter)
    verdicts: dict[int, Counter[str]] = defaultdict(Counter)
    rows = Assignment.objects.filter(participation__in=keys).order_by()
    counts = rows.values_list("participation", "state", "verdict").annotate(n=Count("pk"))
    for participation, state, verdict, n in counts:
        states[participation][state] += n
        if state == State.SUBMITTED:
            verdicts[participation][verdict] += n
    return states, verdicts


def submitted_each(keys: Collection[int]) -> dict[int, int]:
    """How many batches each participation has submitted; without those who submitted none."""
    rows = Assignment.objects.filter(participation__in=keys, state=State.SUBMITTED).order_by()
    return dict(rows.values_list("participation").annotate(n=Count("pk")))


def problems_reported(keys: Collection[int]) -> dict[int, int]:
    """How many units each participation has reported a problem with, if any."""
    rows = AssignmentUnit.objects.filter(assignment__participation__in=keys).exclude(problem="")
    return dict(rows.order_by().values_list("assignment__participation").annotate(n=Count("pk")))
