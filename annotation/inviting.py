"""Make links that bring workers into a study, and into the round that they qualified for."""

import csv
import io
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.models import Invitation, Participation, Round, Study, User, Worker
from annotation.models.people import new_token
from annotation.qualifying import enter_round

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


def waiting_for(stage: Round) -> QuerySet[Participation]:
    """Who passed the round before this one, and waits to be invited."""
    waiting = Participation.objects.filter(
        study=stage.study_id,
        state=Participation.State.QUALIFIED,
        round__position__lt=stage.position,
        state_changes__after=Participation.State.QUALIFIED,
        state_changes__round=F("round"),
    )
    between = Round.objects.filter(
        study=stage.study_id,
        position__lt=stage.position,
        position__gt=OuterRef("round__position"),
    )
    return waiting.exclude(Exists(between)).distinct().order_by("number")


@transaction.atomic
def invite_qualified(
    *,
    round: Round,  # noqa: A002 (the model's word)
    created_by: User | None,
) -> list[Invitation]:
    """Let everybody who waits for this round into it, each with a link of their own.

    The link leads to their place; who comes by their panel gets there, too.
    """
    invited = list(waiting_for(round).select_related("study", "worker"))
    for participation in invited:
        enter_round(participation=participation, round=round)
    return Invitation.objects.bulk_create(
        Invitation(
            study=participation.study,
            worker=participation.worker,
            round=round,
            note=participation.pseudonym,
            created_by_id=None if created_by is None else created_by.pk,
        )
        for participation in invited
    )


def panel_ids(invitations: Iterable[Invitation]) -> str:
    """CSV for a panel's list of people to invite: panel, id. Nobody whose id was erased."""
    page = io.StringIO()
    rows = csv.writer(page, lineterminator="\n")
    rows.writerow(["panel", "id"])
    for invitation in invitations:
        worker = invitation.worker
        if worker is not None and worker.erased_at is None and worker.panel != INVITED:
            rows.writerow([worker.panel, worker.external_id])
    return page.getvalue()
