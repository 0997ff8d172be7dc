"""An answer beside the right one, part by part, and in a few words, for every kind of question."""

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.datastructures import MultiValueDict

from tasktypes.actionability import ACTIONABILITY
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.contract import TaskType
from tasktypes.importance import IMPORTANCE
from tasktypes.likert import LIKERT
from tasktypes.pages.comparison import Compared, in_a_line, marks_of
from tasktypes.pairwise import PAIRWISE
from tasktypes.ranking import RANKING
from tasktypes.registry import TASK_TYPES
from tasktypes.slider import SLIDER

AnyType = TaskType[Any, Any, Any]
every_type = pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)


def payload_of(kind: AnyType) -> Any:
    options = kind.Options.model_validate(kind.example.options)
    return kind.payload(kind.example.source, kind.example.items, kind.example.focus, options)


def right_of(kind: AnyType, **changes: Any) -> Any:
    return kind.Answer.model_validate({**kind.example.answer, **changes})


def compared(kind: AnyType, **changes: Any) -> dict[str, Compared]:
    """A changed answer beside the example's."""
    parts = kind.compared(payload_of(kind), right_of(kind, **changes), right_of(kind))
    return {part.part: part for part in parts}


def drawn(kind: AnyType, **marks: Any) -> str:
    posted = {name: list(values) for name, values in kind.example.posted.items()}
    form = kind.Form(payload_of(kind), MultiValueDict(posted))
    form.marks = marks
    return render_to_string(kind.template, {"form": form})


@every_type
def test_the_right_answer_beside_itself_is_right_in_every_part(kind: AnyType) -> None:
    parts = kind.compared(payload_of(kind), right_of(kind), right_of(kind))
    assert {part.verdict for part in parts} <= {"right", "open"}
    assert len({part.part for part in parts}) == len(parts)
    assert not any(part.right or part.note for part in parts if kind is not SLIDER)
    assert in_a_line(parts, is_right=True) == "Your answer is right."


@every_type
def test_what_is_said_of_every_part_stands_on_the_page(kind: AnyType) -> None:
    parts = kind.compared(payload_of(kind), right_of(kind), right_of(kind))
    reasons = {part.part: f"reason of {part.part}" for part in parts}
    page = drawn(kind, **marks_of(parts, reasons))
    assert [part for part, reason in reasons.items() if page.count(f">{reason}<") != 1] == []
    assert 'class="mark mark--' not in drawn(kind)


@every_type
def test_an_answer_is_told_in_a_few_words(kind: AnyType) -> None:
    words = kind.summary(payload_of(kind), right_of(kind))
    assert words
    assert len(words) < 160


def test_sentences_are_found_missed_and_wrong() -> None:
    assert CITATION_RECOVERY.example.answer == {"sentences": [1, 2]}
    parts = compared(CITATION_RECOVERY, sentences=[0, 2])
    verdicts = {part: compared.verdict for part, compared in parts.items()}
    assert verdicts["recovery.0"] == "extra"
    assert verdicts["recovery.1"] == "missed"
    assert verdicts["recovery.2"] == "right"
    assert verdicts["recovery.none"] == "open"
    none = compared(CITATION_RECOVERY, sentences=[])
    assert none["recovery.none"].verdict == "extra"


@pytest.mark.parametrize(
    ("verdicts", "line"),
    [
        (["right", "missed", "open"], "Partly right: you found 1 of 2."),
        (
            ["right", "right", "extra"],
            "Partly right: you found 2 of 2. 1 of your choices is wrong.",
        ),
        (["right", "wrong", "wrong"], "Partly right: 1 of 3 answers are right."),
        (["wrong", "wrong"], "Your answer is not right."),
        (["missed", "missed"], "Your answer is not right. There were 2 right choices."),
        (["missed", "extra"], "Your answer is not right. There was 1 right choice."),
    ],
)
def test_the_line_says_how_far_an_answer_is_right_and_how_many_were_to_be_found(
    verdicts: list[Any], line: str
) -> None:
    parts = [Compared(str(i), verdict) for i, verdict in enumerate(verdicts)]
    assert in_a_line(parts, is_right=False) == line


def test_a_slider_writes_numbers_as_the_language_does() -> None:
    with translation.override("de"):
        (off,) = compared(SLIDER, value=12.5).values()
        assert str(off.note).startswith("Ihre Antwort: 12,5, das ist um ")


def test_a_slider_says_how_far_off() -> None:
    value = float(SLIDER.example.answer["value"])
    (off,) = compared(SLIDER, value=value - 40).values()
    assert off.verdict == "wrong"
    assert off.note == f"Your answer: {value - 40:g}, which is 40 too low."
    (near,) = compared(SLIDER, value=value + 5).values()
    assert near.verdict == "right"
    assert near.note == f"Your answer: {value + 5:g}, which is 5 too high."


def test_a_ranking_says_which_texts_changed_places() -> None:
    # Shown as A: item 2, B: item 1, C: item 0; right are 2, 1 and 3.
    ranks = RANKING.example.answer["ranks"]
    parts = compared(RANKING, ranks=ranks | {"overall": [1, 2, 3]})
    assert parts["overall.2"].verdict == "right"
    assert parts["overall.0"].verdict == parts["overall.1"].verdict == "wrong"
    assert parts["overall.0"].note == "Your rank: 1. Swapped with B."
    assert parts["overall.1"].note == "Your rank: 2. Swapped with C."
    assert parts["overall.1"].right == "rank 1"


def test_a_point_beside_the_right_one_is_right_where_the_scale_tolerates_it() -> None:
    parts = compared(LIKERT, scores={"label_from_text": "supported", "clarity": 4})
    assert parts["clarity"].verdict == "right"
    assert parts["clarity"].right == "3"
    assert parts["label_from_text"].verdict == "wrong"
    assert parts["label_from_text"].right == "Refuted"


def test_a_preference_is_put_in_the_words_of_the_page() -> None:
    swap = {"first": "second", "second": "tie", "tie": "first"}
    right = PAIRWISE.example.answer["preferred"]
    parts = compared(PAIRWISE, preferred={key: swap[side] for key, side in right.items()})
    words = {key: str(part.right) for key, part in parts.items()}
    assert {part.verdict for part in parts.values()} == {"wrong"}
    assert {words[key] == "About the same" for key in right if right[key] == "tie"} <= {True}
    assert {words[key][1:] for key in right if right[key] != "tie"} <= {" is better"}


def test_what_is_not_vital_is_a_matter_of_judgement_and_so_is_the_order() -> None:
    claims = [dict(claim) for claim in IMPORTANCE.example.answer["claims"]]
    middling = [i for i, claim in enumerate(claims) if claim["importance"] != "vital"]
    (vital, *_) = [i for i, claim in enumerate(claims) if claim["importance"] == "vital"]
    first = middling[0]
    claims[first]["importance"] = {"okay": "less-important", "less-important": "okay"}[
        claims[first]["importance"]
    ]
    claims[vital]["importance"] = "okay"
    order = list(reversed(IMPORTANCE.example.answer["order"]))
    parts = compared(IMPORTANCE, claims=claims, order=order)
    assert parts[f"importance.{first}"].verdict == "right"
    assert "Both are right" in str(parts[f"importance.{first}"].note)
    assert parts[f"importance.{vital}"].verdict == "wrong"
    assert parts[f"importance.{vital}"].right == "Vital"
    assert {part.verdict for name, part in parts.items() if name.startswith("order")} == {"open"}


def test_a_rubric_is_marked_question_by_question() -> None:
    errors = [dict(error) for error in ACTIONABILITY.example.answer["errors"]]
    errors[0]["points_out"] = not errors[0]["points_out"]
    parts = compared(ACTIONABILITY, errors=errors)
    wrong = {name: str(part.right) for name, part in parts.items() if part.verdict == "wrong"}
    assert wrong == {"error.0": "No" if errors[0]["points_out"] else "Yes"}
