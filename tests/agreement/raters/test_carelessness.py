"""Signs of careless answers: by hand, from published tables, by counting, and their laws."""

from itertools import groupby, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import reading_rate, relative_speed, resemblance, run_p_value, shingles

FAIR = {"head": 0.5, "tail": 0.5}


def test_relative_speed_by_hand() -> None:
    # 10/5 = 2, 10/20 = 1/2, and 10/1 = 10 counts as 3: (2 + 1/2 + 3) / 3 = 11/6
    assert relative_speed([5, 20, 1], [10, 10, 10]) == pytest.approx(11 / 6)
    assert relative_speed([7, 9], [7, 9]) == 1


@pytest.mark.parametrize(
    ("own", "usual"), [([], []), ([1], [1, 2]), ([0], [1]), ([1], [0]), ([float("nan")], [1])]
)
def test_without_times_there_is_no_speed(own: list[float], usual: list[float]) -> None:
    with pytest.raises(ValueError, match="seconds"):
        relative_speed(own, usual)


@given(st.lists(st.floats(0.1, 1e4), min_size=1, max_size=9), st.floats(0.01, 100))
def test_speed_has_no_unit_and_a_slower_person_is_never_faster(
    own: list[float], factor: float
) -> None:
    usual = [10.0] * len(own)
    speed = relative_speed(own, usual)
    scaled = relative_speed([factor * one for one in own], [factor * one for one in usual])
    assert scaled == pytest.approx(speed)
    assert relative_speed([2 * one for one in own], usual) <= speed
    assert 0 < speed <= 3
    assert relative_speed(own[::-1], usual) == pytest.approx(speed)


def test_reading_rate_by_hand_and_as_published() -> None:
    assert reading_rate(100, 30) == 200
    # Brysbaert (2019): 238 words in a minute of silent reading.
    assert reading_rate(238, 60) == 238
    with pytest.raises(ValueError, match="seconds"):
        reading_rate(10, 0)


def test_a_run_by_hand() -> None:
    # Two fair answers are equal in 2 of 4 cases; of three, two in a row are in 6 of 8.
    assert run_p_value(2, [FAIR] * 2) == 1 / 2
    assert run_p_value(2, [FAIR] * 3) == 3 / 4
    assert run_p_value(1, [FAIR]) == 1
    assert run_p_value(3, [FAIR] * 2) == 0
    # Where everybody says the same, a run is no surprise.
    assert run_p_value(3, [{"yes": 1.0}] * 3) == pytest.approx(1)
    # Only one of the two is named: what is left begins no run. 0.5 ** 2.
    assert run_p_value(2, [{"head": 0.5}] * 2) == 1 / 4


def test_runs_of_heads_as_published() -> None:
    # Schilling (1990): of the 2 ** n sequences, so many have no more than 3 heads in a row.
    for n, without in enumerate([1, 2, 4, 8, 15, 29, 56, 108, 208]):
        if n:
            chance = run_p_value(4, [{"head": 0.5}] * n)
            assert chance == pytest.approx(1 - without / 2**n)


def test_runs_equal_counting_every_sequence() -> None:
    draw = Random(3)
    for n, longest in product(range(1, 7), range(1, 5)):
        chances = []
        for _ in range(n):
            weights = [draw.random() for _ in "abc"]
            chances.append(dict(zip("abc", (one / sum(weights) for one in weights), strict=True)))
        counted = 0.0
        for sequence in product("abc", repeat=n):
            p = 1.0
            for name, each in zip(sequence, chances, strict=True):
                p *= each[name]
            counted += p * (max(len([*same]) for _, same in groupby(sequence)) >= longest)
        assert run_p_value(longest, chances) == pytest.approx(counted)
        assert run_p_value(longest, chances[::-1]) == pytest.approx(counted)
        assert run_p_value(longest + 1, chances) <= run_p_value(longest, chances) + 1e-12


def test_chances_that_are_none_are_refused() -> None:
    for chances in ([{"a": 0.7, "b": 0.7}], [{"a": -0.1}]):
        with pytest.raises(ValueError, match="probabilities"):
            run_p_value(1, chances)
    with pytest.raises(ValueError, match="run"):
        run_p_value(0, [FAIR])


def test_resemblance_by_hand_and_as_published() -> None:
    # a b c d e / a b c d f: abc, bcd shared; cde and cdf not. 2 of 4.
    assert resemblance(shingles("a b c d e"), shingles("A b, c d f.")) == 1 / 2
    # Broder (1997): "a rose is a rose is a rose" has, of four words, three different shingles; of
    # three words they are a-rose-is, rose-is-a, is-a-rose.
    assert len(shingles("a rose is a rose is a rose")) == 3
    assert resemblance(shingles(""), shingles("")) == 0
    assert resemblance(shingles("没有提到"), shingles("没有提到。")) == 1
    assert 0 < resemblance(shingles("文中没有提到这一点"), shingles("文中没有提到那一点")) < 1


@given(
    st.lists(st.sampled_from("abcd"), max_size=12), st.lists(st.sampled_from("abcd"), max_size=12)
)
def test_resemblance_is_symmetric_and_1_for_the_same(one: list[str], two: list[str]) -> None:
    first, second = shingles(" ".join(one)), shingles(" ".join(two))
    assert resemblance(first, second) == resemblance(second, first)
    assert resemblance(first, first) == bool(one)
    # Counted by another way: of all distinct ones, those in both.
    every = [*first, *[each for each in second if each not in first]]
    both = [each for each in every if each in first and each in second]
    assert resemblance(first, second) == (len(both) / len(every) if first and second else 0)
