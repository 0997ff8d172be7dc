"""Calibrate a judge: fit its threshold on answers known to be right, as its next version.

Sources are split by seed: the threshold is fitted on one part and told how it does on the other.
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from statistics import fmean
from typing import Any, Literal

from agreement import DEFAULT_CONSENSUS, set_scores
from annotation.models import Annotation, Question, Rater, Study, UnitItem
from judges.calibration.fit import Case, best_threshold
from judges.calibration.known_answers import (
    CHUNK,
    Known,
    Values,
    agreed_by_people,
    kind_of,
    references,
    values_of,
)
from judges.definitions.versions import define_judge, method_of
from judges.methods.contract import Ask
from judges.methods.thresholds import DecidingMethod, Fit
from judges.models import Call, Judge
from judges.runs.plan import as_ask

Measure = Literal["f1", "precision", "recall", "accuracy"]
# Of sets, and of yes and no.
SET_MEASURES: tuple[Measure, ...] = ("f1", "precision", "recall")
LABEL_MEASURES: tuple[Measure, ...] = ("accuracy",)
MEASURES = (*SET_MEASURES, *LABEL_MEASURES)


class NotCalibrated(ValueError):
    """Why no threshold can be fitted."""


@dataclass(frozen=True)
class Answered:
    """A question that the judge has answered: with which scores, and what is right.

    owner: the item that it is about, or the unit of several: a mean is taken within it first.
    """

    question: Question
    scores: Mapping[str, float]
    given: Values
    right: Values
    owner: tuple[str, int]

    @property
    def source_key(self) -> str:
        return self.question.unit.source.key

    @cached_property
    def ask(self) -> Ask:
        return as_ask(self.question, replicate=0)


@dataclass(frozen=True)
class Calibrated:
    """A judge with a fitted threshold, and the fit."""

    judge: Judge
    fit: Fit
    threshold: float


def calibrate(
    *, study: Study, judge: Judge, share: float = 0.5, seed: int = 0, measure: Measure = "f1"
) -> Calibrated:
    """The judge's next version, with the threshold that fits best in the study.

    From what the judge has answered in the study already: its scores are kept with its calls.
    Right is the consensus of people (counted answers alone: standing, of normal units, in rounds
    that count), or, where no person answered what it is about, the references. share: of the
    sources to fit on, in (0, 1), drawn by seed. measure: f1, precision or recall of sets, accuracy
    of yes and no; its mean within an item, then over items. NotCalibrated where that cannot be
    done.
    """
    if not 0 < share < 1:
        raise NotCalibrated("share: not between 0 and 1")
    method = _method(judge)
    known, usable = _usable(study, judge, method, measure)
    train, test = _split(usable, share=share, seed=seed)
    best = best_threshold(_cases(method, train, measure))
    fit = Fit(
        study=study.slug,
        judge=str(judge),
        fitted_on=known.fitted_on,
        consensus=_rules(usable) if known.by else "",
        raters=len({rater for one in usable for rater in known.by.get(one.question.pk, ())}),
        measure=measure,
        share=share,
        seed=seed,
        candidates=best.candidates,
        train_sources=len({one.source_key for one in train}),
        train_questions=len(train),
        test_sources=len({one.source_key for one in test}),
        test_questions=len(test),
        train=best.mean,
        test=_means(test, measure, partial(_given_at, method, threshold=best.threshold)),
        before=_means(test, measure, lambda one: one.given),
    )
    defined = define_judge(
        name=judge.name,
        method=judge.method,
        backend=judge.backend,
        model=judge.model,
        family=judge.family,
        parameters={
            **judge.parameters, "threshold": best.threshold, "fit": fit.model_dump(mode="json"),
        },
    )  # fmt: skip
    return Calibrated(defined, fit, best.threshold)


def can_be_calibrated(judge: Judge) -> bool:
    """Whether the judge's method has a threshold."""
    try:
        return isinstance(method_of(judge), DecidingMethod)
    except ValueError:
        return False


def _method(judge: Judge) -> DecidingMethod[Any]:
    method = method_of(judge)
    if not isinstance(method, DecidingMethod):
        raise NotCalibrated(f"{judge}: the method {judge.method} has no threshold")
    return method


def _usable(
    study: Study, judge: Judge, method: DecidingMethod[Any], measure: Measure
) -> tuple[Known, list[Answered]]:
    """The questions to fit and test on, by people's answers or else by references."""
    for right in (agreed_by_people, references):
        known = right(study)
        answered = _answered(study, judge, known)
        usable = [one for one in answered if _depends(method, one, measure)]
        if usable:
            return known, usable
    raise NotCalibrated(
        f"{judge} has answered no question of study {study.slug} that has a right answer "
        f"and whose {measure} depends on a threshold"
    )


def _answered(study: Study, judge: Judge, known: Known) -> Iterator[Answered]:
    """The judge's counted answers to questions whose right answer is known."""
    counted = Annotation.objects.filter(
        study=study,
        rater__kind=Rater.Kind.JUDGE,
        rater__name=judge.name,
        rater__version=judge.version,
        replicate=0,
    ).counted()
    owners = _owners(study)
    calls = (
        Call.objects.filter(annotation__in=counted, status=Call.Status.ANSWERED)
        .select_related("annotation", "question__unit__source", "question__block")
        .order_by("pk")
    )
    for call in calls.iterator(chunk_size=CHUNK):
        question, scores = call.question, call.detail.get("scores")
        right = known.of.get(question.pk)
        if right and call.annotation is not None and isinstance(scores, dict):
            given = values_of(question, call.annotation.answer)
            yield Answered(question, scores, given, right, owners[question.unit_id])


def _owners(study: Study) -> Mapping[int, tuple[str, int]]:
    """The item that a unit shows; the unit itself where it shows several."""
    shown: dict[int, list[int]] = defaultdict(list)
    rows = UnitItem.objects.filter(unit__study=study).order_by("unit", "position")
    for unit, item in rows.values_list("unit_id", "item_id"):
        shown[unit].append(item)
    return {
        unit: ("item", items[0]) if len(items) == 1 else ("unit", unit)
        for unit, items in shown.items()
    }


def _rules(usable: Iterable[Answered]) -> str:
    kinds = {kind_of(value) for one in usable for value in one.right.values()}
    return ", ".join(sorted({DEFAULT_CONSENSUS[kind] for kind in kinds}))


def _depends(method: DecidingMethod[Any], one: Answered, measure: Measure) -> bool:
    """Whether the threshold decides anything in the question that the measure is of."""
    nothing, everything = (_given_at(method, one, threshold=t) for t in (math.inf, -math.inf))
    return nothing != everything and _score(nothing, one.right, measure) is not None


def _given_at(method: DecidingMethod[Any], one: Answered, *, threshold: float) -> Values:
    answer = method.answer_at(one.ask, one.scores, threshold)
    ratings = one.ask.task_type.ratings(one.ask.payload, answer)
    return {(found.facet, found.element): found.value for found in ratings}


def _score(given: Values, right: Values, measure: Measure) -> float | None:
    """How alike two answers are, in [0, 1]; None where they hold nothing that it is measured on."""
    if measure in SET_MEASURES:
        scores = [
            set_scores(value, found)
            for place, value in given.items()
            if isinstance(value, frozenset) and isinstance(found := right.get(place), frozenset)
        ]
        return fmean(getattr(one, measure) for one in scores) if scores else None
    equal = [
        value == right[place]
        for place, value in given.items()
        if place in right and not isinstance(value, frozenset)
    ]
    return fmean(equal) if equal else None


def _split(
    usable: Sequence[Answered], *, share: float, seed: int
) -> tuple[list[Answered], list[Answered]]:
    """Questions to fit on and to test on, no source in both: drawn by seed and the source's key."""
    keys = sorted({one.source_key for one in usable}, key=lambda key: _lot(seed, key))
    size = max(1, min(len(keys) - 1, round(share * len(keys))))
    chosen = set(keys[:size])
    train = [one for one in usable if one.source_key in chosen]
    return train, [one for one in usable if one.source_key not in chosen]


def _lot(seed: int, key: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{key}".encode()).digest()


def _weights(answered: Sequence[Answered]) -> list[float]:
    """Of a mean within every item, then over the items."""
    counts = Counter(one.owner for one in answered)
    return [1 / (len(counts) * counts[one.owner]) for one in answered]


def _cases(
    method: DecidingMethod[Any], answered: Sequence[Answered], measure: Measure
) -> list[Case]:
    def scored(one: Answered, threshold: float) -> float:
        return _score(_given_at(method, one, threshold=threshold), one.right, measure) or 0.0

    return [
        Case(tuple(one.scores.values()), partial(scored, one), weight)
        for one, weight in zip(answered, _weights(answered), strict=True)
    ]


def _means(
    answered: Sequence[Answered], measure: Measure, given: Callable[[Answered], Values]
) -> dict[str, float] | None:
    """Every measure of the same kind of what was given; None where nothing was."""
    if not answered:
        return None
    pairs = [(given(one), one.right) for one in answered]
    return {
        name: sum(
            weight * (_score(*pair, name) or 0.0)
            for pair, weight in zip(pairs, _weights(answered), strict=True)
        )
        for name in (SET_MEASURES if measure in SET_MEASURES else LABEL_MEASURES)
    }
