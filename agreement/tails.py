"""Upper tail probabilities, by series and quadrature: all that the tests here need of scipy."""

from math import erfc, exp, lgamma, log, pi, sqrt

import numpy as np

STEPS = 1000  # terms of a series or fraction; both converge in far fewer


def chi_square_tail(value: float, degrees: int) -> float:
    """P(X > value) for chi square with that many degrees of freedom, to about 1e-14.

    The regularised incomplete gamma function Q(a, x) with a = degrees / 2, x = value / 2: one
    minus its series below a + 1, Legendre's continued fraction above, where each converges fast.

    Source: Abramowitz and Stegun (1964), "Handbook of Mathematical Functions", 6.5.29 and 6.5.31;
    the fraction evaluated after Lentz (1976).
    """
    if degrees < 1:
        raise ValueError("chi square needs at least one degree of freedom")
    a, x = degrees / 2, value / 2
    if x <= 0:
        return 1.0
    front = exp(a * log(x) - x - lgamma(a))
    return 1 - front * _series(a, x) if x < a + 1 else front * _fraction(a, x)


def student_t_tail(value: float, degrees: int) -> float:
    """P(T > value) for Student's t with that many degrees of freedom, to about 1e-13.

    Half the regularised incomplete beta function I_x(degrees / 2, 1 / 2) at x = degrees /
    (degrees + value^2) for a value above 0, one minus that below.

    Source: Abramowitz and Stegun (1964), 26.7.1 and 26.5.8, the fraction after Lentz (1976).
    """
    if degrees < 1:
        raise ValueError("t needs at least one degree of freedom")
    whole = degrees + value * value
    half = _beta_share(degrees / whole, value * value / whole, degrees / 2, 0.5) / 2
    return half if value > 0 else 1 - half


def studentized_range_tail(value: float, groups: int) -> float:
    """P(range of `groups` standard normal values > value), to about 1e-13 absolute.

    1 - k integral of phi(z) (Phi(z) - Phi(z - q))^(k - 1) dz by the trapezoidal rule, which is
    exact to rounding for integrands that vanish at both ends like this one.

    Source: Tippett (1925), "On the extreme individuals and the range of samples taken from a
    normal population".
    """
    if groups < 2:
        raise ValueError("a range needs at least two groups")
    if value <= 0:
        return 1.0
    z = np.linspace(-9, 9, 721)
    density = np.exp(-(z**2) / 2) / sqrt(2 * pi)
    between = np.array([_normal(one) - _normal(one - value) for one in z])
    inside = groups * float((density * between ** (groups - 1)).sum()) * (z[1] - z[0])
    return min(1.0, max(0.0, 1 - float(inside)))


def studentized_range_quantile(tail: float, groups: int) -> float:
    """The range that is exceeded with probability `tail`, in (0, 1), by bisection."""
    if not 0 < tail < 1:
        raise ValueError("the level must lie between 0 and 1")
    low, high = 0.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        if studentized_range_tail(middle, groups) > tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _normal(z: float) -> float:
    return erfc(-z / sqrt(2)) / 2


def _series(a: float, x: float) -> float:
    """Sum of x^n / (a (a + 1) ... (a + n)), n from 0."""
    term = total = 1 / a
    for n in range(1, STEPS):
        term *= x / (a + n)
        total += term
        if term < total * 1e-17:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...)))."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    result = d
    for n in range(1, STEPS):
        factor = -n * (n - a)
        b += 2
        d = 1 / (factor * d + b or tiny)
        c = b + factor / c or tiny
        result *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return result


def _beta_share(x: float, rest: float, a: float, b: float) -> float:
    """I_x(a, b), rest = 1 - x, mirrored to the side on which the fraction converges fast."""
    if x <= 0 or rest <= 0:
        return float(rest <= 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(rest, x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest))
    return front / (a * _beta_fraction(x, a, b))


def _beta_fraction(x: float, a: float, b: float) -> float:
    """1 + d_1 / (1 + d_2 / (1 + ...)) with the d of Abramowitz and Stegun 26.5.8."""
    tiny = 1e-300
    result = c = 1.0
    d = 0.0
    for n in range(1, STEPS):
        m = n // 2
        if n % 2:
            factor = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            factor = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + factor * d or tiny)
        c = 1 + factor / c or tiny
        result *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return result
