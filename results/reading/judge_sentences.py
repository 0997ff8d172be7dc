"""Can a judge stand in for a person? The words: verdict, harm, test, and what to do next."""

from collections.abc import Iterator, Sequence

from agreement import Estimate
from estimates.catalogue import KENDALL_TAU_B, metric
from estimates.data.parties import HUMANS
from estimates.scorecard.labels import POSITIVE
from results.reading.answer import Badge, CardAnswer, Goal, NextStep, Tone
from results.reading.bounds import bounded, defined, turned
from results.reading.judges import (
    BADGES,
    NONE,
    DetectionRate,
    Judge,
    JudgeVerdict,
    agree_well,
    deciding_lead,
    is_biased,
    judges_of,
    overlapping,
    verdict_on,
)
from results.reading.people import TWINS_FROM
from results.reading.rows import FacetRows
from results.reading.steps import more_units
from results.reading.wording import (
    interval,
    listed,
    measured,
    named,
    number,
    percent,
    readers,
)

QUESTION = "Can a judge stand in?"
# Labels that mean a text has failed: then a judge that misses one lets it pass.
FAILED = {"no", "fail", "failed", "false", "bad", "incorrect", "wrong", "unsupported"}
# Labels whose misses are told where one person answered.
MOST_HITS = 2
# From this share of units without an answer on a caveat says so.
MANY_UNANSWERED = 0.05
TOO_FEW = "too few units"
AS_PEOPLE = "{name} agrees with people {near} they agree with each other ({lead})"
SENTENCES = {
    JudgeVerdict.STANDS_IN: AS_PEOPLE,
    JudgeVerdict.ONE_SIDED: AS_PEOPLE,
    JudgeVerdict.AMONG_FEW: f"{AS_PEOPLE}; whether people agree well is not settled",
    JudgeVerdict.BELOW: (
        "{name} agrees with people less than they agree with each other, "
        "by more than the study allows ({lead}; {epsilon})"
    ),
}
IN_SHORT = {
    JudgeVerdict.STANDS_IN: "agrees with people as they do",
    JudgeVerdict.AMONG_FEW: "agrees with people as they do",
    JudgeVerdict.ONE_SIDED: "agrees with people as they do",
    JudgeVerdict.BELOW: "agrees with people less than they do",
    JudgeVerdict.NOT_SHOWN: "not settled, {doubt}",
}


def answers_about_judges(rows: FacetRows, epsilon: float) -> list[CardAnswer]:
    """Of every judge, those of whom most may be said first; what to do next and the caveats stand
    with the first. One answer without a verdict where judges or people are missing. epsilon: the
    study's."""
    judges = judges_of(rows, epsilon)
    if not judges or not rows.people:
        return [_without(judges)]
    first, *others = [answer_about(judge, epsilon) for judge in judges]
    caveats = _caveats(judges[0], judges[1:], epsilon)
    steps = _steps(judges[0], verdict_on(judges[0], epsilon), epsilon)
    return [CardAnswer(first.verdict, first.badge, first.sentence, caveats, steps), *others]


def answer_about(judge: Judge, epsilon: float) -> CardAnswer:
    """The verdict on one judge in a sentence."""
    verdict = verdict_on(judge, epsilon)
    return CardAnswer(verdict, BADGES[verdict], sentence(judge, verdict, epsilon))


def _without(judges: Sequence[Judge]) -> CardAnswer:
    """No judge, or nobody to compare one with."""
    badge = Badge(Tone.OPEN, NONE)
    if judges:
        names = listed([named(judge.name) for judge in judges])
        text = f"Only judges answered ({names}). There are no people to compare them with."
        step = NextStep("Have people answer the same units.", Goal.STUDY)
        return CardAnswer("no people", badge, text, steps=(step,))
    step = NextStep("Let a judge answer the same units.", Goal.RUN)
    return CardAnswer("no judge", badge, "No judge has answered this question.", steps=(step,))


def sentence(judge: Judge, verdict: JudgeVerdict, epsilon: float) -> str:
    """The verdict with its number, interval and n, and the harm."""
    if verdict is JudgeVerdict.CANNOT_SAY:
        return _unsaid(judge)
    if verdict in (JudgeVerdict.FOLLOWS, JudgeVerdict.AGAINST):
        return _correlated(judge, verdict)
    text = (
        _not_settled(judge, epsilon)
        if verdict is JudgeVerdict.NOT_SHOWN
        else SENTENCES[verdict].format(**_about(judge, verdict, epsilon))
    )
    harm_ = harm(judge)
    joint = "but" if verdict is JudgeVerdict.ONE_SIDED else "and"
    return f"{text}{f', {joint} it {harm_}' if harm_ else ''}."


def _about(judge: Judge, verdict: JudgeVerdict, epsilon: float) -> dict[str, str]:
    lead = deciding_lead(judge, verdict)
    return {
        "name": named(judge.name),
        "near": "better than" if (lead.high or 0) < 0 else "as well as",
        "lead": measured("difference", lead, readers(lead)),
        "epsilon": f"ε = {epsilon:g}",
    }


def _not_settled(judge: Judge, epsilon: float) -> str:
    """What is shown although the verdict is open: that people agree more with each other."""
    about = _about(judge, JudgeVerdict.NOT_SHOWN, epsilon)
    why, low = doubt(judge, epsilon), deciding_lead(judge, JudgeVerdict.NOT_SHOWN).low
    if why == TOO_FEW and low is not None and low > 0:
        text = "{name} agrees with people less than they agree with each other ({lead}); whether "
        return f"{text}by more than the allowed {{epsilon}} is not settled".format(**about)
    text = "It is not settled whether {name} can stand in: {doubt} ({lead}; {epsilon})"
    return text.format(**about, doubt=why)


def doubt(judge: Judge, epsilon: float) -> str:
    """Why it is not settled that a judge stands in."""
    lead = deciding_lead(judge, JudgeVerdict.NOT_SHOWN)
    if lead.high is None or lead.high > epsilon:
        return TOO_FEW
    rate = judge.rate
    if rate is None or rate.value is None:
        return (rate and rate.undefined) or "people are too few for a test"
    return f"the test passes for {percent(rate.value)} of people only"


def _unsaid(judge: Judge) -> str:
    if judge.beside_one:
        return _beside_one(judge)
    reasons = (of.undefined for of in (judge.gap, judge.short, judge.follows) if of is not None)
    reason = next(filter(None, reasons), "it cannot be compared with people")
    text = f"No verdict on {named(judge.name)}: {reason}."
    if judge.alpha is not None and judge.alpha.value is not None:
        return f"{text} Its agreement with people: {_alpha(judge.alpha)}."
    if judge.follows is not None and judge.follows.value is not None:
        return f"{text} {_correlation(judge)}."
    return text


def _beside_one(judge: Judge) -> str:
    """Its errors, as one person's labels have them; how near another person were is not known."""
    name, said = named(judge.name), [missed(hit, of="they") for hit in judge.told[:MOST_HITS]]
    if judge.alpha is not None and judge.alpha.value is not None and not said:
        said = [f"agrees by {_alpha(judge.alpha)}"]
    errs = f"Against one person’s labels, {name} {' and '.join(said)}. " if said else ""
    return f"{errs}Whether {name} does as well as another person cannot be said."


def _alpha(alpha: Estimate) -> str:
    return measured("α", alpha, readers(alpha) if bounded(alpha) else "")


def _correlation(judge: Judge) -> str:
    assert judge.follows is not None
    who = readers(judge.follows) if bounded(judge.follows) else ""
    return measured(str(metric(judge.follows_by).title), judge.follows, who)


def _correlated(judge: Judge, verdict: JudgeVerdict) -> str:
    about, name = _correlation(judge), named(judge.name)
    if verdict is JudgeVerdict.AGAINST:
        return f"No evidence that the scores of {name} rise with people’s: {about}."
    if judge.follows_by == KENDALL_TAU_B:
        text = f"{name} orders texts as people do, to some extent ({about})"
        return f"{text}; whether as well as a person does is not known."
    text = f"The scores of {name} rise with people’s ({about}): it can rank texts"
    return f"{text}, but its scores are not ratings on people’s scale."


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


def _caveats(first: Judge, others: Sequence[Judge], epsilon: float) -> list[str]:
    name, found = named(first.name), []
    if first.alike >= TWINS_FROM:
        alike = f"gave the same answer to all {first.alike:,} units"
        found.append(f"{name} and people {alike}. Was one copied from the other?")
    found += same_as(first, others)
    if verdict_on(first, epsilon) is JudgeVerdict.ONE_SIDED and not agree_well(first.people):
        found.append("Whether people agree well is not settled.")
    found += filter(None, [_in_short(other, epsilon) for other in others[:1]])
    if first.unanswered is not None and float(first.unanswered.value or 0) >= MANY_UNANSWERED:
        share = percent(float(first.unanswered))
        found.append(f"{name} has no answer to {share} of its units; its figures leave these out.")
    if (defined(first.gap) or defined(first.short)) and not first.hits and first.bias is None:
        found.append("What its errors do is not known for this kind of answer.")
    return found


def same_as(first: Judge, others: Sequence[Judge], most: int = 1) -> Iterator[str]:
    """The judges that the test does not tell apart from this one. most: of them are named."""
    same = overlapping(first, others)
    if same:
        names = listed([named(judge.name) for judge in same], most)
        own = "" if first.advantage is None else f" ({measured('advantage', first.advantage)})"
        yield f"{named(first.name)}{own} and {names} cannot be told apart by the test."


def _in_short(judge: Judge, epsilon: float) -> str:
    """The next judge in a few words."""
    verdict, harm_ = verdict_on(judge, epsilon), harm(judge, short=True)
    if verdict not in IN_SHORT:
        return ""
    why = doubt(judge, epsilon) if verdict is JudgeVerdict.NOT_SHOWN else ""
    said = IN_SHORT[verdict].format(doubt=why)
    return f"{named(judge.name)}: {said}{f'; it {harm_}' if harm_ else ''}."


def _steps(judge: Judge, verdict: JudgeVerdict, epsilon: float) -> list[NextStep]:
    read = NextStep(
        f"Read where {named(judge.name)} and people differ.", Goal.UNITS, f"{HUMANS}~{judge.name}"
    )
    if verdict in (JudgeVerdict.STANDS_IN, JudgeVerdict.AMONG_FEW):
        return [NextStep("Keep a sample of people’s answers as a check.", Goal.PLAN), read]
    if verdict is JudgeVerdict.ONE_SIDED:
        return [read, NextStep("Correct its rate, or have people check that side.", Goal.JUDGES)]
    lacks_people = verdict is JudgeVerdict.NOT_SHOWN and doubt(judge, epsilon) != TOO_FEW
    if verdict is JudgeVerdict.CANNOT_SAY or lacks_people:
        return [NextStep("Have three people or more answer 30 shared units.", Goal.PLAN), read]
    if verdict is JudgeVerdict.NOT_SHOWN:
        return [more_units(deciding_lead(judge, verdict), epsilon, "difference"), read]
    if verdict is JudgeVerdict.FOLLOWS:
        return [read, NextStep("See whether it orders systems as people do.", Goal.JUDGES)]
    return [read, NextStep("Change its prompt or model, and let it answer again.", Goal.RUN)]
