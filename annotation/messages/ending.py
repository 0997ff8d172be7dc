"""The end of a worker's visit: the completion code and the way back to the panel."""

from dataclasses import dataclass

from annotation.models import Participation
from annotation.panels.contract import Recruitment, VisitOutcome, WayBack
from annotation.panels.registry import panel_of
from annotation.panels.visits import current_visit, ended_before_visit, has_work_in_visit

State = Participation.State


@dataclass(frozen=True)
class Ending:
    """The outcome, its code (empty where the study has none), and the way back, if any.

    `final`: there is nothing more to do; otherwise the worker may go on or stop here.
    """

    outcome: VisitOutcome
    code: str
    way_back: WayBack | None
    final: bool

    @property
    def form_origins(self) -> tuple[str, ...]:
        """The origins, other than ours, that a form on the page is sent to."""
        back = self.way_back
        return (back.origin,) if back is not None and back.is_form else ()


def ending(participation: Participation, *, nothing_left: bool = False) -> Ending | None:
    """How the visit ends as things stand; None while there is nothing to tell the panel.

    Those who come back get the same code again. `nothing_left`: the page says that no batch is
    left, so those who have submitted none in this visit may return the task.
    """
    outcome = _outcome(participation, nothing_left)
    if outcome is None:
        return None
    study = participation.study
    recruitment = Recruitment.of(study.recruitment)
    return Ending(
        outcome=outcome,
        code=recruitment.codes[outcome],
        way_back=panel_of(study).way_back(recruitment, outcome, current_visit(participation)),
        final=participation.has_ended,
    )


def _outcome(participation: Participation, nothing_left: bool) -> VisitOutcome | None:
    """A screen-out has its own code, with or without work; otherwise submitted work is complete."""
    if _was_screened_out(participation) and not ended_before_visit(participation):
        return VisitOutcome.SCREENED_OUT
    if has_work_in_visit(participation):
        return VisitOutcome.COMPLETED
    return VisitOutcome.RETURNED if participation.has_ended or nothing_left else None


def _was_screened_out(participation: Participation) -> bool:
    """Those who withdraw after a screen-out are still paid by its code."""
    if participation.state == State.WITHDRAWN:
        changes = participation.state_changes.filter(after=State.WITHDRAWN)
        return changes.filter(before=State.SCREENED_OUT).exists()
    return participation.state == State.SCREENED_OUT
