"""A question with an answer in it, drawn as its form draws it, to be looked at."""

from collections.abc import Mapping

from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from django.utils.safestring import SafeString

from annotation.models import Question
from annotation.work.drafts import Posted, answer_form
from tasktypes.pages.comparison import PartMark
from tasktypes.pages.free_text import FREE_TEXT
from tasktypes.schemas import Schema

_UNMARKED: Mapping[str, PartMark] = {}


def draw_form(
    question: Question,
    posted: Posted,
    *,
    prefix: str,
    text_form: str,
    marks: Mapping[str, PartMark] = _UNMARKED,
) -> SafeString:
    """A question's form with names and ids that begin with the prefix, so that it can stand
    twice on one page: radio buttons of one name would take the choice from each other."""
    kind = question.block.task_type
    data = MultiValueDict({f"{prefix}-{name}": list(values) for name, values in posted.items()})
    asked = question.free_text if FREE_TEXT in posted else None
    form = kind.Form(question.typed_payload, data or None, prefix=prefix, free_text=asked)
    form.complains = False
    form.marks, form.text_form = marks, text_form
    return render_to_string(kind.template, {"form": form})


def draw_answer(
    question: Question,
    answer: Schema,
    *,
    prefix: str,
    text_form: str,
    marks: Mapping[str, PartMark] = _UNMARKED,
) -> SafeString:
    """The question with that answer filled in, and marks beside its parts."""
    posted = answer_form(question, None).filled(answer)
    return draw_form(question, posted, prefix=prefix, text_form=text_form, marks=marks)
