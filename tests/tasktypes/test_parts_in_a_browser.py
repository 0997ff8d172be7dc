"""Parts of a question: one mechanism for every kind that has several, without a server."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tasktypes.actionability import ACTIONABILITY
from tasktypes.importance import IMPORTANCE
from tasktypes.likert import LIKERT
from tasktypes.pairwise import PAIRWISE
from tasktypes.ranking import RANKING
from tasktypes.texts.material import Item, Passage, Sentence, Source
from tasktypes.texts.sentences import cut
from tests.services.browser import axe_violations
from tests.tasktypes.forms import AnyType, page_of_form, page_of_payload, posted_by

SOURCE = Source(
    key="mill",
    claim="The mill burnt down.",
    verdict="false",
    query="Did the mill burn down?",
    document="The mill flooded.",
    passages=(Passage(index=0, text="It flooded."),),
)
SENTENCES = ("It stood empty.", "It flooded.", "No fire was seen.", "It was sold.", "It is a shop.")
SCALE = {"key": "clear", "question": "Is it clear?", "low": 1, "high": 5}
CRITERIA = [{"key": f"c{i}", "question": f"Question {i}?"} for i in range(4)]
ERRORS = [
    {"sentence": f"Error {i}.", "reason": "It is not so.", "correction": "It flooded."}
    for i in range(2)
]
LINKS = ["https://a.example/", "https://b.example/"]
# A kind, its options, how many items, its focus, the names of its parts, and the keys of an answer.
MANY: dict[str, tuple[AnyType, dict[str, Any], int, dict[str, Any], list[str], str]] = {
    "sentences": (
        LIKERT,
        {"criteria": [SCALE], "per_sentence": True},
        1,
        {},
        ["Sentence"] * 5,
        "12345",
    ),
    "sentences by two criteria": (
        LIKERT,
        {"criteria": [SCALE, {**SCALE, "key": "true"}], "per_sentence": True},
        1,
        {},
        ["Sentence"] * 5,
        "1223344551",
    ),
    "texts together": (
        LIKERT,
        {"criteria": [SCALE], "together": True},
        4,
        {},
        ["Text A", "Text B", "Text C", "Text D"],
        "1234",
    ),
    "criteria": (
        LIKERT,
        {"criteria": [{**SCALE, "key": f"c{i}"} for i in range(4)]},
        1,
        {},
        ["Aspect"] * 4,
        "1234",
    ),
    "pairs": (PAIRWISE, {"criteria": CRITERIA}, 2, {}, ["Aspect"] * 4, "1212"),
    "ranks": (RANKING, {"criteria": CRITERIA}, 3, {}, ["Aspect"] * 4, "BACCABABCBCA"),
    "rubric": (
        ACTIONABILITY,
        {},
        1,
        {"errors": ERRORS, "links": LINKS},
        ["Error", "Error", "Link", "Link"],
        "1212112212",
    ),
    "claims": (
        IMPORTANCE,
        {"parts": ["importance"]},
        1,
        {"claims": list(SENTENCES)},
        ["Claim"] * 5,
        "12312",
    ),
}
every_many = pytest.mark.parametrize("name", MANY)
VISIBLE = "[data-part]:visible"


@pytest.fixture
def open_many(blank_page: Callable[..., Page]) -> Callable[..., Page]:
    def opened(name: str, *, shown: str = "one", **session: Any) -> Page:
        kind, options, count, focus, _, _ = MANY[name]
        sentences = tuple(Sentence(text=text) for text in SENTENCES)
        items = tuple(Item(key=key, system=key, sentences=sentences) for key in "abcd"[:count])
        payload = kind.payload(SOURCE, items, focus, kind.Options.model_validate(options))
        html = page_of_payload(kind, payload, None, scripts=True)
        page = blank_page(**session)
        page.set_content(html.replace("<form ", f"<form data-parts={shown} "))
        return page

    return opened


def names_of(page: Page) -> set[str]:
    """The names of all fields of the answer."""
    fields = page.locator(".question__answer [name]")
    return set(fields.evaluate_all("all => all.map((field) => field.name)"))


@every_many
def test_keys_answer_every_part_one_after_the_other(
    open_many: Callable[..., Page], name: str
) -> None:
    page = open_many(name)
    *_, names, keys = MANY[name]
    parts = page.locator("[data-part]")
    assert [part.get_attribute("data-part") for part in parts.all()] == names
    expect(page.locator(VISIBLE)).to_have_count(1)
    expect(page.locator(".parts__row")).to_have_count(len(names))
    for key in keys:
        page.keyboard.press(key)
        assert page.locator(VISIBLE).count() == 1
    expect(page.locator(".parts__done")).to_have_text(f"{len(names)} of {len(names)} answered")
    assert {field for field, value in posted_by(page) if value} == names_of(page)
    assert axe_violations(page) == []


def test_what_was_answered_is_said_without_the_key_that_is_drawn_on_it(
    open_many: Callable[..., Page],
) -> None:
    page = open_many("criteria")
    for key in "1234":
        page.keyboard.press(key)
    # The last part stays in focus, with its keys on it.
    expect(page.locator(VISIBLE).locator(".key-cap").first).to_be_visible()
    expect(page.locator(".parts__state")).to_have_text(["1", "2", "3", "4"])
    expect(page.locator(".parts__row").last).to_have_attribute("aria-label", re.compile(": 4$"))


@pytest.mark.parametrize(("count", "width", "steps"), [(3, 1280, False), (3, 360, True)])
def test_three_parts_are_many_on_a_phone_alone(
    blank_page: Callable[..., Page], count: int, width: int, steps: bool
) -> None:
    options = LIKERT.Options.model_validate({"criteria": [SCALE], "per_sentence": True})
    sentences = tuple(Sentence(text=text) for text in SENTENCES[:count])
    item = Item(key="a", system="a", sentences=sentences)
    html = page_of_payload(LIKERT, LIKERT.payload(SOURCE, (item,), {}, options), None, scripts=True)
    page = blank_page(viewport={"width": width, "height": 740})
    page.set_content(html.replace("<form ", "<form data-parts=one "))
    expect(page.locator(VISIBLE)).to_have_count(1 if steps else count)
    page.set_viewport_size({"width": 360 if width == 1280 else 1280, "height": 740})
    expect(page.locator(VISIBLE)).to_have_count(count if steps else 1)


def test_who_comes_back_to_a_part_may_change_all_of_it(open_many: Callable[..., Page]) -> None:
    page = open_many("sentences by two criteria")
    name = page.locator(".parts__name")
    for key in "1122":
        page.keyboard.press(key)
    expect(name).to_have_text("Sentence 3 of 5")
    page.keyboard.press("[")
    expect(name).to_have_text("Sentence 2 of 5")
    first, last = page.locator(f"{VISIBLE} fieldset").all()
    first.get_by_role("radio").nth(4).check()
    expect(name).to_have_text("Sentence 2 of 5")
    # No check(), which would look for what it checked in the part that comes next.
    last.get_by_role("radio").nth(3).click()
    expect(name).to_have_text("Sentence 3 of 5")


def test_a_key_held_down_answers_one_part(open_many: Callable[..., Page]) -> None:
    page = open_many("claims")
    page.keyboard.down("1")
    for _ in range(4):
        page.keyboard.down("1")  # what a held key sends
    page.keyboard.up("1")
    expect(page.locator(".parts__done")).to_have_text("1 of 5 answered")


def test_sentences_of_a_text_with_lines_stand_in_that_text_too_and_rows_name_them_in_words(
    blank_page: Callable[..., Page],
) -> None:
    text = "So:\n\n```python\nx = 1\n```\n\nThat is \\(\\frac{1}{2}\\), half.\n\n- one\n- two"
    options = LIKERT.Options.model_validate({"criteria": [SCALE], "per_sentence": True})
    item = Item(key="a", system="a", sentences=cut(text))
    form = LIKERT.Form(LIKERT.payload(SOURCE, (item,), {}, options))
    form.text_form = "formulas"
    page = blank_page()
    page.set_content(page_of_form(LIKERT, form).replace("<form ", "<form data-parts=one "))
    expect(page.locator(".parts__text")).to_have_text(
        ["So:", "x = 1", "That is …, half.", "one", "two"]
    )
    whole = page.get_by_role("region", name="The text")
    expect(whole.locator("pre")).to_be_visible()
    expect(whole.get_by_role("listitem")).to_have_text(["one", "two"])
    assert axe_violations(page) == []
