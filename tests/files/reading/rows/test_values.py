"""What cells say on a scale."""

from typing import Any

import pytest

from files.reading.model import AnswersReading
from files.reading.rows.values import AnswerWords, NoAnswer


def words(**rules: Any) -> AnswerWords:
    return AnswerWords(AnswersReading(criterion="", **rules))


def test_numbers_within_the_ends_are_on_the_scale() -> None:
    scale = words(low=1, high=5)
    assert scale.value("4.5") == 4.5
    with pytest.raises(NoAnswer, match="7 is not on the scale from 1 to 5"):
        scale.value("7")


def test_a_word_means_a_value_and_another_none() -> None:
    scale = words(words={"2: Yes": 2, "1: Somewhat": 1, "N/A": None}, low=0, high=2)
    assert (scale.value("2: Yes"), scale.value("N/A"), scale.value("0")) == (2, None, 0)


def test_words_alone_are_all_that_can_be_answered() -> None:
    with pytest.raises(NoAnswer, match="'maybe' is none of 'good', 'bad'"):
        words(words={"good": 1, "bad": 0}).value("maybe")


def test_words_are_read_however_they_are_written_unless_that_tells_them_apart() -> None:
    assert words(words={"Strongly agree": 5}).value("strongly  AGREE") == 5
    cased = words(words={"a": 1, "A": 2})
    assert (cased.value("a"), cased.value("A")) == (1, 2)


def test_labels_are_kept_as_they_stand_and_one_number_is_one_label() -> None:
    labels = words(level="nominal")
    assert [labels.value(cell) for cell in ("pass", "1", "1.0")] == ["pass", "1", "1"]


def test_a_decimal_comma_is_read_only_where_the_reading_has_one() -> None:
    assert words(decimal_comma=True).value("3,5") == 3.5
    with pytest.raises(ValueError, match="with a point"):
        words(low=1, high=5).value("3,5")


@pytest.mark.parametrize("cell", ["", "NA", "n/a", "NaN", "null"])
def test_what_programs_write_for_nothing_is_empty(cell: str) -> None:
    assert words().is_empty(cell)
    assert not words(words={cell: 3}).is_empty(cell) or not cell
