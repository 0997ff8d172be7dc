"""How far a member of a team has come in their table."""

from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Allotment, Assignment, AssignmentUnit, Participation, Round

SUBMITTED = AssignmentUnit.objects.filter(
    place=OuterRef("place"),
    assignment__participation=OuterRef("seat__participation"),
    assignment__state=Assignment.State.SUBMITTED,
)


class Progress(NamedTuple):
    """Units submitted, of those in the table."""

    done: int
    of: int

    @property
    def is_complete(self) -> bool:
        return self.done >= self.of


def progress_in(participation: Participation, round_: Round) -> Progress:
    """What the member has submitted of their table in that round; retired units are left out."""
    rows = Allotment.objects.filter(
        seat__participation=participation, place__round=round_, place__retired=False
    )
    return Progress(**rows.aggregate(done=Count("pk", filter=Q(Exists(SUBMITTED))), of=Count("pk")))
