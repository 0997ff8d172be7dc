"""Saving in a real browser: on a bad line, offline, with the server gone; nothing typed is lost,
and the page never says "Saved" of what is not."""

import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import AssignmentUnit, Draft, Study
from tests.annotation.views.worker_pages import CONTINUE, address, open_batch, saved
from tests.cast import make_study
from tests.services.browser import follow

pytestmark = pytest.mark.django_db(transaction=True)
NOT_SAVED = "Not saved yet, trying again"


@pytest.fixture
def study() -> Study:
    return make_study(sources=4, positive=2, per_batch=1, max_batches_per_worker=1)


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, study: Study) -> Iterator[Page]:
    """The first question. Not watched: the console tells of every failed request."""
    page = browser.new_context(base_url=live_server.url).new_page()
    page.goto(address(open_batch(page, study)))
    yield page
    page.context.close()


def seen(page: Page) -> str:
    """The words about saving that somebody can see."""
    return page.locator(".save-line").inner_text()


def posted() -> dict[str, list[str]]:
    saved_answer: dict[str, list[str]] = Draft.objects.get(question__block__position=0).posted
    return saved_answer


def test_a_click_while_offline_keeps_the_page_and_goes_on_once_the_line_is_back(
    page: Page,
) -> None:
    page.locator("#sentence-0").check()
    saved(page)
    page.clock.install()
    page.context.set_offline(True)
    page.locator("#sentence-2").check()
    page.locator(CONTINUE).click()
    expect(page.locator("#saved")).to_contain_text(NOT_SAVED)
    told, bar = page.locator("#saved > span").bounding_box(), page.locator(".bar").bounding_box()
    assert told
    assert bar
    assert told["y"] + told["height"] <= bar["y"]  # it covers no button
    page.locator("#report summary").click()
    page.locator("#problem").scroll_into_view_if_needed()
    expect(page.locator("#saved > span")).to_be_in_viewport()
    expect(page.locator("#sentence-2")).to_be_checked()
    page.clock.run_for(3000)  # the next attempt is two seconds away
    assert page.url.endswith("/1/1/")
    page.context.set_offline(False)
    expect(page.locator(".where")).to_contain_text("question 2 of 2", timeout=1500)
    assert posted() == {"sentences": ["0", "2"]}


def test_a_report_is_confirmed_in_place_and_the_focus_stays(page: Page) -> None:
    page.locator("summary", has_text="Report a problem").click()
    page.locator("#problem").fill("The passage is cut off.")
    page.locator("#sentence-1").check()
    page.evaluate("window.stayed = true")
    page.locator("button[value=report]").press("Enter")
    expect(page.locator("#reported")).to_have_text("Thank you, your report was sent.")
    expect(page.locator("button[value=report]")).to_be_focused()
    expect(page.locator("#reported")).to_be_in_viewport()
    assert page.evaluate("window.stayed")
    assert AssignmentUnit.objects.exclude(problem="").get().problem == "The passage is cut off."
    page.locator("#sentence-2").check()
    saved(page)
    assert posted() == {"sentences": ["1", "2"]}


def test_back_online_an_answer_is_saved_at_once(page: Page) -> None:
    page.clock.install()
    page.context.set_offline(True)
    page.locator("#sentence-1").check()
    expect(page.locator("#saved")).to_contain_text(NOT_SAVED)
    page.clock.run_for(3000)  # the next attempt is two seconds away
    page.context.set_offline(False)
    expect(page.locator("#saved")).to_contain_text("Saved", timeout=1500)
    assert posted() == {"sentences": ["1"]}


@pytest.mark.both_databases
def test_saved_is_never_said_of_an_answer_that_is_not(page: Page) -> None:
    """A line with 0.4 s of delay; the words are looked at 50 times while the answer changes."""
    session = page.context.new_cdp_session(page)
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    samples: list[tuple[str, bool]] = []
    for turn in range(10):
        page.locator(f"#sentence-{turn % 3}").click()
        for _ in range(5):
            samples.append((seen(page), bool(page.evaluate(STATE))))
            page.wait_for_timeout(90)
    assert len(samples) == 50
    assert not [words for words, settled in samples if "Saved" in words and not settled]
    assert any("Saving" in words for words, _ in samples)
    saved(page)


# Whether what the form holds now is what the server has confirmed, by its own account: no request
# under way and nothing changed since the last one.
STATE = """() => {
  const OWN = ["csrfmiddlewaretoken", "revision", "extensions", "active_seconds"];
  const typed = [...new FormData(document.querySelector("form"))]
    .filter(([name]) => !OWN.includes(name));
  const kept = localStorage.getItem(`jurybox ${location.pathname}`);
  return kept === null || kept !== JSON.stringify(typed);
}"""


def test_what_was_not_saved_before_the_browser_closed_is_offered_back(page: Page) -> None:
    page.route("**/draft/", lambda route: route.abort())
    page.locator("#sentence-2").check()
    expect(page.locator("#saved")).to_contain_text(NOT_SAVED)
    tab, address = page.context.new_page(), page.url
    page.close()  # it would go on trying, and keeping its copy
    tab.goto(address)
    expect(tab.locator("#sentence-2")).not_to_be_checked()
    tab.get_by_role("button", name="Use it", exact=True).click()
    expect(tab.locator("#sentence-2")).to_be_checked()
    assert posted() == {"sentences": ["2"]}
    tab.reload()
    expect(tab.locator("#local-copy")).to_be_hidden()
    assert tab.evaluate("Object.keys(localStorage).length") == 0


def test_nothing_stays_in_the_browser_once_it_is_saved(page: Page) -> None:
    page.locator("#sentence-0").check()
    saved(page)
    assert page.evaluate("Object.keys(localStorage).length") == 0
    page.locator(CONTINUE).click()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    assert page.evaluate("Object.keys(localStorage).length") == 0


def test_while_the_server_is_gone_the_button_says_that_it_is_busy(page: Page) -> None:
    page.route(re.compile(r"/1/1/$"), lambda route: route.abort())
    page.locator("#sentence-0").check()
    saved(page)
    page.locator(CONTINUE).click()
    expect(page.locator(CONTINUE)).to_have_class(re.compile("is-busy"))
    expect(page.locator("#saved")).to_contain_text(NOT_SAVED)
    page.unroute(re.compile(r"/1/1/$"))
    expect(page.locator(".where")).to_contain_text("question 2 of 2")


def test_signed_out_a_click_keeps_the_answer_to_be_sent_again(page: Page, study: Study) -> None:
    token = study.participations.get().token
    page.context.clear_cookies()
    page.locator("#sentence-0").check()
    page.locator(CONTINUE).click()
    expect(page.locator("h1")).to_contain_text("You are signed out")
    tab = page.context.new_page()
    tab.goto(reverse("annotation:return", args=[token]))
    page.get_by_role("button", name="Send it again").click()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    assert posted() == {"sentences": ["0"]}


def test_a_lost_form_cookie_mends_itself_while_the_session_is_there(page: Page) -> None:
    page.context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
    page.locator("#sentence-0").check()
    saved(page)
    page.context.clear_cookies(name=settings.CSRF_COOKIE_NAME)
    page.locator(CONTINUE).click()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    assert posted() == {"sentences": ["0"]}


def test_signed_out_the_page_says_so_and_saves_once_the_personal_link_was_opened(
    page: Page,
) -> None:
    page.context.clear_cookies()
    page.locator("#sentence-0").check()
    expect(page.locator("#saved")).to_contain_text("Not saved: you are signed out.")
    way_back = page.locator("#saved a").get_attribute("href")
    assert way_back
    page.context.clear_cookies()  # the other tab gets a form token of its own
    tab = page.context.new_page()
    tab.goto(way_back)
    page.bring_to_front()
    saved(page)
    assert posted() == {"sentences": ["0"]}


def swallow(page: Page, address: str) -> None:
    """The first such request is never answered."""
    swallowed: list[Route] = []

    def hold(route: Route) -> None:
        if swallowed:
            route.continue_()
        else:
            swallowed.append(route)

    page.route(re.compile(address), hold)


@pytest.mark.both_databases
def test_a_save_that_is_not_answered_is_given_up_and_tried_again(page: Page) -> None:
    page.clock.install()
    swallow(page, "/draft/$")
    with page.expect_request("**/draft/"):
        page.locator("#sentence-1").check()
        page.clock.run_for(500)
    page.clock.run_for(14_000)
    expect(page.locator("#saved")).not_to_contain_text(NOT_SAVED)
    page.clock.run_for(1_100)
    expect(page.locator("#saved")).to_contain_text(NOT_SAVED)
    page.clock.run_for(1_100)
    saved(page)
    assert posted() == {"sentences": ["1"]}


def test_a_button_that_is_not_answered_is_tried_again_and_goes_on(page: Page) -> None:
    page.clock.install()
    swallow(page, "/1/1/$")
    page.locator("#sentence-1").check()
    page.clock.run_for(500)
    saved(page)
    with page.expect_request(re.compile("/1/1/$")):
        page.locator(CONTINUE).click()
    page.clock.run_for(15_100)
    expect(page.locator("#saved")).to_contain_text(NOT_SAVED)
    page.clock.run_for(1_100)
    expect(page.locator(".where")).to_contain_text("question 2 of 2")


def test_back_online_a_request_that_hangs_is_not_waited_for(page: Page) -> None:
    swallow(page, "/draft/$")
    with page.expect_request("**/draft/"):
        page.locator("#sentence-1").check()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    saved(page)
    assert posted() == {"sentences": ["1"]}


@pytest.mark.both_databases
def test_what_was_stored_without_an_answer_is_no_other_version(page: Page) -> None:
    """The reply is lost, then the answer changes: nothing was changed in another tab."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(re.compile("/draft/$"), lose, times=1)
    page.locator("#sentence-1").check()
    expect(page.locator("#saved")).to_contain_text(NOT_SAVED)
    page.locator("#sentence-2").check()
    page.locator(CONTINUE).click()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    assert posted() == {"sentences": ["1", "2"]}


def test_a_refused_answer_is_explained_in_view_and_calms_down_once_it_is_mended(
    page: Page,
) -> None:
    page.locator(CONTINUE).click()
    summary = page.locator(".refused")
    expect(summary).to_be_focused()
    expect(summary).to_be_in_viewport()
    expect(summary).to_contain_text("Please choose at least one sentence")
    page.locator("#sentence-0").check()
    expect(summary).to_be_hidden()
    saved(page)
    page.goto(page.url)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_button_of_any_page_sends_once_and_says_that_it_is_busy(page: Page, study: Study) -> None:
    sent: list[str] = []

    def hold(route: Route) -> None:
        sent.append(route.request.method)
        page.wait_for_timeout(400)
        route.continue_()

    page.goto(reverse("annotation:lobby", args=[study.slug]))
    page.route("**/start/", hold)
    start = page.locator("form[action$='/start/'] button")
    start.dblclick(no_wait_after=True)
    expect(page.locator(".where")).to_contain_text("1 of 2")
    assert sent == ["POST"]


def test_a_button_of_any_page_comes_back_with_words_where_nothing_answers(
    page: Page, study: Study
) -> None:
    page.clock.install()
    page.goto(reverse("annotation:lobby", args=[study.slug]))
    # The page sees no more of a request that is never answered.
    page.evaluate("window.addEventListener('submit', (e) => e.preventDefault(), { once: true })")
    start = page.locator("form[action$='/start/'] button")
    start.click()
    page.clock.run_for(1_000)
    expect(start).to_have_class(re.compile("is-busy"))
    page.clock.run_for(15_000)
    expect(page.get_by_role("status")).to_have_text("No answer yet. Please press it again.")
    follow(start)
    expect(page.locator(".where")).to_contain_text("1 of 2")
