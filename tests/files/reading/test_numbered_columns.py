"""Whose answers numbered columns hold: one person's each, or anybody's."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from files.readers.raw_tables import raw_tables
from files.reading.proposal_parts import Proposal
from files.reading.proposals import Stated, proposed

RNG = random.Random(11)
Row = Callable[[int], Sequence[object]]


def full(number: int) -> Sequence[object]:
    return [1 + (number + RNG.randint(0, 1)) % 5 for _ in range(3)]


def packed(number: int) -> Sequence[object]:
    """Every other row lacks the last answer."""
    return [*full(number)[: 2 + number % 2], ""][:3]


def apart(number: int) -> Sequence[object]:
    """Each of three people lacks some rows."""
    cells = [*full(number)]
    cells[number % 3] = ""
    return cells


def of_columns(folder: Path, names: str, row: Row, stated: Stated | None = None) -> Proposal:
    lines = [f"item,{names}", *(",".join(map(str, (f"i{n}", *row(n)))) for n in range(30))]
    path = folder / "table.csv"
    path.write_text("\n".join(lines) + "\n")
    return proposed(raw_tables([path]), stated)


def numbers_people(proposal: Proposal) -> bool:
    return proposal.reading.tables[0].numbered_raters


@pytest.mark.parametrize(
    "names", ["rating_1,rating_2,rating_3", "1,2,3", "turker1,turker2,turker3"]
)
def test_numbers_beside_nobody_s_name_are_anybody_s(tmp_path: Path, names: str) -> None:
    proposal = of_columns(tmp_path, names, full)
    assert numbers_people(proposal)
    assert "by raters without a name" in proposal.sentence


def test_one_may_say_that_the_same_people_stand_in_each_column(tmp_path: Path) -> None:
    names = "rating_1,rating_2,rating_3"
    (question,) = of_columns(tmp_path, names, full).questions
    assert [c.key for c in question.choices] == ["anybody", "rater", "criterion", "system"]
    stated = Stated(decided={"columns": "rater"})
    assert not numbers_people(of_columns(tmp_path, names, full, stated))


def test_gaps_between_answers_show_that_people_keep_their_columns(tmp_path: Path) -> None:
    proposal = of_columns(tmp_path, "rating_1,rating_2,rating_3", apart)
    assert not numbers_people(proposal)
    assert "anybody" not in {c.key for question in proposal.questions for c in question.choices}


@pytest.mark.parametrize("names", ["ann1,ann2,ann3", "expert_1,expert_2,expert_3"])
def test_columns_called_by_people_are_theirs_unless_rows_are_filled_from_the_first_on(
    tmp_path: Path, names: str
) -> None:
    assert not of_columns(tmp_path, names, full).questions
    (question,) = of_columns(tmp_path, names, packed).questions
    assert [(c.key, c.flags) for c in question.choices] == [
        ("rater", "--decide people=rater"),
        ("anybody", "--decide people=anybody"),
    ]
    told = [choice.reading.tables[0].numbered_raters for choice in question.choices]
    assert told == [False, True]


def test_a_list_of_answers_is_anybody_s_and_the_flag_that_says_otherwise_is_told(
    tmp_path: Path,
) -> None:
    path = tmp_path / "lists.json"
    rows = [f'{{"item": {n}, "outputs": {{"bart": {{"fluency": {full(n)}}}, "t5": {{"fluency": '
            f"{full(n)}}}}}}}" for n in range(30)]  # fmt: skip
    path.write_text(f"[{','.join(rows)}]")
    proposal = proposed(raw_tables([path]))
    assert not proposal.questions
    assert numbers_people(proposal)
    assert [r.flags for r in proposal.remarks if r.key == "taken-people"] == [
        "--decide people=rater"
    ]
    stated = Stated(decided={"people": "rater"})
    assert not numbers_people(proposed(raw_tables([path]), stated))
