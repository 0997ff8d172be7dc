import math
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.datastructures import MultiValueDict

from tasktypes.machines.replies import ReplyError
from tasktypes.slider import SLIDER
from tasktypes.slider.form import SliderForm
from tasktypes.slider.schema import Answer, Options, Payload
from tasktypes.texts.material import Item, Sentence, Source

SOURCE = Source(key="ferry", claim="The ferry sank.", verdict="false")
ITEM = Item(
    key="ferry/larch",
    sentences=(Sentence(text="It sails daily [0].", citations=(0,)), Sentence(text="It is new.")),
)


def payload(**options: Any) -> Payload:
    return SLIDER.payload(SOURCE, [ITEM], {}, Options(**options))


def form(value: str | None, **options: Any) -> SliderForm:
    posted: dict[str, list[str]] = {} if value is None else {"value": [value]}
    return SliderForm(payload(**options), MultiValueDict(posted))


def test_an_item_is_one_unit_in_both_settings() -> None:
    (unit,) = SLIDER.plan(SOURCE, [ITEM], Options(), seed=1)
    assert (unit.suffix, unit.subsets) == ("", ("full", "sample"))


def test_the_text_is_shown_with_its_citations() -> None:
    assert payload().sentences == ("It sails daily [0].", "It is new.")


def test_what_another_block_asks_about_does_not_matter() -> None:
    assert SLIDER.payload(SOURCE, [ITEM], {"passage": 3}, Options()) == payload()


def test_sentences_that_a_control_blanks_are_not_shown() -> None:
    control = SLIDER.payload(SOURCE, [ITEM], {"passage": 0, "blanked": [0]}, Options())
    assert control.sentences == ("It is new.",)


def test_a_question_is_about_one_item() -> None:
    with pytest.raises(ValueError, match="items"):
        SLIDER.payload(SOURCE, [], {}, Options())


@pytest.mark.parametrize(
    "options",
    [
        {"low": 5, "high": 5},
        {"low": 5, "high": 1},
        {"high": math.inf},
        {"low": math.nan},
        {"low": True},
        {"step": 0},
        {"step": 101},
        {"question": ""},
        {"facet": "Two words"},
        {"facet": ""},
    ],
)
def test_a_scale_without_room_or_name_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        Options(**options)


def test_the_facet_is_the_one_of_the_options() -> None:
    (facet,) = SLIDER.facets(Options(facet="plain_language", low=1, high=7))
    assert (facet.name, facet.title) == ("plain_language", "Plain language")
    assert (facet.kind, facet.distance, facet.low, facet.high) == ("number", "interval", 1, 7)
    (rating,) = SLIDER.ratings(payload(facet="plain_language"), Answer(value=3))
    assert (rating.facet, rating.value) == ("plain_language", 3.0)


@pytest.mark.parametrize("value", ["50", True, None, math.nan, math.inf, [50]])
def test_an_answer_of_the_wrong_type_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="value"):
        Answer.model_validate({"value": value})


def test_an_answer_lies_on_the_scale() -> None:
    SLIDER.check(payload(), Answer(value=0))
    SLIDER.check(payload(), Answer(value=100))
    for value in (-0.1, 100.1):
        with pytest.raises(ValueError, match=r"value: .* not on the scale from 0 to 100"):
            SLIDER.check(payload(), Answer(value=value))


def test_within_a_tenth_of_the_scale_a_control_is_right() -> None:
    scale = payload(low=1, high=6)
    assert SLIDER.is_right(scale, Answer(value=4.5), Answer(value=4))
    assert not SLIDER.is_right(scale, Answer(value=4.6), Answer(value=4))


@pytest.mark.parametrize(("posted", "value"), [("0", 0.0), ("62.5", 62.5), (" 100 ", 100.0)])
def test_a_number_on_the_scale_is_the_answer(posted: str, value: float) -> None:
    filled = form(posted)
    assert filled.is_valid()
    assert filled.answer() == Answer(value=value)


@pytest.mark.parametrize("posted", [None, ""])
def test_an_untouched_scale_is_no_answer(posted: str | None) -> None:
    assert form(posted).has_error("value", "required")


@pytest.mark.parametrize("posted", ["-1", "101", "nan", "inf", "high", "1e999"])
def test_a_number_off_the_scale_is_refused_and_stays_in_the_field(posted: str) -> None:
    filled = form(posted)
    assert not filled.is_valid()
    html = render_to_string(SLIDER.template, {"form": filled})
    assert f'value="{posted}"' in html
    assert 'aria-describedby="scale-help scale-errors"' in html


def test_the_field_is_empty_and_required_before_an_answer() -> None:
    html = render_to_string(SLIDER.template, {"form": SliderForm(payload())})
    (field,) = (line for line in html.splitlines() if 'type="number"' in line)
    assert 'value=""' in field
    assert " required" in field


def test_numbers_are_written_as_browsers_read_them_in_any_language() -> None:
    with translation.override("de"):
        html = render_to_string(SLIDER.template, {"form": form("62.5", low=0.5, high=99.5)})
    assert 'value="62.5"' in html
    assert 'min="0.5"' in html
    assert 'max="99.5"' in html


def test_the_prompt_names_both_ends() -> None:
    prompt = SLIDER.prompt(payload(low=1, high=5, low_label="Poor", high_label="Great"))
    assert '1 means "Poor"' in prompt
    assert '5 means "Great"' in prompt
    assert "It sails daily [0]. It is new." in prompt


def test_a_document_or_a_query_reaches_the_prompt() -> None:
    source = Source(key="a", query="Is it safe?", document="A long report.")
    question = SLIDER.payload(source, [ITEM], {}, Options())
    prompt = SLIDER.prompt(question)
    assert "Query: Is it safe?" in prompt
    assert "Document: A long report." in prompt
    assert "Claim" not in prompt
    html = render_to_string(SLIDER.template, {"form": SliderForm(question)})
    assert "A long report." in html


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"value": 101}', "not on the scale"),
        ('{"value": "62"}', "value"),
        ('{"value": true}', "value"),
        ('{"value": null}', "value"),
        ('{"value": NaN}', "NaN"),
        ('{"value": 1e999}', "value"),
        ("62", "no JSON object"),
        ('{"value": 1} {"value": 2}', "different"),
    ],
)
def test_a_reply_off_the_scale_is_no_answer(reply: str, reason: str) -> None:
    with pytest.raises(ReplyError, match=reason):
        SLIDER.parse_reply(payload(), reply)


def test_a_whole_number_is_a_point_on_the_scale() -> None:
    assert SLIDER.parse_reply(payload(), '```json\n{"value": 62}\n```') == Answer(value=62.0)
