"""A text of one's own beside an answer, in the form of every kind of question."""

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict

from tasktypes.contract import TaskType
from tasktypes.pages.answer_forms import AnswerForm
from tasktypes.pages.free_text import FREE_TEXT, FreeText, judged_text
from tasktypes.registry import TASK_TYPES

WHY = FreeText("Why?", "reason", False, 40)
Kind = TaskType[Any, Any, Any]
every_kind = pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)


def form_of(kind: Kind, asked: FreeText | None, **typed: list[str]) -> AnswerForm[Any, Any]:
    example = kind.example
    options = kind.Options.model_validate(example.options)
    payload = kind.payload(example.source, example.items, example.focus, options)
    posted = {name: list(values) for name, values in example.posted.items()}
    form: AnswerForm[Any, Any] = kind.Form(payload, MultiValueDict(posted | typed), free_text=asked)
    return form


def drawn(kind: Kind, form: AnswerForm[Any, Any]) -> str:
    return render_to_string(kind.template, {"form": form})


@every_kind
def test_the_answer_is_the_same_with_and_without_a_text(kind: Kind) -> None:
    plain, written = form_of(kind, None), form_of(kind, WHY, free_text=["It  says\r\nso. "])
    assert plain.is_valid()
    assert written.is_valid(), written.errors
    assert written.answer() == plain.answer()
    assert (plain.text, written.text) == ("", "It  says\nso.")


@every_kind
def test_a_text_that_is_needed_is_named_where_it_is_missing(kind: Kind) -> None:
    assert form_of(kind, WHY).is_valid()
    form = form_of(kind, WHY._replace(required=True), free_text=["  "])
    assert not form.is_valid()
    (refusal,) = form.refusals()
    assert (refusal.id, refusal.text) == (FREE_TEXT, "Please write an answer to “Why?”.")
    assert "Please write an answer to" in drawn(kind, form)
    assert FREE_TEXT not in drawn(kind, form_of(kind, None))


def test_a_text_that_is_too_long_is_refused_with_both_numbers() -> None:
    kind = TASK_TYPES[0]
    assert form_of(kind, WHY, free_text=["x" * 40]).is_valid()
    (refusal,) = form_of(kind, WHY, free_text=["x" * 41]).refusals()
    assert refusal.text == "Please shorten “Why?” to 40 characters. Now it has 41."


@every_kind
def test_what_is_edited_begins_as_the_judged_text_where_there_is_a_single_one(kind: Kind) -> None:
    edited = FreeText("Mend it.", "post_edit", False, 5)
    form = form_of(kind, edited)
    text = judged_text(form.payload)
    several = bool(getattr(form.payload, "candidates", ()))
    assert bool(text) != several
    assert form.fields[FREE_TEXT].initial == text
    begun = kind.Form(form.payload, free_text=edited)
    assert text[:20] in str(begun[FREE_TEXT]).replace("&#x27;", "'").replace("&quot;", '"')
    # It may grow beyond the bound, to twice its length.
    assert form_of(kind, edited, free_text=[text]).is_valid()
    assert not form_of(kind, edited, free_text=["x" * (2 * len(text) + 6)]).is_valid()


def test_html_in_question_and_text_is_shown_as_text() -> None:
    kind = TASK_TYPES[0]
    form = form_of(kind, WHY._replace(question="<b>Why?</b>"), free_text=["</textarea><script>"])
    page = drawn(kind, form)
    assert "<b>Why?" not in page
    assert "<script>" not in page
    assert "&lt;/textarea&gt;&lt;script&gt;" in page
