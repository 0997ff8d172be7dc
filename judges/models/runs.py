"""Runs of judges and the chunks that they are worked in."""

from datetime import timedelta
from decimal import Decimal
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Rater, Study, User
from jobs.models import UNDER_WAY, JobState
from judges.models.judges import Judge

# Several times a lease as `judges.runs.delivery.queue` gives it.
LONGEST_LEASE = timedelta(minutes=2)
LEASED = Q(state=JobState.RUNNING, lease_until__isnull=False)


class JudgeRun(models.Model):
    """One run of a judge over questions of a study, with all that is needed to repeat it."""

    class State(models.TextChoices):
        # Its calls are still being written; no worker takes it.
        PLANNING = "planning"
        RUNNING = "running"
        PAUSED = "paused"
        CANCELLED = "cancelled"
        COMPLETE = "complete", "Done"
        PARTIAL = "partial"
        FAILED = "failed"

    ENDED = (State.CANCELLED, State.COMPLETE, State.PARTIAL, State.FAILED)

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="judge_runs")
    # RESTRICT, as both go with their study.
    judge = models.ForeignKey(Judge, on_delete=models.RESTRICT, related_name="runs")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="judge_runs")
    subset = models.CharField(max_length=80, blank=True)
    # Where it asks a probe set: its answers are `ProbeAnswer`s, and no cached reply is taken.
    probe_set = models.ForeignKey(
        "judges.ProbeSet", on_delete=models.CASCADE, null=True, blank=True, related_name="runs"
    )
    # Keys of the blocks; empty: all that the judge can answer.
    blocks = models.JSONField(default=list, blank=True)
    replicates = models.PositiveSmallIntegerField(default=1)
    seed = models.BigIntegerField(default=0)
    # Whether it was planned by a version that drew the seeds of answers by the questions' ids.
    seeds_by_id = models.BooleanField(default=False)
    # What was not asked, as it does not show what the judge needs: {"units", "examples", "needs"}.
    left_out = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.RUNNING)
    reason = models.TextField(blank=True)
    code_version = models.CharField(max_length=80, blank=True)
    # {block key: {"hash", "text"}}: the prompts at the time the run was planned; "told": the part
    # of the text that is the study's instructions.
    prompts = models.JSONField(default=dict, blank=True)
    max_cost = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    n_calls = models.PositiveIntegerField(default=0)
    # When its planning last made progress; empty once it is fully planned.
    planning_at = models.DateTimeField(null=True, blank=True)
    # It was resumed after a pause, so it is not paused again because all calls failed.
    goes_on_unanswered = models.BooleanField(default=False)
    # The sum of its calls' costs, kept here because the cap is checked after every few calls. The
    # replies of a batch count as soon as it has ended, even if their calls are never written.
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

    def instructions_for(self, block: str) -> str:
        """The study's instructions before the prompt of a block, as they were when the run was
        planned."""
        return str(self.prompts.get(block, {}).get("told", ""))

    @property
    def is_probe(self) -> bool:
        """Whether it asks a probe set, so that its answers are part of no result."""
        return self.probe_set_id is not None

    @property
    def payer(self) -> User | None:
        """The account that its calls are charged to; None for a command."""
        return self.requested_by or (self.probe_set.created_by if self.probe_set else None)

    @property
    def has_ended(self) -> bool:
        return self.state in self.ENDED

    @property
    def is_under_way(self) -> bool:
        """Whether it changes without anybody's action."""
        return self.state in (self.State.PLANNING, self.State.RUNNING)

    @property
    def can_be_resumed(self) -> bool:
        """Whether there is something left to do, or to ask again."""
        nothing_to_do = (self.State.PLANNING, self.State.RUNNING, self.State.COMPLETE)
        return self.planning_at is None and self.state not in nothing_to_do

    @property
    def usd_left(self) -> Decimal | None:
        """USD that it may still spend; None: no limit."""
        return None if self.max_cost is None else self.max_cost - self.spent

    @property
    def is_at_cap(self) -> bool:
        return self.is_capped_at(self.spent)

    def is_capped_at(self, spent: Decimal) -> bool:
        """Whether it stops once it has spent this much. Under a cap of 0 it may make free calls."""
        return self.max_cost is not None and spent >= self.max_cost and spent > 0


class ChunkQuerySet(models.QuerySet["Chunk"]):
    """Chunks by what can be done with them."""

    def claimable(self) -> Self:
        """Queued, or leased to a worker whose lease has expired, or lasts longer than any that was
        given by a clock that was right.

        Without a join: an UPDATE with one becomes `pk IN (SELECT …)`, which PostgreSQL does not
        evaluate again after it has waited for another claim's row lock, so both claims would win.
        """
        now = timezone.now()
        is_over = Q(lease_until__lte=now) | Q(lease_until__gt=now + LONGEST_LEASE)
        return self.filter(
            Q(state=JobState.QUEUED) | (is_over & Q(state=JobState.RUNNING)),
            run__in=JudgeRun.objects.filter(state=JudgeRun.State.RUNNING),
        )

    def unfinished(self) -> Self:
        return self.filter(state__in=UNDER_WAY)

    def at_provider(self) -> Self:
        """Running without a lease: their requests were sent by batch. Once the last batch has
        ended they are queued again."""
        return self.filter(state=JobState.RUNNING, lease_until=None)

    def leased(self) -> Self:
        """Those that a worker holds, or held when it was killed."""
        return self.filter(LEASED)

    def idle(self) -> Self:
        """Those that no worker holds."""
        return self.filter(~LEASED)


class Chunk(models.Model):
    """A share of a run's calls for one Celery task. Working it twice does no harm."""

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="chunks")
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=9, choices=JobState.choices, default=JobState.QUEUED)
    lease_until = models.DateTimeField(null=True, blank=True)
    # The claim that holds the lease: a worker that has lost it finds another token here.
    lease_token = models.CharField(max_length=40, blank=True)
    # Claims since the last written answer, limited so that a chunk which kills its workers fails.
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "position"], name="chunk_position_once"),
            models.CheckConstraint(
                condition=Q(lease_token="") | Q(lease_until__isnull=False),
                name="leased_until_some_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["run", "position"],
                name="chunk_unfinished",
                condition=Q(state__in=["queued", "running"]),
            )
        ]

    def __str__(self) -> str:
        return f"chunk {self.position} of run {self.run_id}"
