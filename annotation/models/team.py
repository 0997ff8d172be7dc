"""The members of a team, and the table of who answers what."""

from collections.abc import Sequence

from django.core.validators import MinValueValidator
from django.db import models

from annotation.models.people import Invitation, Participation
from annotation.models.places import Place
from annotation.models.study import Study

ROWS_AT_ONCE = 2000


class Seat(models.Model):
    """A member of a study's team: known beforehand by a number and a name, and whoever takes it.

    The name is the researcher's word for the person. It is personal data, which no export holds.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    name = models.CharField(max_length=80, blank=True)
    # The personal link that leads to it, where there is one.
    invitation = models.OneToOneField(
        Invitation, on_delete=models.SET_NULL, null=True, blank=True, related_name="seat"
    )
    participation = models.OneToOneField(
        Participation, on_delete=models.SET_NULL, null=True, blank=True, related_name="seat"
    )
    # Since when it gets nothing more.
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["study", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="seat_number_once"),
        ]

    def __str__(self) -> str:
        return self.name or f"member {self.number}"

    @property
    def is_over(self) -> bool:
        """Whether the member left, or the person in the seat withdrew or was removed."""
        person = self.participation
        return self.left_at is not None or (person is not None and person.has_ended)

    def append_to_table(self, places: Sequence[int]) -> None:
        """Put these places behind what the member has in their table already."""
        last = self.allotments.aggregate(last=models.Max("position"))["last"] or 0
        rows = (
            Allotment(seat=self, place_id=place, position=position)
            for position, place in enumerate(places, start=last + 1)
        )
        Allotment.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)


class Allotment(models.Model):
    """A place that a member of the team answers, and when in their order."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="allotments")
    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="allotments")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["seat", "position"]
        constraints = [
            models.UniqueConstraint(fields=["seat", "place"], name="allotted_once"),
            models.UniqueConstraint(fields=["seat", "position"], name="allotted_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.seat_id}[{self.position}]"
