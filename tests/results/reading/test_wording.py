"""Numbers, counts and lists as sentences have them."""

from agreement import Estimate
from results.reading.wording import counted, interval, listed, number, percent, plain, readers

DRAWN = Estimate(value=0.5, interval_method="jackknife over 9 clusters and 3 raters")


def test_numbers_keep_two_decimals_or_one_on_a_long_scale() -> None:
    assert [number(value) for value in (0.514, -0.2, 61.46, 0.001)] == [
        "0.51",
        "−0.20",
        "61.5",
        "0",
    ]
    assert interval(Estimate(value=61.0, low=9.5, high=80.0)) == "9.5 to 80.0"


def test_shares_that_are_not_quite_nothing_or_all_are_not_called_so() -> None:
    shares = [plain(percent(share)) for share in (0.0, 0.001, 0.36, 0.999, 1.0)]
    assert shares == ["0 %", "under 1 %", "36 %", "over 99 %", "100 %"]


def test_things_are_counted_and_listed() -> None:
    assert [counted(n, "unit") for n in (1, 2514)] == ["1 unit", "2,514 units"]
    assert counted(2, "batch is", "batches are") == "2 batches are"
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([*"abcdef"], 2) == "a, b and 4 more"


def test_a_sentence_names_whom_it_holds_for() -> None:
    assert readers(Estimate(value=0.5)) == "these raters"
    assert readers(Estimate(value=0.5), "3 people") == "these 3 people"
    assert readers(DRAWN) == "raters like these"
    assert readers(DRAWN, "3 people") == "3 people and others like them"
