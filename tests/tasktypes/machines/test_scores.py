"""Types whose answers are scores: every score as a question of its own, and back together."""

from typing import Any

import pytest

from tasktypes.contract import TaskType
from tasktypes.likert import LIKERT
from tasktypes.likert.schema import Payload
from tasktypes.machines.scores import InScores
from tasktypes.registry import TASK_TYPES
from tasktypes.slider import SLIDER

SCORED = [kind for kind in TASK_TYPES if isinstance(kind, InScores)]
SCALE = {"key": "fluency", "question": "How fluent?", "low": 1, "high": 5}
YES_NO = {
    "key": "consistent",
    "question": "Is it consistent?",
    "distance": "nominal",
    "points": [{"value": "yes"}, {"value": "no"}],
}


def example_payload(kind: TaskType[Any, Any, Any]) -> Any:
    given = kind.example
    options = kind.Options.model_validate(given.options)
    return kind.payload(given.source, given.items, given.focus, options)


@pytest.mark.parametrize("kind", SCORED, ids=lambda kind: kind.slug)
def test_the_lowest_point_of_everything_is_an_answer_that_fits(
    kind: TaskType[Any, Any, Any],
) -> None:
    assert isinstance(kind, InScores)
    payload = example_payload(kind)
    asked = kind.scorings(payload)
    answer = kind.from_scores(payload, [one.points[0].value for one in asked])
    kind.check(payload, answer)
    assert len(kind.ratings(payload, answer)) == len(asked)
    assert all(one.text and one.question for one in asked)


def likert(**changes: Any) -> Payload:
    fields = {
        "criteria": [SCALE, YES_NO],
        "per_sentence": True,
        "sentences": ["One.", "Two."],
        "document": "A document.",
    }
    return Payload.model_validate(fields | changes)


def test_every_sentence_is_scored_by_every_criterion_in_the_order_of_the_answer() -> None:
    payload = likert()
    asked = LIKERT.scorings(payload)
    assert [(one.criterion, one.text) for one in asked] == [
        ("fluency", "One."),
        ("fluency", "Two."),
        ("consistent", "One."),
        ("consistent", "Two."),
    ]
    answer = LIKERT.from_scores(payload, [1.5, 5.0, "yes", "no"])
    assert answer.scores == {"fluency": (1.5, 5.0), "consistent": ("yes", "no")}
    LIKERT.check_between(payload, answer)
    with pytest.raises(ValueError, match=r"fluency: 1\.5 is not one of"):
        LIKERT.check(payload, answer)


def test_candidates_are_scored_in_the_order_of_the_unit_whatever_was_shown_first() -> None:
    shown = [
        {"letter": "A", "item": 1, "text": "Second."},
        {"letter": "B", "item": 0, "text": "First."},
    ]
    payload = likert(per_sentence=False, sentences=[], candidates=shown, criteria=[SCALE])
    assert [one.text for one in LIKERT.scorings(payload)] == ["First.", "Second."]


def test_a_whole_text_gets_one_value_per_criterion() -> None:
    payload = likert(per_sentence=False)
    assert [one.text for one in LIKERT.scorings(payload)] == ["One. Two."] * 2
    assert LIKERT.from_scores(payload, [2.0, "no"]).scores == {"fluency": 2.0, "consistent": "no"}


def test_a_number_beyond_the_scale_does_not_fit_between_its_points_either() -> None:
    payload = likert(per_sentence=False, criteria=[SCALE])
    with pytest.raises(ValueError, match=r"fluency: 5\.1"):
        LIKERT.check_between(payload, LIKERT.from_scores(payload, [5.1]))


def test_the_way_along_a_scale_is_linear_and_names_have_none() -> None:
    slider, (_fluency, named) = example_payload(SLIDER), LIKERT.scorings(likert(per_sentence=False))
    asked = SLIDER.scorings(slider)[0]
    assert [asked.along(share) for share in (0, 0.25, 1)] == [slider.low, 25.0, slider.high]
    with pytest.raises(ValueError, match="names"):
        named.along(0.5)


def test_what_a_text_is_held_against_is_its_document_or_its_evidence() -> None:
    assert LIKERT.scorings(likert())[0].document == "A document."
    evidence = [{"index": 0, "text": "First."}, {"index": 2, "text": "Second."}]
    payload = likert(document="", passages=evidence)
    assert LIKERT.scorings(payload)[0].document == "First.\nSecond."
