"""The way in and on, in a real browser: how many clicks, and what the bar of a question says."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Assignment, LedgerRow, Participation, Study
from tests.annotation.pilot_study import hand_in, make_pilot_study
from tests.annotation.views.worker_pages import (
    NewPage,
    address,
    invitation_link,
    open_batch,
)
from tests.cast import make_study
from tests.services.browser import (
    DESKTOP,
    PHONE,
    accessible,
    follow,
    scrolls_sideways,
    violations_in_both_schemes,
)

pytestmark = pytest.mark.django_db(transaction=True)

MOST_CLICKS = 5


@pytest.fixture
def study() -> Study:
    return make_study(sources=4, per_batch=1)


def way_in(page: Page) -> int:
    """From the first page to the first question, by whatever has to be pressed; how many clicks."""
    clicks = 0
    while not page.locator("form.question").count():
        for box in page.locator("main form input[type=checkbox]").all():
            box.click()
            clicks += 1
        follow(page.locator("main .button").first)
        clicks += 1
    return clicks


def test_the_first_question_is_five_clicks_from_the_link(new_page: NewPage, study: Study) -> None:
    page = new_page(**DESKTOP)
    page.goto(invitation_link(study))
    for words in ("about 7 minutes", "1.50 USD", "Example university", "Example board"):
        expect(page.locator("main")).to_contain_text(words)
    assert way_in(page) <= MOST_CLICKS


def test_who_has_agreed_meets_no_consent_again(new_page: NewPage, study: Study) -> None:
    page = new_page(**DESKTOP)
    page.goto(invitation_link(study))
    way_in(page)
    page.goto(reverse("annotation:return", args=[Participation.objects.get().token]))
    expect(page.locator("h1")).to_have_text(study.title)
    assert way_in(page) == 1
    Study.objects.update(consent_text="Other words.", consent_version="2")
    page.goto(reverse("annotation:lobby", args=[study.slug]))
    expect(page.locator("main")).to_contain_text("has changed since you agreed")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_bar_tells_minutes_left_earned_so_far_and_an_hours_pay(
    new_page: NewPage, study: Study, size: dict[str, dict[str, int]]
) -> None:
    page = new_page(**size)
    batch = open_batch(page, study)
    LedgerRow.objects.create(
        participation=batch.participation, kind="adjustment", amount="2.70", currency="USD"
    )
    page.goto(address(batch))
    timer = page.get_by_role("timer", name="Time left")
    expect(timer).to_have_text(re.compile("^(59|60) min left$"))
    pay = page.locator(".pay-so-far")
    expect(pay).to_have_text("Earned: 2.70 USD · 10.00 USD/h")
    box = pay.bounding_box()
    assert box is not None
    assert box["height"] < 30  # one line
    assert not scrolls_sideways(page)
    accessible(page)


def test_a_study_may_leave_the_hourly_rate_out(new_page: NewPage, study: Study) -> None:
    Study.objects.update(show_hourly_rate=False)
    page = new_page(**DESKTOP)
    page.goto(address(open_batch(page, study)))
    expect(page.locator(".pay-so-far")).to_have_text("Earned: 0.00 USD")


def test_the_open_page_counts_down_and_says_when_the_time_is_over(
    new_page: NewPage, study: Study
) -> None:
    page = new_page(**DESKTOP)
    batch = open_batch(page, study)
    Assignment.objects.update(lease_until=timezone.now() + timedelta(minutes=20, seconds=30))
    page.clock.install()
    page.goto(address(batch))
    expect(page.locator(".lease__left")).to_have_text("20 min left")
    page.clock.fast_forward("05:00")
    expect(page.locator(".lease__left")).to_have_text("15 min left")
    expect(page.locator(".lease__over")).to_be_hidden()
    page.clock.fast_forward("11:00")
    expect(page.locator(".lease__soon")).to_be_visible()
    expect(page.get_by_role("button", name="More time")).to_be_visible()
    page.clock.fast_forward("06:00")
    expect(page.locator(".lease__over")).to_contain_text("Your time is over")
    expect(page.locator(".lease__left")).to_be_hidden()
    page.get_by_role("button", name="More time").click()
    expect(page.locator(".lease__over")).to_be_hidden()
    expect(page.locator("#lease")).to_contain_text("min left")


@pytest.mark.parametrize("hours", [3, -3])
def test_a_computer_whose_clock_is_wrong_shows_the_time_that_is_left(
    new_page: NewPage, study: Study, hours: int
) -> None:
    page = new_page(**DESKTOP)
    batch = open_batch(page, study)
    Assignment.objects.update(lease_until=timezone.now() + timedelta(minutes=20, seconds=30))
    page.clock.install(time=timezone.now().replace(second=0) + timedelta(hours=hours))
    page.goto(address(batch))
    page.clock.run_for(5_000)
    expect(page.locator(".lease__left")).to_have_text("20 min left")
    expect(page.locator(".lease__over")).to_be_hidden()
    by_that_clock = page.evaluate("new Date(Date.now() + 20.4 * 60000).toTimeString().slice(0, 5)")
    expect(page.locator(".lease time")).to_have_text(by_that_clock)


def test_the_personal_link_is_copied_by_its_button(new_page: NewPage, study: Study) -> None:
    page = new_page(**PHONE, permissions=["clipboard-read", "clipboard-write"])
    batch = open_batch(page, study)
    page.goto(address(batch))
    page.locator("summary", has_text="Your personal link").click()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith(f"/return/{batch.participation.token}/")
    accessible(page)
    assert not scrolls_sideways(page)


def test_without_scripts_the_personal_link_can_be_copied_by_hand(
    new_page: NewPage, study: Study
) -> None:
    page = new_page(**PHONE, java_script_enabled=False)
    page.goto(address(open_batch(page, study)))
    page.locator("summary", has_text="Your personal link").click()
    expect(page.get_by_label("Your personal link")).to_have_value(re.compile("/return/"))
    expect(page.get_by_role("button", name="Copy")).to_be_hidden()


def test_who_pastes_the_personal_link_is_back_at_their_question(
    new_page: NewPage, study: Study
) -> None:
    page = new_page(**PHONE)
    link = invitation_link(study)
    page.goto(link)
    way_in(page)
    page.locator("summary", has_text="Your personal link").click()
    own = page.get_by_label("Your personal link").input_value()
    page.context.clear_cookies()
    page.goto(link)
    page.get_by_label("Your personal link").fill("not a link")
    page.get_by_role("button", name="Take me back").click()
    expect(page.get_by_role("alert")).to_contain_text("not a personal link")
    accessible(page)
    page.get_by_label("Your personal link").fill(own)
    page.get_by_role("button", name="Take me back").click()
    follow(page.get_by_role("button", name="Continue where you stopped"))
    expect(page.locator("form.question")).to_be_visible()
    assert Participation.objects.count() == 1


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_result_of_a_batch_is_accessible_with_what_was_missed(
    new_page: NewPage, size: dict[str, dict[str, int]]
) -> None:
    study = make_pilot_study(tell_missed=True)
    page = new_page(**size)
    batch = open_batch(page, study)
    hand_in(batch, wrong=1)
    page.goto(reverse("annotation:done", args=[batch.public_id]))
    page.locator("summary", has_text="Missed question").click()
    expect(page.get_by_role("heading", name="The right answer")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
