"""Can a judge stand in for a person? The words: verdict, harm, test, and what to do next."""

from collections.abc import Iterator, Sequence

from agreement import Estimate
from agreement.bootstrap.intervals import FEWEST_RATERS
from estimates.catalogue import metric
from estimates.catalogue.judges import KENDALL_TAU_B
from results.reading.answer import Badge, CardAnswer, Goal, NextStep, Tone
from results.reading.bounds import (
    bounded,
    defined,
    for_raters_like_them,
    for_these_raters,
)
from results.reading.harm import harm, missed
from results.reading.judge_steps import steps_after
from results.reading.judge_verdicts import (
    ALLOWED,
    CONFIRMED_BY,
    NONE,
    JudgeVerdict,
    agree_well,
    badge_of,
    carries,
    verdict_on,
)
from results.reading.judges import (
    FAILED_FROM,
    INCOMPLETE_FROM,
    Judge,
    judges_of,
    overlapping,
)
from results.reading.people import TWINS_FROM
from results.reading.rows import FacetRows
from results.reading.wording import (
    interval,
    listed,
    measured,
    named,
    no_interval,
    number,
    percent,
    readers,
    sized,
    these_people,
)

QUESTION = "Can a judge stand in?"
# Labels whose misses are told where one person answered.
MOST_HITS = 2
SENTENCES = {
    JudgeVerdict.NEARER: "{it} is nearer to {them} than they are to each other: {difference}",
    JudgeVerdict.AS_NEAR: "{it} is as near to {them} as they are to each other: {difference}",
    JudgeVerdict.WITHIN: (
        "{it} is farther from {them} than they are from each other, "
        "but not by more than the allowed {epsilon}: {difference}"
    ),
    JudgeVerdict.FARTHER: (
        "{it} is farther from {them} than they are from each other; "
        "whether by more than the allowed {epsilon} is open: {difference}"
    ),
    JudgeVerdict.BELOW: (
        "{it} is farther from {them} than they are from each other, "
        "by more than the allowed {epsilon}: {difference}"
    ),
    JudgeVerdict.OPEN: (
        "whether {it} is as near to {them} as they are to each other, or farther than the allowed "
        "{epsilon}, is open: {difference}"
    ),
}
IN_SHORT = {
    JudgeVerdict.NEARER: "nearer to people than they are to each other",
    JudgeVerdict.AS_NEAR: "as near to people as they are to each other",
    JudgeVerdict.WITHIN: "farther, but not by more than ε",
    JudgeVerdict.FARTHER: "farther; whether by more than ε is open",
    JudgeVerdict.BELOW: "farther than ε allows",
    JudgeVerdict.OPEN: "open",
}
WORDS = {1: "One person", 2: "Two people", 3: "Three people"}
# So many people are not too few: they differ too much.
MANY_PEOPLE = 10


def answers_about_judges(rows: FacetRows, epsilon: float) -> list[CardAnswer]:
    """Of every judge, in the order of `judges_of`; what to do next and the caveats stand with the
    first. One answer without a verdict where judges or people are missing. epsilon: the study's."""
    judges = judges_of(rows)
    if not judges or not rows.answered:
        return [_without(judges)]
    first, *others = [answer_about(judge, epsilon) for judge in judges]
    caveats = _caveats(judges[0], judges[1:], epsilon)
    steps = steps_after(judges[0], verdict_on(judges[0], epsilon), epsilon)
    return [CardAnswer(first.verdict, first.badge, first.sentence, caveats, steps), *others]


def answer_about(judge: Judge, epsilon: float) -> CardAnswer:
    """The verdict on one judge: for the people who answered, then for people like them."""
    verdict = verdict_on(judge, epsilon)
    text = " ".join(filter(None, [sentence(judge, verdict, epsilon), beside_baselines(judge)]))
    return CardAnswer(verdict, badge_of(judge, verdict, epsilon), text)


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
    """The verdict with its number, interval and n, and the harm; then how far it carries."""
    if verdict is JudgeVerdict.CANNOT_SAY:
        return _unsaid(judge)
    if verdict in (JudgeVerdict.FOLLOWS, JudgeVerdict.AGAINST):
        return _correlated(judge, verdict)
    text, harm_ = _outcome(judge, verdict, epsilon), harm(judge)
    joint = "but" if verdict in ALLOWED else "and"
    harmful = f", {joint} it {harm_}" if harm_ else ""
    return f"{text}{harmful}.{_for_others(judge, verdict, epsilon)}"


def beside_baselines(judge: Judge) -> str:
    """Whether it beats all judges that do not read; empty where there is none."""
    if judge.floor is None:
        return ""
    name, (baseline, above) = named(judge.name), judge.beaten_by or judge.floor
    about = f"{named(baseline)} (difference in agreement {measured('', above)})"
    if judge.beats_baselines:
        n = len(judge.above)
        every = "" if n == 1 else f"{'both' if n == 2 else f'all {n}'} baselines, least clearly "
        return f"{name} beats {every}{about}."
    if judge.beaten_by:
        return f"{name} does worse than a baseline that does not read, {about}."
    if not bounded(above):
        return f"Whether {name} beats every baseline is not known: {about}."
    return f"{name} is not shown to beat a baseline that does not read, {about}."


def _outcome(judge: Judge, verdict: JudgeVerdict, epsilon: float) -> str:
    """One of the six, for the people who answered; after what the judge failed on."""
    text = SENTENCES[verdict].format(
        it="it" if judge.failed else named(judge.name),
        them=these_people(judge.people_compared),
        epsilon=f"ε = {epsilon:g}",
        difference=difference_text(judge),
    )
    if judge.failed:
        share = percent(judge.unanswered_share)
        return f"{named(judge.name)} failed on {share} of its units; on the others {text}"
    return text.replace("whether", "Whether", 1) if verdict is JudgeVerdict.OPEN else text


def difference_text(judge: Judge) -> str:
    """How much more people agree with each other than with the judge."""
    assert judge.difference is not None
    size = for_these_raters(judge.difference)
    value = float(size)
    about = ", ".join(filter(None, [interval(size) or no_interval(size), sized(size)]))
    if number(value) == "0":
        return f"their agreement is no higher with each other than with it ({about})"
    which = "higher" if value > 0 else "lower"
    by = number(abs(value))
    return f"their agreement is {which} with each other than with it, by {by} ({about})"


def _for_others(judge: Judge, verdict: JudgeVerdict, epsilon: float) -> str:
    """How far an outcome carries beyond the people who answered."""
    count = judge.people_compared
    if verdict not in CONFIRMED_BY or judge.difference is None:
        return ""
    if count is None:
        unknown = no_interval(for_raters_like_them(judge.difference))
        return f" Whether others would say so is not known: {unknown}." if unknown else ""
    if count < FEWEST_RATERS:
        return f" {WORDS[count]} cannot speak for others."
    others = for_raters_like_them(judge.difference)
    about = f" ({interval(others)})" if bounded(others) else ""
    if carries(judge, verdict, epsilon):
        return f" The same holds for people like them{about}."
    if count < MANY_PEOPLE:
        return f" {WORDS.get(count, f'{count} people')} are too few to say so of others{about}."
    return f" These people differ too much to say so of others like them{about}."


def what_follows(judge: Judge, epsilon: float) -> str:
    """What would be said of a judge with another ε; empty where ε has no part in it."""
    verdict = verdict_on(judge, epsilon)
    return sentence(judge, verdict, epsilon) if verdict in IN_SHORT else ""


def _unsaid(judge: Judge) -> str:
    if judge.beside_one:
        return _beside_one(judge)
    reasons = (
        of.undefined for of in (judge.difference, judge.gap, judge.follows) if of is not None
    )
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


def _caveats(first: Judge, others: Sequence[Judge], epsilon: float) -> list[str]:
    name, found = named(first.name), []
    if first.alike >= TWINS_FROM:
        alike = f"gave the same answer to all {first.alike:,} units"
        found.append(f"{name} and people {alike}. Was one copied from the other?")
    if verdict_on(first, epsilon) in ALLOWED and not agree_well(first.people):
        found.append("Whether people agree well is not settled.")
    found += same_as(first, others)
    found += filter(None, [_in_short(other, epsilon) for other in others[:1]])
    if INCOMPLETE_FROM <= first.unanswered_share < FAILED_FROM:
        share = percent(first.unanswered_share)
        found.append(f"{name} has no answer to {share} of its units; its figures leave these out.")
    if defined(first.difference) and not first.hits and first.bias is None:
        found.append("Which way it errs is not known for this kind of answer.")
    return found


def same_as(first: Judge, others: Sequence[Judge], most: int = 1) -> Iterator[str]:
    """The judges that the test does not tell apart from this one. most: of them are named."""
    same = overlapping(first, others)
    if same:
        names = listed([named(judge.name) for judge in same], most)
        own = "" if first.advantage is None else f" ({measured('advantage', first.advantage)})"
        yield f"{named(first.name)}{own} cannot be told apart from {names} by the test."


def _in_short(judge: Judge, epsilon: float) -> str:
    """The next judge in a few words."""
    verdict, harm_ = verdict_on(judge, epsilon), harm(judge, short=True)
    if verdict not in IN_SHORT:
        return ""
    failed = f"failed on {percent(judge.unanswered_share)} of its units; " if judge.failed else ""
    rest = f"; it {harm_}" if harm_ else ""
    return f"{named(judge.name)}: {failed}{IN_SHORT[verdict]}{rest}."
