"""A worker's record in a study: all figures of one participation."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from annotation.models import Assignment, AssignmentUnit, Participation, Study
from annotation.work.ledger import earned_each
from desk.worker_records import accuracy, likeness, sameness, timing
from desk.worker_records.accuracy import Score
from desk.worker_records.likeness import FacetKey
from desk.worker_records.sameness import Run, Spread
from desk.worker_records.timing import Pace

State, Verdict = Assignment.State, Assignment.Verdict


@dataclass(frozen=True)
class Record:
    """The record of one participation. Empty values mean no data, never zero."""

    participation: Participation
    batches: Mapping[str, int]
    verdicts: Mapping[str, int]
    controls: Score
    likeness: Mapping[FacetKey, float] = field(default_factory=dict)
    pace: Pace | None = None
    runs: Sequence[Run] = ()
    spreads: Sequence[Spread] = ()
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

    @property
    def agreement(self) -> float | None:
        """With other people, over all facets."""
        return likeness.overall(self.likeness)

    @property
    def longest_run(self) -> Run | None:
        """The longest run of all blocks; of equal ones, that of the block with fewer answers."""
        return max(self.runs, key=lambda run: (run.longest, -run.answers), default=None)


def records_of(study: Study, participations: Sequence[Participation]) -> list[Record]:
    """The records of these participations, in their order, in a constant number of queries."""
    keys = [participation.pk for participation in participations]
    batches, verdicts = _batches(keys)
    controls = accuracy.scores(accuracy.controls_met(study, participations=keys))
    alike = likeness.likeness(study, keys)
    paces = timing.paces(study, keys)
    runs, spreads = sameness.runs(study, keys), sameness.spreads(study, keys)
    problems, earned = problems_reported(keys), earned_each(keys)
    return [
        Record(
            participation=participation,
            batches=batches[participation.pk],
            verdicts=verdicts[participation.pk],
            controls=controls.get(participation.pk, Score(0, 0)),
            likeness=alike.get(participation.pk, {}),
            pace=paces.get(participation.pk),
            runs=runs.get(participation.pk, ()),
            spreads=spreads.get(participation.pk, ()),
            problems=problems.get(participation.pk, 0),
            earned=earned.get(participation.pk, ()),
        )
        for participation in participations
    ]


def _batches(keys: Sequence[int]) -> tuple[dict[int, Counter[str]], dict[int, Counter[str]]]:
    """Per participation: assignments by state, and submitted ones by verdict."""
    states: dict[int, Counter[str]] = defaultdict(Counter)
    verdicts: dict[int, Counter[str]] = defaultdict(Counter)
    rows = Assignment.objects.filter(participation__in=keys)
    for participation, state, verdict in rows.values_list("participation", "state", "verdict"):
        states[participation][state] += 1
        if state == State.SUBMITTED:
            verdicts[participation][verdict] += 1
    return states, verdicts


def submitted_each(keys: Collection[int]) -> Counter[int]:
    """How many batches each participation has submitted."""
    rows = Assignment.objects.filter(participation__in=keys, state=State.SUBMITTED)
    return Counter(rows.values_list("participation", flat=True))


def problems_reported(keys: Collection[int]) -> Counter[int]:
    """How many units each participation has reported a problem with."""
    rows = AssignmentUnit.objects.filter(assignment__participation__in=keys).exclude(problem="")
    return Counter(rows.values_list("assignment__participation", flat=True))
