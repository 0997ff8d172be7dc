"""The members of a team as a researcher sees them: how far each is, and what pairs share."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, F, Max, Q

from annotation.models import Allotment, Draft, Seat, Study
from annotation.rounds.team.progress import SUBMITTED, gaps


@dataclass(frozen=True)
class TeamMember:
    """A seat with the units of its table, how many are submitted, when somebody was seen there
    last, and how many units lie at least between two of one source (None: no source comes twice).
    """

    seat: Seat
    done: int
    of: int
    last_seen: datetime | None
    least_between: int | None

    @property
    def share(self) -> int:
        """Percent of the table that is submitted."""
        return round(100 * self.done / self.of) if self.of else 0


class Sharing(NamedTuple):
    """How much pairs of members share: the least and the most units, and how many pairs share
    none."""

    least: int
    most: int
    n_pairs: int
    n_apart: int


def team_members(study: Study) -> list[TeamMember]:
    """Every seat that has not left, or has answers; five queries, whatever their number."""
    seats = list(study.seats.select_related("participation", "invitation").order_by("number"))
    counts = _counts(study)
    seen = _last_seen(seats)
    apart = gaps(study)
    members = [
        TeamMember(
            seat,
            *counts.get(seat.pk, (0, 0)),
            seen.get(seat.participation_id),
            apart.get(seat.pk),
        )
        for seat in seats
    ]
    return [member for member in members if member.seat.left_at is None or member.done]


def _counts(study: Study) -> dict[int, tuple[int, int]]:
    rows = Allotment.objects.filter(seat__study=study, place__retired=False).order_by()
    counted = rows.values_list("seat").annotate(
        done=Count("pk", filter=Q(Exists(SUBMITTED))), of=Count("pk")
    )
    return {seat: (done, of) for seat, done, of in counted}


def _last_seen(seats: Iterable[Seat]) -> dict[int | None, datetime | None]:
    keys = [seat.participation_id for seat in seats if seat.participation_id]
    drafts = Draft.objects.filter(assignment__participation__in=keys).order_by()
    saved = dict(drafts.values_list("assignment__participation").annotate(at=Max("saved_at")))
    arrived = {
        seat.participation_id: seat.participation.arrived_at for seat in seats if seat.participation
    }
    return {key: saved.get(key) or arrived[key] for key in keys}


def sharing(study: Study) -> Sharing | None:
    """What the pairs of members who have not left share by the table; None for a team of one."""
    seats = list(study.seats.filter(left_at=None).values_list("pk", flat=True))
    n_pairs = len(seats) * (len(seats) - 1) // 2
    if not n_pairs:
        return None
    rows = Allotment.objects.filter(seat__in=seats, place__retired=False).order_by()
    pairs = rows.filter(place__allotments__seat__in=seats, place__allotments__seat__gt=F("seat"))
    shared = pairs.values("seat", "place__allotments__seat").annotate(n=Count("pk"))
    numbers = list(shared.values_list("n", flat=True))
    n_apart = n_pairs - len(numbers)
    least = 0 if n_apart else min(numbers)
    return Sharing(least, max(numbers, default=0), n_pairs, n_apart)
