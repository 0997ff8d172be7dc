"""Let a worker into a study: through an invitation, or from a panel."""

import re
from hashlib import sha256

from django.db import transaction
from django.db.models import F, Max, Q

from annotation.entry.invitations import INVITED
from annotation.models import Invitation, Participation, Rater, Study, Worker
from annotation.models.people import new_token
from annotation.models.tombstones import tombstone
from annotation.panels.contract import Visit
from annotation.panels.visits import begin_visit
from annotation.work.qualification import enter_round

# A token as `new_token` makes them. Any other says nothing about who pressed the form.
FORM = re.compile(r"[-\w]{22}", re.ASCII)


class NotOpen(Exception):
    """The study is not open to workers (yet, or any more)."""


class UsedUp(Exception):
    """The invitation has let in as many people as it may."""


class Ended(Exception):
    """The invitation was taken back: it lets nobody in any more."""


class Erased(Exception):
    """This person had all that was known of them erased; they do not come in again."""


@transaction.atomic
def arrive(
    *, study: Study, invitation: Invitation, worker: Worker | None = None, form: str = ""
) -> Participation:
    """The participation of whom the invitation lets in; the same one every time.

    `worker` is who the browser already belongs to: through an open link they come back to
    their own place, and only a newcomer counts as a use. A personal link knows its worker.
    `form` is the token of the form that a newcomer pressed: they are one person, however often
    they press it.
    """
    if worker is not None and worker.tries_out:
        worker = None  # a researcher's browser, after a try-out; nobody answers under that name
    if invitation.ended_at is not None:
        return _in(study, _who_is_in(study, worker))
    worker = invitation.worker or worker
    known = _place_of(study, worker)
    if known is None:
        study = _lock(study)
        worker = worker or _who_pressed(form)
        known = _place_of(study, worker) or _newcomer(study, invitation, worker, form)
    elif invitation.round is not None and invitation.worker is not None:
        # Only a personal link leads on: an open one would take anybody past the rounds before.
        enter_round(participation=known, round_=invitation.round)
    return _in(study, known)


def _who_is_in(study: Study, worker: Worker | None) -> Participation:
    """Whose browser this is already. The link says of nobody any more that it is theirs."""
    known = _place_of(study, worker)
    if known is None:
        raise Ended
    return known


def _newcomer(
    study: Study, invitation: Invitation, worker: Worker | None, form: str
) -> Participation:
    if study.state != Study.State.OPEN:
        raise NotOpen
    _count_use(invitation)
    if worker is None:
        external_id = _id_from(form) or new_token()
        worker, _new = Worker.objects.get_or_create(panel=INVITED, external_id=external_id)
    return _participate(study, worker)


def _who_pressed(form: str) -> Worker | None:
    """Who came by that very form before; a double click comes second, and finds them."""
    external_id = _id_from(form)
    return find_worker(panel=INVITED, external_id=external_id) if external_id else None


def _id_from(form: str) -> str:
    """The id of whoever pressed that form. A hash: the page with the token may lie about."""
    return sha256(form.encode()).hexdigest() if FORM.fullmatch(form) else ""


def arrive_from_panel(*, study: Study, panel: str, visit: Visit) -> Participation:
    """The participation of whom a panel sends: one worker per panel and id, on any device.

    Coming twice within one session of the panel changes nothing.
    """
    worker = find_worker(panel=panel, external_id=visit.worker)
    known = _place_of(study, worker) or _newcomer_from(study, panel, visit)
    # A transaction of its own: who withdraws locks their participation before the study.
    with transaction.atomic():
        begin_visit(participation=known, visit=visit)
        _refuse_who_was_erased(known)
    return _in(study, known)


def _refuse_who_was_erased(participation: Participation) -> None:
    """Whoever withdrew while this waited for them leaves no session behind."""
    if Worker.objects.filter(pk=participation.worker_id, erased_at__isnull=False).exists():
        raise Erased


@transaction.atomic
def _newcomer_from(study: Study, panel: str, visit: Visit) -> Participation:
    study = _lock(study)
    # A double click comes second, and finds the first one's row.
    worker = find_worker(panel=panel, external_id=visit.worker)
    known = _place_of(study, worker)
    if known is not None:
        return known
    if study.state != Study.State.OPEN:
        raise NotOpen
    if worker is None:
        # Somebody may come to two studies at the same moment.
        worker, _new = Worker.objects.get_or_create(panel=panel, external_id=visit.worker)
    return _participate(study, worker)


def _place_of(study: Study, worker: Worker | None) -> Participation | None:
    if worker is None:
        return None
    if worker.erased_at is not None:
        raise Erased
    return study.participations.filter(worker=worker).select_related("worker").first()


def find_worker(*, panel: str, external_id: str) -> Worker | None:
    """Whom a panel knows by that id, if they have ever come; also after their erasure."""
    ids = Q(external_id=external_id) | Q(external_id=tombstone(panel, external_id))
    return Worker.objects.filter(ids, panel=panel).first()


def _lock(study: Study) -> Study:
    # Under this lock numbers are given out one after another, and a double click comes second.
    # Only newcomers take it: the other verbs lock a participation before its study.
    return Study.objects.select_for_update(no_key=True).get(pk=study.pk)


def _in(study: Study, participation: Participation) -> Participation:
    participation.study = study
    return participation


def _count_use(invitation: Invitation) -> None:
    row = Invitation.objects.filter(pk=invitation.pk, ended_at=None)
    if invitation.max_uses is not None:
        row = row.filter(uses__lt=F("max_uses"))
    if not row.update(uses=F("uses") + 1):
        raise UsedUp


def _participate(study: Study, worker: Worker) -> Participation:
    participation = Participation(study=study, worker=worker, number=_next_number(study))
    # An imported rater may bear the name already.
    while study.raters.filter(name=participation.pseudonym).exists():
        participation.number += 1
    participation.save()
    Rater.objects.create(
        study=study,
        name=participation.pseudonym,
        kind=Rater.Kind.HUMAN,
        participation=participation,
    )
    return participation


def _next_number(study: Study) -> int:
    highest = study.participations.aggregate(highest=Max("number"))["highest"]
    return (highest or 0) + 1
