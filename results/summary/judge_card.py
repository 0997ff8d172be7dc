"""The second card in words: what a judge's verdict rests on, and the harm it does."""

from collections.abc import Sequence

from estimates.catalogue import KENDALL_TAU_B, metric
from estimates.data.parties import HUMANS
from results.figures.plots import COEFFICIENTS, SHARES, Range, Ranges
from results.summary.card import MOST_LIMITS, MOST_LINES, MOST_STEPS, Card, Goal, Step, Tone
from results.summary.facts import FacetRows, bounded, defined
from results.summary.harm import harm, missed
from results.summary.judges import (
    LOOKS,
    NONE,
    TOO_FEW,
    Judge,
    Standing,
    agree_well,
    deciding_lead,
    doubt,
    in_order,
    judges_of,
    overlapping,
    standing,
)
from results.summary.more_units import more_units, units_to_settle
from results.summary.people import TWINS_FROM
from results.summary.words import (
    counted,
    interval,
    listed,
    measured,
    named,
    number,
    on_a_line,
    percent,
)

QUESTION = "Can a judge stand in?"
# Labels whose misses are told where one person answered.
MOST_HITS = 2
# From this share of units without an answer on the card says so.
MANY_UNANSWERED = 0.05


def judge_card(rows: FacetRows, epsilon: float) -> Card:
    """The card of one facet. epsilon: the study's."""
    judges = in_order(judges_of(rows), epsilon)
    if not judges or not rows.people:
        return _without(rows, judges)
    first, *others = judges
    verdict = standing(first, epsilon)
    tone, badge = LOOKS[verdict]
    figure, reading = figure_of(judges, epsilon)
    return Card(
        key="judges",
        question=QUESTION,
        verdict=verdict,
        tone=tone,
        badge=badge,
        sentence=sentence(first, verdict, epsilon),
        figure=figure,
        silence="" if figure else "No figure of a judge beside people is defined.",
        reading=reading,
        limits=limits(first, others, epsilon)[:MOST_LIMITS],
        steps=steps(first, verdict, epsilon)[:MOST_STEPS],
        more=_more(judges),
        goal=Goal.JUDGES,
    )


def _without(rows: FacetRows, judges: Sequence[Judge]) -> Card:
    """No judge, or nobody to compare one with."""
    if judges:
        names = listed([judge.name for judge in judges])
        sentence_ = f"{names} answered, but no person has: there is nothing to compare with."
        step = Step("Have people answer the same units.", Goal.STUDY)
    else:
        sentence_ = "No judge has answered this question, so nothing can be said."
        step = Step("Let a judge answer the same units.", Goal.RUN)
    return Card(
        key="judges",
        question=QUESTION,
        verdict="no people" if judges else "no judge",
        tone=Tone.OPEN,
        badge=NONE,
        sentence=sentence_,
        silence="People and a judge are both needed for this figure.",
        steps=(step,),
        goal=Goal.JUDGES,
    )


def sentence(judge: Judge, verdict: Standing, epsilon: float) -> str:
    """The verdict with its number, interval and n, and the harm."""
    if verdict is Standing.CANNOT_SAY:
        return _unsaid(judge)
    if verdict in (Standing.FOLLOWS, Standing.AGAINST):
        return _correlated(judge, verdict)
    lead = deciding_lead(judge, verdict)
    about = {
        "name": named(judge.name),
        "near": "nearer to people than" if (lead.high or 0) < 0 else "as near to people as",
        "lead": measured("people’s lead", lead),
        "epsilon": f"{epsilon:g}",
        "doubt": doubt(judge, epsilon) if verdict is Standing.NOT_SHOWN else "",
    }
    harm_ = harm(judge)
    joint = "but" if verdict is Standing.ONE_SIDED else "and"
    return f"{VERDICTS[verdict].format(**about)}{f', {joint} it {harm_}' if harm_ else ''}."


NEAR = "{name} is {near} they are to each other ({lead})"
VERDICTS = {
    Standing.STANDS_IN: NEAR,
    Standing.ONE_SIDED: NEAR,
    Standing.AMONG_FEW: f"{NEAR}; that people agree well themselves is not shown",
    Standing.BELOW: "{name} is farther from people than they are from each other, by more than the "
    "study allows ({lead}, ε = {epsilon})",
    Standing.NOT_SHOWN: "Not shown that {name} can stand in: {doubt} ({lead}, ε = {epsilon})",
}


def _unsaid(judge: Judge) -> str:
    if judge.beside_one:
        return _beside_one(judge)
    reasons = (of.undefined for of in (judge.gap, judge.short, judge.follows) if of is not None)
    reason = next(filter(None, reasons), "nothing of the two can be compared")
    text = f"Cannot be said of {named(judge.name)}: {reason}."
    if defined(judge.alpha) and judge.alpha:
        return f"{text} It agrees with people by {measured('α', judge.alpha)}."
    if defined(judge.follows) and judge.follows:
        return f"{text} {measured(_title(judge), judge.follows)}."
    return text


def _beside_one(judge: Judge) -> str:
    """Its errors, as one person's labels have them; how near another person were, nobody knows."""
    said = [missed(hit, of="they") for hit in judge.told[:MOST_HITS]]
    if defined(judge.alpha) and judge.alpha and not said:
        said = [f"agrees by {measured('α', judge.alpha)}"]
    errs = (
        f"Against one person’s labels, {named(judge.name)} {' and '.join(said)}. " if said else ""
    )
    return f"{errs}Whether {named(judge.name)} does as well as another person cannot be said."


def _correlated(judge: Judge, verdict: Standing) -> str:
    assert judge.follows is not None
    about = measured(_title(judge), judge.follows)
    name = named(judge.name)
    if verdict is Standing.AGAINST:
        return f"Not shown that the scores of {name} rise with people’s: {about}."
    if judge.follows_by == KENDALL_TAU_B:
        return (
            f"{name} orders texts as people do, to some extent ({about}); whether as near as a "
            "person is not known."
        )
    return (
        f"The scores of {name} rise with people’s ({about}): it may rank texts, but on a scale of "
        "its own it gives nobody’s answer."
    )


def _title(judge: Judge) -> str:
    return str(metric(judge.follows_by).title)


def limits(first: Judge, others: Sequence[Judge], epsilon: float) -> list[str]:
    """What keeps the verdict from meaning more."""
    found = []
    if first.alike >= TWINS_FROM:
        alike = f"gave the same answer to all {first.alike:,} units"
        found.append(f"{named(first.name)} and people {alike}: was one taken from the other?")
    same = overlapping(first, others)
    if same:
        found.append(_overlap_words(first, same))
    if standing(first, epsilon) is Standing.ONE_SIDED and not agree_well(first.people):
        found.append("That people agree well themselves is not shown.")
    for other in others[:1]:
        if rest := _in_short(other, standing(other, epsilon), epsilon):
            found.append(rest)
    if defined(first.unanswered) and float(first.unanswered or 0) >= MANY_UNANSWERED:
        found.append(
            f"{named(first.name)} has no answer to {percent(float(first.unanswered or 0))} of its "
            "units: its figures leave these out."
        )
    if _needs_errors(first) and not first.hits and first.bias is None:
        found.append("What its errors do is not known for this kind of answer.")
    return found


def _needs_errors(judge: Judge) -> bool:
    """Whether there is a verdict that what the judge does where it errs would change."""
    return defined(judge.gap) or defined(judge.short)


def _overlap_words(first: Judge, same: Sequence[Judge]) -> str:
    names = listed([judge.name for judge in same], 1)
    assert first.advantage is not None
    own = f"{number(float(first.advantage))}, {interval(first.advantage)}"
    if len(same) > 1 or same[0].advantage is None:
        return f"Its advantage ({own}) overlaps that of {names}: not told apart."
    other = same[0].advantage
    its = f"{number(float(other))}, {interval(other)}"
    return f"Its advantage ({own}) and that of {names} ({its}) overlap: not told apart."


def _in_short(judge: Judge, verdict: Standing, epsilon: float) -> str:
    """The next judge in a few words."""
    name, harm_ = named(judge.name), harm(judge, short=True)
    if verdict is Standing.NOT_SHOWN:
        return f"{name}: not shown, {doubt(judge, epsilon)}{f'; it {harm_}' if harm_ else ''}."
    said = {
        Standing.STANDS_IN: "as near as a person",
        Standing.AMONG_FEW: "as near as a person",
        Standing.ONE_SIDED: "as near as a person",
        Standing.BELOW: "farther from people than they are",
    }.get(verdict, "")
    if not said:
        return ""
    return f"{name}: {said}{f'; it {harm_}' if harm_ else ''}."


def steps(judge: Judge, verdict: Standing, epsilon: float) -> list[Step]:
    """What to do next."""
    pair = f"{HUMANS}~{judge.name}"
    read = Step(f"Read where {named(judge.name)} and people differ.", Goal.UNITS, pair)
    if verdict in (Standing.STANDS_IN, Standing.AMONG_FEW):
        return [Step("Keep a sample of people’s answers as a check.", Goal.PLAN), read]
    if verdict is Standing.ONE_SIDED:
        return [read, Step("Correct its rate, or have people check that side.", Goal.JUDGES)]
    if verdict is Standing.CANNOT_SAY or _lacks_people(judge, verdict, epsilon):
        return [Step("Have three people or more answer 30 shared units.", Goal.PLAN), read]
    if verdict is Standing.NOT_SHOWN:
        needed = units_to_settle(deciding_lead(judge, verdict), epsilon)
        return [more_units(needed, "lead"), read]
    if verdict is Standing.FOLLOWS:
        return [read, Step("See whether it orders systems as people do.", Goal.JUDGES)]
    return [read, Step("Change its prompt or model, and let it answer again.", Goal.RUN)]


def _lacks_people(judge: Judge, verdict: Standing, epsilon: float) -> bool:
    """Whether more people are missing, not more units."""
    return verdict is Standing.NOT_SHOWN and doubt(judge, epsilon) != TOO_FEW


def figure_of(judges: Sequence[Judge], epsilon: float) -> tuple[Ranges | None, str]:
    """People's own agreement beside each judge's with them; without these rows people's lead, in
    which a person has 0; else correlations, or α."""
    near = [judge for judge in judges if defined(judge.alone)]
    if near:
        people = near[0].among
        lines = [Range("People with people", people, 0), *_lines(near, "alone")]
        marks = (float(people),) if people is not None and people.value is not None else ()
        text = "1: always the same answer. Dashed: people. Their lead: how much nearer they are."
        return Ranges("Closeness to people", lines, marks, SHARES), text
    if any(defined(judge.gap) for judge in judges):
        text = f"0: as near to people as a person; ε = {epsilon:g} is allowed (dashed)."
        lines = _lines(judges, "gap")
        return Ranges("People’s lead over the judge", lines, (0.0, epsilon), COEFFICIENTS), text
    if any(bounded(judge.follows) for judge in judges) and not any(map(_agrees, judges)):
        text = "1: texts in people’s order, 0: no connection."
        lines = _lines(judges, "follows")
        return Ranges(_title(judges[0]), lines, (0.0,), COEFFICIENTS), text
    if any(map(_agrees, judges)):
        lines = _lines(judges, "alpha")
        return Ranges("α with people", lines, (), COEFFICIENTS), "1: agrees, 0: as by chance."
    return None, ""


def _agrees(judge: Judge) -> bool:
    return defined(judge.alpha)


def _lines(judges: Sequence[Judge], of: str) -> list[Range]:
    shown = judges[: MOST_LINES - 1]
    return [Range(on_a_line(j.name), getattr(j, of), 1, j.name) for j in shown]


def _more(judges: Sequence[Judge]) -> str:
    hidden = len(judges) - (MOST_LINES - 1)
    return f"{counted(hidden, 'more judge')}" if hidden > 0 else ""
