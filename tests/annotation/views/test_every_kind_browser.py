"""Every kind of question on a bad line: nothing that was given is lost, on any of them."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, Draft, Participation
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.annotation.views.worker_pages import CONTINUE, address, open_batch, saved, study_of

pytestmark = pytest.mark.django_db(transaction=True)
AnyType = TaskType[Any, Any, Any]
kinds = pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
# What takes seconds for each: the simplest kind and the largest in every run, all in the slow one.
AT_ONCE = ("citation_recovery", "importance")
slow_kinds = pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=() if kind.slug in AT_ONCE else pytest.mark.slow)
        for kind in TASK_TYPES
    ],
    ids=lambda kind: kind.slug,
)
# A line of 1.2 s and 50 kbit/s.
SLOW = {"offline": False, "latency": 1200, "downloadThroughput": 6250, "uploadThroughput": 6250}


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
                chosen = page.locator(f'.question__answer [name="{name}"][value="{value}"]')
                # Parts that are not in focus, and what a pad stands for, cannot be pointed at.
                if chosen.is_visible():
                    chosen.check()
                else:
                    chosen.dispatch_event("click")
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


@slow_kinds
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


@slow_kinds
def test_a_killed_server_and_a_time_that_ended_lose_nothing(
    browser: Browser, live_server: LiveServer, kind: AnyType
) -> None:
    page = open_question(browser, live_server, kind)
    page.route("**/*", lambda route: route.abort())
    answer(page, kind)
    expect(page.locator("#saved")).to_contain_text("Not saved yet, trying again")
    Assignment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    page.unroute("**/*")
    saved(page)
    assert posted(kind) == example_of(kind)
    page.locator(CONTINUE).click()
    expect(page).to_have_url(re.compile("/review/"))
    assert posted(kind) == example_of(kind)
    page.context.close()


@kinds
def test_without_its_cookies_a_page_keeps_the_answer_to_be_sent_again(
    browser: Browser, live_server: LiveServer, kind: AnyType
) -> None:
    page = open_question(browser, live_server, kind)
    token = Participation.objects.get().token
    page.context.clear_cookies()
    answer(page, kind)
    page.locator(CONTINUE).click()
    expect(page.locator("h1")).to_contain_text("You are signed out")
    tab = page.context.new_page()
    tab.goto(reverse("annotation:return", args=[token]))
    page.get_by_role("button", name="Send it again").click()
    expect(page).to_have_url(re.compile("/review/"))
    assert posted(kind) == example_of(kind)
    page.context.close()
