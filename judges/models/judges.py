"""Judges: machine raters, one row for each version."""

from typing import Self

from django.db import models
from django.db.models import Q

from annotation.models import Study


class JudgeQuerySet(models.QuerySet["Judge"]):
    """Judges by who may use them."""

    def known_to(self, study: Study | None) -> Self:
        """The study's own and the built-in ones; for None the built-in ones alone."""
        return self.filter(Q(study=study) | Q(study=None))

    def seen_in(self, study: Study) -> Self:
        """The study's own, and the built-in ones that have run there."""
        return self.filter(Q(study=study) | Q(pk__in=study.judge_runs.order_by().values("judge")))


class Judge(models.Model):
    """One version of a judge. It never changes once used: a change makes a new version."""

    # Whose it is; empty for the built-in ones, which every study knows.
    study = models.ForeignKey(
        Study, on_delete=models.CASCADE, null=True, blank=True, related_name="judge_versions"
    )
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

    objects = JudgeQuerySet.as_manager()

    class Meta:
        ordering = ["name", "version"]
        # Databases take two empty studies for different ones: built-in judges have constraints of
        # their own.
        constraints = [
            models.UniqueConstraint(fields=["study", "name", "version"], name="judge_version_once"),
            models.UniqueConstraint(
                fields=["study", "name", "fingerprint"], name="judge_fingerprint_once"
            ),
            models.UniqueConstraint(
                fields=["name", "version"], condition=Q(study=None), name="built_in_version_once"
            ),
            models.UniqueConstraint(
                fields=["name", "fingerprint"],
                condition=Q(study=None),
                name="built_in_fingerprint_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"
