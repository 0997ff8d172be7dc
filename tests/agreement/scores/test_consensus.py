import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import CONSENSUS, DEFAULT_CONSENSUS, alpha, consensus, fold_outside

SETS = st.lists(st.frozensets(st.integers(0, 4), max_size=3), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("kind", "how", "values", "expected"),
    [
        ("set", "union", [{1}, {2, 3}, set()], frozenset({1, 2, 3})),
        ("set", "majority", [{1, 2}, {2, 3}, {2}], frozenset({2})),
        ("set", "majority", [{1}, {2}], frozenset()),  # half is no majority
        ("label", "majority", ["yes", "no", "yes"], "yes"),
        ("label", "majority", ["yes", "no"], None),
        ("label", "majority", ["a", "a", "b", "c"], None),
        ("number", "mean", [1, 2, 6], 3),
        ("number", "median", [1, 2, 6], 2),
    ],
)
def test_consensus_by_hand(kind: str, how: str, values: list[object], expected: object) -> None:
    assert consensus(values, kind=kind, how=how) == expected  # type: ignore[arg-type]


def test_each_kind_has_a_default_that_exists() -> None:
    assert DEFAULT_CONSENSUS == {"set": "union", "label": "majority", "number": "mean"}
    assert all((kind, how) in CONSENSUS for kind, how in DEFAULT_CONSENSUS.items())
    assert consensus([{1}, {2}], kind="set") == {1, 2}


def test_no_answers_and_rules_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="no answers"):
        consensus([], kind="set")
    with pytest.raises(ValueError, match="no consensus 'mean' for a set: one of union, majority"):
        consensus([{1}], kind="set", how="mean")
    with pytest.raises(ValueError, match="no consensus of whole ranks"):
        consensus([[1, 2]], kind="ranks")


@given(SETS)
def test_what_the_majority_chose_somebody_chose(sets: list[frozenset[int]]) -> None:
    most = consensus(sets, kind="set", how="majority")
    assert most <= consensus(sets, kind="set", how="union")
    assert all(2 * sum(member in one for one in sets) > len(sets) for member in most)


@pytest.mark.parametrize("rule", list(CONSENSUS))
def test_one_answer_is_its_own_consensus(rule: tuple[str, str]) -> None:
    kind, how = rule
    answer = {"set": frozenset({1, 2}), "label": "yes", "number": 3.5}[kind]
    assert consensus([answer], kind=kind, how=how) == answer  # type: ignore[arg-type]


def test_labels_outside_the_reference_become_one_label_as_published() -> None:
    assert fold_outside({7, 9}, {9}) == fold_outside({5, 9}, {9}) == {"other", 9}
    assert fold_outside({5, 7}, {9}) == {"other"}
    assert fold_outside(set(), {9}) == {"other"}
    assert fold_outside({9}, {9}) == {9}


def test_none_may_stay_apart_from_the_labels_outside() -> None:
    assert fold_outside(set(), {9}, none_apart=True) == {"none"}
    assert fold_outside({5}, {9}, none_apart=True) == {"other"}
    # Two people's folded answers together, folded again.
    assert fold_outside({"none", 9, "other"}, {9}, none_apart=True) == {"none", 9, "other"}


def test_a_judge_and_the_union_of_people_agree_once_folded() -> None:
    references = [{9}, {2}, {4}]
    people = [[{7, 9}, {5}], [{2}, {2}], [set(), {1}]]
    judge = [{5, 9}, {2}, {8}]
    ratings = []
    for unit, reference in enumerate(references):
        folded = [fold_outside(answer, reference) for answer in people[unit]]
        ratings.append((unit, "humans", consensus(folded, kind="set")))
        ratings.append((unit, "judge", fold_outside(judge[unit], reference)))
    units, raters, values = zip(*ratings, strict=True)
    assert alpha(units, raters, values, distance="jaccard").value == 1
