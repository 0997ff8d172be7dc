"""What a judge does where it is wrong, in words."""

from estimates.scorecard.labels import POSITIVE
from results.reading.bounds import turned
from results.reading.judges import DetectionRate, Judge, is_biased
from results.reading.wording import interval, measured, named, number, percent

# Labels that mean a text has failed: then a judge that misses one lets it pass.
FAILED = {"no", "fail", "failed", "false", "bad", "incorrect", "wrong", "unsupported"}


def harm(judge: Judge, *, short: bool = False) -> str:
    """What the judge does where it is wrong, as the end of a sentence about it. short: without
    interval and n."""
    if judge.worst is not None:
        return missed(judge.worst, short=short)
    bias = judge.bias
    if bias is None or bias.value is None or not is_biased(judge):
        return ""
    size, way = (bias, "higher") if bias.value > 0 else (turned(bias), "lower")
    return f"rates {way} than people by {number(float(size))} ({interval(size)})"


def missed(hit: DetectionRate, *, short: bool = False, of: str = "people") -> str:
    """`passes 36 % of what people fail (finds 0.64, 0.51 to 0.75, n = 61)`."""
    share, label = percent(1 - float(hit.rate)), hit.label.strip().lower()
    about = f"finds {number(float(hit.rate))}" if short else measured("finds", hit.rate)
    if hit.of_parts:
        verb, wrong = ("chooses", "leave out") if label in FAILED else ("misses", "choose")
        return f"{verb} {share} of what {of} {wrong} ({about})"
    if label in FAILED:
        return f"passes {share} of what {of} fail ({about})"
    if label in POSITIVE:
        return f"fails {share} of what {of} pass ({about})"
    return f"misses {share} of what {of} call {named(hit.label)} ({about})"
