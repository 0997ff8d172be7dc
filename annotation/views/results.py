"""How a submitted batch was graded and what it paid, as pages show it."""

from functools import partial
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from annotation.messages.results import Result, earnings_of, result_of
from annotation.models import Assignment, Participation, Study
from annotation.views.filled_form import draw_answer


class Missed(NamedTuple):
    """A question that was answered wrong: the answer that was given, and the right one."""

    own_shown: SafeString
    right_shown: SafeString


def batch_results(assignment: Assignment) -> dict[str, Any]:
    """The context of `_result.html` for a submitted batch."""
    result = result_of(assignment)
    return {
        "assignment": assignment,
        "paid": earnings_of(assignment),
        "result": result,
        "missed": _missed(result, assignment.participation.study) if result else [],
        "styles": _styles(result) if result else [],
    }


def last_results(participation: Participation) -> dict[str, Any]:
    """The same for the last batch that the worker submitted, and in which round of how many that
    was; empty without one that this visit may see."""
    submitted = participation.shown_batches.filter(state=Assignment.State.SUBMITTED)
    last = submitted.select_related("round").order_by("submitted_at").last()
    if last is None:
        return {}
    last.participation = participation
    rounds = list(participation.study.rounds.order_by("position").values_list("pk", flat=True))
    number = rounds.index(last.round_id) + 1
    return {**batch_results(last), "rounds": len(rounds), "round_number": number}


def _missed(result: Result, study: Study) -> list[Missed]:
    shown, draw = [], partial(draw_answer, text_form=study.text_form)
    for number, (question, answer) in enumerate(result.missed, start=1):
        right = question.typed_reference
        assert right is not None  # by it the answer was found to be wrong
        own_shown = draw(question, answer, prefix=f"own-{number}")
        shown.append(Missed(own_shown, draw(question, right, prefix=f"right-{number}")))
    return shown


def _styles(result: Result) -> list[str]:
    styles = [style for question, _ in result.missed for style in question.block.task_type.styles]
    return list(dict.fromkeys(styles))
