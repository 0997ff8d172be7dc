"""Keys in sight: each answer of the current step shows the key that chooses it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Participation, Question
from tasktypes.contract import TaskType
from tasktypes.registry import TASK_TYPES
from tests.annotation.views.large_questions import importance_study, made_up_response
from tests.annotation.views.worker_pages import NewPage, address, open_batch, saved, study_of
from tests.cast import make_study

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 360, "height": 740}
CAPS = ".has-key > .key-cap"
Kind = TaskType[Any, Any, Any]
CAPPED = [kind for kind in TASK_TYPES if kind.slug not in {"slider", "ranking"}]


def opened(new_page: NewPage, kind: Kind, **options: Any) -> Page:
    page = new_page(**options)
    page.goto(address(open_batch(page, study_of(kind))))
    return page


def caps(page: Page) -> list[str]:
    return page.locator(CAPS).all_inner_texts()


def chosen(page: Page, key: str) -> Any:
    """Whether the answer that shows this key is chosen once the key is pressed."""
    place = page.locator(".has-key").filter(has=page.locator(".key-cap", has_text=key)).first
    handle = place.element_handle()
    assert handle is not None
    for _ in range(2):  # an answer out of view is brought into view by the first press
        page.keyboard.press(key)
        page.wait_for_timeout(50)
        is_chosen = handle.evaluate(
            "e => e.matches('[aria-pressed=true]') || Boolean(e.querySelector('input:checked'))"
        )
        if is_chosen:
            break
    return is_chosen


@pytest.mark.parametrize("kind", CAPPED, ids=lambda kind: kind.slug)
def test_the_key_on_an_answer_chooses_it(new_page: NewPage, kind: Kind) -> None:
    page = opened(new_page, kind)
    shown = caps(page)
    assert len(shown) == len(set(shown)) > 1
    assert chosen(page, shown[1])
    page.keyboard.press("Backspace")
    assert chosen(page, shown[0])


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_keys_are_not_shown_where_there_is_no_keyboard(new_page: NewPage, kind: Kind) -> None:
    page = opened(new_page, kind, has_touch=True, is_mobile=True, viewport=PHONE)
    assert page.locator(".key-cap:visible, .keys-offer:visible, .keys-opener:visible").count() == 0


def test_the_ways_between_parts_and_to_the_evidence_show_their_keys(new_page: NewPage) -> None:
    page = new_page()
    page.goto(address(open_batch(page, importance_study(made_up_response(4)))))
    ways = page.locator(".parts__step .key-cap:visible, .evidence > summary .key-cap:visible")
    assert ways.all_inner_texts() == ["V", "[", "]"]


def test_sentences_from_the_tenth_on_have_two_digits(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 2400})
    study = make_study(sources=2, per_batch=1)
    question = Question.objects.filter(study=study).first()
    assert question is not None
    payload = dict(question.payload)
    payload["sentences"] = [{"number": n, "text": f"Sentence number {n}."} for n in range(12)]
    Question.objects.filter(study=study).update(payload=payload, reference=None)
    page.goto(address(open_batch(page, study)))
    boxes = page.locator(".sentence input")
    page.keyboard.press("1")
    expect(page.locator(".has-key--begun")).to_have_count(4)  # 1, 10, 11 and 12
    page.keyboard.press("2")
    expect(boxes.nth(11)).to_be_checked()
    expect(boxes.nth(0)).not_to_be_checked()
    page.keyboard.press("1")
    expect(boxes.nth(0)).to_be_checked()  # once no second digit came
    page.keyboard.press("1")
    page.keyboard.press("3")  # 13 is none of them: 1 is taken back, and 3 chosen
    expect(boxes.nth(2)).to_be_checked()
    expect(boxes.nth(0)).not_to_be_checked()


def test_the_keys_are_offered_once(new_page: NewPage) -> None:
    page = opened(new_page, CAPPED[0])
    offer = page.locator(".keys-offer")
    expect(offer).to_be_visible()
    with page.expect_response("**/keys/") as answered:
        page.get_by_role("button", name="Got it").click()
    assert answered.value.status == 204
    expect(offer).to_have_count(0)
    page.reload()
    expect(offer).to_have_count(0)
    assert caps(page)
    page.keyboard.press("?")
    expect(page.locator("#keys-legend")).to_be_visible()


@pytest.mark.parametrize("kind", CAPPED, ids=lambda kind: kind.slug)
def test_a_key_counts_after_a_fold_or_a_name_was_clicked_and_not_in_a_text(
    new_page: NewPage, kind: Kind
) -> None:
    page = opened(new_page, kind, viewport={"width": 500, "height": 900})
    problem = page.locator("details", has=page.locator("textarea")).last
    clicked = [problem.locator("summary"), *page.locator(".strip__name").all()]
    for button in clicked:
        button.click()
        expect(button).to_be_focused()
        [key, *_] = caps(page)
        assert chosen(page, key), button
        page.keyboard.press("Backspace")
        expect(page.locator(".question__answer input:checked")).to_have_count(0)
    text = problem.locator("textarea")
    text.press_sequentially("12v[?")
    expect(text).to_have_value("12v[?")
    expect(page.locator(".question__answer input:checked")).to_have_count(0)


def test_after_undoing_the_next_key_answers_the_question_that_is_marked(new_page: NewPage) -> None:
    likert = next(kind for kind in TASK_TYPES if kind.slug == "likert")
    page = opened(new_page, likert)
    first, second = page.locator(".question__answer fieldset").all()[:2]
    first.locator("input").first.focus()
    page.keyboard.press("1")
    expect(second.locator("input").first).to_be_focused()
    page.keyboard.press("Backspace")
    expect(first).to_have_class(re.compile("is-current"))
    expect(page.locator(".question__answer input:checked")).to_have_count(0)
    page.keyboard.press("2")
    expect(first.locator("input").nth(1)).to_be_checked()
    expect(second.locator("input:checked")).to_have_count(0)


def test_keys_of_a_single_sign_can_be_switched_off_for_good(new_page: NewPage) -> None:
    page = opened(new_page, CAPPED[0])
    page.keyboard.press("?")
    with page.expect_response("**/keys/"):
        page.get_by_label("Switch off digits").check()
    page.get_by_role("button", name="Close").click()
    assert Participation.objects.get().keys == "off"
    for _ in range(2):
        assert caps(page) == []
        page.keyboard.press("1")
        page.keyboard.press("?")
        assert page.locator("input:checked:visible, dialog[open]").count() == 0
        page.reload()
    page.locator(".keys-opener").click()
    with page.expect_response("**/keys/"):
        page.get_by_label("Use all of them").check()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("1")
    saved(page)


def test_no_letter_means_two_things(new_page: NewPage) -> None:
    ranking = next(kind for kind in TASK_TYPES if kind.slug == "ranking")
    page = new_page()
    study = study_of(ranking)
    question = Question.objects.filter(study=study).first()
    assert question is not None
    [one, *_] = question.payload["candidates"]
    five = [{**one, "item": n, "letter": letter} for n, letter in enumerate("ABCDE")]
    Question.objects.filter(study=study).update(payload={**question.payload, "candidates": five})
    page.goto(address(open_batch(page, study)))
    signs = [key for key in page.locator("#keys-legend kbd").all_text_contents() if len(key) == 1]
    assert len(signs) == len(set(signs)) > 3
    group = page.locator(".rank-group").first
    page.keyboard.press("e")
    assert group.locator(".rank-board .rank-slot .rank-chip[data-letter=E]").count() == 1
