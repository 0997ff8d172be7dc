"""Rubrics and orders as a person meets them: mouse, touch, keys alone, and without scripts."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from playwright.sync_api import Browser, Page, Route, expect

from annotation.models import Draft
from tasktypes.actionability import ACTIONABILITY
from tasktypes.contract import TaskType
from tasktypes.importance import IMPORTANCE
from tests.annotation.workers import lease, newcomer
from tests.cast import make_study
from tests.services.browser import axe_violations
from tests.tasktypes.forms import Opener, page_of, posted_by

AnyType = TaskType[Any, Any, Any]

both = pytest.mark.parametrize("kind", [ACTIONABILITY, IMPORTANCE], ids=lambda kind: kind.slug)
NEW_ORDER = ["1", "2", "0"]


def whole(kind: AnyType) -> dict[str, list[str]]:
    return {name: list(values) for name, values in kind.example.posted.items()}


def answer_of(kind: AnyType) -> Any:
    return kind.Answer.model_validate(kind.example.answer)


def answer_in(kind: AnyType, posted: dict[str, list[str]]) -> Any:
    example = kind.example
    options = kind.Options.model_validate(example.options)
    payload = kind.payload(example.source, example.items, example.focus, options)
    form = kind.Form(payload, MultiValueDict(posted))
    assert form.is_valid(), form.errors
    return form.answer()


def fields(page: Page) -> dict[str, list[str]]:
    return {name: [value] for name, value in posted_by(page)}


def button(name: str, value: str) -> str:
    """The radio button of that answer, as a selector."""
    return f'input[name="{name}"][value="{value}"]'


def order_of(page: Page) -> list[str]:
    """The claims as the list shows them, counted from 0."""
    names = [str(one.get_attribute("id")) for one in page.locator(".claim-order select").all()]
    return [name.removeprefix("order-") for name in names]


def positions(page: Page) -> list[str]:
    return [one.input_value() for one in page.locator(".claim-order select").all()]


# --- Both ---------------------------------------------------------------------------------------


@both
def test_without_scripts_a_plain_post_is_the_answer(browser: Browser, kind: AnyType) -> None:
    sent: list[dict[str, list[str]]] = []

    def serve(route: Route) -> None:
        if route.request.method == "POST":
            sent.append(parse_qs(route.request.post_data or ""))
        html = page_of(kind, None, scripts=True).replace("<form", '<form method="post"')
        route.fulfill(body=html, content_type="text/html; charset=utf-8")

    context = browser.new_context(java_script_enabled=False)
    context.route("**/*", serve)
    page = context.new_page()
    page.goto("http://localhost/question")
    assert not page.locator(".claim-order__scripted").first.is_visible()
    for name, (value,) in kind.example.posted.items():
        if name.startswith("order"):
            page.locator(f"#{name}").select_option(value)
        else:
            page.locator(button(name, value)).check()
    page.get_by_role("button", name="Next").click()
    context.close()
    (posted,) = sent
    assert answer_in(kind, posted) == answer_of(kind)


@both
def test_a_click_on_the_words_of_every_answer_is_the_answer(
    open_form: Opener, kind: AnyType
) -> None:
    page = open_form(kind)
    for name, (value,) in kind.example.posted.items():
        if name.startswith("order"):
            page.locator(f"#{name}").select_option(value)
        else:
            page.locator(f"label:has({button(name, value)}) span").click()
    assert answer_in(kind, fields(page)) == answer_of(kind)


@both
def test_the_keyboard_alone_gives_every_answer(open_form: Opener, kind: AnyType) -> None:
    page = open_form(kind)
    remaining = whole(kind)
    for _ in range(80):
        page.keyboard.press("Tab")
        here: dict[str, str] = page.evaluate(
            "(({id, name, tagName, type}) => ({id, name, tagName, type}))(document.activeElement)"
        )
        if here["tagName"] == "SELECT":
            page.keyboard.press(remaining.pop(here["name"], ["0"])[0])
        elif here["type"] == "radio" and here["name"] in remaining:
            (value,) = remaining.pop(here["name"])
            page.keyboard.press("Space")
            while not page.locator(button(here["name"], value)).is_checked():
                page.keyboard.press("ArrowDown")
        elif not remaining:
            break
    assert not {name for name in remaining if not name.startswith("order")}
    if kind is IMPORTANCE:  # a list that has been put in order by its first key
        put_in_order_by_keys(page)
    assert answer_in(kind, fields(page)) == answer_of(kind)


def put_in_order_by_keys(page: Page) -> None:
    for claim in reversed(NEW_ORDER):
        page.locator(f".claim-order__row:has(#order-{claim}) .claim-order__handle").focus()
        page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")


@both
@pytest.mark.parametrize(
    ("posted", "colours"),
    [
        *(("untouched", "light"), ("unanswered", "dark"), ("answered", "light")),
        # The other scheme of colours in the slow run.
        pytest.param("untouched", "dark", marks=pytest.mark.slow),
        pytest.param("unanswered", "light", marks=pytest.mark.slow),
        pytest.param("answered", "dark", marks=pytest.mark.slow),
    ],
)
def test_nothing_hinders_people_with_impairments(
    open_form: Opener, kind: AnyType, colours: str, posted: str
) -> None:
    typed = {"untouched": None, "unanswered": {}, "answered": whole(kind)}[posted]
    page = open_form(kind, typed, color_scheme=colours)
    page.locator("summary").first.click()
    assert axe_violations(page) == []


@both
@pytest.mark.parametrize("posted", [None, {}], ids=["untouched", "unanswered"])
def test_a_narrow_page_needs_no_sideways_scrolling(
    open_form: Opener, kind: AnyType, posted: dict[str, list[str]] | None
) -> None:
    page = open_form(kind, posted, viewport={"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@both
def test_every_target_is_large_enough(open_form: Opener, kind: AnyType) -> None:
    page = open_form(kind, {}, viewport={"width": 360, "height": 640})
    targets = page.locator(
        "input:visible, select, summary:visible, .choices label, .rubric a, form button:visible"
    )
    for target in targets.all():
        box = target.bounding_box()
        assert box
        if target.evaluate("one => one.textContent") != "Next":
            assert min(box["width"], box["height"]) >= 24


@both
def test_the_way_to_the_first_missing_answer_leads_there(open_form: Opener, kind: AnyType) -> None:
    half = whole(kind)
    name = sorted(name for name in half if not name.startswith("order"))[-1]
    del half[name]
    page = open_form(kind, half)
    page.get_by_role("alert").get_by_role("link").click()
    assert page.evaluate("document.querySelector(':target').id") == name
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == name


# --- The order of claims ------------------------------------------------------------------------


def test_an_untouched_order_is_no_order(open_form: Opener) -> None:
    page = open_form(IMPORTANCE)
    assert order_of(page) == ["0", "1", "2"]
    assert positions(page) == ["", "", ""]


def test_a_claim_is_dragged_to_its_place(open_form: Opener) -> None:
    page = open_form(IMPORTANCE, viewport={"width": 900, "height": 1400})
    drag_first_below_last(page)
    assert order_of(page) == NEW_ORDER
    assert positions(page) == ["1", "2", "3"]
    assert "Claim 1 is now at position 3 of 3." in page.get_by_role("status").inner_text()


def drag_first_below_last(page: Page) -> None:
    page.locator(".claim-order").scroll_into_view_if_needed()
    handle = page.locator(".claim-order__handle").first.bounding_box()
    last = page.locator(".claim-order__row").last.bounding_box()
    assert handle
    assert last
    page.mouse.move(handle["x"] + 10, handle["y"] + 10)
    page.mouse.down()
    page.mouse.move(handle["x"] + 12, last["y"] + last["height"] * 0.8, steps=8)
    page.mouse.up()


def test_a_finger_drags_as_a_mouse_does(open_form: Opener) -> None:
    page = open_form(IMPORTANCE, has_touch=True, viewport={"width": 360, "height": 2600})
    handle = page.locator(".claim-order__handle").first.bounding_box()
    last = page.locator(".claim-order__row").last.bounding_box()
    assert handle
    assert last
    touch = page.context.new_cdp_session(page)
    x, start = handle["x"] + 10, handle["y"] + 10
    below = last["y"] + last["height"] * 0.8

    def send(kind: str, y: float | None) -> None:
        points = [] if y is None else [{"x": x, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", start)
    for step in range(1, 9):
        send("touchMove", start + (below - start) * step / 8)
    send("touchEnd", None)
    assert order_of(page) == NEW_ORDER
    assert positions(page) == ["1", "2", "3"]


def test_the_buttons_move_a_claim_and_keep_the_focus(open_form: Opener) -> None:
    page = open_form(IMPORTANCE)
    down = page.get_by_role("button", name="Move claim 1 down")
    down.click()
    down.click()
    assert order_of(page) == NEW_ORDER
    page.keyboard.press("Enter")
    assert order_of(page) == NEW_ORDER
    assert "cannot move further" in page.get_by_role("status").inner_text()
    page.get_by_role("button", name="Move claim 1 up").press("Space")
    assert order_of(page) == ["1", "0", "2"]
    assert page.evaluate("document.activeElement.ariaLabel") == "Move claim 1 up"


def test_keys_move_a_claim_by_its_handle(open_form: Opener) -> None:
    page = open_form(IMPORTANCE)
    page.get_by_role("button", name="Move claim 1:").focus()
    for key, order in (
        ("ArrowDown", ["1", "0", "2"]),
        ("End", ["1", "2", "0"]),
        ("ArrowUp", ["1", "0", "2"]),
        ("Home", ["0", "1", "2"]),
        ("Control+ArrowDown", ["0", "1", "2"]),
    ):
        page.keyboard.press(key)
        assert order_of(page) == order
        assert positions(page) == ["1", "2", "3"]


def test_choosing_a_position_moves_the_claim_there(open_form: Opener) -> None:
    page = open_form(IMPORTANCE)
    page.get_by_label("Position of claim 1").select_option("3")
    assert order_of(page) == NEW_ORDER
    assert positions(page) == ["1", "2", "3"]
    assert page.evaluate("document.activeElement.tagName") in ("SELECT", "BODY")
    page.get_by_label("Position of claim 1").select_option("")
    assert positions(page) == ["1", "2", "3"]


def test_the_list_follows_the_labels_on_request(open_form: Opener) -> None:
    page = open_form(IMPORTANCE)
    for claim, label in enumerate(("less-important", "vital", "vital")):
        page.locator(button(f"importance-{claim}", label)).check()
    assert positions(page) == ["", "", ""]
    assert "Less important" in page.locator(".claim-order__row").first.inner_text()
    page.get_by_role("button", name="Order by my labels").click()
    assert order_of(page) == NEW_ORDER
    assert positions(page) == ["1", "2", "3"]


def test_the_order_can_be_taken_as_it_stands(open_form: Opener) -> None:
    page = open_form(IMPORTANCE)
    page.get_by_role("button", name="Keep this order").click()
    assert order_of(page) == ["0", "1", "2"]
    assert positions(page) == ["1", "2", "3"]


@pytest.mark.parametrize("way", ["drag", "button", "key", "select", "start"])
def test_whoever_saves_on_a_change_finds_the_whole_order_once(open_form: Opener, way: str) -> None:
    page = open_form(IMPORTANCE, viewport={"width": 900, "height": 1400})
    page.evaluate(
        """() => { window.saved = []; const form = document.querySelector('form');
        form.addEventListener('change', () => saved.push([...new FormData(form).entries()]
            .filter(([name]) => name.startsWith('order')).map(([_, value]) => value))); }"""
    )
    if way == "drag":
        drag_first_below_last(page)
    elif way == "button":
        page.get_by_role("button", name="Move claim 1 down").click()
    elif way == "key":
        page.get_by_role("button", name="Move claim 1:").press("End")
    elif way == "select":
        page.get_by_label("Position of claim 1").select_option("2")
    else:
        page.get_by_role("button", name="Keep this order").click()
    assert page.evaluate("saved") == [["1", "2", "3"]]


def test_an_order_given_before_stands_as_it_was(open_form: Opener) -> None:
    page = open_form(IMPORTANCE, whole(IMPORTANCE))
    assert order_of(page) == NEW_ORDER
    assert answer_in(IMPORTANCE, fields(page)) == answer_of(IMPORTANCE)


def test_positions_that_contradict_each_other_stay_until_something_moves(
    open_form: Opener,
) -> None:
    page = open_form(IMPORTANCE, {**whole(IMPORTANCE), "order-0": ["1"]})
    assert positions(page) == ["1", "1", "2"]
    assert page.get_by_text("Position 1 is also given to claim 2.", exact=True).is_visible()
    page.get_by_role("button", name="Move claim 1 down").click()
    assert positions(page) == ["1", "2", "3"]
    assert not page.locator(".field__error").first.is_visible()


def test_an_answer_that_can_no_longer_change_is_not_moved(open_form: Opener) -> None:
    page = open_form(IMPORTANCE, whole(IMPORTANCE), viewport={"width": 900, "height": 1400})
    page.evaluate(
        """() => { const form = document.querySelector('form');
        const frame = document.createElement('fieldset'); frame.disabled = true;
        frame.append(...form.childNodes); form.append(frame); }"""
    )
    drag_first_below_last(page)
    assert order_of(page) == NEW_ORDER


def test_a_question_that_arrives_later_gets_its_list_too(open_form: Opener) -> None:
    page = open_form(IMPORTANCE)
    page.evaluate(
        """() => { const form = document.querySelector('form');
        form.querySelector('.claim-order').classList.remove('has-script');
        form.querySelectorAll('.claim-order__scripted').forEach((one) => { one.hidden = true; });
        form.dispatchEvent(new Event('htmx:load', {bubbles: true})); }"""
    )
    assert page.get_by_role("button", name="Move claim 1 down").is_visible()


# --- On the worker's own page -------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_an_order_is_saved_as_it_is_moved_and_stands_when_the_page_returns(
    new_page: Callable[..., Page],
) -> None:
    options = {"parts": ["importance", "order"]}
    study = make_study(sources=1, per_batch=1, blocks=[(IMPORTANCE.slug, options)])
    batch = lease(newcomer(study))
    page = new_page()
    page.goto(reverse("annotation:return", args=[batch.participation.token]))
    page.goto(reverse("annotation:question", args=[batch.public_id, 1, 1]))
    page.get_by_role("button", name="Order: not answered yet").click()
    page.get_by_role("button", name="Move claim 1:").press("End")
    expect(page.locator("#saved")).to_contain_text("Saved")
    page.reload()
    assert order_of(page) == ["1", "2", "0"]
    # Nothing was sent, so nothing is wrong.
    assert not page.get_by_role("alert").count()
    assert axe_violations(page) == []
    for name in ("Claim 2 of 3", "Claim 3 of 3", "Claim 3 of 3"):
        page.keyboard.press("2")
        expect(page.locator(".parts__name")).to_have_text(name)
    with page.expect_navigation():
        page.get_by_role("button", name="Save and continue").click()
    draft = Draft.objects.get(assignment=batch)
    assert draft.complete
    assert draft.posted["order-0"] == ["3"]
