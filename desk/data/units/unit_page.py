"""One unit with everything: what results show of it, as workers see it, its places and history."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models import AdjudicationCase, GoldAnswer, Place, Study, Unit, User
from annotation.views.filled_form import draw_form
from annotation.work.problems import problems_in
from desk.data.units.consequences import title_of
from desk.models import UnitAction
from results.units.material import context_of
from results.units.page import asked_about
from set_up.controls.pages import styles_of

CASE_ENDS: dict[str, str | Promise] = {
    AdjudicationCase.State.DECIDED: gettext_lazy("Decided"),
    AdjudicationCase.State.SET_ASIDE: gettext_lazy("Set aside: could not be decided"),
}


@dataclass(frozen=True)
class Event:
    """Something that happened to a unit. by: None where nobody did it, or the account is gone."""

    at: datetime
    what: str
    by: User | None = None
    text: str = ""


def record_of(study: Study, unit: Unit, *, reviews: bool) -> dict[str, Any]:
    """The template context of a unit's page. reviews: for a reader who may see who reported what
    and workers' pages."""
    asked = asked_about(unit, superseded=True)
    problems = problems_in(study).filter(unit=unit)
    return {
        **context_of(unit, asked),
        "shown": [
            (
                part.title,
                draw_form(
                    part.question,
                    {},
                    prefix=f"shown-{part.question.block.position}",
                    text_form=study.text_form,
                ),
            )
            for part in asked
        ],
        "places": list(Place.objects.filter(unit=unit).select_related("round")),
        "history": history_of(unit),
        "problems": problems.count(),
        "problem_rows": list(
            problems.select_related("assignment__participation", "assignment__round")
        )
        if reviews
        else [],
        "styles": styles_of(study),
    }


def history_of(unit: Unit) -> list[Event]:
    """What was done with a unit, the newest first; four queries."""
    events = [*_actions(unit), *_cases(unit), *_gold(unit)]
    if unit.checked_at is not None:
        what = _("Control: %(state)s") % {"state": unit.get_check_state_display()}
        events.append(Event(unit.checked_at, what, unit.checked_by))
    return sorted(events, key=lambda event: event.at, reverse=True)


def _actions(unit: Unit) -> Iterator[Event]:
    done = unit.action_units.filter(changed=True).select_related("action__by", "action__undoes")
    for row in done:
        action: UnitAction = row.action
        yield Event(action.ended_at or action.proposed_at, title_of(action), action.by)


def _cases(unit: Unit) -> Iterator[Event]:
    cases = AdjudicationCase.objects.filter(question__unit=unit)
    for case in cases.select_related("sent_by"):
        why = _("Into adjudication: %(why)s") % {"why": case.get_why_display()}
        yield Event(case.created_at, why, case.sent_by)
        if case.state in CASE_ENDS and case.ended_at is not None:
            yield Event(case.ended_at, str(CASE_ENDS[case.state]))


def _gold(unit: Unit) -> Iterator[Event]:
    answers = GoldAnswer.objects.filter(question__unit=unit)
    for answer in answers.select_related("by"):
        replaced = answer.superseded_at is not None
        what = _("Gold answer (replaced since)") if replaced else _("Gold answer")
        yield Event(answer.at, what, answer.by, answer.reason)
