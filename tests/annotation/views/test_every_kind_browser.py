"""Every kind of question on a bad line: nothing that was given is lost, on any of them."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Draft, Question, Study
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.annotation.views.worker_pages import CONTINUE, address, open_batch, saved
from tests.cast import make_study

pytestmark = pytest.mark.django_db(transaction=True)
AnyType = TaskType[Any, Any, Any]
kinds = pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
# A line of 2 s and 50 kbit/s.
SLOW = {"offline": False, "latency": 2000, "downloadThroughput": 6250, "uploadThroughput": 6250}


def study_of(kind: AnyType) -> Study:
    """A study whose questions are the worked example of the kind."""
    example = kind.example
    options = kind.Options.model_validate(example.options)
    payload = kind.payload(example.source, example.items, example.focus, options)
    study = make_study(sources=2, per_batch=1, blocks=[("citation_recovery", {})])
    study.blocks.update(task_type_slug=kind.slug, options=dict(example.options))
    Question.objects.filter(study=study).update(
        payload=payload.model_dump(mode="json"), reference=None
    )
    return study


def open_question(browser: Browser, live_server: LiveServer, kind: AnyType) -> Page:
    page = browser.new_context(base_url=live_server.url).new_page()
    page.goto(address(open_batch(page, study_of(kind))))
    return page


def answer(page: Page, kind: AnyType) -> None:
    """The whole answer of the example, field by field."""
    for name, values in kind.example.posted.items():
        for value in values:
            field = page.locator(f'.question__answer [name="{name}"]')
            if field.first.evaluate("field => field.tagName") == "SELECT":
                field.evaluate(
                    "(field, value) => { field.value = value;"
                    " field.dispatchEvent(new Event('change', {bubbles: true})); }",
                    value,
                )
            elif field.first.get_attribute("type") in ("radio", "checkbox"):
                page.locator(f'.question__answer [name="{name}"][value="{value}"]').check()
            else:
                field.evaluate(
                    "(field, value) => { field.value = value;"
                    " field.dispatchEvent(new Event('change', {bubbles: true})); }",
                    value,
                )


def posted(kind: AnyType) -> dict[str, list[str]]:
    stored = Draft.objects.get().posted
    return {name: stored.get(name, []) for name in kind.example.posted}


def example_of(kind: AnyType) -> dict[str, list[str]]:
    return {name: list(values) for name, values in kind.example.posted.items()}


@kinds
def test_an_answer_given_offline_is_sent_once_the_line_is_back(
    browser: Browser, live_server: LiveServer, kind: AnyType
) -> None:
    page = open_question(browser, live_server, kind)
    page.context.set_offline(True)
    answer(page, kind)
    page.locator(CONTINUE).click()
    expect(page.locator("#saved")).to_contain_text("Not saved yet, trying again")
    page.context.set_offline(False)
    expect(page).to_have_url(re.compile("/review/"))
    assert posted(kind) == example_of(kind)
    assert Draft.objects.get().complete
    page.context.close()


@kinds
def test_on_a_slow_line_saved_is_said_only_once_it_is(
    browser: Browser, live_server: LiveServer, kind: AnyType
) -> None:
    page = open_question(browser, live_server, kind)
    session = page.context.new_cdp_session(page)
    session.send("Network.emulateNetworkConditions", SLOW)
    answer(page, kind)
    line = page.locator(".save-line")
    for _ in range(7):
        assert "Saved" not in line.inner_text() or posted(kind) == example_of(kind)
        page.wait_for_timeout(150)
    saved(page)
    assert posted(kind) == example_of(kind)
    page.context.close()
