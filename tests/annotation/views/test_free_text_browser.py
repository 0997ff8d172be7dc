"""A text beside an answer, and the questionnaire, in a real browser: nothing typed is lost, no key
of the page acts while somebody types, and both fit a phone."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Draft, Participation, Study
from tasktypes.likert import LIKERT
from tests.annotation.views.worker_pages import CONTINUE, address, open_batch, saved, study_of
from tests.annotation.workers import newcomer
from tests.services.browser import DESKTOP, PHONE, scrolls_sideways, violations_in_both_schemes

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = {"question": "Why do you think so?", "kind": "reason", "asked_of": "people", "longest": 500}
BOX = "#free_text"
OPEN = {"options": [], "asked": "before", "required": False}


@pytest.fixture
def study() -> Study:
    made = study_of(LIKERT)
    made.free_text = {**ASKED, "required": True}
    made.save()
    return made


def test_a_text_is_typed_kept_offline_and_asked_for_and_no_key_acts_meanwhile(
    study: Study, new_page: Callable[..., Page]
) -> None:
    page = new_page()
    batch = open_batch(page, study)
    page.goto(address(batch))
    page.keyboard.press("2")
    chosen = page.locator(".question__answer input[type=radio]:checked")
    expect(chosen).to_have_count(1)
    page.locator(BOX).click()
    # Digits, letters, Enter and Backspace belong to the text.
    page.keyboard.type("1 E?\nso it sayss")
    page.keyboard.press("Backspace")
    assert page.locator(BOX).input_value() == "1 E?\nso it says"
    expect(chosen).to_have_count(1)
    expect(chosen).to_have_value("refuted")
    saved(page)
    assert Draft.objects.get().posted["free_text"] == ["1 E?\nso it says"]
    page.reload()
    assert page.locator(BOX).input_value() == "1 E?\nso it says"
    page.locator(BOX).fill("")
    saved(page)
    page.locator(CONTINUE).click()
    refused = page.locator(".refused")
    expect(refused).to_contain_text("Please write an answer to “Why do you think so?”.")
    refused.get_by_role("link").last.click()
    expect(page.locator(BOX)).to_be_focused()
    assert violations_in_both_schemes(page) == []


@pytest.mark.parametrize("window", [PHONE, DESKTOP])
def test_the_box_and_the_questionnaire_fit_any_window(
    window: dict[str, Any], study: Study, new_page: Callable[..., Page]
) -> None:
    page = new_page(**window)
    study.free_text = {**ASKED, "kind": "post_edit", "required": False}
    study.questionnaire = {
        "purpose": "To describe who answered.",
        "questions": [
            {
                "question": "How well do you read English?",
                "kind": "choice",
                "options": ["It is my first language", "Very well", "Well enough"],
                "asked": "before",
                "required": True,
            },
            {"question": "How many years?", "kind": "number", **OPEN},
            {"question": "Anything else?", "kind": "text", **OPEN},
        ],
    }
    study.save()
    batch = open_batch(page, study)
    page.goto(address(batch))
    text = page.locator(BOX)
    text.scroll_into_view_if_needed()
    assert len(text.input_value()) > 20
    box = text.bounding_box()
    assert box is not None
    assert box["width"] > min(window["viewport"]["width"], 700) * 0.8
    assert not scrolls_sideways(page)
    assert violations_in_both_schemes(page) == []
    person = newcomer(study)
    page.goto(reverse("annotation:return", args=[person.token]))
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A few questions about you")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.get_by_role("alert")).to_contain_text("Please answer this question.")
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
    page.get_by_role("alert").get_by_role("link").click()
    page.get_by_label("Very well").check()
    page.get_by_label("How many years?").fill("3")
    page.get_by_role("button", name="Save and continue").click()
    expect(page.locator(".where")).to_be_visible()
    told = Participation.objects.get(pk=person.pk).questionnaire["before"]
    assert [entry["answer"] for entry in told] == ["Very well", 3.0]


def test_what_was_typed_without_a_line_comes_back(
    study: Study, browser: Browser, live_server: LiveServer
) -> None:
    # Not watched: the console tells of every failed request.
    page = browser.new_context(base_url=live_server.url).new_page()
    page.goto(address(open_batch(page, study)))
    page.context.set_offline(True)
    page.locator(BOX).fill("typed without a line")
    kept = "Object.values(localStorage).join(' ')"
    page.wait_for_function(f"{kept}.includes('typed without a line')")
    page.context.set_offline(False)
    saved(page)
    assert Draft.objects.get().posted["free_text"] == ["typed without a line"]
    page.context.close()
