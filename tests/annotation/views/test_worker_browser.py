"""The worker's way in a real browser: by keyboard, without scripts, on a phone, interrupted."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotation, Assignment, Draft, Participation, Study
from tests.annotation.views.worker_pages import (
    CONTINUE,
    NewPage,
    address,
    invitation_link,
    open_batch,
    saved,
)
from tests.annotation.workers import answer_all
from tests.cast import make_study
from tests.services.browser import (
    DESKTOP,
    PHONE,
    accessible,
    follow,
    press,
    scrolls_sideways,
    tab_to,
    violations_in_both_schemes,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study() -> Study:
    return make_study(sources=4, positive=2, per_batch=1, max_batches_per_worker=1)


def answer_by_keyboard(page: Page) -> None:
    """Whatever kind of question is shown."""
    if page.locator("#sentence-none").count():
        tab_to(page, "#sentences input")
        page.keyboard.press("1")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Space")
    else:
        tab_to(page, "#scale-range")
        page.keyboard.press("ArrowRight")
    saved(page)


@pytest.mark.both_databases
def test_the_whole_way_with_the_keyboard_alone(new_page: NewPage, study: Study) -> None:
    page = new_page()
    page.goto(invitation_link(study))
    accessible(page)
    press(page, "main button")
    accessible(page)
    tab_to(page, "#id_of_age")
    page.keyboard.press("Space")
    tab_to(page, "#id_agree")
    page.keyboard.press("Space")
    press(page, "main button")
    press(page, "main button")

    expect(page.locator(".where")).to_contain_text("1 of 2")
    accessible(page)
    answer_by_keyboard(page)
    accessible(page)
    page.reload()
    expect(page.locator("#sentence-0")).to_be_checked()
    expect(page.locator("#sentence-2")).to_be_checked()
    expect(page.locator("#sentence-1")).not_to_be_checked()
    press(page, CONTINUE)
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    answer_by_keyboard(page)
    accessible(page)

    elsewhere = new_page()
    elsewhere.goto(reverse("annotation:return", args=[Participation.objects.get().token]))
    press(elsewhere, "main button")
    expect(elsewhere.locator(".where")).to_contain_text("2 of 2")
    for _part in (1, 2):
        answer_by_keyboard(elsewhere)
        press(elsewhere, CONTINUE)
    expect(elsewhere.locator("h1")).to_have_text("Review and submit")
    accessible(elsewhere)
    press(elsewhere, "main form button")
    expect(elsewhere.locator("h1")).to_contain_text("Thank you")
    expect(elsewhere.locator(".completion-code")).to_have_text("DONE-1")
    accessible(elsewhere)

    assert Assignment.objects.get().state == Assignment.State.SUBMITTED
    recovered = Annotation.objects.filter(question__block__position=0)
    assert [one.answer for one in recovered] == [{"sentences": [0, 2]}] * 2
    assert Annotation.objects.count() == 4


def test_the_whole_way_without_scripts_on_a_phone(new_page: NewPage, study: Study) -> None:
    page = new_page(java_script_enabled=False, **PHONE)
    page.goto(invitation_link(study))
    page.get_by_role("button", name="I am new here: continue").click()
    page.get_by_label("years old or older").check()
    page.get_by_label("I agree to take part").check()
    page.get_by_role("button", name="Agree and continue").click()
    page.get_by_role("button", name="Start", exact=True).click()
    for _text in (1, 2):
        page.get_by_role("button", name="Save and continue").click()
        expect(page.get_by_role("alert")).to_contain_text("choose at least one sentence")
        page.locator("#sentence-1").check()
        page.get_by_role("button", name="Save and continue").click()
        page.get_by_role("spinbutton").fill("62.5")
        page.get_by_role("button", name="Save and continue").click()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator(".completion-code")).to_have_text("DONE-1")
    scores = Annotation.objects.filter(question__block__position=1)
    assert [one.answer for one in scores] == [{"value": 62.5}] * 2


def every_page(page: Page, study: Study) -> Iterator[str]:
    """Bring a worker to each page in turn, and name it."""
    page.goto(invitation_link(study))
    yield "invitation"
    follow(page.get_by_role("button", name="I am new here: continue"))
    yield "consent"
    follow(page.get_by_role("button", name="Agree and continue"))
    yield "consent refused"
    page.get_by_label("years old or older").check()
    page.get_by_label("I agree to take part").check()
    follow(page.get_by_role("button", name="Agree and continue"))
    yield "lobby"
    follow(page.get_by_role("button", name="Start", exact=True))
    yield "question"
    follow(page.get_by_role("button", name="Save and continue"))
    yield "question refused"
    page.locator("#sentence-1").check()
    saved(page)
    yield "question answered"
    page.locator("summary", has_text="All texts").click()
    page.locator("summary", has_text="Report a problem").click()
    yield "question with its asides"
    Draft.objects.update(revision=9)
    page.locator("#sentence-0").check()
    follow(page.get_by_role("button", name="Save and continue"))
    yield "two versions"
    follow(page.get_by_role("button", name="Use this one"))
    yield "second part"
    page.locator("#scale-range").press("ArrowRight")
    saved(page)
    yield "second part answered"
    follow(page.get_by_role("button", name="Back"))
    yield "read-only"
    follow(page.get_by_role("link", name="Review and submit"))
    yield "review"
    batch = Assignment.objects.get(state="active")
    follow(page.get_by_role("link", name="Leave the study"))
    yield "leave"
    answer_all(batch)
    page.goto(reverse("annotation:review", args=[batch.public_id]))
    follow(page.get_by_role("button", name="Submit", exact=True))
    yield "done"
    Study.objects.update(max_batches_per_worker=2)
    page.reload()
    yield "done, with more to do"
    Study.objects.update(max_batches_per_worker=1)
    follow(page.get_by_role("button", name="Start another batch"))
    yield "nothing left"
    page.context.clear_cookies()
    page.goto(address(batch))
    yield "signed out"


def test_every_page_is_accessible_in_both_schemes_and_fits_a_narrow_phone(
    new_page: NewPage, study: Study
) -> None:
    page = new_page(**PHONE)
    for name in every_page(page, study):
        assert violations_in_both_schemes(page) == [], name
        assert not scrolls_sideways(page), name


@pytest.mark.skipif("JURYBOX_SCREENSHOTS" not in os.environ, reason="nobody asked for them")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_screenshots_of_every_page(
    new_page: NewPage,
    study: Study,
    scheme: str,
    size: dict[str, object],
    request: pytest.FixtureRequest,
) -> None:
    page = new_page(color_scheme=scheme, **size)
    folder = Path(settings.BASE_DIR) / "var" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    which = request.node.callspec.id
    for number, name in enumerate(every_page(page, study)):
        page.screenshot(path=folder / f"worker-{which}-{number:02}-{name.replace(' ', '-')}.png")


def test_saving_moves_neither_the_focus_nor_the_page(new_page: NewPage, study: Study) -> None:
    page = new_page(**PHONE)
    batch = open_batch(page, study)
    page.goto(address(batch))
    box = page.locator("#sentence-1")
    box.focus()
    before = (box.bounding_box(), page.evaluate("document.documentElement.scrollHeight"))
    page.keyboard.press("Space")
    saved(page)
    assert page.evaluate("document.activeElement.id") == "sentence-1"
    after = (box.bounding_box(), page.evaluate("document.documentElement.scrollHeight"))
    assert after == before


def test_the_passage_in_question_stays_in_view(new_page: NewPage, study: Study) -> None:
    page = new_page(viewport={"width": 360, "height": 480})
    batch = open_batch(page, study)
    page.goto(address(batch))
    passage = page.locator(".passage-in-question")
    for number in range(3):
        page.locator(f"#sentence-{number}").focus()
        expect(passage).to_be_in_viewport()
        top = page.locator(f"#sentence-{number}").bounding_box()
        under = passage.bounding_box()
        assert top is not None
        assert under is not None
        assert top["y"] >= under["y"] + under["height"]


@pytest.mark.both_databases
def test_a_save_that_is_still_under_way_does_not_come_between(
    new_page: NewPage, study: Study
) -> None:
    page = new_page()
    batch = open_batch(page, study)
    page.goto(address(batch))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/draft/", hold)
    with page.expect_request("**/draft/"):
        page.locator("#sentence-0").check()
    page.locator("#sentence-2").check()
    page.locator(CONTINUE).click()
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    draft = Draft.objects.get(question__block__position=0)
    assert draft.posted == {"sentences": ["0", "2"]}


@pytest.mark.both_databases
def test_a_double_click_on_save_and_continue_goes_one_step(new_page: NewPage, study: Study) -> None:
    page = new_page()
    batch = open_batch(page, study)
    page.goto(address(batch))
    page.locator("#sentence-0").check()
    page.locator(CONTINUE).dblclick()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    assert Draft.objects.get(question__block__position=0).complete


def test_when_saving_fails_the_page_says_so_and_tries_again(
    browser: Browser, live_server: LiveServer, study: Study
) -> None:
    # Not watched: htmx tells the console of every failure.
    page = browser.new_context(base_url=live_server.url).new_page()
    batch = open_batch(page, study)
    page.goto(address(batch))
    page.route("**/draft/", lambda route: route.abort())
    page.locator("#sentence-0").check()
    expect(page.locator("#saved")).to_contain_text("Not saved yet, trying again")
    assert not Draft.objects.filter(revision__gt=0).exists()
    page.unroute("**/draft/")
    saved(page)
    assert Draft.objects.get().posted == {"sentences": ["0"]}
    page.context.close()


def test_signed_out_in_the_middle_the_page_saves_again_after_the_return_link(
    browser: Browser, live_server: LiveServer, study: Study
) -> None:
    page = browser.new_context(base_url=live_server.url).new_page()
    batch = open_batch(page, study)
    page.goto(address(batch))
    page.context.clear_cookies(name=re.compile("session"))
    page.locator("#sentence-0").check()
    expect(page.locator("#saved")).to_contain_text("you are signed out")
    tab = page.context.new_page()
    tab.goto(reverse("annotation:return", args=[batch.participation.token]))
    saved(page)
    assert Draft.objects.get().posted == {"sentences": ["0"]}
    page.context.close()


@pytest.mark.both_databases
def test_a_second_tab_is_told_and_loses_nothing(new_page: NewPage, study: Study) -> None:
    page = new_page()
    batch = open_batch(page, study)
    page.goto(address(batch))
    tab = page.context.new_page()
    tab.goto(address(batch))
    tab.locator("#sentence-0").check()
    saved(tab)
    page.locator("#sentence-2").check()
    expect(page.locator("#saved")).to_contain_text("Changed in another tab")
    page.locator(CONTINUE).click()
    expect(page.locator("h1")).to_have_text("Two versions of this answer")
    page.get_by_role("button", name="Use this one").click()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    assert Draft.objects.get(question__block__position=0).posted == {"sentences": ["2"]}


def test_more_time_keeps_the_page_as_it_is(new_page: NewPage, study: Study) -> None:
    page = new_page()
    batch = open_batch(page, study)
    Assignment.objects.update(lease_until=batch.leased_at.replace(year=2000))
    page.goto(address(batch))
    page.locator("#sentence-1").check()
    saved(page)
    page.get_by_role("button", name="More time").click()
    expect(page.locator("#lease")).to_contain_text("min left")
    expect(page.locator("#sentence-1")).to_be_checked()
    batch.refresh_from_db()
    assert batch.lease_until > batch.leased_at
