from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict

from tasktypes.facets import ItemName
from tasktypes.machines.replies import ReplyError
from tasktypes.pairwise import PAIRWISE
from tasktypes.pairwise.form import PairwiseForm
from tasktypes.pairwise.schema import Answer, Options, Payload
from tasktypes.texts.material import Item, Sentence, Source

SOURCE = Source(key="pier", claim="The pier was sold.", verdict="false")
ITEMS = [
    Item(key=f"pier/{system.lower()}", system=system, sentences=(Sentence(text=text),))
    for system, text in (("Alder", "It was not."), ("Birch", "It was."), ("Cedar", "No."))
]
NAMES = [ItemName("pier/alder", "Alder"), ItemName("pier/birch", "Birch")]


def payload(*, swapped: bool = True, **options: Any) -> Payload:
    focus = {"order": [1, 0] if swapped else [0, 1]}
    return PAIRWISE.payload(SOURCE, ITEMS[:2], focus, Options.model_validate(options))


def form(question: Payload, choice: str | None) -> PairwiseForm:
    posted = {} if choice is None else {"preferred-preference": [choice]}
    return PairwiseForm(question, MultiValueDict(posted))


def prefers(choice: Any) -> Answer:
    return Answer(preferred={"preference": choice})


def test_every_pair_is_a_unit_and_one_of_them_the_sample() -> None:
    plans = list(PAIRWISE.plan(SOURCE, ITEMS, Options(), seed=1))
    assert [[item.system for item in plan.items] for plan in plans] == [
        ["Alder", "Birch"],
        ["Alder", "Cedar"],
        ["Birch", "Cedar"],
    ]
    assert [plan.suffix for plan in plans] == ["0-1", "0-2", "1-2"]
    assert sum("sample" in plan.subsets for plan in plans) == 1
    assert all("full" in plan.subsets for plan in plans)


def test_two_items_are_one_unit_and_one_is_none() -> None:
    (unit,) = PAIRWISE.plan(SOURCE, ITEMS[:2], Options(), seed=1)
    assert (unit.suffix, unit.subsets) == ("", ("full", "sample"))
    assert list(PAIRWISE.plan(SOURCE, ITEMS[:1], Options(), seed=1)) == []


def test_the_seed_swaps_the_sides_about_every_other_time() -> None:
    def is_swapped(number: int) -> bool:
        items = [item.model_copy(update={"key": f"{number}/{item.key}"}) for item in ITEMS[:2]]
        (unit,) = PAIRWISE.plan(SOURCE, items, Options(), seed=1)
        return bool(unit.focus["order"] == [1, 0])

    assert 160 < sum(map(is_swapped, range(400))) < 240  # 200 expected, sd 10


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_comparison_is_about_two_items(count: int) -> None:
    with pytest.raises(ValueError, match=f"items: a comparison needs two, not {count}"):
        PAIRWISE.payload(SOURCE, ITEMS[:count], {}, Options())


def test_nobody_is_shown_who_wrote_which_text() -> None:
    html = render_to_string(PAIRWISE.template, {"form": PairwiseForm(payload())})
    for shown in (payload().model_dump_json(), html, PAIRWISE.prompt(payload())):
        assert "Birch" not in shown
        assert "pier/" not in shown


@pytest.mark.parametrize(
    ("swapped", "choice", "preferred", "label"),
    [
        (True, "A", "second", "Birch"),
        (True, "B", "first", "Alder"),
        (False, "A", "first", "Alder"),
        (False, "B", "second", "Birch"),
        (True, "tie", "tie", "tie"),
    ],
)
def test_a_side_chosen_is_stored_as_the_item_and_rated_as_its_system(
    swapped: bool, choice: str, preferred: str, label: str
) -> None:
    question = payload(swapped=swapped)
    filled = form(question, choice)
    assert filled.is_valid()
    assert filled.answer() == prefers(preferred)
    (rating,) = PAIRWISE.ratings(question, filled.answer())
    assert rating.named(NAMES).value == label


def test_items_of_one_system_are_told_apart_by_their_keys() -> None:
    (rating,) = PAIRWISE.ratings(payload(), prefers("second"))
    for system in ("Alder", ""):
        names = [ItemName("pier/1", system), ItemName("pier/2", system)]
        assert rating.named(names).value == "pier/2"


def test_without_ties_one_of_the_two_must_be_preferred() -> None:
    question = payload(ties=False)
    assert "About the same" not in render_to_string(
        PAIRWISE.template, {"form": PairwiseForm(question)}
    )
    assert form(question, "tie").has_error("preferred-preference", "invalid_choice")
    with pytest.raises(ValueError, match=r"preferred\.preference: a tie is no answer"):
        PAIRWISE.check(question, prefers("tie"))
    with pytest.raises(ReplyError, match="a tie is no answer"):
        PAIRWISE.parse_reply(question, '{"preferred": {"preference": "tie"}}')


@pytest.mark.parametrize("choice", [None, "", "C", "first", "a"])
def test_no_choice_and_a_strange_one_are_refused_at_the_field(choice: str | None) -> None:
    filled = form(payload(), choice)
    assert list(filled.errors) == ["preferred-preference"]
    html = render_to_string(PAIRWISE.template, {"form": filled})
    assert 'aria-describedby="preferred-preference-errors"' in html


@pytest.mark.parametrize(
    ("preferred", "reason"),
    [
        ({}, "preferred.preference: missing"),
        ({"preference": "first", "style": "first"}, "preferred.style: there is no such"),
    ],
)
def test_an_answer_has_every_criterion_and_no_other(preferred: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        PAIRWISE.check(payload(), Answer(preferred=preferred))


@pytest.mark.parametrize(
    ("swapped", "reply", "preferred"), [(True, "A", "second"), (False, "A", "first")]
)
def test_a_reply_by_letters_is_stored_by_items(swapped: bool, reply: str, preferred: str) -> None:
    question = payload(swapped=swapped)
    answer = PAIRWISE.parse_reply(question, f'{{"preferred": {{"preference": "{reply}"}}}}')
    assert answer == prefers(preferred)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"preferred": {"preference": "C"}}', "preferred.preference"),
        ('{"preferred": {"preference": "first"}}', "preferred.preference"),
        ('{"preferred": {"preference": ["A"]}}', "preferred.preference"),
        ('{"preferred": {}}', "missing"),
        ('{"preferred": "A"}', "preferred"),
        ("A", "no JSON object"),
    ],
)
def test_a_reply_without_a_letter_is_no_answer(reply: str, reason: str) -> None:
    with pytest.raises(ReplyError, match=reason):
        PAIRWISE.parse_reply(payload(), reply)
