"""Joining what two people changed in one study file."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from set_up.study_files.merge import ABSENT, changed_parts, merge_keys

BASE: dict[str, Any] = {
    "title": "A",
    "overlap": 2,
    "ethics": {"board": "B", "contact": "c@example.org"},
    "rounds": [
        {"name": "pilot", "pay": {"base": "1.00"}},
        {"name": "main", "pay": {"base": "2.00", "bonus": "0.50"}},
    ],
    "tips": ["Read on.", "Take a break."],
}


def changed(**keys: Any) -> dict[str, Any]:
    return {**BASE, **keys}


def test_changes_of_different_keys_are_joined() -> None:
    merge = merge_keys(BASE, changed(title="Mine"), changed(overlap=3))
    assert merge.keys == changed(title="Mine", overlap=3)
    assert (merge.mine, merge.theirs, merge.conflicts) == (["title"], ["overlap"], [])


def test_a_key_that_both_changed_is_a_conflict_and_mine_until_somebody_chooses() -> None:
    mine, theirs = changed(title="Mine"), changed(title="Theirs", overlap=3)
    merge = merge_keys(BASE, mine, theirs)
    (conflict,) = merge.conflicts
    assert (conflict.name, conflict.base) == ("title", "A")
    assert (conflict.mine, conflict.theirs) == ("Mine", "Theirs")
    assert merge.keys == changed(title="Mine", overlap=3)
    chosen = merge_keys(BASE, mine, theirs, choices={"title": "theirs"})
    assert chosen.keys == theirs


def test_the_same_change_of_both_is_no_conflict() -> None:
    merge = merge_keys(BASE, changed(title="Both"), changed(title="Both"))
    assert merge.keys["title"] == "Both"
    assert not merge.conflicts


def test_rounds_are_joined_by_their_names() -> None:
    mine = changed(rounds=[BASE["rounds"][0], {"name": "main", "pay": {"base": "3.00"}}])
    theirs = changed(
        rounds=[
            {"name": "training", "shows_answers": True},
            {"name": "pilot", "pay": {"base": "1.50"}},
            BASE["rounds"][1],
        ]
    )
    merge = merge_keys(BASE, mine, theirs)
    assert not merge.conflicts
    assert merge.keys["rounds"] == [
        {"name": "training", "shows_answers": True},
        {"name": "pilot", "pay": {"base": "1.50"}},
        {"name": "main", "pay": {"base": "3.00"}},
    ]
    assert merge.mine == ["rounds.main.pay.base", "rounds.main.pay.bonus"]
    assert sorted(merge.theirs) == ["rounds.pilot.pay.base", "rounds.training"]


def test_what_one_removes_and_the_other_changes_is_a_conflict() -> None:
    theirs = {name: value for name, value in BASE.items() if name != "ethics"}
    merge = merge_keys(BASE, changed(ethics={"board": "Other"}), theirs)
    (conflict,) = merge.conflicts
    assert conflict.theirs is ABSENT
    assert (
        merge_keys(
            BASE, changed(ethics={"board": "Other"}), theirs, choices={"ethics": "theirs"}
        ).keys
        == theirs
    )


def test_tips_of_both_stay() -> None:
    mine = changed(tips=["Read on.", "Mine.", "Take a break."])
    theirs = changed(tips=["Take a break.", "Theirs."])
    assert merge_keys(BASE, mine, theirs).keys["tips"] == ["Mine.", "Take a break.", "Theirs."]


def test_two_new_orders_are_a_conflict() -> None:
    base = {"tips": ["a", "b", "c"]}
    merge = merge_keys(base, {"tips": ["b", "a", "c"]}, {"tips": ["c", "b", "a"]})
    assert [conflict.name for conflict in merge.conflicts] == ["tips"]


def test_without_a_common_beginning_every_difference_is_a_conflict() -> None:
    merge = merge_keys(None, changed(title="Mine"), changed(overlap=3))
    assert [conflict.name for conflict in merge.conflicts] == ["title", "overlap"]


def test_yes_is_not_one() -> None:
    assert list(changed_parts({"a": True}, {"a": 1})) == ["a"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "b", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "key", "x", "y"]), inner, max_size=3)
    ),
    max_leaves=8,
)
FILES = st.dictionaries(st.sampled_from(["p", "q", "r"]), VALUES, max_size=3)


@given(FILES, FILES)
def test_who_changes_nothing_takes_what_the_other_did(base: Any, other: Any) -> None:
    assert merge_keys(base, base, other).keys == other
    assert merge_keys(base, other, base).keys == other
    assert merge_keys(base, other, other).keys == other


@given(FILES, FILES, FILES)
def test_both_agree_on_what_is_in_conflict(base: Any, left: Any, right: Any) -> None:
    there, back = merge_keys(base, left, right), merge_keys(base, right, left)
    assert {c.name for c in there.conflicts} == {c.name for c in back.conflicts}
    assert sorted(there.mine) == sorted(back.theirs)
    if not there.conflicts and not any(isinstance(v, list) for v in there.keys.values()):
        assert there.keys == back.keys


@given(FILES, FILES, FILES)
def test_nothing_typed_is_lost(base: Any, left: Any, right: Any) -> None:
    merge = merge_keys(base, left, right)
    mine = set(changed_parts(base, merge.keys))
    for name in set(changed_parts(base, left)) - set(changed_parts(base, right)):
        assert name in mine or any(name.startswith(m) or m.startswith(name) for m in mine)


@pytest.mark.parametrize("choice", ["mine", "theirs"])
def test_choices_decide_every_conflict(choice: Any) -> None:
    mine, theirs = changed(title="M", overlap=9), changed(title="T", overlap=8)
    choices = {"title": choice, "overlap": choice}
    expected = mine if choice == "mine" else theirs
    assert merge_keys(BASE, mine, theirs, choices=choices).keys == expected
