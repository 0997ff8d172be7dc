"""Keys of the page of a question, for every kind: how many an answer takes, and what they do."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tasktypes.actionability import ACTIONABILITY
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.importance import IMPORTANCE
from tasktypes.likert import LIKERT
from tasktypes.pairwise import PAIRWISE
from tasktypes.ranking import RANKING
from tasktypes.slider import SLIDER
from tasktypes.texts.material import Item, Passage, Sentence, Source
from tests.tasktypes.forms import AnyType, page_of_payload, posted_by

SENTENCES = ("The mill stood empty.", "It flooded in May [1].", "No fire was reported [2].")
SOURCE = Source(
    key="mill",
    claim="The mill burnt down.",
    verdict="false",
    query="Did the mill burn down?",
    document="The mill flooded.",
    passages=tuple(Passage(index=i, text=f"Passage {i}.") for i in range(4)),
)
CONTINUE = "Control+Enter"
Keys = Callable[..., dict[str, list[str]]]


def item(key: str) -> Item:
    return Item(key=key, system=key, sentences=tuple(Sentence(text=text) for text in SENTENCES))


@pytest.fixture
def open_question(blank_page: Callable[..., Page]) -> Callable[..., Page]:
    """Open a question, whose form is kept from being sent and counts how often it would be."""
    page = blank_page()

    def opened(
        kind: AnyType, options: dict[str, Any], items: tuple[Item, ...], **focus: Any
    ) -> Page:
        typed = kind.Options.model_validate(options)
        payload = kind.payload(SOURCE, items, focus, typed)
        page.set_content(page_of_payload(kind, payload, None, scripts=True))
        page.evaluate(
            """() => { window.sent = 0;
            document.querySelector("form").addEventListener("submit", (event) => {
              event.preventDefault(); window.sent += 1; }); }"""
        )
        return page

    return opened


def press(page: Page, *keys: str) -> int:
    """Press them; how many keys were pressed, each of a combination counted."""
    for key in keys:
        page.keyboard.press(key)
    return sum(key.count("+") + 1 for key in keys)


def answered(page: Page) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in posted_by(page):
        values.setdefault(name, []).append(value)
    return values


def sent(page: Page) -> int:
    count: int = page.evaluate("sent")
    return count


SCALE = {"key": "clear", "question": "Is it clear?", "low": 1, "high": 5}


def criteria(number: int) -> list[dict[str, Any]]:
    return [
        {"key": f"c{i}", "question": f"Question {i}?", "definition": "What it is."}
        for i in range(number)
    ]


def test_likert_of_three_sentences_takes_at_most_seven_keys(open_question: Any) -> None:
    options = {"criteria": [SCALE], "per_sentence": True}
    page = open_question(LIKERT, options, (item("a"),))
    assert press(page, "4", "2", "5", CONTINUE) <= 7
    assert [values for name, values in answered(page).items() if "clear" in name] == [
        ["4"], ["2"], ["5"],
    ]  # fmt: skip
    assert sent(page) == 1


def test_pairwise_of_two_criteria_takes_at_most_four_keys(open_question: Any) -> None:
    page = open_question(PAIRWISE, {"criteria": criteria(2)}, (item("a"), item("b")))
    assert press(page, "1", "2", CONTINUE) <= 4
    assert len(answered(page)) == 2
    assert sent(page) == 1


def test_ranking_of_four_by_three_criteria_takes_at_most_twenty_keys(open_question: Any) -> None:
    items = tuple(item(key) for key in "abcd")
    page = open_question(RANKING, {"criteria": criteria(3)}, items)
    keys = (*"BADC", *"A=BCD", *"DCBA", CONTINUE)
    assert press(page, *keys) <= 20
    ranks = answered(page)
    assert [ranks[f"rank-c0-{letter}"] for letter in "BADC"] == [["1"], ["2"], ["3"], ["4"]]
    assert [ranks[f"rank-c1-{letter}"] for letter in "ABCD"] == [["1"], ["1"], ["3"], ["4"]]
    assert sent(page) == 1


def test_importance_of_eight_claims_takes_at_most_sixteen_keys(open_question: Any) -> None:
    claims = [f"Claim {i}." for i in range(8)]
    page = open_question(
        IMPORTANCE, {"parts": ["importance", "order"]}, (item("a"),), claims=claims
    )
    assert press(page, *"32112233", "o", CONTINUE) <= 16
    values = answered(page)
    order = [int(values[f"order-{i}"][0]) for i in range(8)]
    # Vital ones (the third and fourth claim) come first.
    assert sorted(range(8), key=order.__getitem__)[:2] == [2, 3]
    assert sent(page) == 1


def test_the_rubric_takes_one_key_for_each_answer(open_question: Any) -> None:
    error = {"sentence": "It burnt down.", "reason": "It flooded.", "correction": "It flooded."}
    page = open_question(
        ACTIONABILITY, {}, (item("a"),), errors=[error], links=["https://a.example/"]
    )
    assert press(page, "1", "2", "1", "1", "2") == 5
    assert sorted(value for [value] in answered(page).values()) == ["no", "no", "yes", "yes", "yes"]


def test_a_number_is_typed(open_question: Any) -> None:
    page = open_question(
        SLIDER, {"question": "How good?", "low_label": "bad", "high_label": "good"}, (item("a"),)
    )
    assert press(page, "8", "5", CONTINUE) <= 4
    assert answered(page) == {"value": ["85"]}
    assert sent(page) == 1


def test_citations_are_chosen_by_digits_and_none_by_zero(open_question: Any) -> None:
    page = open_question(CITATION_RECOVERY, {}, (item("a"),), passage=1)
    press(page, "1", "3")
    assert answered(page) == {"sentences": ["0", "2"]}
    press(page, "0")
    assert answered(page) == {"none": ["on"]}
    press(page, "Backspace")
    assert answered(page) == {"sentences": ["0", "2"]}
    press(page, "Backspace", "Backspace")
    assert answered(page) == {}


def long_item(number: int) -> Item:
    return Item(
        key="a", system="a", sentences=tuple(Sentence(text=f"No. {i}.") for i in range(number))
    )


def test_a_digit_shows_a_sentence_out_of_view_and_chooses_it_when_pressed_again(
    open_question: Any,
) -> None:
    page = open_question(CITATION_RECOVERY, {}, (long_item(9),), passage=1)
    page.set_viewport_size({"width": 600, "height": 320})
    ninth = page.locator("#sentence-8")
    expect(ninth).not_to_be_in_viewport()
    press(page, "9")
    assert answered(page) == {}
    expect(page.locator("label", has=ninth)).to_be_in_viewport(ratio=1)
    expect(ninth).to_be_focused()  # which is read out
    press(page, "9")
    assert answered(page) == {"sentences": ["8"]}
    press(page, "1")
    assert answered(page) == {"sentences": ["8"]}
    press(page, "1")
    assert answered(page) == {"sentences": ["0", "8"]}


def test_an_answer_behind_the_bar_is_out_of_view(open_question: Any) -> None:
    page = open_question(CITATION_RECOVERY, {}, (item("a"),), passage=1)
    page.evaluate(
        """() => { const bar = document.createElement("div");
        bar.setAttribute("style", "position: fixed; inset: 0 0 auto; height: 60%; background: red");
        document.querySelector("label[for=sentence-1]").scrollIntoView();
        document.body.append(bar); }"""
    )
    press(page, "2")
    assert answered(page) == {}
    press(page, "2")
    assert answered(page) == {"sentences": ["1"]}


def test_a_scale_out_of_view_is_shown_before_a_digit_counts(open_question: Any) -> None:
    options = {"criteria": [SCALE], "per_sentence": True}
    page = open_question(LIKERT, options, (long_item(1),))
    page.set_viewport_size({"width": 600, "height": 320})
    page.evaluate("document.querySelector('.answering').style.marginBlockStart = '1000px'")
    press(page, "4")
    assert answered(page) == {}
    press(page, "4")
    assert [values for name, values in answered(page).items() if "clear" in name] == [["4"]]


def test_enter_in_the_list_chooses_and_never_sends(open_question: Any) -> None:
    page = open_question(CITATION_RECOVERY, {}, (item("a"),), passage=1)
    press(page, "ArrowDown", "Enter", "ArrowDown", "Enter")
    assert answered(page) == {"sentences": ["0", "1"]}
    assert sent(page) == 0


def test_what_ranks_and_orders_show_follows_what_was_undone(open_question: Any) -> None:
    page = open_question(RANKING, {"criteria": criteria(1)}, (item("a"), item("b"), item("c")))
    press(page, "B", "A")
    assert page.locator(".rank-pool .rank-chip").count() == 1
    press(page, "Backspace")
    assert page.locator(".rank-pool .rank-chip").count() == 2
    assert answered(page)["rank-c0-A"] == [""]


def test_keys_belong_to_a_field_that_has_the_focus(open_question: Any) -> None:
    page = open_question(CITATION_RECOVERY, {}, (item("a"),), passage=1)
    page.locator("summary").first.focus()
    press(page, "1", "Backspace", "v")
    assert answered(page) == {}
    assert not page.locator("details.evidence").get_attribute("open")


def test_v_leads_to_the_evidence_and_back(open_question: Any) -> None:
    page = open_question(CITATION_RECOVERY, {}, (item("a"),), passage=1)
    page.set_viewport_size({"width": 600, "height": 800})
    passage = page.locator(".passages .passage--asked")
    expect(passage).not_to_be_in_viewport()
    page.locator("#sentence-1").focus()
    press(page, "v")
    expect(passage).to_be_in_viewport()
    assert page.evaluate("document.activeElement.className") == "passages"
    press(page, "v")
    expect(passage).not_to_be_in_viewport()
    assert page.evaluate("document.activeElement.id") == "sentence-1"
