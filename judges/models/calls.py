"""Every request that was made: one by one, or many in one file."""

from django.db import models
from django.db.models import Q

from annotation.models import Annotation, Question
from judges.models.runs import Chunk, JudgeRun


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
    # What was sent: {"sha256", "keys", "form", "names"}; and what came back: {"kept", "failed",
    # "unasked"}, with "learned": the form in which to ask again, where this one was not taken.
    sent = models.JSONField(default=dict, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    error = models.TextField(blank=True)
    # How often the provider could not take it for a passing reason.
    tries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    # When we had it stopped, because its run was cancelled.
    cancelled_at = models.DateTimeField(null=True, blank=True)
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
