"""Assignments, their units, and reviews."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models.links import new_token
from annotation.models.material import Source, Unit
from annotation.models.people import Participation, Worker
from annotation.models.places import Place
from annotation.models.rounds import Round


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
    # The key of the visit in which it was begun; empty for one of the worker's own.
    begun_in = models.CharField(max_length=22, blank=True)
    seed = models.BigIntegerField()
    # As promised when it was leased: the round's pay may change afterwards.
    base_pay = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    bonus_pay = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    pass_accuracy = models.FloatField(null=True, blank=True)
    currency = models.CharField(max_length=3, default="USD")
    # How long it takes, as the worker was told when it was leased.
    expected_minutes = models.PositiveIntegerField(null=True, blank=True)
    # How long the way to it took, as they were told; empty for all but the first batch.
    way_in_minutes = models.PositiveIntegerField(null=True, blank=True)
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
    # Copied here, so that a constraint can keep a worker of a crowd from meeting a source twice.
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="+")
    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="assignment_units")
    position = models.PositiveSmallIntegerField()
    # The share of the round's random order that had been given out up to this unit, when it was
    # leased: the probability with which any unit of the round is as early. Null: drawn otherwise.
    inclusion = models.FloatField(null=True, blank=True)
    holds = models.BooleanField(default=True)
    # Whether its worker may meet other units of the source: a member of a team.
    meets_again = models.BooleanField(default=False, db_default=False)
    outcome = models.CharField(max_length=8, choices=Outcome.choices, default=Outcome.OPEN)
    problem = models.TextField(blank=True)

    class Meta:
        db_table = "annotation_batchunit"  # the name before the model was renamed
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["assignment", "position"], name="batch_position_once"),
            models.UniqueConstraint(
                fields=["worker", "source"],
                condition=Q(meets_again=False),
                name="worker_meets_source_once",
            ),
            models.CheckConstraint(
                condition=Q(outcome="open") | Q(holds=False), name="only_open_units_hold"
            ),
        ]
        indexes = [models.Index(fields=["unit"], name="problem_reported", condition=~Q(problem=""))]

    def __str__(self) -> str:
        return f"{self.assignment_id}[{self.position}]"
