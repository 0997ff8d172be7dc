"""Estimates that have been computed, kept as long as nothing they rest on has changed."""

from django.db import models

from annotation.models import Study


class CachedEstimates(models.Model):
    """The rows of one report of a study, as of one revision of its answers."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="cached_estimates")
    revision = models.PositiveBigIntegerField()
    # SHA-256 over the options the rows were computed with.
    options_hash = models.CharField(max_length=64)
    rows = models.JSONField()
    # Which version of each judge its plain name stands for in the rows.
    versions = models.JSONField(default=dict)
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "options_hash"], name="cached_once")
        ]

    def __str__(self) -> str:
        return f"{self.study_id} at {self.revision}"
