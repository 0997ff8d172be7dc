"""Can a judge stand in for a person? The verdict, and what it is a verdict about."""

from enum import StrEnum

from agreement import Estimate
from estimates.catalogue.judges import KENDALL_TAU_B
from results.reading.answer import Badge, Tone
from results.reading.bounds import bounded, defined, for_raters_like_them, for_these_raters
from results.reading.judges import Judge, is_one_sided
from results.reading.people import TENTATIVE


class JudgeVerdict(StrEnum):
    """What may be said of a judge; docs/results.md has the rules. The first six are outcomes of one
    interval, that of how much more people agree with each other than with the judge."""

    NEARER = "nearer to people than they are to each other"
    AS_NEAR = "as near to people as they are to each other"
    WITHIN = "farther, by not more than ε"
    FARTHER = "farther, whether by more than ε is open"
    BELOW = "farther than ε allows"
    OPEN = "open"
    FOLLOWS = "its scores rise with people's"
    CANNOT_SAY = "cannot be said"
    AGAINST = "its scores do not rise with people's"


NONE = "No verdict"
BADGES = {
    JudgeVerdict.NEARER: Badge(Tone.GOOD, "Nearer"),
    JudgeVerdict.AS_NEAR: Badge(Tone.GOOD, "As near"),
    JudgeVerdict.WITHIN: Badge(Tone.GOOD, "Within ε"),
    JudgeVerdict.FARTHER: Badge(Tone.CARE, "Farther"),
    JudgeVerdict.BELOW: Badge(Tone.BAD, "Too far"),
    JudgeVerdict.OPEN: Badge(Tone.OPEN, "Open"),
    JudgeVerdict.FOLLOWS: Badge(Tone.CARE, "Ranks texts"),
    JudgeVerdict.CANNOT_SAY: Badge(Tone.OPEN, NONE),
    JudgeVerdict.AGAINST: Badge(Tone.BAD, "Not shown"),
}
FAILED_OFTEN = Badge(Tone.BAD, "Failed often")
THESE_PEOPLE, WITH_CARE = "These people", "With care"
# Of each outcome, those that say the same or more.
AS_GOOD = (JudgeVerdict.NEARER, JudgeVerdict.AS_NEAR)
ALLOWED = (*AS_GOOD, JudgeVerdict.WITHIN)
AS_FAR = (JudgeVerdict.FARTHER, JudgeVerdict.BELOW)
CONFIRMED_BY = {
    JudgeVerdict.NEARER: (JudgeVerdict.NEARER,),
    JudgeVerdict.AS_NEAR: AS_GOOD,
    JudgeVerdict.WITHIN: ALLOWED,
    JudgeVerdict.FARTHER: AS_FAR,
    JudgeVerdict.BELOW: (JudgeVerdict.BELOW,),
}


def verdict_on(judge: Judge, epsilon: float) -> JudgeVerdict:
    """The outcome for the people who answered, where the judge can be compared with them."""
    if judge.difference is None or not defined(judge.difference):
        return _by_correlation(judge)
    return outcome_of(for_these_raters(judge.difference), epsilon)


def outcome_of(difference: Estimate, epsilon: float) -> JudgeVerdict:
    """Where the interval lies beside 0 and ε. Open: it has 0 and ε in it, or is none."""
    low, high = difference.low, difference.high
    if low is None or high is None:
        return JudgeVerdict.OPEN
    if high < 0:
        return JudgeVerdict.NEARER
    if low <= 0:
        return JudgeVerdict.AS_NEAR if high < epsilon else JudgeVerdict.OPEN
    if low > epsilon:
        return JudgeVerdict.BELOW
    return JudgeVerdict.WITHIN if high < epsilon else JudgeVerdict.FARTHER


def carries(judge: Judge, verdict: JudgeVerdict, epsilon: float) -> bool:
    """Whether an outcome for the people who answered is also one for people like them."""
    if judge.difference is None or verdict not in CONFIRMED_BY:
        return False
    others = outcome_of(for_raters_like_them(judge.difference), epsilon)
    return others in CONFIRMED_BY[verdict]


def badge_of(judge: Judge, verdict: JudgeVerdict, epsilon: float) -> Badge:
    """The verdict in short: of people in general only where it carries to others, and without a
    reserve only where people agree well, and the judge errs to no side and beats every
    baseline."""
    badge = BADGES[verdict]
    if judge.failed:
        return FAILED_OFTEN
    if verdict not in CONFIRMED_BY:
        return badge
    tone = Tone.CARE if badge.tone is Tone.GOOD else badge.tone
    if not carries(judge, verdict, epsilon):
        return Badge(tone, f"{THESE_PEOPLE}: {badge.text.lower()}")
    reserved = is_one_sided(judge) or not agree_well(judge.people) or not judge.beats_baselines
    return Badge(tone, WITH_CARE) if verdict in ALLOWED and reserved else badge


def agree_well(people: Estimate | None) -> bool:
    """Whether people agree well enough for "as a person" to mean something: the interval of their
    α lies above 0.667."""
    return people is not None and people.low is not None and people.low >= TENTATIVE


def _by_correlation(judge: Judge) -> JudgeVerdict:
    """Scores on a scale of their own can rank texts, never take the place of an answer."""
    follows = judge.follows
    # Answers on people's own scale, and yet no test: people are too few to be compared with.
    on_their_scale = defined(judge.alpha) and judge.follows_by != KENDALL_TAU_B
    if follows is None or on_their_scale or not bounded(follows):
        return JudgeVerdict.CANNOT_SAY
    assert follows.low is not None
    return JudgeVerdict.FOLLOWS if follows.low > 0 else JudgeVerdict.AGAINST
