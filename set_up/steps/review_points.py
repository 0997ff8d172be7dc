"""What reviewers of a paper ask about a study, as far as the study itself can answer it."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.models import Change, Study, Unit
from imports.study_file.parts import RoundPart
from imports.study_file.writing import study_keys
from results.reading.wording import counted
from results.studies.claims import first_registration
from set_up.steps.costs import StudyCost, units_asked_about
from set_up.steps.rounds import RoundsForm

# In the log: an editor said that the people are not paid.
UNPAID = "study.unpaid"


@dataclass(frozen=True)
class ReviewPoint:
    """One of them. answer: what the study says. view: the page where that is changed. good:
    whether a reviewer is likely to be content. asks: whether an editor is asked if it is meant."""

    title: str
    answer: str
    view: str
    good: bool
    asks: bool = False


def review_points(study: Study) -> list[ReviewPoint]:
    """All points, in the order of a paper's section on its human evaluation."""
    keys = study_keys(study)
    asked = units_asked_about(study)
    cost = RoundsForm(keys).cost(asked)
    rounds = [RoundPart.model_validate(record) for record in keys.get("rounds", ())]
    return [
        _size(study, asked.units),
        *_people(study, cost),
        _agreement(study),
        _instructions(study),
        _calibration(study, rounds),
        _controls(study, rounds),
        _consent(study),
        *_pay(study, rounds, cost),
        _registration(study),
    ]


def _size(study: Study, units: int) -> ReviewPoint:
    sources = study.sources.count()
    text = f"{counted(units, 'unit')} of {counted(sources, 'source')}" if units else "no units yet"
    return ReviewPoint("Sample size", text, "desk:set-up-table", units > 0)


def _people(study: Study, cost: StudyCost | None) -> Iterator[ReviewPoint]:
    if cost is not None and cost.rounds:
        text = f"at least {counted(cost.people, 'person', 'people')}"
        yield ReviewPoint("Number of raters", text, "desk:set-up-rounds", cost.people > 1)


def _agreement(study: Study) -> ReviewPoint:
    text = f"{counted(study.overlap, 'answer')} per unit"
    if study.overlap < 2:
        text += ": agreement between people cannot be computed"
    return ReviewPoint("Agreement", text, "desk:set-up-rounds", study.overlap > 1)


def _instructions(study: Study) -> ReviewPoint:
    words = len(study.instructions.split())
    text = counted(words, "word") if words else "none"
    return ReviewPoint("Instructions", text, "desk:set-up-texts", words > 0)


def _calibration(study: Study, rounds: list[RoundPart]) -> ReviewPoint:
    examples = study.units.filter(role=Unit.Role.EXAMPLE).count()
    numbers = {
        "worked example": examples,
        "question about the instructions": len(study.comprehension),
        "training round": sum(round_.shows_answers for round_ in rounds),
        "round that must be passed": sum(round_.pass_ is not None for round_ in rounds[:-1]),
        "calibration round": sum(round_.calibration > 0 for round_ in rounds),
    }
    plurals = {
        "question about the instructions": "questions about the instructions",
        "round that must be passed": "rounds that must be passed",
    }
    said = [counted(n, name, plurals.get(name, f"{name}s")) for name, n in numbers.items() if n]
    text = ", ".join(said) or "no worked examples, training or questions about the instructions"
    return ReviewPoint("Training of raters", text, "desk:controls", bool(said))


def _controls(study: Study, rounds: list[RoundPart]) -> ReviewPoint:
    units = study.units.filter(role__in=[Unit.Role.POSITIVE, Unit.Role.NEGATIVE])
    n = units.exclude(check_state__in=Unit.UNUSED).count()
    per_batch = max((each.batch.positive + each.batch.negative for each in rounds), default=0)
    text = f"{counted(n, 'control')}, {per_batch} in a batch" if n else "none"
    return ReviewPoint("Attention checks", text, "desk:controls", bool(n and per_batch))


def _consent(study: Study) -> ReviewPoint:
    board = str(study.ethics.get("board") or "")
    text = board or ("consent text, but no ethics board named" if study.consent_text else "none")
    good = bool(board and study.consent_text)
    return ReviewPoint("Consent and ethics review", text, "desk:set-up-texts", good)


def _pay(study: Study, rounds: list[RoundPart], cost: StudyCost | None) -> Iterator[ReviewPoint]:
    if not rounds:
        return
    if not any(round_.pay.is_something for round_ in rounds):
        is_meant = Change.objects.filter(study=study, action=UNPAID).exists()
        text = "unpaid" if is_meant else "0.00: is the work unpaid?"
        yield ReviewPoint("Pay", text, "desk:set-up-rounds", is_meant, asks=not is_meant)
    elif cost is not None:
        hourly = [round_.hourly for round_ in cost.rounds if round_.hourly is not None]
        text = f"{min(hourly):.2f} {cost.currency} an hour" if hourly else "no minutes are given"
        too_little = any(round_.too_little for round_ in cost.rounds)
        good = bool(hourly) and min(hourly) > 0 and not too_little
        yield ReviewPoint("Pay", text, "desk:set-up-rounds", good)


def _registration(study: Study) -> ReviewPoint:
    first = first_registration(study)
    if first is None:
        return ReviewPoint("Pre-registration", "none", "results:registration", good=False)
    text = f"{first.registered_at:%Y-%m-%d}, {counted(first.answers, 'answer')} before it"
    return ReviewPoint("Pre-registration", text, "results:registration", good=not first.answers)
