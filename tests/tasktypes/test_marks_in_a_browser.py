"""An answer with a mark beside every part, for every kind of question, in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from playwright.sync_api import Page

from tasktypes.contract import TaskType
from tasktypes.pages.comparison import PartMark
from tasktypes.registry import TASK_TYPES
from tests.services.browser import PHONE, scrolls_sideways, violations_in_both_schemes
from tests.tasktypes.forms import STYLES, static_text

AnyType = TaskType[Any, Any, Any]


def marked(kind: AnyType) -> str:
    """The example's answer, every part of it marked wrong, as a page of its own."""
    example = kind.example
    options = kind.Options.model_validate(example.options)
    payload = kind.payload(example.source, example.items, example.focus, options)
    answer = kind.Answer.model_validate(example.answer)
    posted = {name: list(values) for name, values in example.posted.items()}
    form = kind.Form(payload, MultiValueDict(posted))
    form.marks = {
        part.part: PartMark("wrong", "that", "It is off.", f"The reason of {part.part}.")
        for part in kind.compared(payload, answer, answer)
    }
    body = render_to_string(kind.template, {"form": form})
    names = (*(f"css/{name}.css" for name in STYLES), *kind.styles, "css/compared.css")
    scripts = "".join(f"<script>{static_text(name)}</script>" for name in kind.scripts)
    return (
        "<!doctype html><html lang=en><title>Compared</title>"
        f"<style>{''.join(map(static_text, names))}</style>"
        "<body><main class='page page--question'><h1>Compared</h1><div class=question>"
        f"<fieldset class='question__answer compared' disabled>{body}</fieldset></div></main>"
        f"{scripts}"
    )


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_marks_are_accessible_and_fit_a_phone(
    blank_page: Callable[..., Page], kind: AnyType
) -> None:
    page = blank_page(**PHONE)
    page.set_content(marked(kind))
    assert page.locator(".mark__word").count() == page.locator(".mark__reason").count() > 0
    for mark in page.locator(".mark").all():
        assert mark.is_visible()
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
