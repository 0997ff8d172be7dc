"""Questions of real size on every screen: a phone, a desk, and 400 % of it. On the narrow ones what
is read is a strip that stays, slides and is pulled down."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Question, Study
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.texts.material import Item, Passage, Sentence, Source
from tests.annotation.views.large_questions import (
    Asked,
    made_up_texts,
    prose,
    questions,
    real_texts,
)
from tests.annotation.views.worker_pages import NewPage, address, open_batch, saved
from tests.services.browser import (
    AXE_COLOURS_AND_SIZES,
    axe_violations,
    lengthen_words,
    runs_out,
    scrolls_sideways,
    violations_in_both_schemes,
)

pytestmark = pytest.mark.django_db(transaction=True)
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 800}
ZOOMED = {"width": 320, "height": 200}  # a desk at 400 %
TOUCH = {"viewport": PHONE, "has_touch": True}
MADE_UP = {asked.name: asked for asked in questions(made_up_texts())}
NAMES = ".strip__name"
SHOWN = f"{NAMES}[aria-current=true]"
HANDLE = ".strip__handle"
# What lies over an answer when it stands in the middle of the window.
COVERED = """() => {
  const answers =
    ".option, .choices__option, .sentence, .rank-chip, input[type=range], .pad button";
  const all = [...document.querySelectorAll(answers)].filter(one => one.checkVisibility());
  return all.filter(one => {
    one.scrollIntoView({ block: "center", behavior: "instant" });
    const box = one.getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return !one.contains(at) && !at?.contains(one);
  }).map(one => one.outerHTML.slice(0, 80));
}"""
ANSWERS = ".question__answer :is(input:not([type=hidden]), select)"
ANSWER = """field => {
  field.click();
  field.dispatchEvent(new Event("change", { bubbles: true }));
}"""
# What a finger is to hit and stands by itself, less than 44 pixels high. Markers in a text are part
# of its lines, and the box of an option is hit by its label.
TOO_LOW = """() => [...document.querySelectorAll("a, button, select, summary, label")]
  .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".written, bdi"))
  .filter(one => one.matches("label") ? one.querySelector("input") : !one.matches(".cites, p a"))
  .filter(one => !one.closest(".visually-hidden") && one.getBoundingClientRect().height < 43.5)
  .map(one => one.outerHTML.slice(0, 80))"""
# Whether any of what has the focus can be seen: neither the strip nor the bar lies over all of it.
FOCUS_IS_SEEN = """() => {
  const one = document.activeElement.closest("label") || document.activeElement;
  const box = one.getBoundingClientRect();
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
  const at = share => document.elementFromPoint(
    box.left + box.width / 2, top + share * (bottom - top));
  return [0.1, 0.3, 0.5, 0.7, 0.9].some(share => one.contains(at(share)));
}"""


def go_to(page: Page, study: Study) -> None:
    page.goto(address(open_batch(page, study)))


@pytest.fixture
def open_question(new_page: NewPage) -> Callable[..., Page]:
    """Open a question of made-up texts, on a phone unless told otherwise."""

    def opened(name: str, **session: Any) -> Page:
        page = new_page(**(session or TOUCH))
        go_to(page, MADE_UP[name].study())
        return page

    return opened


@pytest.fixture(params=["made up", "real"])
def asked(request: pytest.FixtureRequest) -> Sequence[Asked]:
    """A question of every kind, of made-up texts and of published ones as large."""
    if request.param == "made up":
        return list(MADE_UP.values())
    return questions(real_texts(request.getfixturevalue("shared_data")))


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


# --- Whoever it is, and whatever screen -----------------------------------------------------------


def test_every_kind_is_accessible_and_fits_on_every_screen(
    asked: Sequence[Asked], new_page: NewPage
) -> None:
    page = new_page(reduced_motion="reduce")
    found = {}
    for question in asked:
        go_to(page, question.study())
        for size in (DESK, PHONE, ZOOMED):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            place = f"{question.name} at {size['width']}"
            picture(page, place)
            # 400 % of a desk has the elements of a phone, in other places.
            if size is ZOOMED:
                found[place] = axe_violations(page, AXE_COLOURS_AND_SIZES)
            else:
                found[place] = violations_in_both_schemes(page)
            found[place] += ["wider than the screen"] * scrolls_sideways(page)
    assert {place: faults for place, faults in found.items() if faults} == {}


@pytest.mark.parametrize("name", ["pairwise", "citation", "importance"])
def test_a_strip_pulled_down_and_slid_to_its_end_is_accessible(
    open_question: Callable[..., Page], name: str
) -> None:
    page = open_question(name)
    page.locator(HANDLE).tap()
    page.locator(NAMES).last.tap()
    expect(page.locator(NAMES).last).to_have_attribute("aria-current", "true")
    assert axe_violations(page) == []


def test_no_answer_stays_under_the_message_that_nothing_is_saved(
    browser: Browser, live_server: LiveServer
) -> None:
    # Not watched: the console tells of every failed request.
    page = browser.new_context(base_url=live_server.url).new_page()
    page.route("**/draft/", lambda route: route.abort())
    found = {}
    for name, question in MADE_UP.items():
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
        go_to(page, question.study())
        page.locator(ANSWERS).first.evaluate(ANSWER)
        expect(page.locator("#saved > span")).to_be_visible()
        found[name, "desk"] = page.evaluate(COVERED)
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        found[name, "phone"] = page.evaluate(COVERED)
    page.context.close()
    assert {place: covered for place, covered in found.items() if covered} == {}


def test_words_without_an_end_widen_no_screen(new_page: NewPage) -> None:
    page = new_page()
    found = {}
    for name, question in MADE_UP.items():
        go_to(page, question.study())
        lengthen_words(page)
        found[name] = runs_out(page)
    assert {name: wide for name, wide in found.items() if wide} == {}


# --- A phone --------------------------------------------------------------------------------------


def test_on_a_phone_texts_stay_and_leave_the_answers_sixty_percent(
    asked: Sequence[Asked], new_page: NewPage
) -> None:
    page = new_page(**TOUCH)
    found = {}
    for question in asked:
        go_to(page, question.study())
        strip = page.locator(".reading.is-strip")
        taken = [strip.bounding_box(), page.locator(".bar").bounding_box()]
        heights = [box["height"] for box in taken if box]
        assert page.evaluate(COVERED) == []
        page.locator(".answering").evaluate("place => place.scrollIntoView({ block: 'end' })")
        box = strip.bounding_box()
        found[question.name] = (
            sum(heights) <= 0.4 * PHONE["height"],
            bool(box and box["y"] >= 0 and box["height"] == heights[0]),
        )
    assert found == dict.fromkeys(found, (True, True))


def test_the_strip_leaves_room_for_the_bar_before_anything_is_drawn(new_page: NewPage) -> None:
    page = new_page(**TOUCH)
    # What is told of sizes comes with the first picture: here, never.
    page.add_init_script("window.ResizeObserver = class { observe() {} }")
    go_to(page, MADE_UP["pairwise"].study())
    strip, bar = (page.locator(one).bounding_box() for one in (".reading.is-strip", ".bar"))
    assert strip
    assert bar
    assert strip["height"] + bar["height"] <= 0.4 * PHONE["height"]


def test_on_a_phone_what_is_to_be_hit_is_as_high_as_a_finger(new_page: NewPage) -> None:
    page = new_page(**TOUCH)
    found = {}
    for name, question in MADE_UP.items():
        go_to(page, question.study())
        found[name] = page.evaluate(TOO_LOW)
    page.goto(f"/work/{Study.objects.latest('pk').slug}/consent/")
    found["consent"] = page.evaluate(TOO_LOW)
    assert {name: low for name, low in found.items() if low} == {}


def test_on_a_phone_the_first_answer_is_on_the_first_screen(new_page: NewPage) -> None:
    page = new_page(**TOUCH)
    for name, question in MADE_UP.items():
        if name == "actionability":
            continue  # its errors come first, each in three texts
        go_to(page, question.study())
        first = page.locator(
            ":is(.option, .choices__option, .sentence, .rank-chip, .scale-range, .pad button)"
            ":visible"
        ).first
        box, bar = first.bounding_box(), page.locator(".bar").bounding_box()
        assert box
        assert bar
        assert box["y"] + 24 <= bar["y"], name  # a finger's worth of it


def touch(page: Page, start: tuple[float, float], along: float, down: float) -> None:
    """A finger put down, moved and lifted."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: dict[str, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    x, y = start
    send("touchStart", {"x": x, "y": y})
    for step in range(1, 9):
        send("touchMove", {"x": x + along * step / 8, "y": y + down * step / 8})
        page.wait_for_timeout(16)
    send("touchEnd")


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(("language", "along"), [("en", -220), ("ar", 220)])
def test_a_swipe_slides_to_the_other_text_and_its_name_back(
    new_page: NewPage, language: str, along: int
) -> None:
    study = MADE_UP["pairwise"].study(language=language)
    page = new_page(**TOUCH)
    go_to(page, study)
    expect(page.locator(SHOWN)).to_have_text("A")
    touch(page, middle(page, ".panes"), along, 0)
    expect(page.locator(SHOWN)).to_have_text("B")
    expect(page.locator(".candidate[data-letter=B] .candidate__letter")).to_be_in_viewport()
    assert page.evaluate("window.scrollX") == 0
    page.locator(NAMES, has_text="A").tap()
    expect(page.locator(SHOWN)).to_have_text("A")


def test_a_name_tapped_while_a_swipe_glides_is_where_the_strip_comes_to_rest(
    open_question: Callable[..., Page],
) -> None:
    page = open_question("pairwise")
    rests_at = []
    for after in (50, 100, 150, 200):  # milliseconds; the glide takes some 400
        touch(page, middle(page, ".panes"), -220, 0)
        expect(page.locator(SHOWN)).to_have_text("B")
        page.wait_for_timeout(after)
        page.locator(NAMES, has_text="A").tap()
        page.wait_for_timeout(1000)
        rests_at.append(page.locator(SHOWN).inner_text())
    assert rests_at == ["A"] * 4


def test_the_strip_is_pulled_down_and_pushed_back_and_nothing_else_moves(
    open_question: Callable[..., Page],
) -> None:
    page = open_question("sentences")
    page.locator(".parts__list").scroll_into_view_if_needed()
    place, option = page.evaluate("window.scrollY"), page.locator(".option:visible").first
    before = option.bounding_box()
    handle, strip = page.locator(HANDLE), page.locator(".reading")
    rest = strip.bounding_box()
    assert rest
    touch(page, middle(page, HANDLE), 0, 250)
    expect(handle).to_have_attribute("aria-expanded", "true")
    box = strip.bounding_box()
    assert box
    assert box["height"] > 0.8 * PHONE["height"]
    touch(page, middle(page, HANDLE), 0, -250)
    expect(handle).to_have_attribute("aria-expanded", "false")
    assert strip.bounding_box() == rest
    assert (page.evaluate("window.scrollY"), option.bounding_box()) == (place, before)
    handle.tap()
    expect(handle).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(handle).to_have_attribute("aria-expanded", "false")


def test_a_click_that_a_browser_makes_of_a_pulls_end_does_not_push_the_strip_back(
    open_question: Callable[..., Page],
) -> None:
    page = open_question("sentences")
    handle = page.locator(HANDLE)
    touch(page, middle(page, HANDLE), 0, 250)
    handle.dispatch_event("click", {"detail": 1})  # as WebKit does
    expect(handle).to_have_attribute("aria-expanded", "true")
    handle.press("Enter")
    expect(handle).to_have_attribute("aria-expanded", "false")
    touch(page, middle(page, HANDLE), 0, 250)
    handle.tap()
    expect(handle).to_have_attribute("aria-expanded", "false")


def test_a_tap_on_a_letter_slides_to_its_text(open_question: Callable[..., Page]) -> None:
    page = open_question("ranking")
    page.locator(".rank-chip:visible[data-letter=C] .rank-chip__grip").tap()
    expect(page.locator(SHOWN)).to_have_text("C")


def test_what_has_the_focus_is_never_under_the_strip_or_the_bar(
    open_question: Callable[..., Page],
) -> None:
    page = open_question("citation")
    hidden = []
    for _ in range(30):
        page.keyboard.press("Tab")
        if not page.evaluate(FOCUS_IS_SEEN):
            hidden.append(page.evaluate("document.activeElement.outerHTML.slice(0, 90)"))
    page.keyboard.press("Shift+Tab")
    for _ in range(29):
        page.keyboard.press("Shift+Tab")
        if not page.evaluate(FOCUS_IS_SEEN):
            hidden.append(page.evaluate("document.activeElement.outerHTML.slice(0, 90)"))
    assert hidden == []


def test_a_screen_that_is_turned_has_the_texts_where_it_has_room(
    open_question: Callable[..., Page],
) -> None:
    page = open_question("citation")
    passage = page.locator(".passage-in-question")
    expect(page.locator(".panes > .passage-in-question")).to_have_count(1)
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    expect(page.locator(".answering > .passage-in-question + .sentences")).to_have_count(1)
    expect(page.locator(".strip")).to_be_hidden()
    expect(passage).to_be_in_viewport()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    expect(page.locator(SHOWN)).to_have_text("Passage [55]")


def test_without_scripts_texts_stand_above_the_answers(
    open_question: Callable[..., Page],
) -> None:
    page = open_question("pairwise", viewport=PHONE, java_script_enabled=False)
    expect(page.locator(".strip")).to_be_hidden()
    for letter in "AB":
        expect(page.locator(f".candidate[data-letter={letter}]")).to_be_visible()
    assert not scrolls_sideways(page)


# --- More than anybody would ask ------------------------------------------------------------------


def test_three_hundred_sentences_and_fifty_thousand_letters_stay_usable(
    new_page: NewPage,
) -> None:
    sentences = tuple(Sentence(text=prose(80, number)) for number in range(300))
    source = Source(
        key="long",
        claim=prose(200),
        verdict="true",
        passages=(Passage(index=0, text=prose(50_000)), Passage(index=1, text=prose(100))),
    )
    item = Item(key="long", system="a", sentences=sentences)
    study = Asked("long", CITATION_RECOVERY, source, (item,), {}, {"passage": 0}).study()
    page = new_page(viewport=DESK)
    go_to(page, study)
    assert len(page.locator(".passage-in-question").inner_text()) > 50_000
    expect(page.locator(".sentence")).to_have_count(301)
    page.keyboard.press("0")
    page.keyboard.press("0")  # seen only now
    expect(page.locator("#sentence-none")).to_be_checked()
    saved(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.locator("#sentence-299").check()
    expect(page.locator("#sentence-299")).to_be_checked()
    saved(page)
    assert page.evaluate(COVERED.replace(".sentence,", "#sentence-299,")) == []
    assert Question.objects.filter(study=study).exists()
    assert not scrolls_sideways(page)
