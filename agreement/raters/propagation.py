"""One rating fitted by a normal and a gamma density: the step of expectation propagation."""

from dataclasses import dataclass

import numpy as np

from ..values.coding import FloatArray

CELLS = 1 << 18  # floats in one working array
REACH = 7.0  # how far the nodes go, in standard deviations
COARSEST, FINEST = 0.4, 0.01  # distance of nodes, likewise


@dataclass(frozen=True, eq=False)
class Sites:
    """The factors of N ratings in natural parameters, (N,) each.

    For the rating's item a normal density: weight = 1 / variance, shift = mean * weight. For its
    worker's precision a gamma density; shape and rate are what it adds to the worker's.
    """

    weight: FloatArray
    shift: FloatArray
    shape: FloatArray
    rate: FloatArray

    @property
    def parts(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        return self.weight, self.shift, self.shape, self.rate


def fit(score: FloatArray, cavity: Sites) -> Sites:
    """Normal and gamma with the mean and variance of cavity times likelihood, (N,) each."""
    noise = np.sqrt(cavity.rate / (cavity.shape + 0.5) * cavity.weight)
    # Ratings of precise workers need finer nodes, so ratings with like noise are fitted together.
    order = np.argsort(noise)
    fitted = np.empty((4, len(score)))
    start = 0
    while start < len(order):
        step = float(np.clip(0.8 * noise[order[start]], FINEST, COARSEST))
        nodes = np.arange(-REACH, REACH + step / 2, step)
        part = order[start : start + max(1, CELLS // len(nodes))]
        fitted[:, part] = _moments(
            score[part], Sites(*(values[part] for values in cavity.parts)), nodes
        )
        start += len(part)
    return Sites(*fitted)


def _moments(score: FloatArray, cavity: Sites, nodes: FloatArray) -> FloatArray:
    """(4, n): weight, shift, shape, rate.

    Given mu, tau is gamma with shape a + 1/2 and rate r = b + (s - mu)^2 / 2, and the likelihood
    of mu is r^-(a + 1/2) up to a constant: so one sum over the nodes for mu, which is exact to
    rounding for densities as smooth as these, gives all four moments.
    """
    centre, scale = cavity.shift / cavity.weight, 1 / np.sqrt(cavity.weight)
    mu = centre[:, None] + scale[:, None] * nodes
    shape = cavity.shape + 0.5
    rate = cavity.rate[:, None] + (score[:, None] - mu) ** 2 / 2
    log_weights = -(nodes**2) / 2 - shape[:, None] * np.log(rate)
    weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    mean = (weights * mu).sum(axis=1)
    variance = (weights * (mu - mean[:, None]) ** 2).sum(axis=1)
    tau = shape * (weights / rate).sum(axis=1)
    tau_variance = shape * (shape + 1) * (weights / rate**2).sum(axis=1) - tau**2
    return np.array([1 / variance, mean / variance, tau**2 / tau_variance, tau / tau_variance])
