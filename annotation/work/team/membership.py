"""Ending a membership of a team, and leading a team on after its calibration."""

from datetime import datetime

from django.db import transaction

from annotation.models import Round, Seat, User, log_change
from annotation.rounds.team.allotments import leave_team
from annotation.work.leases import close_open_batch, lock_with_batches


@transaction.atomic
def end_membership(*, seat: Seat, by: User | None = None) -> bool:
    """Give the member nothing more, and close their open batch, whose finished part is paid; False
    where they had left before. Their answers stay."""
    if seat.participation is not None:
        lock_with_batches(seat.participation)
        close_open_batch(participation=seat.participation)
    if not leave_team(seat):
        return False
    subject = f"member {seat.number}"
    log_change(study=seat.study, by=by, action="team.left", subject=subject)
    return True


@transaction.atomic
def release_calibration(*, round_: Round, now: datetime, by: User | None = None) -> bool:
    """Let all who have answered a calibration, now or later, go on; False where that was so."""
    unreleased = Round.objects.filter(pk=round_.pk, calibration_sources__gt=0, released_at=None)
    if not unreleased.update(released_at=now):
        return False
    log_change(study=round_.study, by=by, action="team.released", subject=round_.name)
    return True
