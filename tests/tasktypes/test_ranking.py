from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from hypothesis import given
from hypothesis import strategies as st

from tasktypes.machines.replies import ReplyError
from tasktypes.ranking import RANKING
from tasktypes.ranking.form import RankingForm
from tasktypes.ranking.ranks import competition, tied
from tasktypes.ranking.schema import Answer, Options, Payload
from tasktypes.texts.material import Item, Sentence, Source

SOURCE = Source(key="pier", claim="The pier was sold.", verdict="false")
ITEMS = [
    Item(key=f"pier/{system.lower()}", system=system, sentences=(Sentence(text=text),))
    for system, text in (("Alder", "It was not."), ("Birch", "It was."), ("Cedar", "No."))
]
TWO: dict[str, Any] = {
    "criteria": [
        {"key": "coverage", "question": "Which covers most?"},
        {"key": "overall", "question": "Which is best?"},
    ]
}
ranks = st.lists(st.integers(1, 6), min_size=1, max_size=6)


def payload(order: tuple[int, ...] = (2, 0, 1), **options: Any) -> Payload:
    focus = {"order": list(order)}
    return RANKING.payload(SOURCE, ITEMS, focus, Options.model_validate(options))


def form(question: Payload, **posted: str) -> RankingForm:
    data = {f"rank-{name.replace('_', '-')}": [value] for name, value in posted.items()}
    return RankingForm(question, MultiValueDict(data))


# --- Ranks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entered", "numbered"),
    [
        ((1, 2, 3), (1, 2, 3)),
        ((3, 1, 2), (3, 1, 2)),
        ((1, 2, 2), (1, 2, 2)),
        ((1, 3, 3), (1, 2, 2)),
        ((1, 1, 2), (1, 1, 3)),
        ((2, 2, 2), (1, 1, 1)),
        ((2, 3, 4), (1, 2, 3)),
        ((4, 1, 1, 3), (4, 1, 1, 3)),
        ((), ()),
    ],
)
def test_ranks_are_renumbered_as_in_a_competition(
    entered: tuple[int, ...], numbered: tuple[int, ...]
) -> None:
    assert competition(entered) == numbered


@given(ranks)
def test_renumbering_keeps_the_order_and_the_ties(entered: list[int]) -> None:
    numbered = competition(entered)
    assert competition(numbered) == numbered
    pairs = list(zip(entered, numbered, strict=True))
    assert all((a < b) == (x < y) for a, x in pairs for b, y in pairs)
    assert all(1 <= rank <= len(entered) for rank in numbered)


def test_those_who_share_a_rank_are_named_together() -> None:
    assert tied([2, 1, 2]) == ((0, 2),)
    assert tied([3, 1, 1, 3]) == ((1, 2), (0, 3))
    assert tied([1, 2, 3]) == ()


# --- Units and payloads -------------------------------------------------------------------------


def test_a_source_makes_one_unit_in_an_order_that_is_stored() -> None:
    (unit,) = RANKING.plan(SOURCE, ITEMS, Options(), seed=5)
    assert unit.items == tuple(ITEMS)
    assert sorted(unit.focus["order"]) == [0, 1, 2]
    question = RANKING.payload(SOURCE, ITEMS, unit.focus, Options(seed=9))
    assert [one.item for one in question.candidates] == unit.focus["order"]


def test_a_single_item_makes_no_unit_and_no_question() -> None:
    assert list(RANKING.plan(SOURCE, ITEMS[:1], Options(), seed=5)) == []
    with pytest.raises(ValueError, match="items: a ranking needs two or more, not 1"):
        RANKING.payload(SOURCE, ITEMS[:1], {}, Options())


def test_nobody_is_shown_who_wrote_which_text() -> None:
    question = payload(**TWO)
    html = render_to_string(RANKING.template, {"form": RankingForm(question)})
    for shown in (question.model_dump_json(), html, RANKING.prompt(question)):
        assert "Cedar" not in shown
        assert "pier/" not in shown


def test_the_page_and_the_fields_do_not_tell_the_stored_order() -> None:
    """Items are often stored by system, so their positions would give systems away."""
    one, other = payload((2, 0, 1)), payload((0, 1, 2))
    names = [list(RankingForm(question).fields) for question in (one, other)]
    assert names[0] == names[1]


def test_the_verdicts_are_explained_to_people_and_machines() -> None:
    question = payload(verdicts={"false": "It is wrong.", "true": "It is right."})
    html = render_to_string(RANKING.template, {"form": RankingForm(question)})
    for shown in (html, RANKING.prompt(question)):
        assert "It is wrong." in shown
        assert "It is right." in shown
    assert question.verdict_means == "It is wrong."


# --- Answers and ratings ------------------------------------------------------------------------


def test_the_answer_keeps_what_was_entered_and_ratings_are_renumbered() -> None:
    answer = Answer(ranks={"overall": (1, 3, 3)})
    RANKING.check(payload(), answer)
    ratings = RANKING.ratings(payload(), answer)
    assert [(one.facet, one.value, one.element_item) for one in ratings] == [
        ("overall", 1.0, 0),
        ("overall", 2.0, 1),
        ("overall", 2.0, 2),
    ]
    assert answer.ranks == {"overall": (1, 3, 3)}


def test_a_block_may_keep_the_ranks_as_they_were_entered() -> None:
    question = payload(numbering="as_entered")
    ratings = RANKING.ratings(question, Answer(ranks={"overall": (1, 3, 3)}))
    assert [one.value for one in ratings] == [1.0, 3.0, 3.0]


def test_where_a_text_was_shown_does_not_change_its_rating() -> None:
    answer = Answer(ranks={"overall": (1, 2, 3)})
    assert RANKING.ratings(payload((0, 1, 2)), answer) == RANKING.ratings(payload(), answer)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "ranks.overall: missing"),
        ({"overall": (1, 2, 3), "style": (1, 2, 3)}, "ranks.style: there is no such criterion"),
        ({"overall": (1, 2)}, "ranks.overall: 2 ranks for 3 texts"),
        ({"overall": (1, 2, 3, 3)}, "ranks.overall: 4 ranks for 3 texts"),
        ({"overall": (0, 1, 2)}, "ranks.overall: 0 is not a rank from 1 to 3"),
        ({"overall": (1, 2, 4)}, "ranks.overall: 4 is not a rank from 1 to 3"),
    ],
)
def test_ranks_that_are_missing_or_out_of_range_are_refused(given: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        RANKING.check(payload(), Answer(ranks=given))


@pytest.mark.parametrize("rank", ["1", 1.5, 1.0, True, None])
def test_a_rank_is_a_whole_number(rank: Any) -> None:
    with pytest.raises(ValueError, match=r"ranks\.overall\.0"):
        Answer.model_validate({"ranks": {"overall": [rank, 2, 3]}})


def test_on_a_control_the_order_counts_and_not_its_numbers() -> None:
    right = Answer(ranks={"overall": (1, 2, 2)})
    assert RANKING.is_right(payload(), Answer(ranks={"overall": (1, 3, 3)}), right)
    assert not RANKING.is_right(payload(), Answer(ranks={"overall": (1, 2, 3)}), right)


# --- The form -----------------------------------------------------------------------------------


def test_a_form_stores_ranks_in_the_order_of_the_unit() -> None:
    filled = form(payload(), overall_A="3", overall_B="1", overall_C="1")  # Cedar, Alder, Birch
    assert filled.is_valid()
    assert filled.answer() == Answer(ranks={"overall": (1, 1, 3)})


def test_a_tie_is_called_by_its_name() -> None:
    html = render_to_string(
        RANKING.template, {"form": form(payload(), overall_A="2", overall_B="1", overall_C="2")}
    )
    assert "A and C: same rank" in html


def test_a_missing_rank_is_named_at_its_field_and_the_others_stay() -> None:
    half = form(payload(), overall_A="2", overall_B="")
    assert not half.is_valid()
    assert set(half.errors) == {"rank-overall-B", "rank-overall-C"}
    html = render_to_string(RANKING.template, {"form": half})
    assert '<option value="2" selected>' in html
    assert 'aria-describedby="rank-overall-B-errors"' in html
    assert 'aria-describedby="rank-overall-A-errors"' not in html


@pytest.mark.parametrize("rank", ["0", "4", "-1", "1.0", "first"])
def test_a_rank_out_of_range_is_refused_at_its_field(rank: str) -> None:
    filled = form(payload(), overall_A=rank, overall_B="1", overall_C="2")
    assert list(filled.errors) == ["rank-overall-A"]
    assert "from 1 to 3" in str(filled.errors["rank-overall-A"])
    assert render_to_string(RANKING.template, {"form": filled})


# --- Machines -----------------------------------------------------------------------------------


def test_a_reply_by_letters_is_stored_by_items() -> None:
    reply = '{"ranks": {"overall": {"A": 3, "B": 1, "C": 2}}}'
    assert RANKING.parse_reply(payload(), reply) == Answer(ranks={"overall": (1, 2, 3)})


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"ranks": {"overall": {"A": 1, "B": 2}}}', "ranks.overall.C: missing"),
        ('{"ranks": {"overall": {"A": 1, "B": 2, "C": 3, "D": 4}}}', "ranks.overall.D"),
        ('{"ranks": {"overall": {"A": 1, "B": 2, "C": 4}}}', "4 is not a rank"),
        ('{"ranks": {"overall": {"A": 1, "B": 2, "C": "3"}}}', "ranks.overall.C"),
        ('{"ranks": {"overall": {"A": 1, "B": 2, "C": 2.0}}}', "ranks.overall.C"),
        ('{"ranks": {"overall": [1, 2, 3]}}', "ranks.overall"),
        ('{"ranks": {"best": {"A": 1, "B": 2, "C": 3}}}', "ranks.overall: missing"),
        ("B > A > C", "no JSON object"),
    ],
)
def test_a_reply_that_ranks_not_everything_is_no_answer(reply: str, reason: str) -> None:
    with pytest.raises(ReplyError, match=reason):
        RANKING.parse_reply(payload(), reply)
