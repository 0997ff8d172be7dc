"""How workers enter a study: through an invitation, or from a panel."""

import re
from hashlib import sha256

from django.db import transaction
from django.db.models import F, Max

from annotation.entry.invitations import INVITED
from annotation.models import Invitation, Participation, Rater, Study, Worker
from annotation.models.links import new_token
from annotation.models.tombstones import tombstones
from annotation.panels.contract import Visit
from annotation.panels.visits import begin_visit, visit_key
from annotation.rounds.team.seats import free_seat, take_seat
from annotation.work.qualification import enter_round

# A token as `new_token` makes them. Anything else does not identify a form.
FORM = re.compile(r"[-\w]{22}", re.ASCII)


class NotOpen(Exception):
    """The study is not open to workers (yet, or any more)."""


class Paused(NotOpen):
    """The study lets nobody begin for a while."""


class UsedUp(Exception):
    """The invitation has let in as many people as it may."""


class Ended(Exception):
    """The invitation was withdrawn: it admits nobody any more."""


class Erased(Exception):
    """The person's data has been erased; they are not admitted again."""


@transaction.atomic
def arrive(
    *, study: Study, invitation: Invitation, worker: Worker | None = None, form: str = ""
) -> Participation:
    """The participation of the person whom the invitation admits; the same one every time.

    `worker` is the worker whom the browser belongs to already: through an open link they come back
    to their own participation, and only a newcomer counts as a use. A personal link names its
    worker. `form` is the token of the form that a newcomer submitted: submitting it twice does not
    make them two people.
    """
    if worker is not None and worker.tries_out:
        worker = None  # a researcher's browser after a try-out, whose worker answers nowhere else
    if invitation.ended_at is not None:
        return _with_study(study, _existing_participation(study, worker))
    worker = invitation.worker or worker
    participation = _participation_of(study, worker)
    if participation is None:
        study = _lock(study)
        worker = worker or _worker_of_form(form)
        participation = _participation_of(study, worker) or _admit_invited(
            study, invitation, worker, form
        )
    elif invitation.round is not None and invitation.worker is not None:
        # Only a personal link leads to a later round: an open one would let anybody skip rounds.
        enter_round(participation=participation, round_=invitation.round)
    return _with_study(study, participation)


def _existing_participation(study: Study, worker: Worker | None) -> Participation:
    """The participation that this browser belongs to. An ended link identifies nobody."""
    participation = _participation_of(study, worker)
    if participation is None:
        raise Ended
    return participation


def _admit_invited(
    study: Study, invitation: Invitation, worker: Worker | None, form: str
) -> Participation:
    _refuse_unless_open(study)
    _count_use(invitation)
    if worker is None:
        external_id = _id_of_form(form) or new_token()
        worker, _new = Worker.objects.get_or_create(panel=INVITED, external_id=external_id)
    return _create_participation(study, worker, invitation)


def _refuse_unless_open(study: Study) -> None:
    if study.state != Study.State.OPEN:
        raise NotOpen
    if not study.accepts_workers:
        raise Paused


def _worker_of_form(form: str) -> Worker | None:
    """The worker whom this form has admitted before, so that a double click finds them."""
    external_id = _id_of_form(form)
    return find_worker(panel=INVITED, external_id=external_id) if external_id else None


def _id_of_form(form: str) -> str:
    """The id of a worker admitted by this form: a hash, since others may see the page's token."""
    return sha256(form.encode()).hexdigest() if FORM.fullmatch(form) else ""


def arrive_from_panel(
    *, study: Study, panel: str, visit: Visit, proved: bool = False
) -> Participation:
    """The participation of a worker sent by a panel: one worker per panel and id, on any device.

    Arriving twice within one session of the panel changes nothing. The id alone does not prove that
    it is them: `proved`, or a session that they came in before, does. Whoever comes first to a
    study by an id is taken for the worker there.
    """
    worker = find_worker(panel=panel, external_id=visit.worker)
    participation = _participation_of(study, worker)
    if participation is None:
        participation, is_new = _admit_from_panel(study, panel, visit)
        proved = proved or is_new
    # A transaction of its own: a withdrawal locks the participation before the study, and
    # admitting a newcomer locks the study first.
    with transaction.atomic():
        proved = begin_visit(participation=participation, visit=visit, proved=proved)
        _refuse_erased(participation)
    own = participation.own_key
    participation.visit_key = own if proved else visit_key(participation, visit)
    return _with_study(study, participation)


def _refuse_erased(participation: Participation) -> None:
    """Store no panel session for a worker who withdrew while this waited for the lock."""
    if Worker.objects.filter(pk=participation.worker_id, erased_at__isnull=False).exists():
        raise Erased


@transaction.atomic
def _admit_from_panel(study: Study, panel: str, visit: Visit) -> tuple[Participation, bool]:
    """And whether it was made just now."""
    study = _lock(study)
    # The second request of a double click finds the row of the first.
    worker = find_worker(panel=panel, external_id=visit.worker)
    participation = _participation_of(study, worker)
    if participation is not None:
        return participation, False
    _refuse_unless_open(study)
    if worker is None:
        # The same worker may arrive in two studies at the same moment.
        worker, _new = Worker.objects.get_or_create(panel=panel, external_id=visit.worker)
    participation = _create_participation(study, worker)
    # At once, so that the second request of a double click finds the session of the first.
    begin_visit(participation=participation, visit=visit, proved=True)
    return participation, True


def _participation_of(study: Study, worker: Worker | None) -> Participation | None:
    if worker is None:
        return None
    if worker.erased_at is not None:
        raise Erased
    return study.participations.filter(worker=worker).select_related("worker").first()


def find_worker(*, panel: str, external_id: str) -> Worker | None:
    """The worker whom a panel knows by that id, if they ever came; also after their erasure."""
    ids = [external_id, *tombstones(panel, external_id)]
    return Worker.objects.filter(panel=panel, external_id__in=ids).first()


def _lock(study: Study) -> Study:
    # Serialises the numbering of participations and double clicks. Only admissions take this
    # lock: everything else locks a participation before its study.
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _with_study(study: Study, participation: Participation) -> Participation:
    participation.study = study
    return participation


def _count_use(invitation: Invitation) -> None:
    row = Invitation.objects.filter(pk=invitation.pk, ended_at=None)
    if invitation.max_uses is not None:
        row = row.filter(uses__lt=F("max_uses"))
    if not row.update(uses=F("uses") + 1):
        raise UsedUp


def _create_participation(
    study: Study, worker: Worker, invitation: Invitation | None = None
) -> Participation:
    seat = free_seat(study, invitation) if study.has_team else None
    participation = Participation(study=study, worker=worker, number=_next_number(study))
    # An imported rater may have the name already.
    while study.raters.filter(name=participation.pseudonym).exists():
        participation.number += 1
    participation.save()
    Rater.objects.create(
        study=study,
        name=participation.pseudonym,
        kind=Rater.Kind.HUMAN,
        participation=participation,
    )
    if seat is not None:
        take_seat(seat, participation)
    return participation


def _next_number(study: Study) -> int:
    highest = study.participations.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1
