"""Baselines: what they see, what they answer, and on whose labels."""

import random
from collections.abc import Sequence
from typing import Any, get_args

import pytest

from judges.methods.asks import Ask
from judges.methods.baseline import Baseline, BaselineParameters
from judges.methods.baseline.features import length, overlap, seen
from tasktypes.contract import TaskType
from tasktypes.machines.fitted_parts import (
    By,
    Curve,
    Fit,
    Fitted,
    Observation,
    fitted,
    half_of,
    value_of,
)
from tasktypes.machines.parts import InParts, Part
from tasktypes.registry import TASK_TYPES
from tests.judges.methods.asks import answered, rating, slider

all_types = pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
READ: tuple[By, ...] = ("length", "overlap")
BASES: tuple[By, ...] = ("commonest", "random")
# With seed 0 one of these sources is in each half.
FIRST, SECOND = (next(k for k in "abcdefgh" if half_of(0, k) == half) for half in (0, 1))


def example(kind: TaskType[Any, Any, Any]) -> tuple[Any, Any]:
    """The payload and the answer of a type's worked question."""
    worked, options = kind.example, kind.Options.model_validate(kind.example.options)
    payload = kind.payload(worked.source, worked.items, worked.focus, options)
    return payload, kind.Answer.model_validate(worked.answer)


def fit_of(by: By, halves: Sequence[Sequence[Observation]], block: str = "block") -> Fit:
    first, second = (fitted(by, own, sources=1, answers=1) for own in halves)
    return Fit(study="study", seed=0, people=2, halves={block: (first, second)})


def judge(by: By, fit: Fit | None) -> Baseline:
    return Baseline(BaselineParameters(by=by, fit=fit))


def observed(values: Sequence[float | str], **about: Any) -> list[Observation]:
    part = Part("quality", "text", **about)
    return [Observation(part, value, float(at)) for at, value in enumerate(values)]


@all_types
def test_every_type_comes_apart_and_together_again(kind: TaskType[Any, Any, Any]) -> None:
    assert isinstance(kind, InParts)
    payload, answer = example(kind)
    values = kind.to_parts(payload, answer)
    assert len(values) == len(kind.parts(payload))
    whole = [value for value in values if value is not None]
    assert kind.from_parts(payload, whole) == answer


@all_types
@pytest.mark.parametrize("by", [*BASES, *READ])
def test_a_baseline_answers_every_type(kind: TaskType[Any, Any, Any], by: By) -> None:
    assert isinstance(kind, InParts)
    payload, answer = example(kind)
    parts = zip(kind.parts(payload), kind.to_parts(payload, answer), strict=True)
    observations = [Observation(part, value, 1.0) for part, value in parts if value is not None]
    ask = Ask(1, "unit", "block", kind, payload.model_dump(mode="json"), source=FIRST)
    given = answered(judge(by, fit_of(by, [observations, observations])).answer(ask))
    kind.check(payload, given)


def test_length_counts_words_without_citation_markers() -> None:
    assert length([("Taxes rose in May [3].", ""), ("", "")]) == [4, 0]


def test_overlap_is_the_share_of_the_shorter_text() -> None:
    # {taxes, rose} and {taxes, rose, in, may}: 2 of 2; {a, b, c} and {b, d}: 1 of 2
    pairs = [("Taxes rose.", "taxes rose in May"), ("a b c", "b d"), ("", "b"), ("Ä", "ä")]
    assert overlap(pairs) == [2 / 2, 1 / 2, 0, 1]


def test_a_text_among_rivals_counts_by_its_lead() -> None:
    parts = [Part("rank", "a b c", rivals=("a", "a b")), Part("rank", "a", rivals=("a b c", "a b"))]
    assert seen(parts, length) == [3 - 2, 1 - 3]


def test_the_commonest_answer_is_that_of_the_other_half() -> None:
    fit = fit_of("commonest", [observed([1, 1, 2]), observed([5, 5, 2])], "rating")
    for source, value in ((FIRST, 5.0), (SECOND, 1.0)):
        ask = Ask(1, "u", "rating", rating().task_type, rating().raw_payload, source=source)
        assert answered(judge("commonest", fit).answer(ask)).scores == {"quality": value}


def test_the_commonest_number_of_a_continuous_scale_is_the_mean() -> None:
    own = [Observation(Part("utility", "t", low=0, high=100), value) for value in (0, 0, 60)]
    fit = fit_of("commonest", [own, own], "slider")
    ask = Ask(3, "u", "slider", slider().task_type, slider().raw_payload, source=FIRST)
    assert answered(judge("commonest", fit).answer(ask)).value == (0 + 0 + 60) / 3


def test_random_answers_go_by_the_base_rate_and_the_seed() -> None:
    own = observed(["yes"] * 3 + ["no"])
    baseline = judge("random", fit_of("random", [own, own], "rating"))
    question = rating(labels=("yes", "no"))

    def drawn(seed: int) -> Any:
        about = (question.task_type, question.raw_payload)
        return answered(baseline.answer(Ask(2, "u", "rating", *about, seed=seed))).scores["quality"]

    many = [drawn(seed) for seed in range(400)]
    assert many == [drawn(seed) for seed in range(400)]
    # 3 of 4, within four standard errors: 4 * sqrt(3/4 * 1/4 / 400) = 0.087
    assert abs(many.count("yes") / 400 - 3 / 4) < 0.087


def test_numbers_follow_a_monotone_curve_to_the_nearest_point() -> None:
    own = fitted("length", observed([1, 3, 2, 5]), sources=1, answers=4)
    # isotonic: 1, 2.5, 2.5, 5; at 2.5 halfway from 2.5 to 5
    assert list(own.curves["quality"][""].values) == [1, 2.5, 2.5, 5]
    part, draw = Part("quality", "text", options=(1.0, 2.0, 3.0, 4.0, 5.0)), random.Random(0)
    found = [value_of("length", part, own, at, draw) for at in (-9, 0.8, 2.5, 9)]
    assert found == [1, 2, 4, 5]


def test_of_very_many_numbers_quantiles_are_kept_that_people_gave() -> None:
    own = fitted("random", observed(range(0, 2000, 2), high=2000), sources=1, answers=1000)
    values = own.bases["quality"].values
    assert len(values) == 101
    assert {*values} <= {*range(0, 2000, 2)}
    assert (values[0], values[-1]) == (0, 1998)


def test_of_labels_the_most_probable_one_is_taken() -> None:
    observations = observed(["no", "no", "yes", "yes"])
    own = fitted("overlap", observations, sources=1, answers=4)
    part = Part("quality", "text", options=("yes", "no"))
    assert [value_of("overlap", part, own, at, random.Random(0)) for at in (0, 3)] == ["no", "yes"]


def test_a_label_that_the_question_does_not_offer_is_not_answered() -> None:
    own = Fitted(sources=1, answers=1, curves={"quality": {"tie": Curve(at=(0,), values=(1,))}})
    with pytest.raises(ValueError, match="nobody chose a label"):
        value_of("length", Part("quality", "t", options=("a", "b")), own, 0, random.Random(0))


@pytest.mark.parametrize("by", get_args(By))
def test_without_a_fit_it_says_what_to_do(by: By) -> None:
    baseline = judge(by, None)
    assert "Judges" in baseline.objection(rating().task_type, (), "rating")
    (reply,) = judge("commonest", None).answer(rating()).replies
    assert "no people's answers to calibrate on" in reply.error
