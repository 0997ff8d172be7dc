"""The ledger: what is owed to workers."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.people import Participation
from annotation.models.work import Assignment


class LedgerRow(models.Model):
    """One amount owed to a worker. Never changed: an adjustment is another row."""

    class Kind(models.TextChoices):
        BASE = "base"
        BONUS = "bonus"
        ADJUSTMENT = "adjustment"

    participation = models.ForeignKey(
        Participation, on_delete=models.PROTECT, related_name="ledger"
    )
    assignment = models.ForeignKey(
        Assignment, on_delete=models.PROTECT, null=True, blank=True, related_name="ledger"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    amount = models.DecimalField(max_digits=8, decimal_places=2)
    currency = models.CharField(max_length=3)
    note = models.CharField(max_length=200, blank=True)
    # Who adjusted; empty where the study's rules decided.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    # When the row went into a payment file, so that nothing is paid twice.
    exported_at = models.DateTimeField(null=True, blank=True)
    # The part that the panel itself pays, by its code for a screen-out; the file holds the rest.
    by_panel = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "kind"],
                condition=~Q(kind="adjustment"),
                name="paid_once_per_assignment",
            ),
            # A paid screen-out belongs to no assignment.
            models.UniqueConstraint(
                fields=["participation", "kind"],
                condition=Q(assignment__isnull=True) & ~Q(kind="adjustment"),
                name="paid_once_without_assignment",
            ),
            models.CheckConstraint(
                condition=Q(kind="adjustment") | Q(amount__gte=0), name="pay_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"
