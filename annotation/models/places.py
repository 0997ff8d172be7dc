"""Places of units in rounds, and batches that are made beforehand."""

from collections.abc import Collection
from typing import Self

from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils.translation import gettext_lazy as _

from annotation.models.material import Source, Unit
from annotation.models.rounds import Round

# The numbers by which the places of a round are shuffled lie below.
ORDER = 1 << 31


class PlaceQuerySet(models.QuerySet["Place"]):
    """Every change of `held` and `counted` is one of these conditional UPDATEs. They return the
    number of rows changed: a caller that gets fewer than expected has lost a race."""

    def open_in(self, round_: Round, *, without: Collection[int]) -> Self:
        """Normal places with room, without these sources, in the order in which they are given out.

        `without` holds values, not a subquery: so the plan is one scan of `place_open`."""
        places = self.filter(round=round_, role=Unit.Role.NORMAL, room__gt=0)
        return places.exclude(source__in=without).order_by("turn")

    def controls_in(self, round_: Round, role: str, *, without: Collection[int]) -> Self:
        """Control places of that role without these sources, by the index `place_control`."""
        places = self.filter(round=round_, role=role, wanted__isnull=True)
        return places.exclude(source__in=without).order_by("shuffle")

    def any_in(self, round_: Round, *, without: Collection[int]) -> Self:
        """Normal places without these sources, including full ones."""
        places = self.filter(round=round_, role=Unit.Role.NORMAL, retired=False)
        return places.exclude(source__in=without).order_by("shuffle")

    def lock(self) -> None:
        """Lock these rows, always in one order, so that no two transactions deadlock."""
        list(self.order_by("shuffle", "pk").select_for_update(no_key=True).values_list("pk"))

    def hold(self) -> int:
        return self.filter(room__gt=0).update(held=F("held") + 1)

    def give_back(self) -> int:
        return self.filter(held__gt=0).update(held=F("held") - 1)

    def count_held(self) -> int:
        return self.filter(held__gt=0).update(held=F("held") - 1, counted=F("counted") + 1)

    def count_late(self) -> int:
        return self.filter(room__gt=0).update(counted=F("counted") + 1)

    def uncount(self) -> int:
        return self.filter(counted__gt=0).update(counted=F("counted") - 1)


class Place(models.Model):
    """A unit in a round: how many counted answers it wants, has, and has leases for.

    `wanted` is empty for controls: any number of people may answer them (0: it is retired). The
    check constraint keeps an overlap of k from ever becoming k + 1. `retired` (normal units): it
    has no room, whatever it wants, until it is reinstated.
    """

    class Priority(models.IntegerChoices):
        """Which places are given out before others of their round."""

        LATER = -1, _("later")
        USUAL = 0, _("usual")
        SOONER = 1, _("sooner")
        FIRST = 2, _("first")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="places")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="places")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=8, choices=Unit.Role.choices)
    wanted = models.PositiveIntegerField(null=True)
    held = models.PositiveIntegerField(default=0)
    counted = models.PositiveIntegerField(default=0)
    # A seeded random number below ORDER: the order in which places of one priority are given out.
    shuffle = models.PositiveIntegerField()
    retired = models.BooleanField(default=False, db_default=False)
    priority = models.SmallIntegerField(
        choices=Priority.choices, default=Priority.USUAL, db_default=Priority.USUAL.value
    )
    room = models.GeneratedField(
        expression=Case(
            When(retired=True, then=Value(0)), default=F("wanted") - F("held") - F("counted")
        ),
        output_field=models.IntegerField(null=True),
        db_persist=True,
    )
    # The order in which places are given out, in one number, so that one index gives it.
    turn = models.GeneratedField(
        expression=F("shuffle") - F("priority") * ORDER,
        output_field=models.BigIntegerField(),
        db_persist=True,
    )

    objects = PlaceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "unit"], name="place_once"),
            models.UniqueConstraint(
                fields=["unit"], condition=~Q(role="normal"), name="control_in_one_round"
            ),
            models.CheckConstraint(
                condition=Q(wanted__isnull=True) | Q(wanted__gte=F("held") + F("counted")),
                name="place_never_overfull",
            ),
        ]
        indexes = [
            # For leasing the next batch: open places only, in the order they are given out.
            models.Index(
                fields=["round", "role", "turn"], name="place_open", condition=Q(room__gt=0)
            ),
            models.Index(
                fields=["round", "role", "shuffle"],
                name="place_control",
                condition=Q(wanted__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.unit_id} in {self.round_id}"


class FixedBatch(models.Model):
    """A batch composed once, in studies whose batches are fixed.

    It counts no room of its own: its normal places fill up and empty together.
    """

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()

    class Meta:
        db_table = "annotation_batch"  # the name before the model was renamed
        ordering = ["round", "number"]
        verbose_name_plural = "batches"
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="batch_number_once")
        ]

    def __str__(self) -> str:
        return f"batch {self.number} of {self.round_id}"


class FixedBatchPlace(models.Model):
    """A place in a fixed batch, in order. Batches may share control places."""

    batch = models.ForeignKey(FixedBatch, on_delete=models.CASCADE, related_name="batch_places")
    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="batch_places")
    position = models.PositiveSmallIntegerField()

    class Meta:
        db_table = "annotation_batchplace"  # the name before the model was renamed
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["batch", "position"], name="batch_place_position_once"),
            models.UniqueConstraint(fields=["batch", "place"], name="batch_place_once"),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}[{self.position}]"
