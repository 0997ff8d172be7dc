"""What an asking came to, in sentences for pages, commands and messages."""

from agreement import Estimate
from judges.probes.drift import ACCURACY, CHANGE, LEAST_UNITS, MEAN, Drift, Measure

HEADINGS = {
    CHANGE: "changed",
    MEAN: "mean",
    ACCURACY: "right",
}


def verdict(drift: Drift) -> str:
    """Whether drift was found, and in what, in one or two sentences."""
    if drift.found is None:
        return (
            f"Too few units to say: {drift.units} have all answers, and {LEAST_UNITS} are needed."
        )
    if drift.found:
        return f"Drift found: {'; '.join(map(measured, drift.apart))}."
    measure = drift.headline
    return "No drift found." if measure is None else f"No drift found: {measured(measure)}."


def measured(measure: Measure) -> str:
    """A measure with its interval, without a full stop."""
    within = interval(measure)
    within = f" ({within})" if within else ""
    if measure.name == CHANGE:
        return (
            f"{_percent(measure.newest)} of the answers to {measure.title} differ from the first "
            f"ones, {_percent(measure.noise)} did when asked twice in a row: "
            f"{value(measure)}{within}"
        )
    if measure.name == ACCURACY:
        return (
            f"{_percent(measure.newest)} of the answers to {measure.title} are right, "
            f"{_percent(measure.first)} were at first: {value(measure)}{within}"
        )
    return f"{measure.title} has moved by {value(measure)} on average{within}"


def heading(measure: Measure) -> str:
    """What a column of the measure is called."""
    return f"{measure.title}: {HEADINGS[measure.name]}"


def value(measure: Measure) -> str:
    """The estimate with its sign: in percentage points, of means in points of the scale."""
    return _signed(measure.estimate.value, of_shares=_is_share(measure))


def interval(measure: Measure) -> str:
    """`−3.0 to +12.0 points`; empty where there is none."""
    estimate: Estimate = measure.estimate
    if estimate.low is None:
        return ""
    low, high = (
        _signed(bound, of_shares=_is_share(measure)) for bound in (estimate.low, estimate.high)
    )
    return f"{low.removesuffix(' points')} to {high}"


def left_out(drift: Drift) -> str:
    """What was not compared; empty where everything was."""
    parts = []
    if drift.unanswered:
        n = drift.unanswered
        parts.append(f"{n} {'question has' if n == 1 else 'questions have'} not all answers")
    if drift.retired:
        n = drift.retired
        parts.append(f"{n} {'unit is' if n == 1 else 'units are'} disabled by now")
    if drift.sealed:
        n = drift.sealed
        parts.append(f"{n} {'unit is' if n == 1 else 'units are'} of the sealed half")
    return f"Left out: {', '.join(parts)}." if parts else ""


def reported_models(drift: Drift) -> str:
    """What the backend says it is, where that has changed; else empty."""
    if drift.models is None:
        return ""
    before, now = drift.models
    return f"The backend called itself {before} at first, and {now} now."


def _is_share(measure: Measure) -> bool:
    return measure.name in (CHANGE, ACCURACY)


def _signed(number: float | None, *, of_shares: bool) -> str:
    if number is None:
        return "–"
    text = f"{100 * number:+.1f} points" if of_shares else f"{number:+.3g}"
    return text.replace("-", "−") if number else text.removeprefix("+")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
