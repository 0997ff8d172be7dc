"""Invitation links into a study, and into a round that workers qualified for."""

import csv
import io
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.models import (
    Invitation,
    Participation,
    Round,
    Seat,
    Study,
    User,
    Worker,
    log_change,
)
from annotation.models.links import new_token
from annotation.rounds.team.seats import seat_team
from annotation.work.qualification import enter_round

INVITED = "invitation"


@transaction.atomic
def invite(
    *,
    study: Study,
    created_by: User | None,
    personal: bool = False,
    max_uses: int | None = None,
    note: str = "",
) -> Invitation:
    """An invitation: for one person, who may come back through it from any device, or open
    to anyone who has the link, `max_uses` times at most (None: no limit)."""
    worker = None
    if personal:
        worker = Worker.objects.create(panel=INVITED, external_id=new_token())
    return Invitation.objects.create(
        study=study,
        worker=worker,
        max_uses=None if personal else max_uses,
        note=note,
        created_by_id=None if created_by is None else created_by.pk,
    )


@transaction.atomic
def invite_many(
    *,
    study: Study,
    created_by: User | None,
    number: int,
    personal: bool = False,
    max_uses: int | None = None,
    note: str = "",
) -> list[Invitation]:
    """Make several invitations at once, all of them or none."""
    detail = {"number": number, "personal": personal, "max_uses": max_uses}
    log_change(study=study, by=created_by, action="invitations.made", detail=detail)
    return [
        invite(study=study, created_by=created_by, personal=personal, max_uses=max_uses, note=note)
        for _ in range(number)
    ]


@transaction.atomic
def invite_team(study: Study, *, by: User | None) -> int:
    """Make a personal link for each seat that has neither a link nor a person; how many."""
    seats = [
        seat
        for seat in seat_team(study)
        if seat.participation_id is None and seat.invitation_id is None
    ]
    for seat in seats:
        link = invite(study=study, created_by=by, personal=True, note=str(seat))
        Seat.objects.filter(pk=seat.pk).update(invitation=link)
    if seats:
        detail = {"number": len(seats), "personal": True}
        log_change(study=study, by=by, action="invitations.made", detail=detail)
    return len(seats)


@transaction.atomic
def end_invitation(*, invitation: Invitation, now: datetime, by: User | None = None) -> bool:
    """Admit nobody through this link any more. Those who came by it stay in the study and come
    back by their own return links. False where it had ended before."""
    lasting = Invitation.objects.filter(pk=invitation.pk, ended_at=None)
    if not lasting.update(ended_at=now):
        return False
    subject = str(invitation.pk)
    log_change(study=invitation.study, by=by, action="invitation.ended", subject=subject)
    return True


def waiting_for(round_: Round) -> QuerySet[Participation]:
    """The participations that passed the previous round and wait to be invited to this one."""
    waiting = Participation.objects.filter(
        study=round_.study_id,
        state=Participation.State.QUALIFIED,
        round__position__lt=round_.position,
        state_changes__after=Participation.State.QUALIFIED,
        state_changes__round=F("round"),
    )
    between = Round.objects.filter(
        study=round_.study_id,
        position__lt=round_.position,
        position__gt=OuterRef("round__position"),
    )
    return waiting.exclude(Exists(between)).distinct().order_by("number")


def let_into(round_: Round) -> QuerySet[Participation]:
    """The participations that are in this round or a later one."""
    here = Participation.objects.filter(study=round_.study_id)
    return here.filter(round__position__gte=round_.position)


@transaction.atomic
def invite_qualified(
    *,
    round_: Round,
    created_by: User | None,
) -> list[Participation]:
    """Let everybody who waits for this round into it, and return their participations.

    Those who came by an invitation get a personal link. Everybody else comes back through their
    panel: a personal link would open their participation, and with it show the panel's id.
    """
    invited = list(waiting_for(round_).select_related("study", "worker"))
    for participation in invited:
        enter_round(participation=participation, round_=round_)
    Invitation.objects.bulk_create(
        Invitation(
            study=participation.study,
            worker=participation.worker,
            round=round_,
            note=participation.pseudonym,
            created_by_id=None if created_by is None else created_by.pk,
        )
        for participation in invited
        if participation.worker.panel == INVITED
    )
    if invited:
        detail = {"number": len(invited), "round": round_.name}
        log_change(study=round_.study, by=created_by, action="qualified.invited", detail=detail)
    return invited


def panel_ids(round_: Round) -> str:
    """CSV of the people to invite to a round at their panels: panel, id.

    Sorted by id, so that the order does not link ids to pseudonyms. Without those whose
    participation has ended or whose id was erased."""
    page = io.StringIO()
    rows = csv.writer(page, lineterminator="\n")
    rows.writerow(["panel", "id"])
    going_on = let_into(round_).exclude(state__in=Participation.ENDED)
    reachable = going_on.filter(worker__erased_at=None).exclude(worker__panel=INVITED)
    ids = reachable.values_list("worker__panel", "worker__external_id")
    rows.writerows(ids.order_by("worker__panel", "worker__external_id"))
    return page.getvalue()
