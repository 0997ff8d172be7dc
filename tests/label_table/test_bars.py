from pathlib import Path

import pytest

from files.errors import ImportFailure
from label_table.bars import FINE, MISSED, UNTOLD, Bar, hold, status_of
from label_table.check import Check
from tests.label_table.tables import checked, wide


@pytest.fixture
def check(tmp_path: Path) -> Check:
    return checked(wide(tmp_path, human_1="yynn", human_2="yynn", gpt="ynnn", claude="yynn"))


def test_a_bar_is_for_people_and_every_judge_or_for_those_who_are_named(check: Check) -> None:
    held = hold(check, Bar(0.9))
    assert [each.row.raters for each in held] == ["humans", "humans~claude", "humans~gpt"]
    assert [each.status for each in held] == [FINE, FINE, MISSED]
    assert status_of(held) == MISSED
    (only,) = hold(check, Bar(0.9, judges=("claude",)))
    assert only.status == FINE
    assert only.text == "krippendorff_alpha_nominal of humans~claude is 1.0000, at least 0.9"


def test_a_figure_on_the_bar_reaches_it(check: Check) -> None:
    # One of the two that people call y.
    (held,) = hold(check, Bar(0.5, "true_positive_rate", ("gpt",)))
    assert held.status == FINE


def test_where_lower_is_better_the_bar_is_above(check: Check) -> None:
    (held,) = hold(check, Bar(0.1, "agreement_gap", ("gpt",), above=False))
    assert held.status == MISSED
    assert held.text == "agreement_gap of humans~gpt is 0.2500, above 0.1"
    with pytest.raises(ImportFailure, match="lower is better; use --fail-over"):
        hold(check, Bar(0.1, "agreement_gap", ("gpt",)))


def test_an_undefined_figure_is_neither_reached_nor_missed(tmp_path: Path) -> None:
    check = checked(wide(tmp_path, human_1="yyyy", human_2="yyyy", gpt="yyyn"))
    held = hold(check, Bar(0.5))
    assert status_of(held) == UNTOLD
    assert "is undefined: " in held[0].text


def test_a_bar_of_several_labels_is_for_each_of_them(tmp_path: Path) -> None:
    check = checked(wide(tmp_path, human_1="abcabc", human_2="abcabc", gpt="abcaba"))
    held = hold(check, Bar(0.9, "true_positive_rate"))
    assert [(each.row.group["label"], each.status) for each in held] == [
        ("a", FINE),
        ("b", FINE),
        ("c", MISSED),
    ]


@pytest.mark.parametrize(
    ("bar", "reason"),
    [
        (Bar(0.5, "krippendorf_alpha_nominal"), "do you mean krippendorff_alpha_nominal"),
        (Bar(0.5, judges=("llama",)), r"no judge 'llama' \(there are: claude, gpt\)"),
        (Bar(0.5, "pearson"), "no pearson of people or judges in this table"),
    ],
)
def test_a_bar_for_nothing_is_refused(check: Check, bar: Bar, reason: str) -> None:
    with pytest.raises(ImportFailure, match=reason):
        hold(check, bar)
