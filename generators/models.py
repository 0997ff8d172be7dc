"""What models have cost that wrote a study's texts and lists."""

from decimal import Decimal

from django.conf import settings
from django.db import models

from annotation.models import Study


class WritingCost(models.Model):
    """USD that one go at writing has cost, as far as its calls had a price.

    what: the kind of text, or the list. by: whose account asked; none for commands.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="writing_costs")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    what = models.CharField(max_length=80)
    model = models.CharField(max_length=200, blank=True)
    usd = models.DecimalField(max_digits=16, decimal_places=9, default=Decimal(0))
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.what}: {self.usd} USD"
