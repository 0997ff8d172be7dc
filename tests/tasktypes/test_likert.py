from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from pydantic import ValidationError

from tasktypes.likert import LIKERT
from tasktypes.likert.form import LikertForm
from tasktypes.likert.schema import Answer, Options, Payload, Point
from tasktypes.machines.replies import ReplyError
from tasktypes.texts.material import NO_TEXT, Item, Sentence, Source

SOURCE = Source(
    key="pier",
    claim="The pier was sold.",
    verdict="false",
    document="The town kept the pier.",
)
ALDER, BIRCH, CEDAR = (
    Item(
        key=f"pier/{system.lower()}",
        system=system,
        sentences=tuple(Sentence(text=text) for text in texts),
    )
    for system, texts in (
        ("Alder", ("It was not.", "The town owns it.")),
        ("Birch", ("Somebody bought it.",)),
        ("Cedar", ("No.",)),
    )
)
YES_NO = {
    "key": "consistency",
    "question": "Is it supported?",
    "distance": "nominal",
    "points": [{"value": "yes", "label": "Yes"}, {"value": "no", "label": "No"}],
}
FIVE = {"key": "fluency", "question": "How fluent?", "low": 1, "high": 5}
ORDER = {"order": [2, 0, 1]}


def payload(*items: Item, **options: Any) -> Payload:
    return LIKERT.payload(SOURCE, items or (ALDER,), ORDER, Options.model_validate(options))


def form(question: Payload, **posted: str) -> LikertForm:
    data = {name.replace("__", "-"): [value] for name, value in posted.items()}
    return LikertForm(question, MultiValueDict(data))


# --- Options ------------------------------------------------------------------------------------


def test_ends_stand_for_the_whole_numbers_between_them() -> None:
    (scale,) = Options.model_validate(
        {"criteria": [{**FIVE, "low_label": "Poor", "high_label": "Great"}]}
    ).criteria
    assert [(point.value, point.label) for point in scale.points] == [
        (1, "Poor"),
        (2, ""),
        (3, ""),
        (4, ""),
        (5, "Great"),
    ]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"points": [{"value": 1}]}, "points"),
        ({"points": [{"value": 1}, {"value": 1}]}, "occurs twice"),
        ({"points": [{"value": 2}, {"value": 1}]}, "do not ascend"),
        ({"points": [{"value": 1}, {"value": "two"}]}, "are numbers"),
        ({"points": [{"value": 1}, {"value": True}]}, "points"),
        ({"points": [{"value": 1}, {"value": float("nan")}]}, "points"),
        ({"distance": "nominal", "points": [{"value": 1}, {"value": 2}]}, "are names"),
        ({"distance": "ratio", "points": [{"value": 1}, {"value": 2}]}, "distance"),
        ({"low": 1}, "low"),
        ({"low": 5, "high": 1}, "low"),
        ({"low": 0, "high": 100}, "low"),
        ({"low": 1.5, "high": 5}, "low"),
        ({"low": 1, "high": 5, "points": [{"value": 1}, {"value": 2}]}, "one of them"),
        ({"key": "Two words"}, "key"),
        ({"question": ""}, "question"),
    ],
)
def test_a_criterion_that_cannot_be_asked_is_refused(changed: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Options.model_validate({"criteria": [{"key": "a", "question": "b?", **changed}]})


def test_names_have_no_neighbours_to_tolerate() -> None:
    with pytest.raises(ValueError, match="tolerance"):
        Options.model_validate({"criteria": [{**YES_NO, "tolerance": 1}]})


def test_criteria_have_keys_of_their_own() -> None:
    with pytest.raises(ValueError, match="a key occurs twice"):
        Options.model_validate({"criteria": [FIVE, FIVE]})


def test_sentences_and_several_items_are_not_asked_about_at_once() -> None:
    with pytest.raises(ValueError, match="per_sentence"):
        Options(per_sentence=True, together=True)
    with pytest.raises(ValueError, match="items"):
        payload(ALDER, BIRCH, CEDAR, per_sentence=True)


def test_a_facet_takes_kind_and_distance_of_its_criterion() -> None:
    options = Options.model_validate({"criteria": [YES_NO, {**FIVE, "distance": "interval"}]})
    label, number = LIKERT.facets(options)
    assert (label.name, label.kind, label.distance, label.low) == (
        "consistency",
        "label",
        "nominal",
        None,
    )
    assert label.labels == ("yes", "no")
    assert (number.name, number.title) == ("fluency", "Fluency")
    assert (number.kind, number.distance, number.low, number.high) == ("number", "interval", 1, 5)


# --- Units and payloads -------------------------------------------------------------------------


def test_there_is_one_unit_per_item_or_one_of_all() -> None:
    items = [ALDER, BIRCH, CEDAR]
    apart = list(LIKERT.plan(SOURCE, items, Options(), seed=1))
    assert [plan.items for plan in apart] == [(ALDER,), (BIRCH,), (CEDAR,)]
    (together,) = LIKERT.plan(SOURCE, items, Options(together=True), seed=1)
    assert together.items == (ALDER, BIRCH, CEDAR)
    assert sorted(together.focus["order"]) == [0, 1, 2]
    (alone,) = LIKERT.plan(SOURCE, [ALDER], Options(together=True), seed=1)
    assert alone.focus == {}


def test_what_is_not_to_be_shown_is_not_in_the_payload() -> None:
    question = payload(shows=["claim"])
    assert question.claim == "The pier was sold."
    assert (question.verdict, question.document) == ("", "")
    assert "false" not in LIKERT.prompt(question)
    assert LIKERT.hides(Options(shows=("claim",)))
    assert not LIKERT.hides(Options())


def test_nobody_is_shown_who_wrote_which_text() -> None:
    question = payload(ALDER, BIRCH, CEDAR)
    html = render_to_string(LIKERT.template, {"form": LikertForm(question)})
    for shown in (question.model_dump_json(), html, LIKERT.prompt(question)):
        assert "Cedar" not in shown
        assert "pier/" not in shown
    assert [one.item for one in question.candidates] == [2, 0, 1]


def test_what_a_control_blanks_is_not_shown() -> None:
    question = LIKERT.payload(SOURCE, [ALDER], {"passage": 0, "blanked": [0]}, Options())
    assert question.sentences == ("The town owns it.",)


def test_points_are_written_without_losing_a_digit() -> None:
    texts = [Point(value=value).text for value in (3, 0.5, 0.1234567, 1234567, "3")]
    assert texts == ["3", "0.5", "0.1234567", "1234567", "3"]


# --- Answers and ratings ------------------------------------------------------------------------


def test_a_text_gets_one_value_per_criterion() -> None:
    question = payload(criteria=[YES_NO, FIVE])
    answer = Answer(scores={"consistency": "no", "fluency": 4})
    LIKERT.check(question, answer)
    ratings = LIKERT.ratings(question, answer)
    assert [(one.facet, one.value, one.element) for one in ratings] == [
        ("consistency", "no", ""),
        ("fluency", 4.0, ""),
    ]


def test_every_sentence_is_an_element() -> None:
    question = payload(criteria=[YES_NO], per_sentence=True)
    answer = Answer(scores={"consistency": ("yes", "no")})
    LIKERT.check(question, answer)
    ratings = LIKERT.ratings(question, answer)
    assert [(one.element, one.value) for one in ratings] == [("0", "yes"), ("1", "no")]
    assert {one.element_item for one in ratings} == {None}


def test_of_several_texts_every_item_is_an_element() -> None:
    question = payload(ALDER, BIRCH, CEDAR, criteria=[FIVE])
    ratings = LIKERT.ratings(question, Answer(scores={"fluency": (1, 2, 3)}))
    assert [(one.element_item, one.value) for one in ratings] == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize(
    ("items", "per_sentence", "scores", "reason"),
    [
        ((ALDER,), False, {}, "scores.fluency: missing"),
        ((ALDER,), False, {"fluency": 3, "style": 1}, "scores.style: there is no such criterion"),
        ((ALDER,), False, {"fluency": 6}, "scores.fluency: 6.0 is not one of 1, 2, 3, 4, 5"),
        ((ALDER,), False, {"fluency": 2.5}, "scores.fluency: 2.5"),
        ((ALDER,), False, {"fluency": "3"}, "scores.fluency: 3 is not one of"),
        ((ALDER,), False, {"fluency": [3]}, "scores.fluency: a list"),
        ((ALDER,), True, {"fluency": 3}, "2 sentences are asked about"),
        ((ALDER,), True, {"fluency": [3]}, "1 values for 2 sentences"),
        ((ALDER, BIRCH, CEDAR), False, {"fluency": [3, 3]}, "2 values for 3 texts"),
        ((ALDER, BIRCH, CEDAR), False, {"fluency": [3, 3, 0]}, "0.0 is not one of"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_with_its_field(
    items: tuple[Item, ...], per_sentence: bool, scores: Any, reason: str
) -> None:
    question = payload(*items, criteria=[FIVE], per_sentence=per_sentence)
    with pytest.raises(ValueError, match=reason):
        LIKERT.check(question, Answer.model_validate({"scores": scores}))


def test_on_a_control_a_scale_may_tolerate_its_next_points() -> None:
    question = payload(criteria=[YES_NO, {**FIVE, "tolerance": 1}])
    right = Answer(scores={"consistency": "yes", "fluency": 4})
    assert LIKERT.is_right(question, Answer(scores={"consistency": "yes", "fluency": 5}), right)
    assert not LIKERT.is_right(question, Answer(scores={"consistency": "yes", "fluency": 2}), right)
    assert not LIKERT.is_right(question, Answer(scores={"consistency": "no", "fluency": 4}), right)


def test_without_tolerance_only_the_point_itself_is_right() -> None:
    question = payload(criteria=[FIVE])
    four, five = Answer(scores={"fluency": 4}), Answer(scores={"fluency": 5})
    assert LIKERT.is_right(question, four, four)
    assert not LIKERT.is_right(question, five, four)


# --- The form -----------------------------------------------------------------------------------


def test_a_form_stores_several_texts_in_the_order_of_the_unit() -> None:
    question = payload(ALDER, BIRCH, CEDAR, criteria=[FIVE])  # shown: Cedar, Alder, Birch
    filled = form(question, score__fluency__0="5", score__fluency__1="1", score__fluency__2="2")
    assert filled.is_valid()
    assert filled.answer() == Answer(scores={"fluency": (1, 2, 5)})


def test_sentences_are_answered_one_by_one() -> None:
    question = payload(criteria=[YES_NO], per_sentence=True)
    filled = form(question, score__consistency__0="yes", score__consistency__1="no")
    assert filled.is_valid()
    assert filled.answer() == Answer(scores={"consistency": ("yes", "no")})


def test_a_gap_is_named_where_it_is_and_the_rest_stays() -> None:
    question = payload(criteria=[YES_NO], per_sentence=True)
    half = form(question, score__consistency__1="no")
    assert not half.is_valid()
    assert list(half.errors) == ["score-consistency-0"]
    html = render_to_string(LIKERT.template, {"form": half})
    assert 'aria-describedby="score-consistency-0-errors"' in html
    assert 'aria-describedby="score-consistency-1-errors"' not in html
    assert html.count(" checked") == 1


@pytest.mark.parametrize("value", ["6", "0", "4.0", "yes", "4; drop"])
def test_a_value_off_the_scale_is_refused(value: str) -> None:
    filled = form(payload(criteria=[FIVE]), score__fluency=value)
    assert filled.has_error("score-fluency", "invalid_choice")


def test_each_distance_keeps_the_type_of_its_points() -> None:
    halves = {"points": [{"value": 0.5}, {"value": 1}], "distance": "interval"}
    question = payload(criteria=[{"key": "a", "question": "a?", **halves}])
    filled = form(question, score__a="0.5")
    assert filled.is_valid()
    assert filled.answer().scores == {"a": 0.5}


# --- Machines -----------------------------------------------------------------------------------


def test_a_reply_about_several_texts_is_read_in_the_order_shown() -> None:
    question = payload(ALDER, BIRCH, CEDAR, criteria=[FIVE])
    answer = LIKERT.parse_reply(question, '{"scores": {"fluency": [5, 1, 2]}}')
    assert answer == Answer(scores={"fluency": (1, 2, 5)})


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"scores": {"fluency": 6}}', "not one of"),
        ('{"scores": {"fluency": "4"}}', "not one of"),
        ('{"scores": {"fluency": true}}', "scores.fluency"),
        ('{"scores": {"fluency": null}}', "scores.fluency"),
        ('{"scores": {"fluency": [4]}}', "a list"),
        ('{"scores": {}}', "missing"),
        ('{"scores": {"fluency": 4, "style": 4}}', "style"),
        ('{"fluency": 4}', "scores"),
        ("4", "no JSON object"),
    ],
)
def test_a_reply_that_holds_no_point_is_no_answer(reply: str, reason: str) -> None:
    with pytest.raises(ReplyError, match=reason):
        LIKERT.parse_reply(payload(criteria=[FIVE]), reply)


def test_the_prompt_names_sentences_texts_and_points() -> None:
    sentences = LIKERT.prompt(payload(criteria=[YES_NO], per_sentence=True))
    assert "0: It was not.\n1: The town owns it." in sentences
    assert '- "yes" = Yes' in sentences
    assert "Each list holds 2 values" in sentences
    assert "Document: The town kept the pier." in sentences
    texts = LIKERT.prompt(payload(ALDER, BIRCH, CEDAR, criteria=[FIVE]))
    assert "Text A: No.\nText B: It was not. The town owns it." in texts


def test_what_a_criterion_is_compared_with_is_no_part_of_the_question() -> None:
    points = [{"value": 1}, {"value": 2}]
    plain = {"key": "clarity", "question": "Clear?", "points": points}
    example = LIKERT.example
    payloads = [
        LIKERT.payload(
            example.source,
            example.items,
            {},
            Options.model_validate({"criteria": [criterion]}),
        ).model_dump()
        for criterion in (plain, plain | {"compared_with": ["utility"]})
    ]
    assert payloads[0] == payloads[1]


def test_names_are_compared_with_nothing() -> None:
    scale = {"key": "label", "question": "Which?", "distance": "nominal",
             "points": [{"value": "a"}, {"value": "b"}], "compared_with": ["utility"]}  # fmt: skip
    with pytest.raises(ValidationError, match="compared_with: the points of a nominal criterion"):
        Options.model_validate({"criteria": [scale]})


@pytest.mark.parametrize("known", [True, False])
def test_a_document_that_is_not_known_is_not_shown(known: bool) -> None:
    source = SOURCE.model_copy(update={"document": "The town kept it." if known else NO_TEXT})
    asked = LIKERT.payload(source, (ALDER,), ORDER, Options())
    page = render_to_string(LIKERT.template, {"form": LikertForm(asked)})
    assert ("The document" in page) is known
    assert NO_TEXT not in page
