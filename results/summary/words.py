"""Numbers and names as the sentences of the first screen have them."""

from collections.abc import Sequence
from dataclasses import replace

from agreement import Estimate

# Letters of a name in a sentence: what is longer is cut in its middle, since names often begin or
# end alike.
NAME = 28
# Right-to-left names do not turn the sentence around them (Unicode's first strong isolate).
ISOLATE, END = "\u2068", "\u2069"
LEAST_P = 0.001


def named(name: str) -> str:
    """The name of a judge, a person or a system within a sentence."""
    return f"{ISOLATE}{shortened(name)}{END}"


def shortened(name: str, letters: int = NAME) -> str:
    """The name with an ellipsis in its middle where it is longer."""
    if len(name) <= letters:
        return name
    end = letters // 3
    return f"{name[: letters - end - 1].rstrip()}…{name[-end:].lstrip()}"


def number(value: float, like: float | None = None) -> str:
    """Two decimals, or one for ratings on a long scale; what rounds to 0 is 0."""
    text = f"{value:.1f}" if abs(value if like is None else like) >= 10 else f"{value:.2f}"
    return "0" if not float(text) else text.replace("-", "−")


def percent(share: float) -> str:
    """A share as a whole percentage. What is not quite nothing, or all, is not called so."""
    if 0 < share < 0.005:
        return "under 1 %"
    if 0.995 <= share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"


def p_value(value: float) -> str:
    """A p value with its sign."""
    return f"p < {LEAST_P}" if value < LEAST_P else f"p = {value:.3f}"


def interval(estimate: Estimate) -> str:
    """The bounds; empty where there are none."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = (number(bound, estimate.value) for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"


def measured(what: str, estimate: Estimate, *more: str) -> str:
    """`α 0.51, 0.45 to 0.57, n = 235`: a number with its interval and n."""
    assert estimate.value is not None
    size = "" if estimate.n_units is None else f"n = {estimate.n_units:,}"
    parts = [f"{what} {number(estimate.value)}", interval(estimate), size, *more]
    return ", ".join(filter(None, parts))


def listed(names: Sequence[str], most: int = 3) -> str:
    """`a, b and 4 more`."""
    shown = [named(name) for name in names[:most]]
    rest = len(names) - len(shown)
    parts = [*shown, f"{rest} more"] if rest else shown
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1] if parts else ""]))


def counted(number_: int, noun: str, plural: str = "") -> str:
    """`1 unit`, `2,514 units`."""
    return f"{number_:,} {noun if number_ == 1 else plural or noun + 's'}"


def no_interval(estimate: Estimate) -> str:
    """Why the estimate has no interval."""
    reason = (estimate.interval_method or "").partition("none: ")[2]
    return reason or "none was computed"


def turned(estimate: Estimate) -> Estimate:
    """The same with its sign turned, as of a difference the other way round."""
    if estimate.value is None:
        return estimate
    low, high = (None if bound is None else 0.0 - bound for bound in (estimate.high, estimate.low))
    return replace(estimate, value=0.0 - estimate.value, low=low, high=high)
