"""Reading at the size of real studies: 78 passages, long texts, on a desk and on a phone."""

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Question, Study
from tests.annotation.views.worker_pages import NewPage, address, open_batch
from tests.cast import make_study
from tests.services.browser import scrolls_sideways

pytestmark = pytest.mark.django_db(transaction=True)
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
PASSAGES = [
    {"index": i, "text": f"Passage {i} tells more about the mill. " * 4, "selected": i == 55}
    for i in range(78)
]
SENTENCES = [
    {"number": i, "text": f"Sentence {i} says something about it, at some length[{7 * i}]. " * 2}
    for i in range(7)
]


@pytest.fixture
def study() -> Study:
    """A study whose questions show 78 passages, and ask about passage 55."""
    made = make_study(sources=4, positive=2, per_batch=1, max_batches_per_worker=1)
    for question in Question.objects.filter(study=made, block__position=0):
        shown = {"passages": PASSAGES, "sentences": SENTENCES, "passage": 55}
        question.payload = question.payload | shown
        question.save()
    return made


def opened(new_page: NewPage, study: Study, **session: object) -> Page:
    page = new_page(**session)
    page.goto(address(open_batch(page, study)))
    return page


def passage(page: Page, index: int) -> Locator:
    return page.locator(f'.passage[data-passage="{index}"]')


def test_on_a_desk_the_evidence_stands_beside_the_sentences_at_the_passage_asked_about(
    new_page: NewPage, study: Study
) -> None:
    page = opened(new_page, study, **DESK)
    for index in (54, 55, 56):
        expect(passage(page, index)).to_be_in_viewport()
    for selector in ("#sentence-0", ".passage-in-question", "button[value=next]"):
        expect(page.locator(selector)).to_be_in_viewport()


def test_on_a_desk_a_marker_shows_its_passage_and_no_sentence_moves(
    new_page: NewPage, study: Study
) -> None:
    page = opened(new_page, study, **DESK)
    before = page.locator("#sentence-1").bounding_box()
    page.locator('.cites[data-passages="7"]').first.click()
    expect(passage(page, 7)).to_be_in_viewport()
    expect(passage(page, 7)).to_have_class("passage is-shown")
    expect(page.locator("#sentence-1")).not_to_be_checked()
    assert page.locator("#sentence-1").bounding_box() == before
    assert page.evaluate("window.scrollY") == 0


def test_the_asked_passage_in_its_context_and_back_takes_two_keys(
    new_page: NewPage, study: Study
) -> None:
    page = opened(new_page, study, viewport={"width": 800, "height": 800})
    page.keyboard.press("v")
    expect(passage(page, 55)).to_be_in_viewport()
    expect(passage(page, 56)).to_be_in_viewport()
    page.keyboard.press("v")
    expect(passage(page, 55)).not_to_be_in_viewport()


def test_on_a_phone_the_evidence_is_one_tap_away_and_the_page_stays(
    new_page: NewPage, study: Study
) -> None:
    page = opened(new_page, study, **PHONE)
    page.locator("#sentence-3").scroll_into_view_if_needed()
    place = page.evaluate("window.scrollY")
    page.locator(".strip__name", has_text="Evidence").tap()
    expect(passage(page, 55)).to_be_in_viewport()
    page.locator(".strip__name").first.tap()
    expect(passage(page, 55)).not_to_be_in_viewport()
    assert page.evaluate("window.scrollY") == place
    assert not scrolls_sideways(page)


def test_at_400_percent_nothing_stays_in_the_way(new_page: NewPage, study: Study) -> None:
    page = opened(new_page, study, viewport={"width": 320, "height": 200})
    for selector in (".bar", ".evidence > summary"):
        position = page.locator(selector).evaluate("element => getComputedStyle(element).position")
        assert position in ("static", "relative")
    assert not scrolls_sideways(page)


def test_without_scripts_the_evidence_unfolds_in_place(new_page: NewPage, study: Study) -> None:
    page = opened(new_page, study, java_script_enabled=False, **PHONE)
    page.locator(".evidence > summary").click()
    page.locator('.passage[data-passage="55"]').scroll_into_view_if_needed()
    expect(passage(page, 55)).to_be_in_viewport()
