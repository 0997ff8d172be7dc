"""Criteria, ranks and comparisons as a person meets them: mouse, touch, keys alone, no scripts."""

from typing import Any

import pytest
from django.utils.datastructures import MultiValueDict
from playwright.sync_api import Locator, Page

from tasktypes.contract import TaskType
from tasktypes.likert import LIKERT
from tasktypes.pairwise import PAIRWISE
from tasktypes.ranking import RANKING
from tests.services.browser import axe_violations
from tests.tasktypes.forms import Opener, posted_by

AnyType = TaskType[Any, Any, Any]
KINDS = (LIKERT, RANKING, PAIRWISE)

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
# Each state as people meet it first; the other scheme of colours in the slow run.
looks = pytest.mark.parametrize(
    ("state", "colours"),
    [
        *(("untouched", "light"), ("unanswered", "dark"), ("answered", "light")),
        *(
            pytest.param(state, colours, marks=pytest.mark.slow)
            for state, colours in (
                *(("untouched", "dark"), ("unanswered", "light"), ("answered", "dark")),
            )
        ),
    ],
)


def answered(kind: AnyType, page: Page) -> bool:
    """Whether what the page would post now is the example's answer."""
    example = kind.example
    options = kind.Options.model_validate(example.options)
    payload = kind.payload(example.source, example.items, example.focus, options)
    posted = {name: [value] for name, value in posted_by(page)}
    form = kind.Form(payload, MultiValueDict(posted))
    return bool(form.is_valid() and form.answer() == kind.Answer.model_validate(example.answer))


def whole(kind: AnyType) -> dict[str, list[str]]:
    return {name: list(values) for name, values in kind.example.posted.items()}


# --- All three ----------------------------------------------------------------------------------


@every_kind
@looks
def test_nothing_hinders_people_with_impairments(
    open_form: Opener, kind: AnyType, colours: str, state: str
) -> None:
    posted = {"untouched": None, "unanswered": {}, "answered": whole(kind)}[state]
    page = open_form(kind, posted, color_scheme=colours)
    for summary in page.locator("summary").all():
        summary.click()
    assert axe_violations(page) == []


@every_kind
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_narrow_page_needs_no_sideways_scrolling(
    open_form: Opener, kind: AnyType, scripts: bool
) -> None:
    page = open_form(kind, {}, scripts=scripts, viewport={"width": 320, "height": 640})
    assert page.locator("html").bounding_box()
    # The texts of a strip lie side by side and slide.
    rights = page.locator("main *:not(.panes *)").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert max(rights) <= 320


@every_kind
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_every_target_is_large_enough(open_form: Opener, kind: AnyType, scripts: bool) -> None:
    page = open_form(kind, scripts=scripts, viewport={"width": 360, "height": 640})
    targets = page.locator(
        "select:visible, label.point, label.side, summary, .rank-chip__grip:visible, "
        ".rank-chip button:visible"
    ).all()
    assert targets
    for target in targets:
        box = target.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 24


@every_kind
def test_an_answer_given_before_stands_as_it_was(open_form: Opener, kind: AnyType) -> None:
    assert answered(kind, open_form(kind, whole(kind)))


# --- Likert -------------------------------------------------------------------------------------


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_points_are_chosen_by_their_words(open_form: Opener, scripts: bool) -> None:
    page = open_form(LIKERT, scripts=scripts)
    assert posted_by(page) == []
    page.get_by_text("Refuted", exact=True).click()
    page.get_by_role("group", name="How clearly").get_by_text("3", exact=True).click()
    assert answered(LIKERT, page)


def test_keys_alone_choose_points(open_form: Opener) -> None:
    page = open_form(LIKERT)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert answered(LIKERT, page)


# --- Pairwise -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_a_side_is_chosen_with_the_mouse(open_form: Opener, scripts: bool) -> None:
    page = open_form(PAIRWISE, scripts=scripts)
    assert posted_by(page) == []
    page.get_by_text("B is better").first.click()
    page.get_by_text("About the same").last.click()
    assert answered(PAIRWISE, page)


def test_keys_alone_choose_sides(open_form: Opener) -> None:
    page = open_form(PAIRWISE)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")  # round the corner, to the last
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert answered(PAIRWISE, page)


def test_answers_stand_under_the_texts_that_they_are_about(open_form: Opener) -> None:
    page = open_form(PAIRWISE, viewport={"width": 800, "height": 800})

    def left(locator: Locator) -> float:
        box = locator.first.bounding_box()
        assert box
        return box["x"]

    assert left(page.locator(".candidate")) < left(page.locator(".candidate").nth(1))
    assert left(page.get_by_text("A is better")) < left(page.get_by_text("B is better"))


# --- Ranking ------------------------------------------------------------------------------------


def group(page: Page, name: str = "coverage") -> Locator:
    return page.locator(f"#rank-{name}")


def slot(page: Page, rank: int, name: str = "coverage") -> Locator:
    return group(page, name).locator(f".rank-slot[data-rank='{rank}']")


def chip(page: Page, letter: str, name: str = "coverage") -> Locator:
    return group(page, name).locator(f".rank-chip[data-letter={letter}]")


def ranks(page: Page, name: str = "coverage") -> list[str]:
    return [one.input_value() for one in group(page, name).locator("select").all()]


def drag(page: Page, letter: str, target: Locator, name: str = "coverage") -> None:
    grip = chip(page, letter, name).locator(".rank-chip__grip")
    grip.scroll_into_view_if_needed()
    start, end = grip.bounding_box(), target.bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 60, end["y"] + 20, steps=4)
    page.mouse.up()


def test_without_scripts_ranks_are_chosen_from_empty_lists(open_form: Opener) -> None:
    page = open_form(RANKING, scripts=False)
    assert ranks(page) == ["", "", ""]
    assert not page.locator(".rank-board").first.is_visible()
    for name, chosen in whole(RANKING).items():
        page.locator(f"#{name}").select_option(chosen)
    assert answered(RANKING, page)


def test_before_the_first_touch_nothing_is_ranked(open_form: Opener) -> None:
    page = open_form(RANKING)
    assert not page.locator("select").first.is_visible()
    assert ranks(page) == ["", "", ""]
    assert group(page).locator(".rank-pool .rank-chip").count() == 3


def test_letters_are_dragged_to_their_ranks(open_form: Opener) -> None:
    page = open_form(RANKING, viewport={"width": 800, "height": 1400})
    for letter, rank in (("A", 2), ("B", 1), ("C", 2)):
        drag(page, letter, slot(page, rank))
    for letter, rank in (("A", 3), ("B", 1), ("C", 2)):
        drag(page, letter, slot(page, rank, "overall"), "overall")
    assert answered(RANKING, page)


def test_a_finger_drags_too(open_form: Opener) -> None:
    page = open_form(RANKING, has_touch=True, viewport={"width": 360, "height": 1800})
    start = chip(page, "A").locator(".rank-chip__grip").bounding_box()
    end = slot(page, 3).bounding_box()
    assert start
    assert end
    touch = page.context.new_cdp_session(page)
    at = {"x": start["x"] + 10, "y": start["y"] + 10}
    to = {"x": end["x"] + 40, "y": end["y"] + 20}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [to]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert ranks(page) == ["3", "", ""]


def test_a_letter_dropped_beside_the_board_stays_where_it_was(open_form: Opener) -> None:
    page = open_form(RANKING, viewport={"width": 800, "height": 1400})
    drag(page, "A", page.locator("h1"))
    assert ranks(page) == ["", "", ""]
    drag(page, "A", slot(page, 2))
    drag(page, "A", group(page).locator(".rank-pool"))
    assert ranks(page) == ["", "", ""]


def test_buttons_move_a_letter_rank_by_rank_and_keep_the_focus(open_form: Opener) -> None:
    page = open_form(RANKING)
    down = page.get_by_role("button", name="Move A down").first
    down.click()
    assert ranks(page) == ["1", "", ""]
    down.click()
    assert ranks(page) == ["2", "", ""]
    page.get_by_role("button", name="Move A up").first.click()
    assert ranks(page) == ["1", "", ""]
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Move A up"


def test_keys_alone_rank_everything(open_form: Opener) -> None:
    page = open_form(RANKING)
    page.locator("summary").focus()
    page.keyboard.press("Tab")
    for name in ("coverage", "overall"):
        for letter in "ABC":
            chip(page, letter, name).locator("button").first.focus()
            page.keyboard.press(whole(RANKING)[f"rank-{name}-{letter}"][0])
    assert answered(RANKING, page)
    chip(page, "B").locator("button").first.focus()
    page.keyboard.press("ArrowDown")
    assert ranks(page) == ["2", "2", "2"]
    page.keyboard.press("ArrowUp")
    assert ranks(page) == ["2", "1", "2"]


def test_every_letter_is_reached_with_the_tab_key(open_form: Opener) -> None:
    page = open_form(RANKING)
    page.locator("summary").focus()
    reached = []
    for _ in range(6):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert reached == [f"Move {letter} {way}" for letter in "ABC" for way in ("up", "down")]


def test_from_a_text_that_was_given_its_rank_tab_leads_to_those_that_have_none(
    open_form: Opener,
) -> None:
    page = open_form(RANKING)
    page.locator("summary").focus()
    page.keyboard.press("Tab")
    keys = 1
    for rank in "123":
        page.keyboard.press(rank)
        for _ in range(2):
            page.keyboard.press("Tab")
        keys += 3
    assert ranks(page) == ["1", "2", "3"]
    assert page.evaluate("document.activeElement.closest('#rank-overall') !== null")
    assert keys == 10


def test_nothing_leaves_the_ranks_that_there_are(open_form: Opener) -> None:
    page = open_form(RANKING, whole(RANKING))
    chip(page, "B").locator("button").first.focus()
    for key in ("ArrowUp", "4", "9", "0", "x"):
        page.keyboard.press(key)
    assert ranks(page) == ["2", "1", "2"]


def test_those_who_share_a_rank_are_said_to(open_form: Opener) -> None:
    page = open_form(RANKING, whole(RANKING))
    tie = slot(page, 2).locator(".rank-slot__tie")
    assert tie.is_visible()
    assert not slot(page, 1).locator(".rank-slot__tie").is_visible()
    chip(page, "C").get_by_role("button", name="Move C down").click()
    assert not tie.is_visible()
    chip(page, "C").get_by_role("button", name="Move C up").click()
    assert tie.is_visible()
    assert group(page).get_by_role("status").inner_text() == "C: rank 2, same rank as A"


def test_every_move_is_saved_like_a_change_of_the_field(open_form: Opener) -> None:
    page = open_form(RANKING)
    page.evaluate(
        """() => { window.saved = []; const form = document.querySelector('form');
        form.addEventListener('change', (e) => saved.push([e.target.name, e.target.value])); }"""
    )
    chip(page, "A").get_by_role("button", name="Move A down").click()
    assert page.evaluate("saved") == [["rank-coverage-A", "1"]]


def test_what_can_no_longer_change_does_not_move(open_form: Opener) -> None:
    page = open_form(RANKING, whole(RANKING), viewport={"width": 800, "height": 1400})
    page.evaluate("document.querySelectorAll('fieldset').forEach((one) => one.disabled = true)")
    drag(page, "B", slot(page, 3))
    assert ranks(page) == ["2", "1", "2"]
    assert page.get_by_role("button", name="Move B down").first.is_disabled()


def test_a_question_that_arrives_later_gets_its_board_too(open_form: Opener) -> None:
    page = open_form(RANKING, scripts=True)
    page.evaluate(
        """() => { const form = document.querySelector('form');
        for (const one of form.querySelectorAll('.rank-group')) {
          one.classList.remove('has-board');
          one.querySelector('.rank-board').hidden = true;
        }
        form.dispatchEvent(new Event('htmx:load', {bubbles: true})); }"""
    )
    assert page.locator(".rank-board").first.is_visible()
