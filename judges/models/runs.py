"""A judge's run over a study, the chunks that it is worked in, and who works them."""

from decimal import Decimal
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Rater, Study
from judges.models.judges import Judge


class JudgeRun(models.Model):
    """One run of a judge over questions of a study, with all that is needed to repeat it."""

    class State(models.TextChoices):
        # Its calls are being written down; nobody works it yet.
        PLANNING = "planning"
        RUNNING = "running"
        PAUSED = "paused"
        CANCELLED = "cancelled"
        COMPLETE = "complete"
        PARTIAL = "partial"
        FAILED = "failed"

    ENDED = (State.CANCELLED, State.COMPLETE, State.PARTIAL, State.FAILED)

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="judge_runs")
    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="runs")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="judge_runs")
    subset = models.CharField(max_length=80, blank=True)
    # Keys of the blocks that were asked for; empty: all that the judge answers.
    blocks = models.JSONField(default=list, blank=True)
    replicates = models.PositiveSmallIntegerField(default=1)
    seed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=9, choices=State.choices, default=State.RUNNING)
    reason = models.TextField(blank=True)
    code_version = models.CharField(max_length=80, blank=True)
    # {block key: {"hash", "text"}}: the prompts as they stood when the run was planned; with
    # "told" the part of the text that the study tells everybody.
    prompts = models.JSONField(default=dict, blank=True)
    max_cost = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    n_calls = models.PositiveIntegerField(default=0)
    # When its planning last got further; empty once all of it is planned.
    planning_at = models.DateTimeField(null=True, blank=True)
    # Somebody has resumed it: it is not paused again for bringing no answer.
    goes_on_unanswered = models.BooleanField(default=False)
    # What its calls cost, kept with them: the cap is looked at after every few calls. The replies
    # of a batch count from when it is back, even where no call is written down any more.
    spent = models.DecimalField(max_digits=16, decimal_places=9, default=0)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"run {self.pk} of {self.judge}"

    def told_in(self, block: str) -> str:
        """What the run tells a judge before the prompt of a block: it stays what it was when the
        run was planned."""
        return str(self.prompts.get(block, {}).get("told", ""))

    @property
    def has_ended(self) -> bool:
        return self.state in self.ENDED

    @property
    def is_under_way(self) -> bool:
        """Whether it changes by itself."""
        return self.state in (self.State.PLANNING, self.State.RUNNING)

    @property
    def can_be_resumed(self) -> bool:
        """Whether there is anything to go on with, or to ask again."""
        is_over = self.state in (self.State.PLANNING, self.State.RUNNING, self.State.COMPLETE)
        return self.planning_at is None and not is_over

    @property
    def left(self) -> Decimal | None:
        """USD that it may still spend; None: as much as it takes."""
        return None if self.max_cost is None else self.max_cost - self.spent

    @property
    def is_at_cap(self) -> bool:
        return self.is_capped_at(self.spent)

    def is_capped_at(self, spent: Decimal) -> bool:
        """Whether it goes no further once it has spent so much. Under a cap of 0 it may do what
        is free."""
        return self.max_cost is not None and spent >= self.max_cost and spent > 0


class ChunkQuerySet(models.QuerySet["Chunk"]):
    """Chunks by what can be done with them."""

    def claimable(self) -> Self:
        """Waiting, or leased to a worker that has not come back in time.

        No join: an UPDATE through one would become `pk IN (SELECT …)`, and PostgreSQL does not
        look into that again after waiting for another claim's row lock: both would win.
        """
        return self.filter(
            Q(state=Chunk.State.WAITING)
            | Q(state=Chunk.State.LEASED, lease_until__lte=timezone.now()),
            run__in=JudgeRun.objects.filter(state=JudgeRun.State.RUNNING),
        )

    def unfinished(self) -> Self:
        return self.filter(state__in=[Chunk.State.WAITING, Chunk.State.LEASED, Chunk.State.BATCHED])


class Chunk(models.Model):
    """A share of a run's calls that one Celery task works; safe to be worked twice."""

    class State(models.TextChoices):
        WAITING = "waiting"
        LEASED = "leased"
        # Its requests lie with the provider; when the last batch is back it waits again.
        BATCHED = "batched"
        DONE = "done"
        FAILED = "failed"

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="chunks")
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=7, choices=State.choices, default=State.WAITING)
    lease_until = models.DateTimeField(null=True, blank=True)
    # Which claim holds the lease: a worker that lost it finds another token here.
    lease_token = models.CharField(max_length=40, blank=True)
    # Claims since the last recorded answer: a chunk that kills its workers runs out of them.
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "position"], name="chunk_position_once"),
            models.CheckConstraint(
                condition=~Q(state="leased") | Q(lease_until__isnull=False),
                name="leased_until_some_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["run", "position"],
                name="chunk_unfinished",
                condition=Q(state__in=["waiting", "leased", "batched"]),
            )
        ]

    def __str__(self) -> str:
        return f"chunk {self.position} of run {self.run_id}"


class Heartbeat(models.Model):
    """When a background worker last said that it lives."""

    worker = models.CharField(max_length=200, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.worker
