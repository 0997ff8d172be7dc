"""Calibrate a judge: fit its threshold on right answers, as the judge's next version.

The sources are split by seed: the threshold is fitted on one part and tested on the other.
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
from annotation.models import Annotation, Question, Rater, Study, UnitItem, User, log_change
from judges.calibration.known_answers import (
    CHUNK,
    KnownAnswers,
    Values,
    consensus_of_people,
    kind_of,
    references,
    values_of,
)
from judges.calibration.threshold_search import Case, best_threshold
from judges.definitions.versions import define_judge, method_of
from judges.methods.asks import Ask
from judges.methods.thresholds import Fit, ThresholdMethod
from judges.models import Call, Judge
from judges.runs.plans.asks import as_ask

Measure = Literal["f1", "precision", "recall", "accuracy"]
# Measures of sets, and of labels (yes and no).
SET_MEASURES: tuple[Measure, ...] = ("f1", "precision", "recall")
LABEL_MEASURES: tuple[Measure, ...] = ("accuracy",)
MEASURES = (*SET_MEASURES, *LABEL_MEASURES)


class NotCalibrated(ValueError):
    """No threshold can be fitted; the message says why."""


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question with the judge's scores and answer, and the right answer.

    owner: the question's item, or its unit where it has several; means are taken within it first.
    """

    question: Question
    scores: Mapping[str, float]
    answer: Values
    right: Values
    owner: tuple[str, int]

    @property
    def source_key(self) -> str:
        return self.question.unit.source.key

    @cached_property
    def ask(self) -> Ask:
        return as_ask(self.question, replicate=0)


@dataclass(frozen=True)
class Calibration:
    """A judge with a fitted threshold, and the fit."""

    judge: Judge
    fit: Fit
    threshold: float


def calibrate(
    *,
    study: Study,
    judge: Judge,
    share: float = 0.5,
    seed: int = 0,
    measure: Measure = "f1",
    by: User | None = None,
) -> Calibration:
    """The judge's next version, with the threshold that fits best in the study.

    It uses the answers that the judge has given in the study, whose scores are kept with the calls.
    The right answers are the consensus of people (only counted answers: valid, of normal units, in
    counting rounds), or the references where no person answered these questions. share: of the
    sources to fit on, in (0, 1), drawn by seed. measure: f1, precision or recall of sets, accuracy
    of yes and no; the mean within an item, then over items. NotCalibrated where that is impossible.
    """
    if not 0 < share < 1:
        raise NotCalibrated("share: must be between 0 and 1")
    method = _threshold_method(judge)
    right, usable = _usable(study, judge, method, measure)
    train, test = _split(usable, share=share, seed=seed)
    best = best_threshold(_cases(method, train, measure))
    fit = Fit(
        study=study.slug,
        judge=str(judge),
        fitted_on=right.fitted_on,
        consensus=_rules(usable) if right.raters else "",
        raters=len({rater for q in usable for rater in right.raters.get(q.question.pk, ())}),
        measure=measure,
        share=share,
        seed=seed,
        candidates=best.candidates,
        train_sources=len({answered.source_key for answered in train}),
        train_questions=len(train),
        test_sources=len({answered.source_key for answered in test}),
        test_questions=len(test),
        train=best.mean,
        test=_means(test, measure, partial(_answer_at, method, threshold=best.threshold)),
        before=_means(test, measure, lambda answered: answered.answer),
    )
    next_version = define_judge(
        study=study,
        name=judge.name,
        method=judge.method,
        backend=judge.backend,
        model=judge.model,
        family=judge.family,
        parameters={
            **judge.parameters, "threshold": best.threshold, "fit": fit.model_dump(mode="json"),
        },
    )  # fmt: skip
    log_change(study=study, by=by, action="judge.calibrated", subject=str(next_version))
    return Calibration(next_version, fit, best.threshold)


def can_be_calibrated(judge: Judge) -> bool:
    """Whether the judge's method has a threshold."""
    try:
        return isinstance(method_of(judge), ThresholdMethod)
    except ValueError:
        return False


def _threshold_method(judge: Judge) -> ThresholdMethod[Any]:
    method = method_of(judge)
    if not isinstance(method, ThresholdMethod):
        raise NotCalibrated(f"{judge}: the method {judge.method} has no threshold")
    return method


def _usable(
    study: Study, judge: Judge, method: ThresholdMethod[Any], measure: Measure
) -> tuple[KnownAnswers, list[AnsweredQuestion]]:
    """The questions to fit and test on, with people's answers or else with references."""
    for find_right in (consensus_of_people, references):
        right = find_right(study)
        questions = _answered(study, judge, right)
        usable = [answered for answered in questions if _depends(method, answered, measure)]
        if usable:
            return right, usable
    raise NotCalibrated(
        f"{judge} has answered no question of study {study.slug} that has a known right answer "
        f"and whose {measure} depends on a threshold"
    )


def _answered(
    study: Study, judge: Judge, right_answers: KnownAnswers
) -> Iterator[AnsweredQuestion]:
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
        right = right_answers.values.get(question.pk)
        if right and call.annotation is not None and isinstance(scores, dict):
            answer = values_of(question, call.annotation.answer)
            yield AnsweredQuestion(question, scores, answer, right, owners[question.unit_id])


def _owners(study: Study) -> Mapping[int, tuple[str, int]]:
    """By unit: its item, or the unit itself where it has several items."""
    shown: dict[int, list[int]] = defaultdict(list)
    rows = UnitItem.objects.filter(unit__study=study).order_by("unit", "position")
    for unit, item in rows.values_list("unit_id", "item_id"):
        shown[unit].append(item)
    return {
        unit: ("item", items[0]) if len(items) == 1 else ("unit", unit)
        for unit, items in shown.items()
    }


def _rules(usable: Iterable[AnsweredQuestion]) -> str:
    kinds = {kind_of(value) for answered in usable for value in answered.right.values()}
    return ", ".join(sorted({DEFAULT_CONSENSUS[kind] for kind in kinds}))


def _depends(method: ThresholdMethod[Any], answered: AnsweredQuestion, measure: Measure) -> bool:
    """Whether the question's measure depends on the threshold."""
    none, every = (_answer_at(method, answered, threshold=t) for t in (math.inf, -math.inf))
    return none != every and _score(none, answered.right, measure) is not None


def _answer_at(
    method: ThresholdMethod[Any], answered: AnsweredQuestion, *, threshold: float
) -> Values:
    """The question's answer by a threshold."""
    ask = answered.ask
    answer = method.answer_at(ask, answered.scores, threshold)
    ratings = ask.task_type.ratings(ask.payload, answer)
    return {(rating.facet, rating.element): rating.value for rating in ratings}


def _score(answer: Values, right: Values, measure: Measure) -> float | None:
    """How similar an answer is to the right one, in [0, 1]; None where they share no value of the
    measure's kind."""
    if measure in SET_MEASURES:
        scores = [
            set_scores(value, right_value)
            for key, value in answer.items()
            if isinstance(value, frozenset) and isinstance(right_value := right.get(key), frozenset)
        ]
        return fmean(getattr(score, measure) for score in scores) if scores else None
    equal = [
        value == right[key]
        for key, value in answer.items()
        if key in right and not isinstance(value, frozenset)
    ]
    return fmean(equal) if equal else None


def _split(
    usable: Sequence[AnsweredQuestion], *, share: float, seed: int
) -> tuple[list[AnsweredQuestion], list[AnsweredQuestion]]:
    """Questions to fit on and to test on, with no source in both: by seed and the source's key."""
    keys = sorted({answered.source_key for answered in usable}, key=lambda key: _lot(seed, key))
    size = max(1, min(len(keys) - 1, round(share * len(keys))))
    chosen = set(keys[:size])
    train = [answered for answered in usable if answered.source_key in chosen]
    return train, [answered for answered in usable if answered.source_key not in chosen]


def _lot(seed: int, key: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{key}".encode()).digest()


def _weights(questions: Sequence[AnsweredQuestion]) -> list[float]:
    """The weights of a mean within every item, then over the items."""
    counts = Counter(answered.owner for answered in questions)
    return [1 / (len(counts) * counts[answered.owner]) for answered in questions]


def _cases(
    method: ThresholdMethod[Any], questions: Sequence[AnsweredQuestion], measure: Measure
) -> list[Case]:
    def score_at(answered: AnsweredQuestion, threshold: float) -> float:
        answer = _answer_at(method, answered, threshold=threshold)
        return _score(answer, answered.right, measure) or 0.0

    return [
        Case(tuple(answered.scores.values()), partial(score_at, answered), weight)
        for answered, weight in zip(questions, _weights(questions), strict=True)
    ]


def _means(
    questions: Sequence[AnsweredQuestion],
    measure: Measure,
    answer_of: Callable[[AnsweredQuestion], Values],
) -> dict[str, float] | None:
    """The mean of every measure of the same kind; None where there are no questions."""
    if not questions:
        return None
    pairs = [(answer_of(answered), answered.right) for answered in questions]
    return {
        name: sum(
            weight * (_score(*pair, name) or 0.0)
            for pair, weight in zip(pairs, _weights(questions), strict=True)
        )
        for name in (SET_MEASURES if measure in SET_MEASURES else LABEL_MEASURES)
    }
