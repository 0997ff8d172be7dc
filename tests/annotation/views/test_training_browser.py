"""Examples, tips, the check and training in a real browser: by keyboard, without scripts."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import (
    Annotation,
    Assignment,
    ComprehensionTry,
    Member,
    Participation,
    Place,
    Round,
    Study,
    Unit,
)
from tests.annotation.views.training import CHECK, become
from tests.annotation.workers import newcomer
from tests.cast import PASSWORD, join, make_study, make_user
from tests.services.browser import PHONE, accessible, follow, press, tab_to
from tests.set_up.controls.proposals import propose, select_one_passage

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]


@pytest.fixture
def study() -> Study:
    made = make_study(
        sources=3,
        per_batch=1,
        tips=["Go by what the passage says.", "Read the whole explanation first."],
        comprehension=CHECK,
        screenout_pay="0.40",
    )
    become(made.units.latest("pk"), Unit.Role.EXAMPLE)
    return made


def come_in(page: Page, study: Study) -> None:
    token = newcomer(study).token
    page.goto(reverse("annotation:return", args=[token]))


def choose(page: Page, *options: str) -> None:
    """One option per question, by keyboard alone: options stand in any order."""
    for number, option in enumerate(options):
        name = f'[name="question-{number}"]'
        tab_to(page, name)
        page.keyboard.press("Space")
        while not page.get_by_label(option).is_checked():
            page.keyboard.press("ArrowDown")


def seen(page: Page, name: str) -> None:
    """A page that is accessible, and kept as a picture where somebody wants to look."""
    accessible(page)
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def test_by_keyboard_through_examples_tips_and_the_check_to_the_first_batch(
    new_page: NewPage, study: Study
) -> None:
    page = new_page()
    come_in(page, study)
    press(page, "main form button")

    expect(page.locator("h1")).to_have_text("Example 1 of 1")
    seen(page, "example")
    tab_to(page, "#sentences input")
    page.keyboard.press("1")
    press(page, "form.question .button")
    expect(page.locator("[role=status]")).to_contain_text("Partly right: you found 1 of 2.")
    expect(page.locator("#own-sentence-0")).to_be_checked()
    expect(page.locator("#own-sentence-2")).not_to_be_checked()
    expect(page.locator(".sentence:has(#own-sentence-0) + .mark")).to_have_text("Right")
    expect(page.locator(".sentence:has(#own-sentence-1) + .mark")).to_have_count(0)
    expect(page.locator(".sentence:has(#own-sentence-2) + .mark")).to_have_text("Missed")
    seen(page, "example-answer")
    press(page, "main .bar a.button")

    expect(page.locator("h1")).to_have_text("2 tips")
    seen(page, "tips")
    press(page, "main form button")

    expect(page.locator("h1")).to_have_text("Quick check of the instructions")
    seen(page, "check")
    choose(page, "Every one that should cite the passage", "I choose any")
    press(page, "main form button")
    expect(page.locator("main")).to_contain_text("None is an answer, too.")
    seen(page, "check-failed")
    choose(page, *(str(question["right"]) for question in CHECK))
    press(page, "main form button")

    expect(page.locator(".where")).to_contain_text("1 of 1")
    assert list(ComprehensionTry.objects.values_list("passed", flat=True)) == [False, True]
    assert Annotation.objects.count() == 0


def test_without_scripts_on_a_phone_to_a_paid_screen_out(new_page: NewPage, study: Study) -> None:
    page = new_page(java_script_enabled=False, **PHONE)
    come_in(page, study)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Show the right answer").click()
    expect(page.locator("[role=alert]")).to_contain_text("Please choose at least one sentence")
    page.locator("#sentence-0").check()
    page.locator("#sentence-2").check()
    page.get_by_role("button", name="Show the right answer").click()
    expect(page.locator("[role=status]")).to_contain_text("Your answer is right.")
    page.get_by_role("link", name="Continue").click()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Send these answers").click()
    expect(page.locator("[role=alert]")).to_contain_text("Please answer every question")
    for _try in range(2):
        page.get_by_label("The longest one").check()
        page.get_by_label("I choose any").check()
        page.get_by_role("button", name="Send these answers").click()
    expect(page).to_have_url(re.compile(f"/work/{study.slug}/end/$"))
    worker = Participation.objects.get()
    assert worker.state == Participation.State.SCREENED_OUT
    assert [str(row.amount) for row in worker.ledger.all()] == ["0.40"]


def test_no_page_before_the_first_batch_scrolls_sideways_on_a_phone(
    new_page: NewPage, study: Study
) -> None:
    page = new_page(**PHONE)
    come_in(page, study)
    page.goto(reverse("annotation:example", args=[study.slug, 1]))
    seen(page, "example-phone")
    page.locator("#sentence-none").check()
    follow(page.get_by_role("button", name="Show the right answer"))
    seen(page, "example-answer-phone")
    page.goto(reverse("annotation:comprehension", args=[study.slug]))
    seen(page, "check-phone")


def test_a_training_round_shows_the_right_answer_before_the_next_question(
    new_page: NewPage,
) -> None:
    study = make_study(sources=1, per_batch=1)
    Round.objects.update(shows_answers=True)
    study.units.update(role=Unit.Role.TRAINING, reasons="Both sentences say so.")
    Place.objects.update(role=Unit.Role.TRAINING, wanted=None)
    page = new_page()
    come_in(page, study)
    press(page, "main form button")
    tab_to(page, "#sentences input")
    page.keyboard.press("1")
    press(page, 'button[value="next"]')
    expect(page.locator("h1")).to_have_text("The right answer")
    expect(page.locator("main")).to_contain_text("Both sentences say so.")
    seen(page, "feedback")
    press(page, "main .bar a.button")
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    page.goto(reverse("annotation:question", args=[Assignment.objects.get().public_id, 1, 1]))
    expect(page.locator("main")).to_contain_text("because you have seen the right one")
    expect(page.get_by_role("link", name="See the right answer")).to_be_visible()


def test_an_editor_validates_a_control_with_the_keyboard(new_page: NewPage) -> None:
    study = select_one_passage(make_study(sources=3))
    join(study, make_user("editor"), Member.Role.EDITOR)
    (control,) = propose(study, negative=1)
    page = new_page()
    page.goto(reverse("desk:sign-in"))
    page.get_by_label("Username").fill("editor")
    page.get_by_label("Password").fill(PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.goto(reverse("desk:controls", args=[study.slug]))
    seen(page, "controls")
    press(page, "main a.button")
    expect(page.locator("h1")).to_contain_text("A negative control")
    expect(page.locator("#control-0-sentence-none")).to_be_checked()
    page.get_by_text("Alert made from").click()
    seen(page, "control")
    page.reload()
    press(page, 'button[value="validate"]')
    expect(page.locator("main")).to_contain_text(f"Validated: {control.key}.")
    assert Place.objects.filter(unit=control).exists()
