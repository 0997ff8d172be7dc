"""The members of a team as a researcher sees them: how far each is, and what they share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, Q, QuerySet

from annotation.models import Allotment, Draft, Round, Seat, Study
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


def team_members(study: Study) -> list[TeamMember]:
    """Every seat that has not left, or has answers; five queries, whatever their number."""
    seats = list(study.seats.select_related("participation", "invitation").order_by("number"))
    counts = _counts(Allotment.objects.filter(seat__study=study))
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


def _counts(rows: QuerySet[Allotment]) -> dict[int, tuple[int, int]]:
    """(submitted, all) of these rows by seat."""
    counted = (
        rows.filter(place__retired=False)
        .order_by()
        .values_list("seat")
        .annotate(done=Count("pk", filter=Q(Exists(SUBMITTED))), of=Count("pk"))
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


@dataclass(frozen=True)
class Calibration:
    """A round that everybody answers first: how many of the members have done so."""

    round: Round
    done: int
    of: int


def calibrations(study: Study) -> list[Calibration]:
    """The calibrations that lead on to another round."""
    rounds = list(study.rounds.order_by("position"))
    seats = [seat.pk for seat in study.seats.select_related("participation") if not seat.is_over]
    return [_calibration(round_, seats) for round_ in rounds[:-1] if round_.calibration_sources]


def _calibration(round_: Round, seats: Sequence[int]) -> Calibration:
    counts = _counts(Allotment.objects.filter(seat__in=seats, place__round=round_))
    return Calibration(round_, sum(done >= of for done, of in counts.values()), len(seats))
