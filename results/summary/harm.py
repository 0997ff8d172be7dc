"""What a judge does where it is wrong, in words."""

from results.summary.judges import Hit, Judge, is_biased
from results.summary.words import interval, measured, named, number, percent, turned

# Labels that mean a text has failed: then a judge that misses one lets it pass.
FAILED = {"no", "fail", "failed", "false", "bad", "incorrect", "wrong", "unsupported"}
OF_PARTS = {"chooses": "leave out", "misses": "choose"}


def harm(judge: Judge, *, short: bool = False) -> str:
    """What the judge does where it is wrong, as the end of a sentence about it. short: without
    interval and n."""
    worst = judge.worst
    if worst is not None:
        return missed(worst, short=short)
    bias = judge.bias
    if bias is not None and bias.value is not None and is_biased(judge):
        if bias.value > 0:
            return f"rates higher than people by {number(bias.value)} ({interval(bias)})"
        less = turned(bias)
        return f"rates lower than people by {number(float(less))} ({interval(less)})"
    return ""


def missed(hit: Hit, *, short: bool = False, of: str = "people") -> str:
    """`passes 36 % of what people fail (finds 0.64, 0.51 to 0.75, n = 61)`."""
    share = percent(1 - float(hit.rate))
    about = f"finds {number(float(hit.rate))}" if short else measured("finds", hit.rate)
    if hit.of_parts:
        verb = "chooses" if hit.label in FAILED else "misses"
        return f"{verb} {share} of what {of} {OF_PARTS[verb]} ({about})"
    if hit.label.strip().lower() in FAILED:
        return f"passes {share} of what {of} fail ({about})"
    return f"misses {share} of what {of} call {named(hit.label)} ({about})"
