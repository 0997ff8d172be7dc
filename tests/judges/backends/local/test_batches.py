"""Inputs become batches: like lengths together, equal inputs once."""

from hypothesis import given
from hypothesis import strategies as st

from judges.backends.local.batches import ResultCache, in_batches


def test_the_longest_come_first_and_a_batch_holds_what_fits_when_padded() -> None:
    # 9 alone (18 > 12), 6 with 5 (2 x 6), 4 with 3 and 2 (3 x 4)
    assert list(in_batches([3, 9, 5, 2, 6, 4], budget=12)) == [[1], [4, 2], [5, 0, 3]]


def test_an_input_longer_than_the_budget_goes_alone() -> None:
    assert list(in_batches([50, 60], budget=12)) == [[1], [0]]


@given(st.lists(st.integers(0, 300)), st.integers(1, 2000))
def test_every_input_is_in_one_batch_and_none_is_over_budget(
    lengths: list[int], budget: int
) -> None:
    batches = list(in_batches(lengths, budget=budget))
    assert sorted(at for batch in batches for at in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[at] for at in batch)
        assert len(batch) == 1 or len(batch) * longest <= budget


def test_an_input_that_occurs_twice_is_computed_once() -> None:
    asked: list[list[str]] = []

    def upper(texts: list[str]) -> list[str]:
        asked.append(texts)
        return [text.upper() for text in texts]

    memory: ResultCache[str, str] = ResultCache(3)
    assert memory.results(["a", "b", "a"], upper) == ["A", "B", "A"]
    assert memory.results(["b", "c"], upper) == ["B", "C"]
    assert asked == [["a", "b"], ["c"]]
    assert memory.computed == 3


def test_only_the_newest_results_are_kept() -> None:
    memory: ResultCache[int, int] = ResultCache(2)
    assert memory.results([1, 2, 3], lambda new: new) == [1, 2, 3]
    assert list(memory.kept) == [2, 3]
    memory.results([2], lambda new: new)
    memory.results([4], lambda new: new)
    assert list(memory.kept) == [2, 4]
