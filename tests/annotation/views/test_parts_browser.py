"""Questions with many parts, one of them in focus: by keys, taps and swipes, on a bad line, and all
on one page where a study wants that."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Draft, Study
from tests.annotation.views.large_questions import (
    importance_study,
    made_up_response,
    real_responses,
)
from tests.annotation.views.worker_pages import CONTINUE, NewPage, address, open_batch, saved
from tests.services.browser import PHONE, axe_violations, scrolls_sideways

pytestmark = pytest.mark.django_db(transaction=True)

TOUCH = {**PHONE, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
NAME, FOCUS = ".parts__name", "[data-part].is-in-focus"
MOST_PRESSES, MOST_SCROLLED = 45, 3000
ADD_UP = """() => { window.scrolled = 0; let at = window.scrollY;
addEventListener("scroll", () => {
  window.scrolled += Math.abs(window.scrollY - at); at = window.scrollY; }); }"""


@pytest.fixture
def study() -> Study:
    return importance_study(made_up_response(6))


@pytest.fixture
def open_page(new_page: NewPage) -> Callable[..., Page]:
    def opened(study: Study, **session: Any) -> Page:
        page = new_page(**session)
        page.goto(address(open_batch(page, study)))
        return page

    return opened


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def at(page: Page, name: str) -> None:
    expect(page.locator(NAME)).to_have_text(name)


def swipe(page: Page, along: int, down: int = 0, *, start: tuple[int, int] | None = None) -> None:
    """A finger put down on the part in focus, moved, and lifted."""
    if start is None:
        page.locator(f"{FOCUS} legend").first.scroll_into_view_if_needed()
        box = page.locator(f"{FOCUS} legend").first.bounding_box()
        assert box
        start = (int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2))
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    x, y = start
    touch("touchStart", {"x": x, "y": y})
    for share in (0.25, 0.5, 0.75, 1):
        touch("touchMove", {"x": x + share * along, "y": y + share * down})
        page.wait_for_timeout(40)  # at once it would be a fling, which swallows the next tap
    touch("touchEnd")


# --- How much it takes ----------------------------------------------------------------------------


@pytest.fixture(params=["made up", "real"])
def large(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A response with 33 claims."""
    if request.param == "made up":
        return made_up_response(33)
    responses = real_responses(request.getfixturevalue("shared_data"))
    return next(one for one in responses if len(one["claims"]) == 33)


def test_thirty_three_claims_take_few_keys(
    large: dict[str, Any], open_page: Callable[..., Page]
) -> None:
    page = open_page(importance_study(large), **DESKTOP)
    page.evaluate(ADD_UP)
    presses = 0

    def press(key: str, then: str = "") -> None:
        nonlocal presses
        presses += 1
        page.keyboard.press(key)
        if then:
            at(page, then)

    at(page, "Claim 1 of 33")
    picture(page, "keys-first")
    for number in range(1, 34):
        press(str(1 + number % 6), f"Claim {number + 1} of 33" if number < 33 else "Order")
    picture(page, "keys-order")
    press("o", "Fact 1 of 3")
    for number in range(1, 4):
        press("1", f"Fact {number + 1} of 3" if number < 3 else "")
    expect(page.locator(".parts__done")).to_have_text("37 of 37 answered")
    press("Control+Enter")
    expect(page).to_have_url(re.compile("review"))
    print(f"\n{presses} presses, {page.evaluate('window.scrolled ?? 0')} px")
    assert presses <= MOST_PRESSES
    claims = Draft.objects.get().posted
    assert len([name for name in claims if name.startswith(("importance", "support"))]) == 66


def test_thirty_three_claims_take_few_taps_and_little_scrolling(
    large: dict[str, Any], open_page: Callable[..., Page]
) -> None:
    page = open_page(importance_study(large), **TOUCH)
    page.evaluate(ADD_UP)
    taps = 0

    def tap(selector: str, then: str = "") -> None:
        nonlocal taps
        taps += 1
        page.locator(selector).tap()
        if then:
            at(page, then)

    for number in range(1, 34):
        tap(
            f"{FOCUS} .pad [data-key='{1 + number % 6}']",
            f"Claim {number + 1} of 33" if number < 33 else "Order",
        )
        page.wait_for_timeout(320)  # the next part takes no second half of a double tap
    picture(page, "taps-order")
    tap("[data-start=labels]")
    tap("[data-step='1']", "Fact 1 of 3")
    for number in range(1, 4):
        tap(
            f"{FOCUS} .choices__option >> nth=0",
            f"Fact {number + 1} of 3" if number < 3 else "",
        )
        page.wait_for_timeout(320)
    expect(page.locator(".parts__done")).to_have_text("37 of 37 answered")
    scrolled = page.evaluate("window.scrolled")
    tap(CONTINUE)
    expect(page).to_have_url(re.compile("review"))
    print(f"\n{taps} taps, {scrolled} px")
    assert taps <= MOST_PRESSES
    assert scrolled <= MOST_SCROLLED


# --- Back and forth -------------------------------------------------------------------------------


def test_keys_go_back_and_forth_and_an_answer_changed_stays_where_it_is_told(
    study: Study, open_page: Callable[..., Page]
) -> None:
    page = open_page(study, **DESKTOP)
    for key, name in (
        ("1", "Claim 2 of 6"),
        ("]", "Claim 3 of 6"),
        ("PageUp", "Claim 2 of 6"),
        ("[", "Claim 1 of 6"),
        ("[", "Claim 1 of 6"),
        ("PageDown", "Claim 2 of 6"),
    ):
        page.keyboard.press(key)
        at(page, name)
    expect(page.locator(".parts [role=status]")).to_have_text("Claim 2 of 6")
    row = page.locator(".parts__row").first
    expect(row).to_have_attribute("aria-label", "Claim 1: Vital · Supported")
    expect(page.locator(".parts__row[aria-current]")).to_have_attribute(
        "aria-label", "Claim 2: not answered yet"
    )
    page.keyboard.press("Backspace")
    at(page, "Claim 1 of 6")
    expect(row).to_have_attribute("aria-label", "Claim 1: not answered yet")


def test_the_focus_goes_with_the_part(study: Study, open_page: Callable[..., Page]) -> None:
    page = open_page(study, **DESKTOP)
    page.locator(f"{FOCUS} .pad button").nth(1).focus()
    page.keyboard.press("Enter")
    at(page, "Claim 2 of 6")
    assert page.evaluate(f"document.activeElement.closest('{FOCUS}') !== null")
    row = page.locator(".parts__row").nth(3)
    row.focus()
    page.keyboard.press("Enter")
    at(page, "Claim 4 of 6")
    expect(row).to_be_focused()


@pytest.mark.parametrize(
    ("along", "down", "name"),
    [
        (-120, 0, "Claim 3 of 6"),
        (120, 10, "Claim 1 of 6"),
        (-40, 0, "Claim 2 of 6"),  # not far enough
        (-80, -70, "Claim 2 of 6"),  # it scrolls
    ],
)
def test_a_swipe_turns_to_another_part_and_scrolling_does_not(
    study: Study, open_page: Callable[..., Page], along: int, down: int, name: str
) -> None:
    page = open_page(study, **TOUCH)
    page.locator("[data-step='1']").tap()
    at(page, "Claim 2 of 6")
    swipe(page, along, down)
    at(page, name)


def test_swipes_go_the_other_way_where_one_reads_from_the_right(
    study: Study, open_page: Callable[..., Page]
) -> None:
    study.language = "ar"
    study.save()
    page = open_page(study, **TOUCH)
    swipe(page, 120)
    expect(page.locator(".parts__row[aria-current]")).to_have_text(re.compile("^2"))
    assert not scrolls_sideways(page)


def test_a_double_tap_answers_one_part(study: Study, open_page: Callable[..., Page]) -> None:
    page = open_page(study, **TOUCH)
    box = page.locator(f"{FOCUS} .pad [data-key='3']")
    box.scroll_into_view_if_needed()
    box.dblclick()
    at(page, "Claim 2 of 6")
    saved(page)
    assert "importance-1" not in Draft.objects.get().posted


# --- What is missing, order, and pages -----------------------------------------------------------


@pytest.mark.parametrize("shown", ["one", "all"])
def test_what_is_missing_is_named_and_the_first_of_it_is_shown(
    study: Study, open_page: Callable[..., Page], shown: str
) -> None:
    study.parts_shown = shown
    study.save()
    page = open_page(study, **DESKTOP)
    if shown == "one":
        page.keyboard.press("1")
        page.keyboard.press("]")
        at(page, "Claim 3 of 6")
    else:
        page.locator("#importance-0 input").first.check()
        page.locator("#support-0 input").first.check()
    page.locator(CONTINUE).click()
    summary = page.locator(".refused")
    expect(summary).to_be_focused()
    expect(summary).to_contain_text("What is missing:")
    expect(summary.get_by_role("link")).to_have_count(3)
    first = summary.get_by_role("link").first
    expect(first).to_contain_text("Claim 2 “The mill on the river")
    expect(first).to_contain_text("How important is it to the question?")
    expect(summary).to_contain_text("and 16 more")  # 10 labels, 6 positions and 3 facts in all
    assert axe_violations(page) == []
    if shown == "one":
        at(page, "Claim 2 of 6")
        page.keyboard.press("1")
        at(page, "Claim 3 of 6")
        expect(summary).to_contain_text("and 14 more")
        summary.get_by_role("link").nth(2).click()
        at(page, "Claim 4 of 6")


def test_only_vital_claims_are_ordered_by_moves_that_say_the_new_place(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(importance_study(made_up_response(6), order_of="vital"), **DESKTOP)
    for key in "131353":
        page.keyboard.press(key)
    at(page, "Order")
    picture(page, "order-of-vital")
    rows = page.locator(".claim-order__row:visible")
    expect(rows).to_have_count(2)
    handle = rows.nth(1).locator(".claim-order__handle")
    handle.focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".claim-order__status")).to_have_text("Claim 3 is now at position 1 of 2.")
    saved(page)
    posted = Draft.objects.get().posted
    given = {name: posted[name][0] for name in posted if name.startswith("order")}
    assert {name: place for name, place in given.items() if place} == {
        "order-0": "2",
        "order-2": "1",
    }
    assert axe_violations(page) == []


def test_an_order_closes_up_where_a_claim_is_no_longer_vital(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(importance_study(made_up_response(4), order_of="vital"), **DESKTOP)
    places = page.locator(".claim-order select:visible")
    for key in "1113":
        page.keyboard.press(key)
    at(page, "Order")
    # The first claim was alone for a moment, which is no order.
    assert places.evaluate_all("all => all.map((one) => one.value)") == ["", "", ""]
    page.keyboard.press("o")
    page.locator(".parts__row").nth(1).click()
    page.keyboard.press("3")
    page.locator(".parts__row").nth(4).click()
    at(page, "Order")
    assert places.evaluate_all("all => all.map((one) => one.value)") == ["1", "2"]


def test_fewer_than_two_vital_claims_leave_nothing_to_order(
    open_page: Callable[..., Page],
) -> None:
    page = open_page(importance_study(made_up_response(6), order_of="vital"), **DESKTOP)
    expect(page.locator(".parts__done")).to_have_text("0 of 10 answered")
    for key in "133333":
        page.keyboard.press(key)
    at(page, "Fact 1 of 3")
    expect(page.locator(".parts__done")).to_have_text("7 of 10 answered")
    page.keyboard.press("[")
    at(page, "Order")
    expect(page.locator(".claim-order__few")).to_be_visible()


def test_a_study_may_have_all_parts_on_one_page(
    study: Study, open_page: Callable[..., Page]
) -> None:
    study.parts_shown = "all"
    study.save()
    page = open_page(study, **DESKTOP)
    expect(page.locator(".parts")).to_be_hidden()
    expect(page.locator("[data-part]:visible")).to_have_count(10)
    expect(page.locator(".pad")).to_have_count(0)


def test_without_scripts_all_parts_stand_on_the_page(
    study: Study, open_page: Callable[..., Page]
) -> None:
    page = open_page(study, java_script_enabled=False)
    expect(page.locator("[data-part]:visible")).to_have_count(10)
    expect(page.locator(".parts")).to_be_hidden()
    expect(page.locator(".choices__option:visible").first).to_be_visible()


@pytest.mark.parametrize("window", [TOUCH, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_part_in_focus_is_accessible(
    study: Study, open_page: Callable[..., Page], window: dict[str, Any], scheme: str
) -> None:
    page = open_page(study, **window, color_scheme=scheme, reduced_motion="reduce")
    assert axe_violations(page) == []
    page.locator(f"{FOCUS} .pad button").first.click()
    at(page, "Claim 2 of 6")
    page.locator(".parts__row").nth(6).click()
    at(page, "Order")
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)


# --- On a bad line -------------------------------------------------------------------------------


@pytest.fixture
def unwatched(browser: Browser, live_server: LiveServer, study: Study) -> Callable[..., Page]:
    """Pages of one batch, in one session that may complain of lost requests."""
    context = browser.new_context(
        base_url=live_server.url,
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
    )
    first = context.new_page()
    place = address(open_batch(first, study))

    def opened() -> Page:
        page = context.new_page()
        page.goto(place)
        return page

    return opened


def chosen(claim: int) -> list[list[str]]:
    posted = Draft.objects.get().posted
    return [posted.get(f"{name}-{claim}", []) for name in ("importance", "support")]


def test_a_swipe_while_an_answer_is_being_saved_loses_nothing(
    unwatched: Callable[..., Page],
) -> None:
    page = unwatched()

    def hold(route: Route) -> None:
        page.wait_for_timeout(600)
        route.continue_()

    page.route(re.compile("/draft/$"), hold)
    page.locator(f"{FOCUS} .pad [data-key='4']").tap()
    at(page, "Claim 2 of 6")
    page.wait_for_timeout(320)
    swipe(page, -120)
    at(page, "Claim 3 of 6")
    page.locator(f"{FOCUS} .pad [data-key='5']").tap()
    at(page, "Claim 4 of 6")
    swipe(page, 120)
    swipe(page, 120)
    at(page, "Claim 2 of 6")
    saved(page)
    assert chosen(0) == [["okay"], ["unsupported"]]
    assert chosen(1) == [[], []]
    assert chosen(2) == [["less-important"], ["supported"]]


def test_parts_answered_offline_are_saved_once_the_line_is_back(
    unwatched: Callable[..., Page],
) -> None:
    page = unwatched()
    page.locator(f"{FOCUS} .pad [data-key='1']").tap()
    saved(page)
    page.context.set_offline(True)
    page.wait_for_timeout(320)
    page.locator(f"{FOCUS} .pad [data-key='4']").tap()
    at(page, "Claim 3 of 6")
    swipe(page, 120)
    at(page, "Claim 2 of 6")
    page.locator(".parts__row").nth(4).tap()
    at(page, "Claim 5 of 6")
    page.locator(f"{FOCUS} .pad [data-key='6']").tap()
    expect(page.locator("#saved")).to_contain_text("Not saved yet")
    page.context.set_offline(False)
    saved(page)
    assert chosen(0) == [["vital"], ["supported"]]
    assert chosen(1) == [["okay"], ["unsupported"]]
    assert chosen(4) == [["less-important"], ["unsupported"]]
    page.reload()
    at(page, "Claim 3 of 6")  # the first that is open
    expect(page.locator(".parts__done")).to_have_text("3 of 10 answered")


def test_two_parts_answered_at_once_in_two_tabs_are_both_kept(
    unwatched: Callable[..., Page],
) -> None:
    one, other = unwatched(), unwatched()
    at(one, "Claim 1 of 6")
    other.locator(".parts__row").nth(1).tap()
    at(other, "Claim 2 of 6")
    one.locator(f"{FOCUS} .pad [data-key='1']").tap()
    other.locator(f"{FOCUS} .pad [data-key='6']").tap()
    changed = re.compile("Changed in another tab")
    for tab in (one, other):
        expect(tab.locator("#saved:not(.save-state--saving)")).to_have_text(
            re.compile("Saved|Changed in another tab")
        )
    late = one if changed.search(one.locator("#saved").inner_text()) else other
    late.locator(CONTINUE).tap()
    expect(late.get_by_role("heading", name="Two versions of this answer")).to_be_visible()
    mine, theirs = (0, 1) if late is one else (1, 0)
    for prefix, claim in (("mine", mine), ("saved", theirs)):
        value = "vital" if claim == 0 else "less-important"
        for number in (0, 1):
            field = late.locator(f"[name={prefix}-importance-{number}][value={value}]")
            if number == claim:
                expect(field).to_be_checked()
            else:
                expect(field).not_to_be_checked()
