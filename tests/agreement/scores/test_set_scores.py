import gzip
import json
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.scores import f_measure, precision, recall

from agreement import (
    best_chain_scores,
    best_chain_scores_each,
    mean_by,
    set_scores,
    set_scores_each,
)

SETS = st.frozensets(st.integers(0, 5), max_size=5)
CHAINS = st.lists(SETS, min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("found", "reference", "expected"),
    [
        ({1, 2, 3}, {2, 3, 4, 5}, (2 / 3, 2 / 4, 4 / 7)),  # F1 = 2 * 2 / (3 + 4)
        ({1}, {1}, (1, 1, 1)),
        ({1}, {2}, (0, 0, 0)),
        (set(), set(), (1, 1, 1)),
        (set(), {1}, (0, 0, 0)),
        ({1}, set(), (0, 0, 0)),
        ([1, 1], [1], (1, 1, 1)),
    ],
)
def test_set_scores_by_hand(
    found: set[int], reference: set[int], expected: tuple[float, float, float]
) -> None:
    assert set_scores(found, reference) == pytest.approx(expected)


def test_scores_of_the_machine_evidence_have_the_published_digits(shared_data: Path) -> None:
    # README of the data set, point 3: the best of each score over the human chains of a claim.
    folder = shared_data / "transparent-fcexp"
    with gzip.open(folder / "gpt4_full_data.json.gz", "rt", encoding="utf-8") as file:
        claims = json.load(file)
    chains = json.loads((folder / "claim_chain_mapping.json").read_text(encoding="utf-8"))
    best = []
    for record in claims.values():
        human = list(chains[record["claim"]]["chain"].values())
        scores = set_scores_each([record["chain"][1]] * len(human), human)
        best.append([score.max() for score in scores])
    for column, mean, sd in ((0, 0.3959, 0.2142), (1, 0.7363, 0.2908), (2, 0.4659, 0.1989)):
        estimate = mean_by([scores[column] for scores in best])
        assert estimate.value == pytest.approx(mean, abs=5e-5)
        assert estimate.sd == pytest.approx(sd, abs=5e-5)


def test_scores_of_the_lexical_answers_have_the_published_digits(shared_data: Path) -> None:
    # README of the data set, point 5, sample setting.
    with gzip.open(
        shared_data / "transparent-fcexp" / "gpt4_full_data.json.gz", "rt", encoding="utf-8"
    ) as file:
        claims = json.load(file)
    found, references = [], []
    for record in claims.values():
        ((generator, masked),) = record["masked_cit"].items()
        evidence = dict(line.split(": ", 1) for line in record["passage"].split("\n"))
        found.append(most_similar(evidence[str(masked)], record["explanation"][generator]))
        references.append({index for index in record["ans_sens"][generator] if index >= 0})
    scores = set_scores_each(found, references)
    means = [float(mean_by(column)) for column in scores]
    assert means == pytest.approx([0.845679, 0.836420, 0.839506], abs=5e-7)


def most_similar(evidence: str, sentences: list[str]) -> set[int]:
    def words(text: str) -> set[str]:
        return set(re.findall(r"[a-z0-9]+", re.sub(r"\[[\d,\s]*\]", " ", text.lower())))

    wanted = words(evidence)
    similar = [len(wanted & words(one)) / len(wanted | words(one)) for one in sentences]
    return {similar.index(max(similar))} if max(similar) > 0 else set()


@given(SETS, SETS)
def test_set_scores_equal_nltk_where_nltk_has_any(
    found: frozenset[int], reference: frozenset[int]
) -> None:
    ours = set_scores(found, reference)
    if found and reference:
        theirs = (
            precision(set(reference), set(found)),
            recall(set(reference), set(found)),
            f_measure(set(reference), set(found)),
        )
        assert ours == pytest.approx(theirs, abs=1e-12)
    else:
        assert set(ours) == {1.0 if found == reference else 0.0}


@given(SETS, SETS)
def test_exchanging_answer_and_reference_exchanges_precision_and_recall(
    found: frozenset[int], reference: frozenset[int]
) -> None:
    there, back = set_scores(found, reference), set_scores(reference, found)
    assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)


@given(SETS, SETS)
def test_new_names_for_the_elements_do_not_matter(
    found: frozenset[int], reference: frozenset[int]
) -> None:
    def renamed(members: frozenset[int]) -> list[str]:
        return [f"sentence {member}" for member in members]

    assert set_scores(renamed(found), renamed(reference)) == set_scores(found, reference)


@given(st.lists(st.tuples(SETS, SETS), max_size=6))
def test_scores_of_many_are_the_scores_of_each(
    pairs: list[tuple[frozenset[int], frozenset[int]]],
) -> None:
    many = set_scores_each([x for x, _ in pairs], [y for _, y in pairs])
    one_by_one = [set_scores(x, y) for x, y in pairs]
    assert np.array_equal(np.array(many).T.reshape(-1, 3), np.array(one_by_one).reshape(-1, 3))


def test_a_missing_answer_is_refused_and_so_are_unequal_lengths() -> None:
    with pytest.raises(TypeError):
        set_scores(None, {1})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not a set"):
        set_scores("12", {1})
    with pytest.raises(ValueError, match="1 answers for 2 references"):
        set_scores_each([{1}], [{1}, {2}])


# Several references.


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
def test_best_scores_of_many_are_the_scores_of_each(
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
