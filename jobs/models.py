"""Jobs that workers carry out in the background, and the workers' heartbeats."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q


class JobState(models.TextChoices):
    """How far a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    # What it made held answers that somebody took back since, and is gone; `ended_at` is when.
    WITHDRAWN = "withdrawn"


UNDER_WAY = (JobState.QUEUED, JobState.RUNNING)
_UNDER_WAY = Q(state__in=["queued", "running"])


class JobQuerySet(models.QuerySet["Job"]):
    """Selections of jobs."""

    def under_way(self) -> Self:
        """Those that wait for a worker, or that one is at."""
        return self.filter(state__in=UNDER_WAY)


class Job(models.Model):
    """One request that a worker carries out, and what became of it.

    kind, parameters: what is wanted (`jobs.kinds`). digest: SHA-256 of both and of the study; empty
    where the same may be asked for twice at a time. study: none for a job that makes one. owner:
    who asked; none where the program did by itself. progress: how far the present attempt has come;
    outcome: null until there is one, and again once nobody is to see it any more; revision: of the
    answers that the outcome is of. attempt: raised whenever a worker takes the job, so that one
    that was thought dead writes nothing; attempts_before: its value when somebody asked last.
    next_at: when its message is sent again. alive_at: when its worker last reported. seconds: how
    long it took.
    """

    kind = models.CharField(max_length=40)
    study = models.ForeignKey(
        "annotation.Study", on_delete=models.CASCADE, null=True, related_name="jobs"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="jobs"
    )
    parameters = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=9, choices=JobState.choices, default=JobState.QUEUED)
    reason = models.CharField(max_length=1000, blank=True)
    progress = models.JSONField(default=dict)
    outcome = models.JSONField(null=True)
    revision = models.PositiveBigIntegerField(null=True)
    attempts_before = models.PositiveIntegerField(default=0)
    attempt = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(null=True)
    asked_at = models.DateTimeField()
    next_at = models.DateTimeField(null=True)
    alive_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            # Whoever asks for the same meanwhile gets the same job.
            models.UniqueConstraint(
                fields=["digest"], condition=_UNDER_WAY & ~Q(digest=""), name="job_under_way_once"
            )
        ]
        indexes = [
            models.Index(fields=["study", "kind", "-id"], name="job_by_study"),
            models.Index(fields=["digest", "state"], name="job_by_digest"),
            models.Index(fields=["next_at"], condition=_UNDER_WAY, name="job_under_way"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}: {self.state}"

    @property
    def is_under_way(self) -> bool:
        """Whether it waits for a worker, or one is at it."""
        return self.state in UNDER_WAY


# Whose heartbeats are those of beat, which sends what is due from time to time.
BEAT = "beat"


class HeartbeatQuerySet(models.QuerySet["Heartbeat"]):
    """Heartbeats of workers and of beat."""

    def of_workers(self) -> Self:
        """Those of processes that take messages."""
        return self.exclude(worker=BEAT)

    def fresh(self, now: datetime, within: timedelta) -> Self:
        """Of so short a time ago, also where the clock was set back meanwhile."""
        return self.filter(at__gt=now - within, at__lt=now + within)


class Heartbeat(models.Model):
    """When a background worker, or beat, was last alive."""

    worker = models.CharField(max_length=200, primary_key=True)
    at = models.DateTimeField()

    objects = HeartbeatQuerySet.as_manager()

    def __str__(self) -> str:
        return self.worker
