"""The rounds of studies."""

from math import ceil

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Count, Q
from django.utils.functional import cached_property

from annotation.models.study import Study

# Roles of control units. Here, not in `material`, since that module imports this one.
CONTROL_ROLES = ("positive", "negative")


class Round(models.Model):
    """A round of a study: the composition of its batches, its pass and keep rules, its pay."""

    class Failing(models.TextChoices):
        SCREEN_OUT = "screen_out"
        END = "end"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="rounds")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    # Only answers of counting rounds enter estimates.
    counts = models.BooleanField(default=True)
    # Training: the right answer and its reasons are shown after each question.
    shows_answers = models.BooleanField(default=False)
    max_batches = models.PositiveIntegerField(null=True, blank=True)
    expected_minutes = models.PositiveIntegerField(null=True, blank=True)
    # What happens to workers who fail this round: a paid screen-out, or just the end.
    failing = models.CharField(max_length=10, choices=Failing.choices, default=Failing.SCREEN_OUT)
    normal_per_batch = models.PositiveSmallIntegerField(default=1)
    # In a team: so many sources, drawn at random, are answered in this round and by every member.
    calibration_sources = models.PositiveIntegerField(default=0, db_default=0)
    # In a calibration: since when those who have answered it go on. Until then they wait.
    released_at = models.DateTimeField(null=True, blank=True, editable=False)
    positive_per_batch = models.PositiveSmallIntegerField(default=0)
    negative_per_batch = models.PositiveSmallIntegerField(default=0)
    pass_accuracy = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    keep_accuracy = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)]
    )
    min_controls = models.PositiveSmallIntegerField(default=4)
    base_pay = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    bonus_pay = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    currency = models.CharField(max_length=3, default="USD")

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="round_name_once"),
            models.UniqueConstraint(fields=["study", "position"], name="round_position_once"),
            models.CheckConstraint(
                condition=Q(base_pay__gte=0) & Q(bonus_pay__gte=0), name="round_pay_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def following(self) -> "Round | None":
        """The round after this one, or None after the last."""
        later = Round.objects.filter(study=self.study_id, position__gt=self.position)
        return later.order_by("position").first()

    @property
    def pays(self) -> bool:
        """Whether its batches are paid."""
        return bool(self.base_pay + self.bonus_pay)

    @property
    def gates(self) -> bool:
        """Whether the round has to be passed to reach the next one."""
        return self.pass_accuracy is not None and self.following is not None

    @property
    def batch_limit(self) -> int:
        """How many batches of the round one worker does at most.

        One, unless the round says otherwise, where it must be passed or shows its answers. What
        members of a team answer is in their table.
        """
        if self.max_batches is not None:
            return self.max_batches
        if self.study.has_team and not (self.shows_answers or self.gates):
            return self.batches_of_largest_table
        return 1 if self.shows_answers or self.gates else self.study.max_batches_per_worker

    @cached_property
    def batches_told(self) -> int:
        """How many batches a worker is told of: the limit, or fewer where that many hold every
        source of the study, of which nobody outside a team meets one twice."""
        limit, size = self.batch_limit, self.normal_per_batch
        if self.study.has_team or self.gates or not size:
            return limit
        enough = self.study.sources.order_by()[: limit * size].count()
        return max(1, min(limit, ceil(enough / size)))

    @cached_property
    def batches_of_largest_table(self) -> int:
        """In a team: how many batches the member has who answers most. Before there is a table:
        how many it takes to answer everything."""
        normal = self.places.filter(role="normal", retired=False)
        tables = normal.exclude(allotments=None).order_by().values_list("allotments__seat")
        largest = max((n for _seat, n in tables.annotate(n=Count("pk"))), default=0)
        return ceil((largest or normal.count()) / max(self.normal_per_batch, 1))

    @property
    def graded_roles(self) -> tuple[str, ...]:
        """The roles of units by which workers are graded: controls, and in training all."""
        return (*CONTROL_ROLES, "training", "normal") if self.shows_answers else CONTROL_ROLES

    @property
    def n_graded_per_batch(self) -> int:
        """How many units of one batch are graded."""
        controls = self.positive_per_batch + self.negative_per_batch
        return controls + self.normal_per_batch if self.shows_answers else controls

    @property
    def n_units_per_batch(self) -> int:
        """How many units one batch holds."""
        return self.normal_per_batch + self.positive_per_batch + self.negative_per_batch

    @property
    def most_graded(self) -> int:
        """How many graded units one worker meets at most in the round."""
        return self.batch_limit * self.n_graded_per_batch

    @property
    def keep_is_idle(self) -> bool:
        """Whether `keep` never applies: no worker meets as many controls as it waits for."""
        return self.keep_accuracy is not None and self.most_graded < self.min_controls
