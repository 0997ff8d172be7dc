"""What to do next about a judge."""

from estimates.data.parties import HUMANS
from results.reading.answer import Goal, NextStep
from results.reading.judge_verdicts import ALLOWED, JudgeVerdict, carries
from results.reading.judges import Judge, is_one_sided
from results.reading.steps import MORE_PEOPLE, MOST_UNITS, NAME_PEOPLE, units_to_settle
from results.reading.wording import named


def steps_after(judge: Judge, verdict: JudgeVerdict, epsilon: float) -> list[NextStep]:
    """The steps after a verdict, the first one first."""
    read = NextStep(
        f"Read where {named(judge.name)} and people differ.", Goal.UNITS, f"{HUMANS}~{judge.name}"
    )
    if judge.failed:
        return [NextStep("See why calls failed, and ask them again.", Goal.RUN), read]
    if verdict in ALLOWED:
        return _near(judge, verdict, epsilon, read)
    if verdict in (JudgeVerdict.OPEN, JudgeVerdict.FARTHER):
        return [_more_units(judge, epsilon), read]
    if verdict is JudgeVerdict.CANNOT_SAY:
        return [NextStep("Have three people or more answer 30 shared units.", Goal.PLAN), read]
    if verdict is JudgeVerdict.FOLLOWS:
        return [read, NextStep("See whether it orders systems as people do.", Goal.JUDGES)]
    return [read, NextStep("Change its prompt or model, and let it answer again.", Goal.RUN)]


def _near(judge: Judge, verdict: JudgeVerdict, epsilon: float, read: NextStep) -> list[NextStep]:
    if is_one_sided(judge):
        return [
            read,
            NextStep("Correct for this bias, or have people check it.", Goal.JUDGES),
        ]
    if not carries(judge, verdict, epsilon):
        return [NAME_PEOPLE if judge.people_compared is None else MORE_PEOPLE, read]
    return [NextStep("Keep a sample of people’s answers as a check.", Goal.PLAN), read]


def _more_units(judge: Judge, epsilon: float) -> NextStep:
    """How many, and what they would show if the difference stayed the same."""
    difference = judge.difference
    if not epsilon:
        text = "With ε = 0 no number of units can show that a judge is as near: allow for some."
        return NextStep(text, Goal.STUDY)
    needed = units_to_settle(difference, epsilon)
    if difference is None or difference.value is None or needed is None:
        text = f"Plan more units: they show whether it is farther than ε = {epsilon:g} allows."
        return NextStep(text, Goal.PLAN)
    if needed > MOST_UNITS:
        text = f"More than {MOST_UNITS:,} units would be needed to tell it from ε = {epsilon:g}."
        return NextStep(f"{text} Change the design.", Goal.PLAN)
    shown = "not more than" if difference.value < epsilon else "more than"
    text = f"Plan about {needed:,} units: if the difference stays the same, they show that it is"
    return NextStep(f"{text} {shown} ε = {epsilon:g}.", Goal.PLAN)
