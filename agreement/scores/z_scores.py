"""Putting the ratings of one worker on a common scale."""

from collections.abc import Sequence

import numpy as np

from ..values.coding import FloatArray, as_floats


def z_scores(values: Sequence[float] | FloatArray) -> FloatArray:
    """(x - mean) / sd with the population standard deviation (ddof 0) of one worker's ratings.

    values: (n,) numbers in any unit; the result (n,) is unitless with mean 0 and sd 1.
    Raises ValueError where z-scores do not exist: no ratings, ratings that are all equal, a
    missing or infinite one. No interval: it is a transformation, not a statistic.

    Source: standard; used per worker by Graham et al. (2017), "Can machine translation systems
    be evaluated by the crowd alone?", section 3.
    """
    numbers = as_floats(values)
    if not len(numbers) or np.isnan(numbers).any():
        raise ValueError("z-scores need at least one rating and none missing")
    if (numbers == numbers[0]).all():
        raise ValueError("z-scores are undefined: the ratings do not vary")
    return np.asarray((numbers - numbers.mean()) / numbers.std())
