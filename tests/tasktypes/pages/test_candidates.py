import itertools
from collections import Counter
from typing import Any

import pytest

from tasktypes.pages.candidates import Candidate, candidates, check_candidates, drawn
from tasktypes.texts.material import Item, Sentence


def items(*keys: str) -> list[Item]:
    return [Item(key=key, system="S", sentences=(Sentence(text=f"About {key}."),)) for key in keys]


def test_a_stored_order_is_the_order_shown() -> None:
    shown = candidates(items("a", "b", "c"), {"order": [2, 0, 1]}, seed=0)
    assert [(one.letter, one.item, one.text) for one in shown] == [
        ("A", 2, "About c."),
        ("B", 0, "About a."),
        ("C", 1, "About b."),
    ]


@pytest.mark.parametrize(
    "order", [[0, 1], [0, 1, 1], [0, 1, 3], [1, 2, 3], [0, 1, "2"], [0, 1, True], "012", 3, None]
)
def test_what_is_no_order_of_the_items_is_refused(order: Any) -> None:
    with pytest.raises(ValueError, match=r"focus\.order"):
        candidates(items("a", "b", "c"), {"order": order}, seed=0)


def test_more_items_than_letters_are_refused() -> None:
    with pytest.raises(ValueError, match="items"):
        candidates(items(*map(str, range(27))), {}, seed=0)


def test_without_a_stored_order_the_seed_draws_one() -> None:
    keys = items("a", "b", "c")
    assert candidates(keys, {}, seed=3) == candidates(keys, {"order": drawn(keys, seed=3)}, seed=0)
    assert candidates(keys, {}, seed=3) == candidates(keys, {"passage": 1}, seed=3)


def test_orders_come_up_about_equally_often() -> None:
    found = Counter(drawn(items(f"{n}/x", f"{n}/y", f"{n}/z"), seed=1) for n in range(1200))
    assert set(found) == set(itertools.permutations(range(3)))
    assert all(150 < count < 250 for count in found.values())  # 200 expected, sd 13


def test_another_seed_draws_other_orders() -> None:
    several = [items(f"{n}/x", f"{n}/y", f"{n}/z") for n in range(20)]
    assert [drawn(one, seed=1) for one in several] != [drawn(one, seed=2) for one in several]


@pytest.mark.parametrize(
    "shown",
    [
        [("A", 0), ("B", 0)],
        [("A", 0), ("B", 2)],
        [("A", 0), ("A", 1)],
    ],
)
def test_candidates_are_each_item_once_under_letters_that_differ(
    shown: list[tuple[str, int]],
) -> None:
    with pytest.raises(ValueError, match="candidates"):
        check_candidates([Candidate(letter=a, item=i, text="t") for a, i in shown])
