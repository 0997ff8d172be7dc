"""Error that looks at one sealed test spend, so that all of their intervals hold together."""

from math import e, log


def error_spent(looks: int, planned: int, error: float) -> float:
    """How much of the error the first looks have spent together, by the spending function of
    Pocock's type: error * ln(1 + (e - 1) * looks / planned).

    Parameters
    ----------
    looks : how many looks there were, from 0 to `planned`.
    planned : how many there will be at most, 1 or more, fixed before the first.
    error : the probability, in (0, 1), with which any of the intervals may miss.

    Returns a number between 0 (no look) and `error` (all of them), concave in the looks: the first
    costs most. Raises ValueError for numbers outside these ranges.

    Source: Lan and DeMets (1983), "Discrete sequential boundaries for clinical trials", Biometrika
    70, 659-663, the second of their functions (alpha_2*); the name is from its likeness to the
    boundaries of Pocock (1977).
    """
    if planned < 1 or not 0 <= looks <= planned:
        raise ValueError(f"look {looks} of {planned}: looks lie between 0 and those planned")
    if not 0 < error < 1:
        raise ValueError("error must lie between 0 and 1")
    return error * log(1 + (e - 1) * looks / planned)


def confidence_of_look(look: int, planned: int, error: float, *, figures: int = 1) -> float:
    """The confidence at which the intervals of one look hold together with those of all others.

    The look spends what `error_spent` grows by, in equal shares for each of its figures. As the
    errors of all looks and figures sum to `error` at most, all intervals hold at once with
    probability 1 - error, however they depend on each other (Boole's inequality): every look is at
    the same sealed units, and each at another judge, so that the joint distribution by which
    group-sequential boundaries are wider is not known here. It needs that the judge of a look was
    made without the answers about the sealed units.

    Parameters
    ----------
    look : its number, from 1 to `planned`.
    planned, error : as for `error_spent`.
    figures : how many figures with an interval the look shows, 1 or more.

    Returns a confidence in (0, 1). Raises ValueError as `error_spent`, and for a look or figures
    below 1.

    Source: Lan and DeMets (1983) for what each look spends; Dunn (1961), "Multiple comparisons
    among means", Journal of the American Statistical Association 56, 52-64, for the sum.
    """
    if look < 1 or figures < 1:
        raise ValueError("looks and figures are counted from 1")
    spent = error_spent(look, planned, error) - error_spent(look - 1, planned, error)
    return 1 - spent / figures
