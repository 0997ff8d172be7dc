"""Tokens of the REST API, and the writes that were made under a key of the caller."""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation.models import Study


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    """Selections of tokens."""

    def working(self, now: datetime) -> Self:
        """Those that open the API now."""
        return self.filter(revoked_at=None, expires_at__gt=now, owner__is_active=True)


class ApiToken(models.Model):
    """A key by which a program acts for an account: in all of its studies, or in one.

    digest: the SHA-256 of the token, which itself is stored nowhere. start: its first characters,
    by which its owner recognises it. scopes: names of `api.scopes.Scope`.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    study = models.ForeignKey(
        Study, on_delete=models.CASCADE, null=True, blank=True, related_name="api_tokens"
    )
    name = models.CharField(max_length=80)
    scopes = models.JSONField(default=list)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    start = models.CharField(max_length=12, editable=False)
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    # To the minute; requests within one are not written down.
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.start}… of {self.owner_id}"


class KeyedWrite(models.Model):
    """A write that was made under an `Idempotency-Key`, and what was answered to it, so that the
    same request again is answered the same and done once.

    request_hash: SHA-256 of method, path and body. status, body: None while it is under way, which
    nobody sees, since the row is written in the transaction of the write. headers: of the answer,
    those that belong to what was written; of rows of earlier versions there are none.
    """

    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.JSONField(null=True)
    headers = models.JSONField(default=dict, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["token", "key"], name="keyed_write_once"),
            models.CheckConstraint(condition=~Q(key=""), name="keyed_write_has_key"),
        ]
        indexes = [models.Index(fields=["made_at"], name="keyed_write_by_age")]

    def __str__(self) -> str:
        return f"{self.key} of {self.token_id}"
