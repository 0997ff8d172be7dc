"""A question with an answer in it, drawn as its form draws it, to be looked at."""

import re

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from annotation.models import Question
from annotation.work.drafts import Posted, answer_form
from tasktypes.contract import Schema

OWN = re.compile(r' (id|for|name|aria-labelledby|aria-describedby)="([^"]*)"')


def shown(question: Question, posted: Posted, *, suffix: str) -> SafeString:
    """A question's form with ids and names of its own, so that it can stand twice on one page.

    Radio buttons of one name would take the choice from each other. Escaped text holds no
    quotation mark, so only attributes can match.
    """
    form = answer_form(question, posted or None)
    page = render_to_string(question.block.task_type.template, {"form": form})

    def own(found: re.Match[str]) -> str:
        if found[1] == "aria-labelledby":
            return ""  # twice the same name would make two landmarks alike
        names = " ".join(f"{name}-{suffix}" for name in found[2].split())
        return f' {found[1]}="{names}"'

    return mark_safe(OWN.sub(own, page))  # noqa: S308 (a template's output)


def shown_answer(question: Question, answer: Schema, *, suffix: str) -> SafeString:
    """The question with that answer filled in."""
    return shown(question, answer_form(question, None).filled(answer), suffix=suffix)
