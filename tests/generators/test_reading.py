"""What generators read out of replies, and which evidence people have chosen."""

import json
from typing import Any

import pytest

from generators.explanations import read_selected, selected_by_people
from generators.perturbations import Original, read_varied
from tasktypes.machines.replies import ReplyError
from tasktypes.texts.material import Passage, Source

PASSAGES = tuple(Passage(index=i, text=f"Passage {i}.", selected=i in (1, 4)) for i in range(6))


def source(*chains: tuple[int, ...]) -> Source:
    return Source(key="mill", claim="It burnt.", passages=PASSAGES, chains=chains)


def test_of_several_chains_the_seed_chooses_one() -> None:
    about = source((2, 0), (3,), (5, 4))
    found = {selected_by_people(about, seed=seed) for seed in range(50)}
    assert found == {(0, 2), (3,), (4, 5)}
    assert selected_by_people(about, seed=7) == selected_by_people(about, seed=7)


def test_without_chains_the_selected_passages_are_the_choice() -> None:
    assert selected_by_people(source(), seed=1) == (1, 4)


def test_where_nobody_has_selected_anything_nothing_is_made_up() -> None:
    bare = Source(key="a", claim="b", passages=(Passage(index=0, text="c"),))
    with pytest.raises(ValueError, match="selected no passages"):
        selected_by_people(bare, seed=1)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"passages": [], "justification": "none"}, "none is selected"),
        ({"passages": [9], "justification": "?"}, "no passage 9"),
        ({"passages": [1]}, "justification"),
        ("[3,5]", "no JSON object"),
        ("", "empty"),
    ],
)
def test_a_selection_that_cannot_be_used_is_none(reply: Any, reason: str) -> None:
    with pytest.raises(ReplyError, match=reason):
        read_selected(reply if isinstance(reply, str) else json.dumps(reply), source())


def test_a_selection_is_read_in_order_each_once() -> None:
    found = read_selected('{"passages": [4, 1, 4], "justification": "Both."}', source())
    assert (found.passages, found.justification) == ((1, 4), "Both.")


def test_a_variant_must_differ() -> None:
    original = Original(claim="It burnt.", text="It did not burn. It flooded.")
    same = {"statement": "It did not burn.", "text": "It did  not burn.\nIt flooded."}
    with pytest.raises(ReplyError, match="same as before"):
        read_varied(json.dumps(same), original)
    other = {"statement": "It did not burn.", "text": "It flooded."}
    assert read_varied(json.dumps(other), original).text == "It flooded."
