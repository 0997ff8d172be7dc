"""Rules by which answers are excluded: what was tried, and what was applied."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.study import Study
from annotation.models.work import Assignment


class ExclusionRule(models.Model):
    """A rule whose effect somebody looked at, and whether it was then applied.

    All previews are kept: how many rules were tried before one was applied belongs in a paper.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="exclusion_rules")
    # The conditions as plain JSON, and their hash: looking twice at one rule is one preview.
    conditions = models.JSONField()
    digest = models.CharField(max_length=64)
    # In words, as the reason beside every answer and in the methods paragraph.
    text = models.CharField(max_length=200)
    # How many workers, batches and answers it concerns, and the figures before and after.
    outcome = models.JSONField(default=dict)
    # Of the study's answers, when it was looked at.
    revision = models.PositiveBigIntegerField(default=0)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    applied_at = models.DateTimeField(null=True, blank=True)
    applied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # The batches whose answers it excluded: undoing includes these again and no others.
    assignments = models.ManyToManyField(Assignment, related_name="+", blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(undone_at__isnull=True) | Q(applied_at__isnull=False),
                name="undone_was_applied",
            )
        ]
        indexes = [models.Index(fields=["study", "digest"], name="rule_by_digest")]

    def __str__(self) -> str:
        return self.text

    @property
    def applies(self) -> bool:
        """Whether answers are excluded by it at present."""
        return self.applied_at is not None and self.undone_at is None
