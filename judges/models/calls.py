"""The requests of a run: single calls, and files for a Batch API."""

from typing import Self

from django.db import models
from django.db.models import Q

from annotation.models import Annotation, Question
from jobs.models import JobState
from judges.models.runs import Chunk, JudgeRun


class CallQuerySet(models.QuerySet["Call"]):
    """Selections of calls."""

    def unsealed(self) -> Self:
        """Without those about the half that judges are tested on: nobody reads their replies."""
        return self.exclude(question__in=Question.objects.sealed().order_by().values("pk"))


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
    # Failures before the run was resumed: [{"status", "error", "reply", "finished_at"}].
    earlier = models.JSONField(default=list, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    # The step of a method of several steps; `sample` counts the calls of all steps.
    step = models.CharField(max_length=80, blank=True)
    request = models.JSONField(default=dict, blank=True)
    reply = models.TextField(blank=True)
    error = models.TextField(blank=True)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    # Of all attempts, including those before the run was resumed.
    cost = models.DecimalField(max_digits=16, decimal_places=9, null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    # What else came with the reply: finish reason, the endpoint's name of the model, logprobs, …
    detail = models.JSONField(default=dict, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    annotation = models.ForeignKey(
        Annotation, on_delete=models.SET_NULL, null=True, blank=True, related_name="calls"
    )

    objects = CallQuerySet.as_manager()

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

    # The fields that `reopen` changes.
    REOPENED = ("status", "earlier", "reply", "error", "finished_at")

    @property
    def has_failed(self) -> bool:
        return self.status in self.FAILED

    @property
    def rests_on(self) -> str:
        """`9 of 20 samples`, where the answer rests on fewer than were made; empty otherwise."""
        if "samples_read" not in self.detail:
            return ""
        return f"{self.detail['samples_read']} of {self.detail['samples_made']} samples"

    @property
    def texts(self) -> list[str]:
        """The reason that its reply gives, or what the study asks for in its place."""
        return [self.detail["reason"]] if self.detail.get("reason") else []

    def reopen(self) -> None:
        """Plan the call again, and keep the failure in `earlier`."""
        failure = {name: getattr(self, name) for name in ("status", "error", "reply")}
        at = self.finished_at.isoformat() if self.finished_at else None
        self.earlier = [*self.earlier, {**failure, "finished_at": at}]
        self.status, self.reply, self.error = self.Status.PLANNED, "", ""
        self.finished_at = None


class BatchJob(models.Model):
    """Requests of a chunk that were sent to a provider in one file, at its reduced price.

    The replies go into the cache, where the chunk finds them when it is worked again. So only the
    provider's id of the batch has to survive a restart.
    """

    chunk = models.ForeignKey(Chunk, on_delete=models.CASCADE, related_name="batch_jobs")
    endpoint = models.CharField(max_length=80)
    model = models.CharField(max_length=200)
    # Queued until the provider has taken it.
    state = models.CharField(max_length=9, choices=JobState.choices, default=JobState.QUEUED)
    provider_id = models.CharField(max_length=200, blank=True)
    # What was sent: {"sha256", "keys", "form", "names"}; and what came back: {"kept", "failed",
    # "unasked"}, with "learned": the form to use next, where the endpoint rejected this one.
    sent = models.JSONField(default=dict, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    # How often sending it failed for a transient reason.
    tries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    # When we stopped it, because its run was cancelled.
    cancelled_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["checked_at"],
                name="batch_job_unfinished",
                condition=Q(state__in=["queued", "running"]),
            )
        ]

    def __str__(self) -> str:
        return f"batch {self.provider_id or self.pk} of {self.chunk}"
