"""Rounds, controls, and answers that do not count."""

from collections.abc import Iterator

from django.db.models import Count, Q

from annotation.models import Annotation, ExclusionRule, Participation, Rater, Round, Study
from estimates.report.cache import Report
from results.paper.paragraphs import Sentence
from results.reading.quality import controls_of, speed_of
from results.reading.wording import counted, listed, percent

State = Participation.State
LEFT_OUT = {
    State.SCREENED_OUT: "screened out",
    State.NOT_QUALIFIED: "not qualified",
    State.REMOVED: "removed",
    State.WITHDRAWN: "withdrawn",
}


def rules(report: Report) -> Iterator[Sentence]:
    """Sentences on what had to be passed, and what was left out."""
    study = report.study
    if study.comprehension:
        number = counted(len(study.comprehension), "comprehension question")
        tries = counted(study.comprehension_tries, "try", "tries")
        yield Sentence(f"Before the first batch came {number} ({tries}).")
    for round_ in study.rounds.all():
        yield Sentence(_round(round_))
    yield from quality(report)
    yield from _people_left_out(study)
    yield from _answers_left_out(report)
    yield from _exclusion_rules(study)


def quality(report: Report) -> Iterator[Sentence]:
    """How controls were answered, and whether in too little time."""
    for controls in controls_of(report):
        yield Sentence(controls.sentence)
    speed = speed_of(report)
    if speed is not None and speed.fast:
        yield Sentence(speed.sentence)


def _round(round_: Round) -> str:
    """What a batch of it is made of, its rules and its pay."""
    controls = {"positive": round_.positive_per_batch, "negative": round_.negative_per_batch}
    parts = [counted(round_.normal_per_batch, "unit")]
    parts += [counted(n, f"{kind} control") for kind, n in controls.items() if n]
    rest = [
        "" if round_.counts else "enters no figure",
        "shows the right answers" if round_.shows_answers else "",
        _mark("is passed", round_.pass_accuracy),
        _mark("is left", round_.keep_accuracy, f" after {round_.min_controls}", below=True),
        _paid(round_),
    ]
    text = f"A batch of the round “{round_.name}” has {listed(parts)}"
    more = "; ".join(filter(None, rest))
    return f"{text}{f'; the round {more}' if more else ''}."


def _mark(verb: str, share: float | None, after: str = "", *, below: bool = False) -> str:
    if share is None:
        return ""
    side = "below" if below else "from"
    return f"{verb} {side} {percent(share)} of right controls{after}"


def _paid(round_: Round) -> str:
    if not round_.base_pay and not round_.bonus_pay:
        return ""
    bonus = f" and {round_.bonus_pay} {round_.currency} as a bonus" if round_.bonus_pay else ""
    return f"pays {round_.base_pay} {round_.currency} a batch{bonus}"


def _people_left_out(study: Study) -> Iterator[Sentence]:
    states = study.participations.order_by().values("state").annotate(n=Count("pk"))
    numbers = {row["state"]: row["n"] for row in states}
    parts = [f"{numbers[state]} {word}" for state, word in LEFT_OUT.items() if numbers.get(state)]
    if parts:
        yield Sentence(f"Of {counted(sum(numbers.values()), 'worker')}, {', '.join(parts)}.")


def _answers_left_out(report: Report) -> Iterator[Sentence]:
    """People's stored answers that enter no figure, by the reason. Controls and replaced answers
    are none of them."""
    stored = Annotation.objects.filter(study=report.study, rater__kind=Rater.Kind.HUMAN)
    normal = Q(question__unit__role="normal", superseded_at=None)
    excluded = Q() if report.options.excluded else normal & ~Q(excluded_reason="")
    reasons = {
        "of rounds that do not count": normal & Q(round__counts=False, surplus=False),
        "excluded on review": excluded,
        "beyond the wanted number": normal & Q(surplus=True),
        "withdrawn": Q(superseded_at=None) & ~Q(withdrawn_at=None),
    }
    numbers = stored.aggregate(
        **{
            f"n{at}": Count("pk", filter=wanted)
            for at, wanted in enumerate(reasons.values())
            if wanted
        }
    )
    parts = [
        f"{n:,} {reason}" for at, reason in enumerate(reasons) if (n := numbers.get(f"n{at}", 0))
    ]
    if parts:
        yield Sentence(f"People’s answers that are not counted: {', '.join(parts)}.")


def _exclusion_rules(study: Study) -> Iterator[Sentence]:
    """The rules that apply, with what they excluded when they were applied, and how many were
    looked at."""
    rules = ExclusionRule.objects.filter(study=study)
    applied = rules.filter(undone_at=None).exclude(applied_at=None).order_by("applied_at", "pk")
    for rule in applied:
        workers = counted(rule.outcome.get("workers", 0), "worker")
        answers = counted(rule.outcome.get("answers", 0), "answer")
        yield Sentence(
            f"Answers of {workers} were excluded by a rule ({rule.text}; {answers}; applied on "
            f"{rule.applied_at:%Y-%m-%d})."
        )
    if applied:
        looked_at = rules.order_by().values("digest").distinct().count()
        yield Sentence(f"The effect of {counted(looked_at, 'exclusion rule')} had been looked at.")
