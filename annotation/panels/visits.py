"""A panel's sessions of a worker, and the work done in each.

A panel may send the same person several times: for a second round, or with a second HIT. It pays
each session, so only work done in that session may complete it. `Participation.panel_session`
holds the current session, and under `earlier` those in which work was done. Sessions are numbered
from 1. A batch stores the number as its `visit`, because the panel's ids are erased in time.
"""

from typing import Any

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from annotation.models import Assignment, Participation
from annotation.models.links import new_token
from annotation.panels.contract import Visit
from annotation.queries.compiled import CompiledQuery, Param

Session = dict[str, Any]

_worked_in = CompiledQuery(
    lambda: (
        Assignment.objects.filter(
            participation=Param("participation"),
            state=Assignment.State.SUBMITTED,
            round__shows_answers=False,
        )
        .values_list("visit")
        .distinct()
    )
)


def begin_visit(*, participation: Participation, visit: Visit, proved: bool) -> bool:
    """Store the session that a worker arrives in; arriving in the same one again changes nothing.

    Whether the visit is the worker's own: `proved` says so, or the session was stored by one that
    was. Runs within the transaction of the arrival.
    """
    participation.refresh_from_db(
        fields=["panel_session", "state"],
        from_queryset=Participation.objects.select_for_update(no_key=True, of=("self",)),
    )
    before: Session = participation.panel_session
    proved = proved or _is_known(before, visit)
    held = dict(before) if _same(before, visit) else _next_session(participation, visit, proved)
    if proved:
        held.pop("unproved", None)
    if visit.submit_to:
        held["submit_to"] = visit.submit_to
    if held != before:
        participation.panel_session = held
        participation.save(update_fields=["panel_session"])
    return proved


def forget_proofs(participation: Participation) -> None:
    """Let no session that is stored prove any more that it is the worker."""
    held = Participation.objects.select_for_update(no_key=True).get(pk=participation.pk)
    sessions: list[Session] = [held.panel_session, *_earlier(held)]
    for session in filter(None, sessions):
        session["unproved"] = True
    held.save(update_fields=["panel_session"])


def visit_key(participation: Participation, visit: Visit) -> str:
    """The key of a visit that proved nothing: that of its session, in any browser, or a new one."""
    if not visit.session:
        return new_token()
    named = f"{participation.pk}/{visit.study}/{visit.session}"
    return salted_hmac("annotation.visits", named, algorithm="sha256").hexdigest()[:22]


def _is_known(held: Session, visit: Visit) -> bool:
    """Whether the worker's own visit has stored this session. No session, or one that came with a
    visit which proved nothing, proves nothing."""
    sessions = [held, *held.get("earlier", [])]
    stored = [session for session in sessions if _same(session, visit)]
    return bool(visit.session) and any("unproved" not in session for session in stored)


def _next_session(participation: Participation, visit: Visit, proved: bool) -> Session:
    earlier = _left_behind(participation, proved)
    again = next((session for session in earlier if _same(session, visit)), {})
    highest = max((session["number"] for session in earlier), default=0)
    return {
        "session": visit.session,
        "study": visit.study,
        "number": again.get("number", highest + 1),
        "ended": again.get("ended", participation.has_ended),
        "earlier": [session for session in earlier if not _same(session, visit)],
        **({} if proved else {"unproved": True}),
    }


def _left_behind(participation: Participation, proved: bool) -> list[Session]:
    """The sessions to keep before a new one: those with work, or in which the participation ended.
    Others are dropped, so that opening many sessions stores nothing; but what may be a stranger's
    visit does not displace (`idle`) the worker's own session."""
    earlier = [one for one in _earlier(participation) if not (proved and one.get("idle"))]
    held = {key: value for key, value in participation.panel_session.items() if key != "earlier"}
    ends_here = participation.has_ended and not held.get("ended")
    if held and (ends_here or submitted_in_visit(participation).exists()):
        earlier.append(held)
    elif held and not proved and "unproved" not in held:
        earlier.append({**held, "idle": True})
    return earlier


def _same(held: Session, visit: Visit) -> bool:
    return bool(held) and (held.get("session"), held.get("study")) == (visit.session, visit.study)


def _earlier(participation: Participation) -> list[Session]:
    return list(participation.panel_session.get("earlier", []))


def visit_number(participation: Participation) -> int:
    """The number of the current session; 0 where none is known."""
    return int(participation.panel_session.get("number", 0))


def submitted_in_visit(participation: Participation) -> QuerySet[Assignment]:
    """The batches submitted in the current session; all of them where no session is known: the
    worker came by an invitation, or the panel's ids are erased."""
    submitted = participation.assignments.filter(state=Assignment.State.SUBMITTED)
    if not participation.panel_session:
        return submitted
    return submitted.filter(visit=visit_number(participation))


def has_work_in_visit(participation: Participation) -> bool:
    """Whether a batch other than training was submitted in the current session."""
    visits = [visit for (visit,) in _worked_in.all(participation=participation.pk)]
    if not participation.panel_session:
        return bool(visits)
    return visit_number(participation) in visits


def ended_before_visit(participation: Participation) -> bool:
    """Whether the participation had ended when the current session began."""
    return bool(participation.panel_session.get("ended"))


def current_visit(participation: Participation) -> Visit:
    """The current session as the panel knows it."""
    held: Session = participation.panel_session
    return Visit(
        worker=participation.worker.external_id,
        session=held.get("session", ""),
        study=held.get("study", ""),
        submit_to=held.get("submit_to", ""),
    )


class Sessions(dict[str, int]):
    """The panel's sessions of a worker: id -> number. `current`: the id of the one they are in."""

    current = ""


def sessions_of(participation: Participation) -> Sessions:
    """All sessions in which the worker came and that are still stored."""
    held: Session = participation.panel_session
    sessions = Sessions()
    for session in [*held.get("earlier", []), held]:
        if session.get("session"):
            sessions[session["session"]] = int(session.get("number", 0))
    sessions.current = held.get("session", "")
    return sessions
