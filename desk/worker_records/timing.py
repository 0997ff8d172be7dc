"""Seconds per question: of each worker, and how many of their batches were measured."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from statistics import median

from annotation.models import Study
from annotation.work.batch_times import BatchTime, batch_times
from annotation.work.control_answers import answers_of


@dataclass(frozen=True)
class Pace:
    """The median of seconds per question, and how many of the batches behind it were measured."""

    seconds: float
    measured: int
    batches: int

    @property
    def estimated(self) -> bool:
        """Whether some of it runs from leases to submissions."""
        return self.measured < self.batches


def paces(study: Study, participations: Collection[int]) -> dict[int, Pace]:
    """Participation -> its pace, in two queries.

    In a batch that was not measured, all questions get the same share of its time.
    """
    answers = answers_of(study, participations).exclude(assignment=None)
    active: dict[int, list[float]] = defaultdict(list)
    for assignment, seconds in answers.values_list("assignment", "active_seconds"):
        active[assignment].append(seconds or 0.0)
    batches: dict[int, list[BatchTime]] = defaultdict(list)
    for time in batch_times(study, participations):
        if time.answers:
            batches[time.participation].append(time)
    return {participation: _pace(times, active) for participation, times in batches.items()}


def _pace(times: Collection[BatchTime], active: dict[int, list[float]]) -> Pace:
    seconds: list[float] = []
    for time in times:
        even = [time.seconds / time.answers] * time.answers
        seconds += (active[time.assignment] or even) if time.measured else even
    return Pace(median(seconds), sum(time.measured for time in times), len(times))
