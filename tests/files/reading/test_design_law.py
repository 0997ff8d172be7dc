"""The law by which designs are compared."""

from dataclasses import replace
from pathlib import Path

from tests.files.reading.designs.design import drawn
from tests.files.reading.designs.grids import EVERY
from tests.files.reading.designs.law import Placed, difference
from tests.files.reading.designs.trials import files_of, trials


def answers(seed: int = 7) -> list[Placed]:
    return [
        Placed(a.source, (a.source, a.system), a.system, a.rater, a.criterion, a.value)
        for a in drawn(seed, odd=False).judged()
    ]


def test_answers_in_another_order_and_under_other_names_are_the_same() -> None:
    renamed = [
        a._replace(source=a.source[::-1], system=f"s {a.system}", criterion=a.criterion.upper())
        for a in reversed(answers())
    ]
    assert not difference(renamed, answers(), EVERY)


def test_raters_taken_for_criteria_are_another_design() -> None:
    exchanged = [a._replace(rater=a.criterion, criterion=str(a.rater)) for a in answers()]
    assert difference(exchanged, answers(), EVERY)


def test_one_answer_given_to_somebody_else_is_another_design() -> None:
    right = answers()
    first = right[0]
    other = next(a for a in right if a.rater != first.rater and a.value != first.value)
    swapped = [first._replace(value=other.value), *right[1:]]
    assert difference(swapped, right, EVERY)


def test_one_answer_less_is_another_design() -> None:
    assert "answers, not" in difference(answers()[1:], answers(), EVERY)


def test_a_seed_makes_the_same_files_again(tmp_path: Path) -> None:
    trial = replace(trials([0])[0], seed=31, shape="wide by annotator")
    made = []
    for name in "ab":
        (tmp_path / name).mkdir()
        (path,), _ = files_of(trial, tmp_path / name)
        made.append((path.name, path.stat().st_size))
    assert made[0] == made[1]
