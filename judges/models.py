"""Machine raters, their runs, and every request that was made on the way."""

from dataclasses import fields
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Annotation, Question, Rater, Study
from judges.retrieving.page import Page, PageOutcome


class Judge(models.Model):
    """One version of a machine rater. Never changed once used: a change is a new version."""

    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    method = models.CharField(max_length=80)
    # Counts changes of the method itself: what it asks, or how it reads a reply.
    method_version = models.PositiveIntegerField(default=1)
    backend = models.CharField(max_length=80, blank=True)
    model = models.CharField(max_length=200, blank=True)
    family = models.CharField(max_length=200, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    # SHA-256 over everything above but name and version: equal judges are one version.
    fingerprint = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "version"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="judge_version_once"),
            models.UniqueConstraint(fields=["name", "fingerprint"], name="judge_fingerprint_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class JudgeRun(models.Model):
    """One run of a judge over questions of a study, with all that is needed to repeat it."""

    class State(models.TextChoices):
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
    replicates = models.PositiveSmallIntegerField(default=1)
    seed = models.BigIntegerField(default=0)
    state = models.CharField(max_length=9, choices=State.choices, default=State.RUNNING)
    reason = models.TextField(blank=True)
    code_version = models.CharField(max_length=80, blank=True)
    # {block key: {"hash", "text"}}: the prompts as they stood when the run was planned.
    prompts = models.JSONField(default=dict, blank=True)
    max_cost = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    n_calls = models.PositiveIntegerField(default=0)
    # The sum of the calls' costs, kept with them: the cap is looked at after every few calls.
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

    @property
    def has_ended(self) -> bool:
        return self.state in self.ENDED


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


class Call(models.Model):
    """One request to a backend for one sample of one answer, with its raw reply."""

    class Status(models.TextChoices):
        PLANNED = "planned"
        ANSWERED = "answered"
        SKIPPED = "skipped"
        PARSE_FAILURE = "parse_failure"
        REFUSAL = "refusal"
        TRUNCATED = "truncated"
        TIMEOUT = "timeout"
        ERROR = "error"

    FAILED = (
        Status.PARSE_FAILURE, Status.REFUSAL, Status.TRUNCATED, Status.TIMEOUT, Status.ERROR,
    )  # fmt: skip

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="calls")
    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="calls")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="calls")
    replicate = models.PositiveSmallIntegerField(default=0)
    sample = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=13, choices=Status.choices, default=Status.PLANNED)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Failures that a resumed run asked again about: [{"status", "error", "reply", "finished_at"}].
    earlier = models.JSONField(default=list, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    # Which step of a method that takes several; calls are numbered through by `sample`.
    step = models.CharField(max_length=80, blank=True)
    request = models.JSONField(default=dict, blank=True)
    reply = models.TextField(blank=True)
    error = models.TextField(blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    # Of all times that it was asked, those before a run was resumed included.
    cost = models.DecimalField(max_digits=16, decimal_places=9, null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    # What came with the reply: finish reason, the model as the endpoint names it, logprobs, …
    detail = models.JSONField(default=dict, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    annotation = models.ForeignKey(
        Annotation, on_delete=models.SET_NULL, null=True, blank=True, related_name="calls"
    )

    class Meta:
        ordering = ["run", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "question", "replicate", "sample"], name="call_once_per_run"
            )
        ]
        indexes = [models.Index(fields=["run", "status"], name="call_by_status")]

    def __str__(self) -> str:
        return f"call {self.pk} of run {self.run_id}"

    # What `reopen` changes.
    REOPENED = ("status", "earlier", "reply", "error", "finished_at")

    @property
    def has_failed(self) -> bool:
        return self.status in self.FAILED

    def reopen(self) -> None:
        """Plan the call again, keeping what it had brought."""
        kept = {name: getattr(self, name) for name in ("status", "error", "reply")}
        at = self.finished_at.isoformat() if self.finished_at else None
        self.earlier = [*self.earlier, {**kept, "finished_at": at}]
        self.status, self.reply, self.error = self.Status.PLANNED, "", ""
        self.finished_at = None


class BatchJob(models.Model):
    """Requests of a chunk that were handed to a provider in one file, at its reduced price.

    Its replies go into the cache, where the chunk finds them when it is worked again. So nothing
    but the provider's id has to outlive a restart.
    """

    class State(models.TextChoices):
        SENDING = "sending"
        SENT = "sent"
        DONE = "done"
        FAILED = "failed"

    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="batch_jobs")
    endpoint = models.CharField(max_length=80)
    model = models.CharField(max_length=200)
    state = models.CharField(max_length=7, choices=State.choices, default=State.SENDING)
    provider_id = models.CharField(max_length=200, blank=True)
    # What was sent: {"requests", "sha256"}; and what came back: {"kept", "failed", "missing"}.
    sent = models.JSONField(default=dict, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["checked_at"],
                name="batch_job_unfinished",
                condition=Q(state__in=["sending", "sent"]),
            )
        ]

    def __str__(self) -> str:
        return f"batch {self.provider_id or self.pk} of {self.chunk}"


class CachedReply(models.Model):
    """A reply that was paid for, found again by the whole request that led to it."""

    # SHA-256 of endpoint, model, messages, parameters, prompt hash, seed and sample.
    key = models.CharField(max_length=64, primary_key=True)
    reply = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.key


class RetrievedPage(models.Model):
    """What was found at a link at a certain time, and read by judges. A row for each retrieval."""

    # SHA-256 of the address without its fragment: what a page is found by.
    url_sha256 = models.CharField(max_length=64)
    url = models.TextField()
    final_url = models.TextField(blank=True)
    outcome = models.CharField(
        max_length=20, choices=[(one.value, one.value) for one in PageOutcome]
    )
    reason = models.TextField(blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    content_type = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    title = models.TextField(blank=True)
    text = models.TextField(blank=True)
    # What fetched the page and what took the text out of it, with versions.
    via = models.CharField(max_length=200, blank=True)
    retrieved_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["url_sha256", "-id"], name="page_newest_by_url")]

    def __str__(self) -> str:
        return f"{self.url} at {self.retrieved_at:%Y-%m-%d %H:%M}"

    def as_page(self) -> Page:
        """The row as a judge's method gets it."""
        return Page(
            outcome=PageOutcome(self.outcome),
            **{
                field.name: getattr(self, field.name)
                for field in fields(Page)
                if field.name != "outcome"
            },
        )


class Heartbeat(models.Model):
    """When a background worker last said that it lives."""

    worker = models.CharField(max_length=200, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.worker
