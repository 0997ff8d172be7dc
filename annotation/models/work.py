"""Places, batches, assignments and reviews."""

from collections.abc import Collection
from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models.material import Source, Unit
from annotation.models.people import Participation, Worker, new_token
from annotation.models.study import Round

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


class Assignment(models.Model):
    """A batch leased to one worker: its states, times and review."""

    class State(models.TextChoices):
        ACTIVE = "active"
        EXPIRED = "expired"
        SUBMITTED = "submitted"
        RETURNED = "returned"

    class Verdict(models.TextChoices):
        """What a reviewer decided about a submitted batch."""

        OPEN = "open"
        ACCEPTED = "accepted"
        EXCLUDED = "excluded"

    public_id = models.CharField(max_length=40, unique=True, default=new_token)
    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="assignments")
    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="assignments"
    )
    state = models.CharField(max_length=9, choices=State.choices, default=State.ACTIVE)
    seed = models.BigIntegerField()
    # As promised when it was leased: the round's pay may change afterwards.
    base_pay = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    bonus_pay = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    pass_accuracy = models.FloatField(null=True, blank=True)
    currency = models.CharField(max_length=3, default="USD")
    # How long it takes, as the worker was told when it was leased.
    expected_minutes = models.PositiveIntegerField(null=True, blank=True)
    leased_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField()
    # How often the lease has begun anew.
    extensions = models.PositiveSmallIntegerField(default=0)
    submitted_at = models.DateTimeField(null=True, blank=True)
    # The number of the panel's session in which it was submitted; 0 outside any session.
    visit = models.PositiveIntegerField(default=0)
    late = models.BooleanField(default=False)
    # `comment` is the worker's, `feedback` the reviewer's.
    comment = models.TextField(blank=True)
    feedback = models.TextField(blank=True)
    feedback_seen_at = models.DateTimeField(null=True, blank=True)
    # The newest of its reviews.
    verdict = models.CharField(max_length=8, choices=Verdict.choices, default=Verdict.OPEN)

    class Meta:
        constraints = [
            # A double click cannot lease two batches.
            models.UniqueConstraint(
                fields=["participation"],
                condition=Q(state__in=["active", "expired"]),
                name="one_open_assignment",
            ),
            models.CheckConstraint(
                condition=Q(state="submitted") ^ Q(submitted_at__isnull=True),
                name="submitted_has_its_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["lease_until"], name="assignment_lease", condition=Q(state="active")
            )
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"

    @property
    def is_open(self) -> bool:
        return self.state in (self.State.ACTIVE, self.State.EXPIRED)

    @property
    def may_extend(self) -> bool:
        """Whether the worker may extend the lease once more."""
        return self.extensions < self.participation.study.max_extensions

    def has_run_out(self, now: datetime) -> bool:
        return self.state == self.State.ACTIVE and self.lease_until <= now


class Review(models.Model):
    """One decision about a submitted batch. Never changed: undoing is another review."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="reviews")
    verdict = models.CharField(max_length=8, choices=Assignment.Verdict.choices)
    reason = models.CharField(max_length=200, blank=True)
    # Empty where the study's rules decided.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.assignment_id}: {self.verdict}"


class AssignmentUnit(models.Model):
    """A unit in a worker's batch, whether it holds room in its place, and its outcome."""

    class Outcome(models.TextChoices):
        OPEN = "open"
        COUNTED = "counted"
        SURPLUS = "surplus"
        EXCLUDED = "excluded"

    assignment = models.ForeignKey(
        Assignment, on_delete=models.CASCADE, related_name="assignment_units"
    )
    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="assignment_units")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="assignment_units")
    # Copied here, so that a constraint can keep a worker from meeting a source twice.
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="+")
    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="assignment_units")
    position = models.PositiveSmallIntegerField()
    # The share of the round's random order that had been given out up to this unit, when it was
    # leased: the probability with which any unit of the round is as early. Null: drawn otherwise.
    inclusion = models.FloatField(null=True, blank=True)
    holds = models.BooleanField(default=True)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, default=Outcome.OPEN)
    problem = models.TextField(blank=True)

    class Meta:
        db_table = "annotation_batchunit"  # the name before the model was renamed
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "position"], name="batch_position_once"),
            models.UniqueConstraint(fields=["worker", "source"], name="worker_meets_source_once"),
            models.CheckConstraint(
                condition=Q(outcome="open") | Q(holds=False), name="only_open_units_hold"
            ),
        ]
        indexes = [models.Index(fields=["unit"], name="problem_reported", condition=~Q(problem=""))]

    def __str__(self) -> str:
        return f"{self.assignment_id}[{self.position}]"
