"""A judge beside one person's labels: what they alone can say of it. How near another person would
come is not known, so there is no ceiling to hold the judge to."""

from results.reading.answer import Badge, CardAnswer, Goal, NextStep, Tone
from results.reading.bounds import bounded
from results.reading.harm import missed
from results.reading.judges import DetectionRate, Judge
from results.reading.wording import named, percent

# What a judge has to find of each label, surely, to be let stand for that person.
FOUND = 0.8
SOUND, ERRS, OPEN = "sound", "errs", "open"
BADGES = {
    SOUND: Badge(Tone.GOOD, "Yes, by one person’s labels"),
    ERRS: Badge(Tone.BAD, "No, by one person’s labels"),
    OPEN: Badge(Tone.OPEN, "Open, by one person’s labels"),
}
_ALONE = (
    "This rests on one person’s labels: how near another person would come is not known, so there "
    "is no ceiling to hold {it} to."
)


def verdict_beside_one(judge: Judge) -> str:
    """SOUND where it surely finds enough of every label, ERRS where it surely does not of one, else
    OPEN; nothing where one person alone did not answer, or no label came often enough."""
    rates = [hit.rate for hit in judge.told]
    if not judge.beside_one or not rates:
        return ""
    if any(bounded(rate) and rate.high is not None and rate.high < FOUND for rate in rates):
        return ERRS
    sure = all(bounded(rate) and rate.low is not None and rate.low >= FOUND for rate in rates)
    return SOUND if sure and len(rates) > 1 else OPEN


def answer_beside_one(judge: Judge) -> CardAnswer | None:
    """The verdict in words; None where `verdict_beside_one` has none."""
    verdict = verdict_beside_one(judge)
    if not verdict:
        return None
    name, worst, *others = named(judge.name), *judge.told
    text = f"{_OPENING[verdict].format(it=name)}: it {_errors(worst, others)}."
    step = NextStep("Have a second person answer the same units.", Goal.STUDY)
    caveat = _ALONE.format(it=name)
    return CardAnswer(f"one person, {verdict}", BADGES[verdict], text, [caveat], [step])


_OPENING = {
    SOUND: f"{{it}} finds at least {percent(FOUND)} of each of your labels",
    ERRS: f"{{it}} finds less than {percent(FOUND)} of one of your labels",
    OPEN: f"Whether {{it}} finds {percent(FOUND)} of each of your labels is open",
}


def _errors(worst: DetectionRate, others: list[DetectionRate]) -> str:
    said = [missed(hit, of="you") for hit in (worst, *others[:1])]
    return " and ".join(said)
