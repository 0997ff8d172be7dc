"""Whether the units that people answered look like the others, to the judge who answered all."""

from math import inf

import numpy as np

from ..bootstrap.scales import Scale
from ..values.coding import as_floats
from ..values.estimate import Counts, Estimate
from .prediction_powered import FEW_ANSWERED, FEW_REST, Numbers
from .student import Student


def ppi_selection(
    human: Numbers, judge: Numbers, *, reach: float = inf, confidence: float = 0.95
) -> Estimate:
    """Mean of the judge where people answered minus its mean where they did not.

    Answered units that the judge scores otherwise than the rest were hardly drawn at random, and
    then a prediction-powered mean is wrong and its interval too sure.

    Parameters : as for `ppi_mean`, and for `ppi_difference` the reach.

    Returns an Estimate in the unit of the judge's numbers, with Welch's interval (Student's t,
    unequal variances); n_units counts all units, n_ratings those that people answered. Undefined:
    fewer than two units of either kind. None and NaN are missing;
    errors as for `ppi_mean`.

    Source: Welch (1947), "The generalization of 'Student's' problem when several different
    population variances are involved".
    """
    answers, guesses = as_floats(human), as_floats(judge)
    if len(answers) != len(guesses):
        raise ValueError(f"{len(answers)} human answers for {len(guesses)} of the judge")
    if not 0 < confidence < 1:
        raise ValueError("confidence must lie between 0 and 1")
    judged, answered = ~np.isnan(guesses), ~np.isnan(answers)
    f, rest = guesses[judged & answered], guesses[judged & ~answered]
    n = Counts(n_units=len(f) + len(rest), n_ratings=len(f))
    if len(f) < 2 or len(rest) < 2:
        return Estimate.missing(FEW_ANSWERED if len(f) < 2 else FEW_REST, **n)
    errors = np.array([f.var(ddof=1) / len(f), rest.var(ddof=1) / len(rest)])
    spread = float((errors**2 / (np.array([len(f), len(rest)]) - 1)).sum())
    degrees = float(errors.sum() ** 2 / spread) if spread else 1.0
    value, text = float(f.mean() - rest.mean()), f"Welch, {degrees:.3g} degrees of freedom"
    student = Student(confidence, degrees, scale=Scale(-reach, reach))
    return student.around(value, float(errors.sum()), text, n)
