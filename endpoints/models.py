"""Endpoints that the operator has set up on the page *Models*, their prices and users."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from annotation.models.encryption import ENDPOINT_KEYS, SecretField


class ModelEndpoint(models.Model):
    """One server of chat models."""

    class Kind(models.TextChoices):
        BEARER = "bearer", _("OpenAI and compatible servers (key as a bearer token)")
        API_KEY = "api-key", _("Azure OpenAI (key in the header api-key)")

    class Users(models.TextChoices):
        OWNERS = "owners", _("All owners, in their own studies")
        NAMED = "named", _("Only the accounts named below")

    name = models.CharField(max_length=80, unique=True)
    base_url = models.CharField(max_length=500)
    kind = models.CharField(max_length=7, choices=Kind.choices, default=Kind.BEARER)
    # The key: in this variable of the environment, or typed on the page. It is never shown again.
    key_env = models.CharField(max_length=200, blank=True)
    has_key = models.BooleanField(default=False)
    key = SecretField(max_length=2000, blank=True, default="", purpose=ENDPOINT_KEYS)
    # Whether its address may be one of the operator's own network.
    own_network = models.BooleanField(default=False)
    in_flight = models.PositiveSmallIntegerField(default=16)
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True)
    timeout_seconds = models.PositiveSmallIntegerField(default=120)
    max_run_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    users = models.CharField(max_length=6, choices=Users.choices, default=Users.OWNERS)
    max_user_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    # As the server last listed them, and when; a model can be priced that it does not list.
    listed = models.JSONField(default=list, blank=True)
    listed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class ModelPrice(models.Model):
    """What a model costs, in USD per million tokens; `*` stands for every other model."""

    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.CASCADE, related_name="prices")
    model = models.CharField(max_length=200)
    input = models.DecimalField(max_digits=12, decimal_places=6)
    cached_input = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    output = models.DecimalField(max_digits=12, decimal_places=6)
    valid_on = models.DateField()
    source = models.CharField(max_length=500)

    class Meta:
        ordering = ["model"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "model"], name="one_price_of_a_model")
        ]

    def __str__(self) -> str:
        return self.model


class EndpointUser(models.Model):
    """An account that may use an endpoint. max_usd: its own limit instead of the endpoint's."""

    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.CASCADE, related_name="named")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="endpoints"
    )
    max_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)

    class Meta:
        ordering = ["user__username"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "user"], name="named_once_at_an_endpoint")
        ]

    def __str__(self) -> str:
        return self.user.get_username()


class Spending(models.Model):
    """USD that an account has spent at an endpoint. It stays when a study goes."""

    endpoint = models.ForeignKey(ModelEndpoint, on_delete=models.CASCADE, related_name="spendings")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="spendings"
    )
    usd = models.DecimalField(max_digits=16, decimal_places=9, default=0)

    class Meta:
        ordering = ["user__username"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "user"], name="one_sum_at_an_endpoint")
        ]

    def __str__(self) -> str:
        return f"{self.usd} USD"


def charge(*, endpoint: str, user_id: int | None, usd: Decimal | None) -> None:
    """Add to what an account has spent; nothing is kept of endpoints outside the page *Models*."""
    if user_id is None or not usd:
        return
    row = ModelEndpoint.objects.filter(name=endpoint).first()
    if row is not None:
        Spending.objects.get_or_create(endpoint=row, user_id=user_id)
        row.spendings.filter(user=user_id).update(usd=F("usd") + usd)
