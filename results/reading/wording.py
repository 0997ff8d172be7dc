"""Numbers, intervals, names and counts as sentences and tables have them."""

from collections.abc import Sequence

from agreement import Estimate
from annotation.rater_names import shortened
from results.reading.bounds import generalises

# Letters of a name on a line of a figure.
LINE = 22
# Right-to-left names do not turn the sentence around them (Unicode's first strong isolate).
ISOLATE, END = "\u2068", "\u2069"
LEAST_P = 0.001
# Holds a number and its sign or unit on one line.
GLUE = "\u00a0"
# Numbers of this size are read with one decimal.
LONG = 10
UNSEEN = {ord(ISOLATE): None, ord(END): None, ord(GLUE): " "}


def named(name: str) -> str:
    """The name of a judge, a person or a system within a sentence."""
    return f"{ISOLATE}{shortened(name)}{END}"


def on_a_line(name: str) -> str:
    """The name on a line of a figure."""
    return shortened(name, LINE)


def plain(text: str) -> str:
    """A sentence without what holds its words together and its names apart on a page."""
    return text.translate(UNSEEN)


def number(value: float, like: float | None = None) -> str:
    """A number of a sentence: two decimals, or one on a long scale; what rounds to 0 is 0. like:
    the number that it goes with."""
    text = f"{value:.1f}" if abs(value if like is None else like) >= LONG else f"{value:.2f}"
    return "0" if not float(text) else text.replace("-", "−")


def number_text(value: float, like: float | None = None, decimals: int | None = None) -> str:
    """A number of a table: three decimals, or one on a long scale. decimals: those of its column
    where that has settled them."""
    if decimals is None:
        decimals = decimals_for([value if like is None else like])
    return f"{value:.{decimals}f}".replace("-", "−")


def decimals_for(values: Sequence[float]) -> int:
    """How many decimals all numbers of a column get: one where some are 10 or more, two where
    others of these are below 1."""
    sizes = [abs(value) for value in values if value]
    if max(sizes, default=0.0) < LONG:
        return 3
    return 1 if min(sizes) >= 1 else 2


def percent(share: float) -> str:
    """A share as a whole percentage. What is not quite nothing, or all, is not called so."""
    if 0 < share < 0.005:
        return f"under 1{GLUE}%"
    if 0.995 <= share < 1:
        return f"over 99{GLUE}%"
    return f"{100 * share:.0f}{GLUE}%"


def p_value(value: float) -> str:
    """A p value with its sign."""
    text = f"p < {LEAST_P}" if value < LEAST_P else f"p = {value:.3f}"
    return text.replace(" ", GLUE)


def interval(estimate: Estimate) -> str:
    """The bounds in a sentence; empty where there are none."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = (number(bound, estimate.value) for bound in (estimate.low, estimate.high))
    return f"{low} to {high}"


def interval_text(estimate: Estimate, decimals: int | None = None) -> str:
    """The bounds in a table; empty where there are none."""
    if estimate.low is None or estimate.high is None:
        return ""
    bounds = (estimate.low, estimate.high)
    low, high = (number_text(bound, estimate.value, decimals) for bound in bounds)
    return f"{low} to {high}"


def measured(what: str, estimate: Estimate, *more: str) -> str:
    """`α 0.51, 0.45 to 0.57, n = 235`: a number with its interval and n."""
    assert estimate.value is not None
    value = f"{what}{GLUE}{number(estimate.value)}".strip()
    return ", ".join(filter(None, [value, interval(estimate), sized(estimate), *more]))


def sized(estimate: Estimate) -> str:
    """`n = 2,350`; empty where there is no n."""
    return "" if estimate.n_units is None else f"n{GLUE}={GLUE}{estimate.n_units:,}"


def readers(estimate: Estimate, who: str = "") -> str:
    """Whom an interval or a test is about: these raters alone, or raters like these as well. who:
    how many of them there are."""
    if generalises(estimate):
        return f"{who} and others like them" if who else "raters like these"
    return f"these {who or 'raters'}"


def these_people(count: int | None) -> str:
    """`these 3 people`; `these people` where nobody knows how many they are."""
    return "these people" if count is None else f"these {counted(count, 'person', 'people')}"


def no_interval(estimate: Estimate) -> str:
    """Why the estimate has no interval; empty where it has one, or could not have any."""
    reason = (estimate.interval_method or "").partition("none: ")[2]
    return "" if interval(estimate) else reason


def uncapitalised(title: str) -> str:
    """A title within a sentence; one such as F1 stays."""
    return title if title[1:2].isupper() or title[1:2].isdigit() else title[:1].lower() + title[1:]


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 unit`, `2,514 units`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], most: int = 3) -> str:
    """`a, b and 4 more`."""
    shown = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
