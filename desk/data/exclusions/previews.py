"""Whom an exclusion rule describes, and what applying it would change; nothing is written."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from annotation.models import Annotation, Assignment, Rater, Study
from annotation.work.control_answers import Score, controls_met, scores
from desk.data.exclusions.conditions import Conditions
from desk.worker_records.beside_judges import beside_judges
from desk.worker_records.sameness import runs
from desk.worker_records.timing import paces
from estimates.data.options import SIMILARITY
from estimates.report.cache import report_of
from results.adjudication.left_out import Effects, effects_of

Verdict = Assignment.Verdict
# Of one worker, by the key of the participation: why a condition describes them, or nothing.
Reason = Callable[[int], str | None]


@dataclass(frozen=True)
class Described:
    """A worker whom a rule describes, why, and their batches that are not excluded yet."""

    number: int
    reasons: Sequence[str]
    assignments: Sequence[int]

    @property
    def pseudonym(self) -> str:
        return f"worker-{self.number}"


@dataclass(frozen=True)
class Preview:
    """What a rule would do at present. answers: counted answers that it would exclude."""

    described: Sequence[Described]
    answers: int
    effects: Effects

    @property
    def assignments(self) -> list[int]:
        """The batches (by id), ascending."""
        return sorted(key for each in self.described for key in each.assignments)

    @property
    def concerned(self) -> list[Described]:
        """Those who have batches to be excluded."""
        return [each for each in self.described if each.assignments]

    @property
    def seen(self) -> str:
        """What tells these batches from others: applying excludes what was looked at."""
        return hashlib.sha256(repr(self.assignments).encode()).hexdigest()[:16]

    def summary(self) -> dict[str, Any]:
        """The outcome as it is kept with the rule, without anybody's numbers."""
        return {
            "workers": len(self.concerned),
            "batches": len(self.assignments),
            "answers": self.answers,
            "facets": [
                {
                    "facet": effect.facet.name,
                    "metric": effect.metric,
                    "before": _bounds(effect.before),
                    "after": _bounds(effect.after),
                }
                for effect in self.effects.facets
            ],
        }

    def as_json(self) -> dict[str, Any]:
        """All of it as plain JSON."""
        return {
            "described": [asdict(each) for each in self.described],
            "answers": self.answers,
            "effects": self.effects.as_json(),
        }

    @classmethod
    def from_json(cls, study: Study, stored: Mapping[str, Any]) -> Self:
        """What `as_json` wrote."""
        return cls(
            described=[Described(**each) for each in stored["described"]],
            answers=stored["answers"],
            effects=Effects.from_json(study, stored["effects"]),
        )


def _bounds(estimate: Any) -> list[float | None]:
    return [estimate.value, estimate.low, estimate.high]


def preview(study: Study, conditions: Conditions) -> Preview:
    """What the rule would do, computed from the current answers without writing anything."""
    described = list(_described(study, conditions))
    batches = [key for each in described for key in each.assignments]
    answers = list(
        Annotation.objects.filter(study=study, assignment__in=batches)
        .counted()
        .values_list("rater_id", "question_id")
    )
    return Preview(described, len(answers), effects_of(study, set(answers)))


def _described(study: Study, conditions: Conditions) -> Iterator[Described]:
    """In the order of the workers' numbers; a constant number of queries, and only what the
    conditions ask for."""
    open_batches, excluded = _batches(study)
    came = study.participations.filter(pk__in=open_batches).order_by("number")
    numbers = dict(came.values_list("pk", "number"))
    conditions_set = [
        _controls(study, numbers, conditions),
        _pace(study, numbers, conditions),
        _runs(study, numbers, conditions),
        _similarity(study, numbers, conditions),
        _rejected(excluded, conditions),
        _named(numbers, conditions),
    ]
    for key, number in numbers.items():
        reasons = [text for reason in conditions_set if (text := reason(key))]
        if reasons:
            yield Described(number, reasons, open_batches[key])


def _batches(study: Study) -> tuple[dict[int, list[int]], dict[int, int]]:
    """Participation -> its submitted batches that are not excluded, and how many are."""
    submitted = Assignment.objects.filter(
        participation__study=study, state=Assignment.State.SUBMITTED
    )
    rows = submitted.order_by("pk").values_list("participation", "pk", "verdict")
    open_batches: dict[int, list[int]] = {}
    excluded: dict[int, int] = {}
    for participation, key, verdict in rows:
        batches = open_batches.setdefault(participation, [])
        if verdict == Verdict.EXCLUDED:
            excluded[participation] = excluded.get(participation, 0) + 1
        else:
            batches.append(key)
    return open_batches, excluded


def _nobody(_participation: int) -> None:
    return None


def _controls(study: Study, numbers: Mapping[int, int], rule: Conditions) -> Reason:
    most = rule.control_accuracy
    if most is None:
        return _nobody
    of_each = scores(controls_met(study, participations=list(numbers)))

    def reason(key: int) -> str | None:
        score = of_each.get(key, Score(0, 0))
        if score.share is None or score.met < rule.least_controls or score.share >= most:
            return None
        return f"{score.right} of {score.met} controls right"

    return reason


def _pace(study: Study, numbers: Mapping[int, int], rule: Conditions) -> Reason:
    least = rule.seconds
    if least is None:
        return _nobody
    of_each = paces(study, list(numbers))

    def reason(key: int) -> str | None:
        pace = of_each.get(key)
        return f"{pace.seconds:.1f} s per answer" if pace and pace.seconds < least else None

    return reason


def _runs(study: Study, numbers: Mapping[int, int], rule: Conditions) -> Reason:
    most = rule.longest_run
    if most is None:
        return _nobody
    of_each = runs(study, list(numbers))

    def reason(key: int) -> str | None:
        longest = max((run.longest for run in of_each.get(key, ())), default=0)
        return f"the same answer {longest} times in a row" if longest > most else None

    return reason


def _similarity(study: Study, numbers: Mapping[int, int], rule: Conditions) -> Reason:
    below = rule.likeness_q
    if below is None:
        return _nobody
    lowest = _close_to_judges(study)

    def reason(key: int) -> str | None:
        q = lowest.get(f"worker-{numbers[key]}")
        return (
            None
            if q is None or q >= below
            else f"more similar to a judge than expected (q {q:.2g})"
        )

    return reason


def _close_to_judges(study: Study) -> Mapping[str, float]:
    """Name of a worker -> the lowest q of being more similar to a judge than expected, of the
    answers as they are now."""
    if not study.raters.filter(kind=Rater.Kind.JUDGE).exists():
        return {}
    report_of(study, SIMILARITY)
    compared = beside_judges(study)
    if compared is None:
        return {}
    lowest = {name: compared.furthest(name) for name in compared.by_rater}
    return {
        name: each.q
        for name, each in lowest.items()
        if each is not None and each.q is not None and (each.excess.value or 0) > 0
    }


def _rejected(excluded: Mapping[int, int], rule: Conditions) -> Reason:
    least = rule.rejected
    if least is None:
        return _nobody

    def reason(key: int) -> str | None:
        batches = excluded.get(key, 0)
        return f"{batches} batches excluded" if batches >= least else None

    return reason


def _named(numbers: Mapping[int, int], rule: Conditions) -> Reason:
    named = frozenset(rule.workers)
    return lambda key: "named" if numbers[key] in named else None
