"""What people share, counted by hand."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.rounds.sharing import FirstMet, Spread, first_of, sharing_of


def test_two_chains_of_people_counted_by_hand() -> None:
    """Units: {1,2} {1,2} {2,3} {4,5}. 1–2 share two, 2–3 one, 4–5 one; 1, 2 and 3 are connected."""
    sharing = sharing_of([(1, 2), (2, 1), (2, 3), (4, 5)])
    assert sharing is not None
    assert sharing.groups == [[1, 2, 3], [4, 5]]
    # 1: 2 units, 2: 3, 3: 1, 4: 1, 5: 1; sorted 1 1 1 2 3.
    assert sharing.units == Spread(1, 1, 3)
    # 1: one partner, 2: two, all others one.
    assert sharing.partners == Spread(1, 1, 2)
    assert sharing.shared == Spread(1, 1, 2)
    assert sharing.n_people == 5


def test_where_each_unit_has_one_answer_nothing_is_shared() -> None:
    sharing = sharing_of([(1,), (1,), (2,)])
    assert sharing is not None
    assert (sharing.shared, sharing.partners) == (None, Spread(0, 0, 0))
    assert sharing.groups == [[1], [2]]


def test_of_no_answers_nothing_is_said() -> None:
    assert sharing_of([]) is None
    assert sharing_of([(), ()]) is None


def test_how_many_systems_a_person_meets() -> None:
    """1 meets A and B, 2 meets A alone; the unit of several systems has none of its own."""
    sharing = sharing_of([(1, 2), (1,), (2,)], ["A", "B", ""])
    assert sharing is not None
    assert (sharing.systems, sharing.n_systems) == (Spread(1, 1, 2), 2)


def test_one_system_is_not_spoken_of() -> None:
    sharing = sharing_of([(1,), (1,)], ["A", "A"])
    assert sharing is not None
    assert sharing.systems is None


@given(st.lists(st.sets(st.integers(0, 6), max_size=4), max_size=20), st.randoms())
def test_neither_the_order_of_units_nor_of_people_matters(
    units: list[set[int]], random: object
) -> None:
    turned = [tuple(sorted(of, reverse=True)) for of in reversed(units)]
    assert sharing_of(units) == sharing_of(turned)
    sharing = sharing_of(units)
    if sharing is not None:
        connected = [set(of) for of in sharing.groups]
        # Nobody of one group answers a unit with somebody of another.
        assert all(sum(bool(unit & of) for of in connected) <= 1 for unit in units)


def test_what_is_met_first_is_counted_by_source_and_member() -> None:
    met = [(1, 7, "A"), (1, 8, "B"), (1, 7, "B"), (1, 8, "A"), (2, 7, "B"), (2, 7, "A")]
    # Member 1 meets each first once; member 2 meets B first, A never.
    assert first_of(met) == FirstMet({"A": 1, "B": 2}, 1)
    assert FirstMet({"A": 1, "B": 2}, 1).is_even
    assert not FirstMet({"A": 0, "B": 2}, 1).is_even


def test_a_source_with_one_output_has_no_first() -> None:
    assert first_of([(1, 7, "A"), (1, 8, "B")]) is None
