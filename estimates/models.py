"""Estimates and columns computed from a study's answers, kept as of one revision."""

from django.db import models

from annotation.models import Study


class CachedEstimates(models.Model):
    """The rows of one report of a study, as of one revision of its answers."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="cached_estimates")
    revision = models.PositiveBigIntegerField()
    # SHA-256 over the options the rows were computed with.
    options_hash = models.CharField(max_length=64)
    rows = models.JSONField()
    # The row that lists of studies show (`estimates.report.headline`).
    headline = models.JSONField(null=True)
    # Which version of each judge its plain name stands for in the rows.
    versions = models.JSONField(default=dict)
    # Answers that were counted and who gave them: [[kind, raters, answers], …].
    counts = models.JSONField(default=list)
    # How long computing them took.
    seconds = models.FloatField(null=True)
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "options_hash"], name="cached_once")
        ]

    def __str__(self) -> str:
        return f"{self.study_id} at {self.revision}"


class KeptRatings(models.Model):
    """The counted ratings of one facet, or what they are about, as packed columns.

    Lets a page look at all ratings of a large study without reading them one by one.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    revision = models.PositiveBigIntegerField()
    # Empty: the material that the ratings of every facet are about.
    facet = models.CharField(max_length=80, blank=True)
    columns = models.BinaryField()
    computed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "facet"], name="kept_once")]

    def __str__(self) -> str:
        return f"{self.facet or 'material'} of {self.study_id} at {self.revision}"
