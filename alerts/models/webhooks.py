"""Webhooks of studies and of accounts, and how far each was told."""

from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Member, Study, User
from annotation.models.encryption import SecretField

# What a webhook is told of where nobody chose.
ALERT_EVENTS = ("alert.opened", "alert.ended")


# Whose events are posted: one study's, or those of all studies that an account owns, now and later.
Listener = Study | User


class ListenerQuerySet(models.QuerySet[Any]):
    """Selections of what belongs to a study or to an account."""

    def of(self, listener: Listener) -> Self:
        """What is the study's own, or the account's."""
        return self.filter(**belonging_to(listener))


def belonging_to(listener: Listener) -> dict[str, Any]:
    """The field and its value in rows that belong to a study or to an account."""
    return {"study": listener} if isinstance(listener, Study) else {"owner": listener}


def _belongs_once(name: str) -> models.CheckConstraint:
    """To a study or to an account, and not to both."""
    to_study = Q(study__isnull=False, owner=None)
    return models.CheckConstraint(
        condition=to_study | Q(study=None, owner__isnull=False), name=name
    )


class WebhookQuerySet(ListenerQuerySet):
    """Selections of webhooks."""

    def hearing_of(self, study: Study) -> Self:
        """The study's own, and those of the accounts that own it."""
        own = Q(study=study)
        if study.tryout_of_id is None:
            owners = study.members.filter(role=Member.Role.OWNER, user__is_active=True)
            own |= Q(owner__in=owners.values("user"))
        return self.filter(own).order_by("pk")


class Webhook(models.Model):
    """The address that the events of a study are posted to, or those of all studies that an account
    owns, and the secret that signs them. The secret is shown once, when it is made, and encrypted
    in the database. old_secret: the one before, which signs as well until `old_until`, so that a
    recipient may change over. events: names of `KINDS` in `alerts.events`."""

    study = models.OneToOneField(
        Study, on_delete=models.CASCADE, null=True, blank=True, related_name="webhook"
    )
    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="webhook",
    )
    url = models.CharField(max_length=500)
    secret = SecretField(max_length=255)
    old_secret = SecretField(max_length=255, blank=True, default="")
    old_until = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()
    # Empty: nobody chose.
    events = models.JSONField(null=True, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        constraints = [_belongs_once("webhook_of_study_or_account")]

    def __str__(self) -> str:
        return f"of {self.listener}"

    @property
    def listener(self) -> Listener:
        """Whose it is."""
        listener = self.study or self.owner
        assert listener is not None  # the constraint
        return listener

    @property
    def chosen(self) -> list[str]:
        """The events that it is told of."""
        return list(ALERT_EVENTS if self.events is None else self.events)

    def signs_with_old(self, now: datetime) -> bool:
        """Whether messages are signed with the secret before, too."""
        return bool(self.old_secret and self.old_until and now < self.old_until)

    def secrets(self, now: datetime) -> list[str]:
        """Those that messages are signed with, the newest first; none where SECRET_KEY has changed
        since it was made."""
        old = [self.old_secret] if self.signs_with_old(now) else []
        return [self.secret, *old] if self.secret else []


class WebhookFeed(models.Model):
    """How far the webhook of a study or an account has been told of what happened.

    through: the key of the last answer looked at. gaps: `[first, last, seconds since 1970]` of keys
    below it that had no row then: of transactions that had not committed, or never will. finished:
    the rounds that were finished when they were looked at last. since: when the webhook was set.
    """

    study = models.OneToOneField(
        Study, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    owner = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    since = models.DateTimeField()
    through = models.BigIntegerField()
    gaps = models.JSONField(default=list)
    finished = models.JSONField(default=list)

    objects = ListenerQuerySet.as_manager()

    class Meta:
        constraints = [_belongs_once("webhook_feed_of_study_or_account")]

    def __str__(self) -> str:
        return f"of {self.study_id or self.owner_id} through {self.through}"

    @property
    def studies(self) -> models.QuerySet[Study]:
        """Those whose events it tells."""
        if self.study_id is not None:
            return Study.objects.filter(pk=self.study_id)
        owned = {"members__user": self.owner_id, "members__role": Member.Role.OWNER}
        return Study.objects.filter(tryout_of=None, **owned)
