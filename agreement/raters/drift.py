"""Drift of a rater that is asked the same questions again, beyond how much it differs from itself.

A rater that samples its answers gives others the next time without having changed. So it is asked
twice at first, and what differs between these two askings is taken off.
"""

from dataclasses import dataclass
from math import comb, pi

from ..bootstrap.intervals import Bootstrap
from ..scores.clustered import Clusters, student
from ..values.coding import as_floats
from ..values.estimate import Counts, Estimate
from ..values.ratings import Ids
from .rates import YesNo, yes_no_rates

NO_PAIRS = "no question with an answer at all askings"


@dataclass(frozen=True, kw_only=True)
class PairedShares:
    """difference: the newest share minus the first. p_value: McNemar's exact one of no change."""

    first: Estimate
    newest: Estimate
    difference: Estimate
    p_value: Estimate


def excess_change(
    changed: YesNo, noise: YesNo, *, clusters: Ids | None = None, confidence: float = 0.95
) -> Estimate:
    """How much more often answers differ from the first ones now than they did at once.

    With N answers, value = (number of changed - number of noise) / N. It is 0 in expectation where
    the three askings are draws from one distribution for each question, since any two of them then
    differ equally often.

    Parameters
    ----------
    changed : (N,) whether the newest answer differs from the first.
    noise : (N,) whether the second answer of the first asking differs from its first. What is
        missing at any of the three askings is left out by the caller.
    clusters : (N,) ids, of the units that several answers belong to; each its own when left out.
    confidence : coverage of the interval, in (0, 1).

    Returns an Estimate in [-1, 1], with N as n_units. Its interval is Newcombe's for paired shares
    where every answer is its own cluster; else Student's, with the error over clusters, from ten
    of them on. Undefined: no answers. Raises ValueError for different lengths and a confidence out
    of range.

    Source: Newcombe (1998), "Improved confidence intervals for the difference between binomial
    proportions based on paired data", method 10; Liang and Zeger (1986), "Longitudinal data
    analysis using generalized linear models". Taking off the difference of a rater from itself is
    ours.
    """
    groups = Clusters.of(clusters, len(changed))
    bootstrap = Bootstrap(confidence=confidence)
    if len(changed) != len(noise):
        raise ValueError("changed and noise differ in length")
    if not len(changed):
        return Estimate.missing(NO_PAIRS, n_units=0)
    if groups.apart:
        return yes_no_rates(noise, changed, bootstrap=bootstrap).bias
    apart = as_floats(list(changed)) - as_floats(list(noise))
    value = float(apart.mean())
    return student(
        value,
        groups.error(apart - value),
        groups.number,
        confidence,
        f"Student, error over {groups.number} clusters",
        reach=1,
        n_units=len(apart),
    )


def paired_shares(first: YesNo, newest: YesNo, *, confidence: float = 0.95) -> PairedShares:
    """Two shares of yes over the same N questions, such as how often a rater is right.

    With b questions that turned to no and c that turned to yes, the difference is (c - b) / N and
    p = 2 P(X <= min(b, c)) for X binomial of b + c tries at 1/2, at most 1.

    Parameters
    ----------
    first, newest : (N,) yes or no; questions with a missing answer are left out by the caller.
    confidence : coverage of the intervals, in (0, 1).

    Returns PairedShares with N as n_units; both shares have Wilson's interval, their difference
    Newcombe's. Undefined: no questions. Raises ValueError for different lengths and a confidence
    out of range.

    Source: McNemar (1947), "Note on the sampling error of the difference between correlated
    proportions or percentages", in its exact conditional form; Newcombe (1998), method 10.
    """
    bootstrap, n = Bootstrap(confidence=confidence), Counts(n_units=len(first))
    rates = yes_no_rates(first, newest, bootstrap=bootstrap)
    if not len(first):
        nothing = Estimate.missing(NO_PAIRS, **n)
        return PairedShares(first=nothing, newest=nothing, difference=nothing, p_value=nothing)
    worse = sum(bool(a) and not b for a, b in zip(first, newest, strict=True))
    better = sum(bool(b) and not a for a, b in zip(first, newest, strict=True))
    everything = [True] * len(first)
    return PairedShares(
        first=yes_no_rates(everything, first, bootstrap=bootstrap).true_positive_rate,
        newest=yes_no_rates(everything, newest, bootstrap=bootstrap).true_positive_rate,
        difference=rates.bias,
        p_value=Estimate(value=_exact_mcnemar(worse, better), **n),
    )


def confidence_at_look(look: int, *, measures: int = 1, alpha: float = 0.05) -> float:
    """The confidence of each of several intervals at one of many looks.

    1 - alpha 6 / (pi^2 look^2 measures). The shares of alpha sum to 1 over all looks there may
    ever be, so that with probability 1 - alpha at least no interval at any look misses its truth.
    Whether any of the measures lies apart from 0 is then the same question as whether Holm's
    procedure rejects any: its first step compares the smallest p value with alpha / measures.

    Parameters
    ----------
    look : 1 for the first comparison, 2 for the second …
    measures : how many intervals are looked at together, 1 or more.
    alpha : the probability of any false finding, ever, in (0, 1).

    Returns a confidence in (0, 1), and takes no missing values. Undefined for no look: raises
    ValueError for values out of range.

    Source: DeMets and Lan (1994), "Interim analysis: the alpha spending function approach", with
    Euler's series 1 + 1/4 + 1/9 + … = pi^2 / 6 as the shares; Holm (1979), "A simple sequentially
    rejective multiple test procedure".
    """
    if look < 1 or measures < 1 or not 0 < alpha < 1:
        raise ValueError("look and measures begin at 1, alpha lies between 0 and 1")
    return 1 - alpha * 6 / (pi**2 * look**2 * measures)


def _exact_mcnemar(worse: int, better: int) -> float:
    tries, fewer = worse + better, min(worse, better)
    tail = sum(comb(tries, k) for k in range(fewer + 1))
    return min(1.0, float(2 * tail / 2**tries))
