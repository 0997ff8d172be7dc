"""Which of a panel's sessions a worker is in, and what was done in each.

A panel may send the same person several times: for a second round, or with a second HIT. Each
such session is finished, and paid there, only by work that was done in it. Kept in
`Participation.panel_session`: the session at hand, and under `earlier` those that hold work.
Each has a number, from 1, which a batch that is submitted in it bears as its `visit`: the ids
of the panel are erased in time, the numbers stay.
"""

from typing import Any

from django.db.models import QuerySet

from annotation.models import Assignment, Participation
from annotation.panels.contract import Visit

Session = dict[str, Any]


def begin_visit(*, participation: Participation, visit: Visit) -> None:
    """Note the session that a worker comes in; the same one again changes nothing of it.

    Within a transaction of their arrival.
    """
    participation.refresh_from_db(
        fields=["panel_session", "state"],
        from_queryset=Participation.objects.select_for_update(no_key=True, of=("self",)),
    )
    before: Session = participation.panel_session
    held = dict(before) if _same(before, visit) else _next_session(participation, visit)
    if visit.submit_to:
        held["submit_to"] = visit.submit_to
    if held != before:
        participation.panel_session = held
        participation.save(update_fields=["panel_session"])


def _next_session(participation: Participation, visit: Visit) -> Session:
    kept = _left_behind(participation)
    again = next((one for one in kept if _same(one, visit)), {})
    highest = max((one["number"] for one in kept), default=0)
    return {
        "session": visit.session,
        "study": visit.study,
        "number": again.get("number", highest + 1),
        "ended": again.get("ended", participation.has_ended),
        "earlier": [one for one in kept if not _same(one, visit)],
    }


def _left_behind(participation: Participation) -> list[Session]:
    """The sessions before the next one: those in which work was done, or that ended here.
    Any other says nothing, however many of them somebody opens."""
    earlier = _earlier(participation)
    held = {key: one for key, one in participation.panel_session.items() if key != "earlier"}
    ends_here = participation.has_ended and not held.get("ended")
    if held and (ends_here or submitted_in_visit(participation).exists()):
        earlier.append(held)
    return earlier


def _same(held: Session, visit: Visit) -> bool:
    return bool(held) and (held.get("session"), held.get("study")) == (visit.session, visit.study)


def _earlier(participation: Participation) -> list[Session]:
    return list(participation.panel_session.get("earlier", []))


def visit_number(participation: Participation) -> int:
    """The number of the session at hand; 0 where none is known."""
    return int(participation.panel_session.get("number", 0))


def submitted_in_visit(participation: Participation) -> QuerySet[Assignment]:
    """The batches that were submitted in the session at hand; all of them where none is known,
    since they came by an invitation or the panel's ids are erased."""
    submitted = participation.assignments.filter(state=Assignment.State.SUBMITTED)
    if not participation.panel_session:
        return submitted
    return submitted.filter(visit=visit_number(participation))


def has_work_in_visit(participation: Participation) -> bool:
    """Whether a batch was submitted in the session at hand, training aside."""
    return submitted_in_visit(participation).filter(round__shows_answers=False).exists()


def ended_before_visit(participation: Participation) -> bool:
    """Whether the session at hand began when the worker could do nothing here any more."""
    return bool(participation.panel_session.get("ended"))


def current_visit(participation: Participation) -> Visit:
    """The session at hand as the panel knows it."""
    held: Session = participation.panel_session
    return Visit(
        worker=participation.worker.external_id,
        session=held.get("session", ""),
        study=held.get("study", ""),
        submit_to=held.get("submit_to", ""),
    )
