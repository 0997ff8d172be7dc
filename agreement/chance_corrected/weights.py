"""How much a disagreement counts by how far apart two labels lie on an ordered scale."""

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from ..values.coding import Domain, FloatArray, IntArray

# Steps between two labels and labels of the scale, to a weight from 0 (equal) to 1 (farthest).
WEIGHTS: dict[str, Callable[[FloatArray, int], FloatArray]] = {
    "none": lambda steps, _size: np.where(steps > 0, 1.0, 0.0),
    "linear": lambda steps, size: steps / (size - 1),
    "quadratic": lambda steps, size: (steps / (size - 1)) ** 2,
}


class Scale:
    """The labels of a table, their places on a scale, and what a disagreement counts.

    domain: the V labels that occur. labels: the whole scale in its order, which must hold them
    all; without it the scale is what occurs, and only the weights "none" have a meaning.
    Raises ValueError for unknown weights, for weights without a scale, for a scale that names
    a label twice, and for a label outside of it.
    """

    def __init__(self, domain: Domain, labels: Sequence[Hashable] | None, weights: str) -> None:
        if weights not in WEIGHTS:
            raise ValueError(f"unknown weights {weights!r}: one of {', '.join(WEIGHTS)}")
        if labels is None and weights != "none":
            raise ValueError(f"{weights} weights need the labels in their order")
        assert isinstance(domain, list)
        scale = domain if labels is None else list(labels)
        place = {label: at for at, label in enumerate(scale)}
        if len(place) < len(scale):
            raise ValueError("the labels name one twice")
        outside = [label for label in domain if label not in place]
        if outside:
            raise ValueError(f"{outside[0]!r} is not among the labels")
        self.size = len(scale)
        self.places = np.array([place[label] for label in domain], dtype=np.int64)
        self.weights = weights

    def between(self, i: IntArray, j: IntArray) -> FloatArray:
        """Weights of disagreement between codes of the domain; i and j broadcast."""
        if self.weights == "none":  # before looking up places: a table of V x V may be large
            return np.not_equal(i, j).astype(np.float64)
        return self._weigh(np.abs(self.places[i] - self.places[j]))

    def total(self) -> float:
        """Sum of the weights of disagreement over all pairs of labels of the scale."""
        steps = np.arange(1, self.size)
        pairs = 2 * (self.size - steps)  # how many ordered pairs lie that many steps apart
        return float((pairs * self._weigh(steps)).sum())

    def _weigh(self, steps: IntArray) -> FloatArray:
        # With one label there are no steps, and no pair to divide by size - 1 for.
        return WEIGHTS[self.weights](steps.astype(np.float64), max(self.size, 2))
