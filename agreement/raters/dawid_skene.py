"""Dawid and Skene's model: true labels and each rater's errors, estimated together."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..chance_corrected.krippendorff import NO_VARIATION
from ..values.coding import FloatArray, IntArray, code_in_order, code_values
from ..values.estimate import Estimate
from ..values.ratings import Ids, Values, why_no_pairs


@dataclass(frozen=True, eq=False)
class DawidSkene:
    """Estimates of U units, R raters and V labels; all empty where `undefined` says why.

    labels: V labels. units: U ids, raters: R ids, in order of appearance.
    prior: (V,) share of each true label.
    confusion: (R, V, V) probability of the answer [rater, true label, answer].
    posterior: (U, V) probability of each label of a unit.
    accuracy: rater -> probability of a right answer: prior times diagonal, summed over labels.
    log_likelihood, iterations, converged: of the run that was kept.
    """

    labels: list[Hashable] = field(default_factory=list)
    units: list[Hashable] = field(default_factory=list)
    raters: list[Hashable] = field(default_factory=list)
    prior: FloatArray = field(default_factory=lambda: np.zeros(0))
    confusion: FloatArray = field(default_factory=lambda: np.zeros((0, 0, 0)))
    posterior: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    accuracy: dict[Hashable, Estimate] = field(default_factory=dict)
    log_likelihood: float | None = None
    iterations: int = 0
    converged: bool = False
    undefined: str | None = None

    def best(self) -> dict[Hashable, Hashable]:
        """Unit -> its most probable label, the first of `labels` among equals."""
        chosen = self.posterior.argmax(axis=1) if len(self.units) else []
        return {unit: self.labels[at] for unit, at in zip(self.units, chosen, strict=True)}


def dawid_skene(
    units: Ids,
    raters: Ids,
    values: Values,
    *,
    labels: Sequence[Hashable] | None = None,
    starts: int = 1,
    seed: int = 0,
    most_iterations: int = 1000,
    tolerance: float = 1e-9,
) -> DawidSkene:
    """Maximum likelihood of true labels' shares and raters' error rates, by EM.

    Parameters
    ----------
    units, raters, values : (N,) ids and labels, None or NaN where missing. A rater may rate a
        unit several times, as in the paper: the answers count as independent.
    labels : all possible ones, or those that occur when left out. A label that nobody gave keeps
        the share 0.
    starts : EM begins at the shares of the votes of each unit; each further start draws its
        beginning at random from `seed`, and the run with the greatest likelihood is kept.
    most_iterations, tolerance : EM ends when the log likelihood grows by less than `tolerance`
        per rating, or after that many steps (then `converged` is False).

    Returns a DawidSkene. Undefined: no ratings; one rater only; no unit with two raters; no
    variation. Errors are estimated without smoothing, so few ratings of a label make them coarse.
    No interval. Raises ValueError for lengths that differ, no start or step, or a value outside
    `labels`.

    Memory is units x labels and raters x labels x labels; each step takes time linear in N.

    Source: Dawid and Skene (1979), "Maximum Likelihood Estimation of Observer Error-Rates Using
    the EM Algorithm", equations 2.3 to 2.5.
    """
    if not len(units) == len(raters):
        raise ValueError(f"{len(units)} units for {len(raters)} raters")
    if starts < 1 or most_iterations < 1:
        raise ValueError("EM needs at least one start and one step")
    code, domain = code_values(values, "label")
    if len(code) != len(units):
        raise ValueError(f"{len(code)} values for {len(units)} units")
    assert isinstance(domain, list)
    possible = sorted(domain, key=repr) if labels is None else list(labels)
    answers = _Answers.of(units, raters, code, domain, possible)
    reason = answers.why_undefined()
    if reason is not None:
        names = dict.fromkeys(raters)
        return DawidSkene(
            undefined=reason, accuracy={name: Estimate.missing(reason) for name in names}
        )
    rng = np.random.default_rng(seed)
    beginnings = [answers.vote_shares()]
    beginnings += [
        rng.dirichlet(np.ones(len(possible)), answers.n_units) for _ in range(starts - 1)
    ]
    runs = [_run(answers, shares, most_iterations, tolerance) for shares in beginnings]
    return _result(answers, possible, max(runs, key=lambda run: run.log_likelihood))


@dataclass(frozen=True, eq=False)
class _Answers:
    """N answers as codes; label codes are places in the list of labels."""

    unit: IntArray
    rater: IntArray
    label: IntArray
    units: list[Hashable]
    raters: list[Hashable]
    n_labels: int

    @classmethod
    def of(
        cls, units: Ids, raters: Ids, code: IntArray, domain: list[Hashable], labels: list[Hashable]
    ) -> "_Answers":
        place = {label: at for at, label in enumerate(labels)}
        outside = [label for label in domain if label not in place]
        if outside:
            raise ValueError(f"{outside[0]!r} is not among the labels")
        rated = np.flatnonzero(code >= 0).tolist()
        places = np.array([place[label] for label in domain], dtype=np.int64)
        (unit, unit_names), (rater, rater_names) = (
            code_in_order([ids[at] for at in rated]) for ids in (units, raters)
        )
        return cls(unit, rater, places[code[rated]], unit_names, rater_names, len(labels))

    @property
    def n_units(self) -> int:
        return len(self.units)

    def why_undefined(self) -> str | None:
        """The reason why there is nothing to estimate, or None."""
        met = np.unique(self.unit * max(len(self.raters), 1) + self.rater)
        if len(met) == self.n_units:  # no unit has two raters
            return why_no_pairs(len(self.raters))
        return NO_VARIATION if (self.label == self.label[0]).all() else None

    def vote_shares(self) -> FloatArray:
        """(U, V) share of each label among the answers to a unit."""
        shares = self._sum(self.unit * self.n_labels + self.label, self.n_units)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def error_rates(self, posterior: FloatArray) -> FloatArray:
        """(R, V, V) by the expected counts of true and given labels; equation 2.3."""
        n_labels = self.n_labels
        counts = np.zeros((len(self.raters), n_labels, n_labels))
        key = self.rater * n_labels + self.label
        for true in range(n_labels):
            weights = posterior[self.unit, true]
            counts[:, true, :] = self._sum(key, len(self.raters), weights)
        totals = counts.sum(axis=2, keepdims=True)
        # Without a unit of some label there is no evidence of a rater's errors on it: all equal.
        return np.where(totals > 0, counts / np.maximum(totals, 1e-300), 1 / n_labels)

    def log_evidence(self, confusion: FloatArray) -> FloatArray:
        """(U, V) log probability of a unit's answers under each true label."""
        with np.errstate(divide="ignore"):
            logs = np.log(confusion)
        evidence = np.empty((self.n_units, self.n_labels))
        for true in range(self.n_labels):
            weights = logs[self.rater, true, self.label]
            # Sums with -inf are -inf; there is no +inf that could make them NaN.
            evidence[:, true] = np.bincount(self.unit, weights, self.n_units)
        return evidence

    def _sum(self, key: IntArray, rows: int, weights: FloatArray | None = None) -> FloatArray:
        sums = np.bincount(key, weights, rows * self.n_labels)
        return np.asarray(sums.reshape(rows, self.n_labels), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Run:
    prior: FloatArray
    confusion: FloatArray
    posterior: FloatArray
    log_likelihood: float
    iterations: int
    converged: bool


def _run(answers: _Answers, posterior: FloatArray, most: int, tolerance: float) -> _Run:
    """EM from one beginning."""
    previous, iterations, converged = -np.inf, 0, False
    while not converged and iterations < most:
        iterations += 1
        prior, confusion = posterior.mean(axis=0), answers.error_rates(posterior)
        with np.errstate(divide="ignore"):
            joint = np.log(prior) + answers.log_evidence(confusion)
        # Some label is possible for every unit: the one that the step before gave weight to.
        largest = joint.max(axis=1, keepdims=True)
        weights = np.exp(joint - largest)
        sums = weights.sum(axis=1, keepdims=True)
        posterior = weights / sums
        likelihood = float((largest + np.log(sums)).sum())
        converged = likelihood - previous < tolerance * len(answers.unit)
        previous = likelihood
    return _Run(prior, confusion, posterior, previous, iterations, converged)


def _result(answers: _Answers, labels: list[Hashable], run: _Run) -> DawidSkene:
    right = np.einsum("v,rvv->r", run.prior, run.confusion)
    sizes = np.bincount(answers.rater)
    accuracy = {
        name: Estimate(value=float(min(right[at], 1.0)), n_raters=1, n_ratings=int(sizes[at]))
        for at, name in enumerate(answers.raters)
    }
    return DawidSkene(labels, answers.units, answers.raters, accuracy=accuracy, **vars(run))
