"""The forms as a person meets them: keys, exclusive choices, the slider before and after touch."""

import pytest

from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.slider import SLIDER
from tests.services.browser import axe_violations
from tests.tasktypes.forms import AnyType, Opener, posted_by

# --- Citation recovery --------------------------------------------------------------------------


def test_a_chosen_sentence_shows_the_marker_without_moving_anything(open_form: Opener) -> None:
    page = open_form(CITATION_RECOVERY, scripts=False)
    marker = page.locator("#sentence-1 + .sentence-text .marker")
    assert not marker.is_visible()
    before = [box.bounding_box() for box in page.locator(".sentence").all()]
    page.locator("#sentence-1").check()
    assert marker.is_visible()
    assert marker.inner_text() == "[1]"
    assert [box.bounding_box() for box in page.locator(".sentence").all()] == before


def test_choosing_none_unchooses_the_sentences_and_the_other_way_round(open_form: Opener) -> None:
    page = open_form(CITATION_RECOVERY)
    page.get_by_label("Only the reading room is shut").check()
    page.get_by_label("Lending goes on").check()
    assert posted_by(page) == [["sentences", "1"], ["sentences", "2"]]
    page.get_by_label("None of these sentences").check()
    assert posted_by(page) == [["none", "on"]]
    page.get_by_label("The claim is false.").check()
    assert posted_by(page) == [["sentences", "0"]]
    page.get_by_label("The claim is false.").uncheck()
    assert posted_by(page) == []


def test_whoever_saves_on_a_change_finds_no_contradiction(open_form: Opener) -> None:
    page = open_form(CITATION_RECOVERY)
    page.evaluate(
        """() => { window.saved = []; const form = document.querySelector('form');
        form.addEventListener('change', () => saved.push([...new FormData(form).keys()])); }"""
    )
    page.get_by_label("The claim is false.").check()
    page.get_by_label("None of these sentences").check()
    assert page.evaluate("saved") == [["sentences"], ["none"]]


def test_keys_alone_choose_sentences(open_form: Opener) -> None:
    page = open_form(CITATION_RECOVERY)
    page.locator("#sentence-0").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    assert posted_by(page) == [["sentences", "1"]]
    page.keyboard.press("3")
    assert posted_by(page) == [["sentences", "1"], ["sentences", "2"]]
    page.keyboard.press("2")
    assert posted_by(page) == [["sentences", "2"]]
    page.keyboard.press("0")
    assert posted_by(page) == [["none", "on"]]
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "sentence-2"


def test_digits_with_control_choose_nothing(open_form: Opener) -> None:
    page = open_form(CITATION_RECOVERY)
    for place in ("summary", "#sentence-0"):
        page.locator(place).focus()
        page.keyboard.press("Control+1")
    assert posted_by(page) == []


def test_the_passage_in_question_stays_in_view(open_form: Opener) -> None:
    page = open_form(CITATION_RECOVERY, viewport={"width": 360, "height": 420})
    page.locator("#sentence-none").focus()
    page.locator("#sentence-none").scroll_into_view_if_needed()
    passage, focused = (
        page.locator(selector).bounding_box()
        for selector in (".passage-in-question", "#sentence-none")
    )
    assert passage
    assert focused
    assert passage["y"] >= 0
    assert passage["y"] + passage["height"] <= focused["y"]


def test_every_target_is_large_enough(open_form: Opener) -> None:
    for kind in (CITATION_RECOVERY, SLIDER):
        page = open_form(kind, viewport={"width": 360, "height": 640})
        targets = "input:visible, summary:visible, .strip button:visible, label.sentence"
        for target in page.locator(targets).all():
            box = target.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize("kind", [CITATION_RECOVERY, SLIDER], ids=lambda kind: kind.slug)
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("posted", [None, {}], ids=["untouched", "unanswered"])
def test_nothing_hinders_people_with_impairments(
    open_form: Opener, kind: AnyType, colours: str, posted: dict[str, list[str]] | None
) -> None:
    page = open_form(kind, posted, color_scheme=colours)
    page.locator("summary").first.click()
    assert axe_violations(page) == []


@pytest.mark.parametrize("kind", [CITATION_RECOVERY, SLIDER], ids=lambda kind: kind.slug)
def test_a_narrow_page_needs_no_sideways_scrolling(open_form: Opener, kind: AnyType) -> None:
    page = open_form(kind, viewport={"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


# --- Slider -------------------------------------------------------------------------------------


def test_without_scripts_the_scale_is_an_empty_number_field(open_form: Opener) -> None:
    page = open_form(SLIDER, scripts=False)
    field = page.get_by_label("A number from 0 (Unclear) to 100 (Clear)")
    assert field.is_visible()
    assert field.input_value() == ""
    assert not page.locator("#scale-range").is_visible()


def test_an_untouched_slider_posts_nothing_and_shows_no_thumb(open_form: Opener) -> None:
    page = open_form(SLIDER)
    slider = page.get_by_role("slider")
    assert slider.is_visible()
    assert not page.locator("#scale-value").is_visible()
    assert posted_by(page) == [["value", ""]]
    assert slider.get_attribute("aria-valuetext") == "not answered yet"


def test_no_thumb_suggests_an_answer_before_the_first_touch(open_form: Opener) -> None:
    page = open_form(SLIDER)
    slider = page.get_by_role("slider")
    box = slider.bounding_box()
    assert box

    def seen_at(share: float) -> bytes:
        left = box["x"] + share * box["width"] - 20
        return page.screenshot(
            clip={"x": left, "y": box["y"], "width": 40, "height": box["height"]}
        )

    assert seen_at(0.5) == seen_at(0.25)
    slider.press("ArrowRight")
    assert seen_at(0.5) != seen_at(0.25)


def test_the_first_arrow_key_moves_on_from_the_middle(open_form: Opener) -> None:
    page = open_form(SLIDER)
    slider = page.get_by_role("slider")
    slider.press("ArrowRight")
    assert posted_by(page) == [["value", "51"]]
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    assert posted_by(page) == [["value", "49"]]
    slider.press("End")
    assert posted_by(page) == [["value", "100"]]
    assert slider.get_attribute("aria-valuetext") is None


def test_a_click_on_the_very_middle_counts_and_is_saved(open_form: Opener) -> None:
    page = open_form(SLIDER)
    page.evaluate(
        """() => { window.saved = []; const form = document.querySelector('form');
        form.addEventListener('change', () => saved.push(new FormData(form).get('value'))); }"""
    )
    page.get_by_role("slider").click()
    assert posted_by(page) == [["value", "50"]]
    assert page.evaluate("saved") == ["50"]


def test_an_answer_given_before_stands_where_it_was(open_form: Opener) -> None:
    page = open_form(SLIDER, {"value": ["62.5"]})
    assert posted_by(page) == [["value", "62.5"]]
    slider = page.get_by_role("slider")
    assert "untouched" not in (slider.get_attribute("class") or "")
    slider.press("ArrowRight")
    assert float(posted_by(page)[0][1]) > 62.5


def test_no_number_is_shown_beside_the_slider(open_form: Opener) -> None:
    page = open_form(SLIDER)
    page.get_by_role("slider").press("ArrowRight")
    assert "51" not in page.locator("#scale").inner_text()


def test_a_question_that_arrives_later_gets_its_slider_too(open_form: Opener) -> None:
    page = open_form(SLIDER)
    page.evaluate(
        """() => { const form = document.querySelector('form'); const html = form.innerHTML;
        form.innerHTML = ''; form.insertAdjacentHTML('beforeend', html);
        const field = form.querySelector('.scale-field');
        field.className = 'scale-field'; form.querySelector('.scale-range').hidden = true;
        form.dispatchEvent(new Event('htmx:load', {bubbles: true})); }"""
    )
    assert page.get_by_role("slider").is_visible()
