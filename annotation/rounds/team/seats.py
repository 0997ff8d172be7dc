"""The seats of a team: made for as many people as the study says, taken by those who arrive."""

from django.db import transaction

from annotation.models import Invitation, Participation, Seat, Study


class TeamIsComplete(Exception):
    """Every seat of the team is taken."""


@transaction.atomic
def seat_team(study: Study) -> list[Seat]:
    """Give the team as many seats as it has members; the seats of those who have not left.

    Where there are more, the last ones go that nobody has taken.
    """
    seats = list(study.seats.all())
    staying = [seat for seat in seats if seat.left_at is None]
    unused = [seat.pk for seat in staying if seat.participation_id is None]
    surplus = min(max(len(staying) - study.team_members, 0), len(unused))
    Seat.objects.filter(pk__in=unused[len(unused) - surplus :]).delete()
    number = max((seat.number for seat in seats), default=0)
    lacking = study.team_members - len(staying)
    Seat.objects.bulk_create(Seat(study=study, number=number + at) for at in range(1, lacking + 1))
    return list(study.seats.filter(left_at=None).select_related("participation"))


def free_seat(study: Study, invitation: Invitation | None) -> Seat:
    """The seat that the link leads to, or the first one that no link leads to and nobody has.

    The study is locked while somebody is admitted. TeamIsComplete where there is none.
    """
    seats = study.seats.filter(participation=None, left_at=None)
    own = seats.filter(invitation=invitation).first() if invitation is not None else None
    seat = own or seats.filter(invitation=None).order_by("number").first()
    if seat is None:
        raise TeamIsComplete
    return seat


def take_seat(seat: Seat, participation: Participation) -> None:
    """Let that person have the seat."""
    Seat.objects.filter(pk=seat.pk).update(participation=participation)
