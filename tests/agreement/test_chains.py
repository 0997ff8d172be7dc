import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.scores import f_measure, precision, recall

from agreement import best_chain_scores, best_chain_scores_each, mean_by, set_scores

SETS = st.frozensets(st.integers(0, 5), max_size=4)
CHAINS = st.lists(SETS, min_size=1, max_size=4)


def test_each_score_is_the_best_on_its_own_by_hand() -> None:
    # Against {1}: 1/2, 1, 2/3. Against {1, 2, 3, 4, 5}: 1, 2/5, 4/7.
    scores = best_chain_scores({1, 2}, [{1}, {1, 2, 3, 4, 5}])
    assert scores == pytest.approx((1, 1, 2 / 3))


def test_machine_evidence_against_human_chains_has_the_published_digits(shared_data: Path) -> None:
    folder = shared_data / "transparent-fcexp"
    with gzip.open(folder / "gpt4_full_data.json.gz", "rt", encoding="utf-8") as file:
        claims = list(json.load(file).values())
    mapping = json.loads((folder / "claim_chain_mapping.json").read_text(encoding="utf-8"))
    human = [list(mapping[one["claim"]]["chain"].values()) for one in claims]
    scores = best_chain_scores_each([one["chain"][1] for one in claims], human)
    published = [(0.3959, 0.2142), (0.7363, 0.2908), (0.4659, 0.1989)]
    for score, (mean, sd) in zip(scores, published, strict=True):
        estimate = mean_by(score)
        assert estimate.value == pytest.approx(mean, abs=5e-5)
        assert estimate.sd == pytest.approx(sd, abs=5e-5)
        assert estimate.n_units == 486


def test_human_evidence_size_has_the_published_digits(shared_data: Path) -> None:
    # The last chain of each of the first 100 claims that were rated.
    folder = shared_data / "transparent-fcexp"
    with gzip.open(folder / "gpt4_full_data.json.gz", "rt", encoding="utf-8") as file:
        claims = json.load(file)
    mapping = json.loads((folder / "claim_chain_mapping.json").read_text(encoding="utf-8"))
    keys = json.loads((folder / "hit_sample_keys.json").read_text(encoding="utf-8"))[:100]
    chains = [mapping[claims[key]["claim"]]["chain"] for key in keys]
    sizes = [len(chain[max(chain, key=int)]) for chain in chains]
    assert float(mean_by(sizes)) == pytest.approx(3.160, abs=5e-4)


@given(SETS.filter(bool), st.lists(SETS.filter(bool), min_size=1, max_size=4))
def test_best_scores_equal_nltk_chain_by_chain(
    found: frozenset[int], chains: list[frozenset[int]]
) -> None:
    ours = best_chain_scores(found, chains)
    for score, theirs in zip(ours, (precision, recall, f_measure), strict=True):
        expected = max(theirs(set(chain), set(found)) for chain in chains)
        assert score == pytest.approx(expected, abs=1e-12)


@given(SETS, CHAINS, st.data())
def test_the_order_of_chains_does_not_matter_and_more_chains_never_hurt(
    found: frozenset[int], chains: list[frozenset[int]], data: st.DataObject
) -> None:
    scores = best_chain_scores(found, chains)
    assert best_chain_scores(found, data.draw(st.permutations(chains))) == scores
    assert best_chain_scores(found, chains[:1]) == set_scores(found, chains[0])
    more = best_chain_scores(found, [*chains, data.draw(SETS)])
    assert all(after >= before for after, before in zip(more, scores, strict=True))


@given(st.lists(st.tuples(SETS, CHAINS), max_size=5))
def test_scores_of_many_are_the_scores_of_each(
    pairs: list[tuple[frozenset[int], list[frozenset[int]]]],
) -> None:
    many = best_chain_scores_each([found for found, _ in pairs], [own for _, own in pairs])
    each: list[Iterable[float]] = [best_chain_scores(found, own) for found, own in pairs]
    assert np.array_equal(np.array(many).T.reshape(-1, 3), np.array(each).reshape(-1, 3))


def test_empty_chains_are_chains_and_no_chain_is_refused() -> None:
    assert best_chain_scores(set(), [{1}, set()]) == (1, 1, 1)
    with pytest.raises(ValueError, match="set 1 has no chain"):
        best_chain_scores_each([{1}, {2}], [[{1}], []])
    with pytest.raises(ValueError, match="1 sets for the chains of 2"):
        best_chain_scores_each([{1}], [[{1}], [{2}]])
