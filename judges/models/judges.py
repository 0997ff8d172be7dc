"""Judges: machine raters, one row for each version."""

from django.db import models


class Judge(models.Model):
    """One version of a judge. It never changes once used: a change makes a new version."""

    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    method = models.CharField(max_length=80)
    # `Method.version`: changes of the method itself, in what it asks or how it reads replies.
    method_version = models.PositiveIntegerField(default=1)
    backend = models.CharField(max_length=80, blank=True)
    model = models.CharField(max_length=200, blank=True)
    family = models.CharField(max_length=200, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    # SHA-256 of everything above except name and version: equal definitions are one version.
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
