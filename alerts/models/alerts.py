"""Alerts of a study, and who hears of them."""

from typing import Self

from django.db import models
from django.db.models import Q

from annotation.models import Member, Study


class AlertQuerySet(models.QuerySet["Alert"]):
    """Selections of alerts."""

    def open(self) -> Self:
        """Those whose condition still holds."""
        return self.filter(ended_at=None)


class Alert(models.Model):
    """One condition of a study, from when it was first seen until it no longer held.

    kind: the name of an entry of `alerts.kinds.KINDS`. message: what was the
    matter, with the figures as they were last.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="alerts")
    kind = models.CharField(max_length=40)
    message = models.CharField(max_length=500)
    since = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = AlertQuerySet.as_manager()

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "kind"], condition=Q(ended_at=None), name="alert_open_once"
            )
        ]
        indexes = [models.Index(fields=["study", "-since"], name="alert_by_study")]

    def __str__(self) -> str:
        return f"{self.kind} in {self.study_id}"


class AlertMemory(models.Model):
    """What the rules of a study's alerts remember from one check to the next."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="+")
    checked_at = models.DateTimeField()
    # By the kind of alert.
    memory = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.study_id} at {self.checked_at}"


class Subscription(models.Model):
    """How a member hears of a study's alerts beside the pages. It ends with the membership."""

    member = models.OneToOneField(Member, on_delete=models.CASCADE, related_name="subscription")
    by_email = models.BooleanField(default=False)
    # Kinds that the member does not want to hear of.
    without = models.JSONField(default=list, blank=True)

    def __str__(self) -> str:
        return f"of {self.member_id}"
