import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import DawidSkene, dawid_skene, posterior_uncertainty
from tests.agreement.tables import tidy

# Dawid and Skene (1979), Table 1: 45 patients; the first anaesthetist answers three times, then
# four others once each.
TABLE = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343
1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222
1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343
2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
"""
LABELS = list("1234")
CELL = st.one_of(st.none(), *[st.integers(0, 2)] * 3)
TABLES = st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=8)


def anaesthetists() -> DawidSkene:
    rows = [
        (patient, max(0, place - 2), answer)
        for patient, answers in enumerate(TABLE.split(), start=1)
        for place, answer in enumerate(answers)
    ]
    units, raters, values = zip(*rows, strict=True)
    return dawid_skene(units, raters, values)


def test_one_step_by_hand() -> None:
    # Units (x, x), (y, y), (x, y) begin at shares of x 1, 0, 1/2. Both raters' errors after a
    # step: the first gives x for x (1 + 1/2) / (3/2) = 1, y for y 1 / (3/2) = 2/3; the second x
    # for x 1 / (3/2) = 2/3 and y for y 1. The third unit: x 1 * 1/3, y 1/3 * 1: still 1/2.
    fit = dawid_skene(*tidy([["x", "x"], ["y", "y"], ["x", "y"]]), most_iterations=1)
    assert fit.prior == pytest.approx([1 / 2, 1 / 2])
    assert fit.confusion[0] == pytest.approx(np.array([[1, 0], [1 / 3, 2 / 3]]))
    assert fit.confusion[1] == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 1]]))
    assert fit.posterior == pytest.approx(np.array([[1, 0], [0, 1], [1 / 2, 1 / 2]]))
    assert fit.accuracy[0].value == pytest.approx(5 / 6)
    # 1/2 * 2/3 twice, and 1/2 * 1/3 + 1/2 * 1/3
    assert fit.log_likelihood == pytest.approx(3 * math.log(1 / 3))
    assert (fit.iterations, fit.converged) == (1, False)


def test_the_anaesthetists_have_the_published_estimates() -> None:
    # The paper's shares of the classes and the first anaesthetist's rates for the common ones, at
    # its two digits.
    fit = anaesthetists()
    assert fit.converged
    assert fit.labels == LABELS
    assert fit.prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert fit.confusion[0, :3].round(2).tolist() == [
        [0.89, 0.11, 0.00, 0.00],
        [0.07, 0.88, 0.05, 0.00],
        [0.00, 0.34, 0.66, 0.00],
    ]
    assert (len(fit.units), fit.accuracy[0].n_ratings, fit.accuracy[4].n_ratings) == (45, 135, 45)


def test_no_anaesthetists_class_is_doubtful_where_all_agree_on_the_published_table() -> None:
    # Patients whom all seven answers put into one class, and those whose answers differ most.
    uncertain = posterior_uncertainty(anaesthetists())
    alike = {n for n, row in enumerate(TABLE.split(), start=1) if len(set(row)) == 1}
    assert max(uncertain[patient] for patient in alike) < 0.01
    doubtful = max(uncertain, key=lambda patient: uncertain[patient])
    assert len(set(TABLE.split()[int(str(doubtful)) - 1])) > 1
    assert uncertain[doubtful] > 0.1


def plain_em(table: list[list[Any]], steps: int) -> tuple[Any, Any, float]:
    """The paper's equations with loops; answers are 0, 1, 2."""
    units = range(len(table))
    t = np.array([[sum(c == j for c in row) for j in range(3)] for row in table], dtype=float)
    t /= t.sum(axis=1, keepdims=True)
    total = 0.0
    for _ in range(steps):
        prior = t.mean(axis=0)
        errors = np.full((3, 3, 3), 1 / 3)
        for k in range(3):
            for j in range(3):
                met = sum(t[i, j] for i in units if table[i][k] is not None)
                if met:
                    for given_label in range(3):
                        same = sum(t[i, j] for i in units if table[i][k] == given_label)
                        errors[k, j, given_label] = same / met
        total = 0.0
        for i in units:
            joint = np.array(
                [
                    prior[j]
                    * np.prod([errors[k, j, c] for k, c in enumerate(table[i]) if c is not None])
                    for j in range(3)
                ]
            )
            t[i] = joint / joint.sum()
            total += math.log(joint.sum())
    return prior, t, total


@given(TABLES, st.integers(1, 4))
def test_em_equals_the_papers_equations_with_loops(table: list[list[Any]], steps: int) -> None:
    table = [row for row in table if any(cell is not None for cell in row)]
    units, raters, values = tidy(table)
    fit = dawid_skene(units, raters, values, labels=[0, 1, 2], most_iterations=steps, tolerance=-1)
    if fit.undefined is not None:
        return
    prior, posterior, likelihood = plain_em(table, steps)
    assert fit.prior == pytest.approx(prior, abs=1e-9)
    assert fit.posterior == pytest.approx(posterior, abs=1e-9)
    assert fit.log_likelihood == pytest.approx(likelihood, abs=1e-9)


def crowd(seed: int) -> tuple[list[int], list[int], list[int], list[float], list[int]]:
    """300 units, three labels, five raters right with different probabilities."""
    rng = np.random.default_rng(seed)
    truth, skill = rng.integers(0, 3, 300), [0.95, 0.85, 0.7, 0.55, 0.4]
    rows = [
        (unit, rater, int(label if rng.random() < skill[rater] else rng.integers(0, 3)))
        for unit, label in enumerate(truth)
        for rater in range(5)
    ]
    units, raters, values = (list(column) for column in zip(*rows, strict=True))
    right = [one + (1 - one) / 3 for one in skill]
    return units, raters, values, right, truth.tolist()


def test_known_raters_and_labels_are_recovered() -> None:
    units, raters, values, right, truth = crowd(1)
    fit = dawid_skene(units, raters, values)
    assert [float(fit.accuracy[rater]) for rater in range(5)] == pytest.approx(right, abs=0.08)
    best = fit.best()
    hits = sum(best[unit] == label for unit, label in enumerate(truth))
    votes = np.array(values).reshape(300, 5)
    majority = sum(
        np.bincount(row, minlength=3).argmax() == label
        for row, label in zip(votes, truth, strict=True)
    )
    assert hits > majority
    assert hits >= 0.93 * 300


@given(TABLES, st.data())
def test_order_and_names_do_not_matter(table: list[list[Any]], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(table))))
    moved = [[None if c is None else f"label {c}" for c in table[at][::-1]] for at in order]
    options: dict[str, Any] = {"most_iterations": 5, "tolerance": -1}
    before = dawid_skene(*tidy(table), labels=[0, 1, 2], **options)
    labels = [f"label {one}" for one in (2, 1, 0)]
    after = dawid_skene(*tidy(moved), labels=labels, **options)
    assert before.undefined == after.undefined
    if before.undefined is None:
        assert after.prior[::-1] == pytest.approx(before.prior, abs=1e-9)
        for rater in before.raters:
            assert isinstance(rater, int)
            there, here = before.accuracy[rater], after.accuracy[2 - rater]
            assert here.value == pytest.approx(there.value, abs=1e-9)


def test_the_likelihood_grows_with_every_step() -> None:
    units, raters, values, *_ = crowd(2)
    likelihoods = [
        dawid_skene(units, raters, values, most_iterations=steps, tolerance=-1).log_likelihood
        for steps in range(1, 12)
    ]
    steps = np.diff(np.array(likelihoods, dtype=float))
    assert (steps > -1e-9).all()


def test_more_starts_never_end_in_a_smaller_likelihood_and_the_seed_decides() -> None:
    units, raters, values = tidy(
        [["x", "y", "x"], ["y", "y", "x"], ["x", "x", "y"], ["y", "x", "y"]]
    )
    one = dawid_skene(units, raters, values)
    several = [dawid_skene(units, raters, values, starts=8, seed=5) for _ in range(2)]
    assert several[0].log_likelihood == several[1].log_likelihood
    assert several[0].log_likelihood is not None
    assert one.log_likelihood is not None
    assert several[0].log_likelihood >= one.log_likelihood


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([], "no ratings"),
        ([[None, None]], "no ratings"),
        ([["x", None], ["y", None]], "one rater only"),
        ([["x", None], [None, "y"]], "no unit has two ratings"),
        ([["x", "x"], ["x", "x"]], "no variation: all ratings are equal"),
    ],
)
def test_where_there_is_nothing_to_estimate_it_says_why(
    table: list[list[Any]], reason: str
) -> None:
    fit = dawid_skene(*tidy(table, keep_missing=True))
    assert fit.undefined == reason
    assert {one.undefined for one in fit.accuracy.values()} <= {reason}
    assert (fit.best(), fit.log_likelihood) == ({}, None)


def test_answers_of_one_rater_to_one_unit_are_no_agreement_between_raters() -> None:
    assert dawid_skene([1, 1, 2], ["a", "a", "b"], ["x", "y", "x"]).undefined is not None


def test_a_label_that_nobody_gave_keeps_the_share_0() -> None:
    fit = dawid_skene(*tidy([["x", "x"], ["y", "y"], ["x", "y"]]), labels=["x", "y", "z"])
    assert fit.prior[2] == 0
    assert np.isfinite(fit.confusion).all()


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="'y' is not among the labels"):
        dawid_skene([1, 1], ["a", "b"], ["x", "y"], labels=["x"])
    with pytest.raises(ValueError, match="1 units for 2 raters"):
        dawid_skene([1], ["a", "b"], ["x", "y"])
    with pytest.raises(ValueError, match="1 values for 2 units"):
        dawid_skene([1, 1], ["a", "b"], ["x"])
    with pytest.raises(ValueError, match="at least one start"):
        dawid_skene([1, 1], ["a", "b"], ["x", "y"], starts=0)
