"""What workers work out of a study's answers for its researchers, or do for them."""

from django.db import models
from django.db.models import Q

from annotation.models import Study, User


class BackgroundJob(models.Model):
    """One request that a worker carries out in the background, and its outcome.

    kind, parameters: what is wanted (`desk.data.background.kinds`); digest: SHA-256 of both.
    revision: of the answers that the outcome is of; null until it is there. outcome: null until
    then, and again once nobody is to see it any more. attempt: raised whenever a worker takes the
    job, so that one that was thought dead stores nothing; attempts_before: its value when somebody
    asked last. alive_at: when that worker last reported. seconds: how long it took.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    UNDER_WAY = (State.QUEUED, State.RUNNING)

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="background_jobs")
    kind = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    asked_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=9, choices=State.choices, default=State.QUEUED)
    reason = models.CharField(max_length=300, blank=True)
    revision = models.PositiveBigIntegerField(null=True)
    outcome = models.JSONField(null=True)
    attempts_before = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(null=True)
    asked_at = models.DateTimeField()
    alive_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            # Whoever asks for the same meanwhile gets the same outcome.
            models.UniqueConstraint(
                fields=["study", "digest"],
                condition=Q(state__in=["queued", "running"]),
                name="background_job_under_way_once",
            )
        ]
        indexes = [
            models.Index(fields=["study", "digest", "state"], name="background_job_by_digest"),
            models.Index(
                fields=["asked_at"],
                condition=Q(state__in=["queued", "running"]),
                name="background_job_under_way",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.study_id}: {self.state}"

    @property
    def is_under_way(self) -> bool:
        """Whether it waits for a worker, or one is at it."""
        return self.state in self.UNDER_WAY
