"""Machine raters, a row for each version."""

from django.db import models


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
