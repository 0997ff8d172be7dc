"""Alerts of a study, and messages about them and other events: who gets them how, and what became
of each."""

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q

from annotation.models import Member, Study
from annotation.models.encryption import SecretField
from jobs.models import Job


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


# What a webhook is told of where nobody chose.
ALERT_EVENTS = ("alert.opened", "alert.ended")


class Webhook(models.Model):
    """The address that a study's events are posted to, and the secret that signs them. The secret
    is shown once, when it is made, and encrypted in the database. old_secret: the one before, which
    signs as well until `old_until`, so that a recipient may change over. events: names of `KINDS`
    in `alerts.events`."""

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="webhook")
    url = models.CharField(max_length=500)
    secret = SecretField(max_length=255)
    old_secret = SecretField(max_length=255, blank=True, default="")
    old_until = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()
    # Empty: nobody chose.
    events = models.JSONField(null=True, blank=True)

    def __str__(self) -> str:
        return f"of {self.study_id}"

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
    """How far a study's webhook has been told of what happened in it.

    through: the key of the last answer looked at. gaps: `[first, last, seconds since 1970]` of keys
    below it that had no row then: of transactions that had not committed, or never will. finished:
    the rounds that were finished when they were looked at last. since: when the webhook was set.
    """

    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()
    through = models.BigIntegerField()
    gaps = models.JSONField(default=list)
    finished = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"of {self.study_id} through {self.through}"


class Delivery(models.Model):
    """One message to one recipient. What became of it is in its job.

    A message is sent at least once: where a worker is killed between sending and recording, another
    sends it again, under the same `key`, by which a recipient may tell.
    """

    class Channel(models.TextChoices):
        EMAIL = "email", "E-mail"
        WEBHOOK = "webhook", "Webhook"

    class Event(models.TextChoices):
        OPENED = "opened"
        ENDED = "ended"
        TEST = "test"
        ANSWERS = "answers"
        ROUND = "round"
        RUN = "run"
        EXPORT = "export"
        DRIFT = "drift"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="deliveries")
    # None for messages about something else, and for a test.
    alert = models.ForeignKey(
        Alert, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries"
    )
    channel = models.CharField(max_length=7, choices=Channel.choices)
    event = models.CharField(max_length=10, choices=Event.choices)
    # What it is about where that is no alert: keys of rows. `subject` tells it from other messages
    # about the same event, so that each is sent once.
    content = models.JSONField(default=dict, blank=True)
    subject = models.CharField(max_length=80, blank=True)
    # Whom an e-mail is for; a member who leaves gets none any more.
    member = models.ForeignKey(
        Member, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    key = models.UUIDField(unique=True, editable=False)
    made_at = models.DateTimeField()
    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="delivery")
    # The last answer of a webhook.
    status = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(channel="webhook", member=None) | Q(channel="email"),
                name="delivery_member_by_email",
            ),
            models.UniqueConstraint(
                fields=["study", "event", "subject"],
                condition=~Q(subject=""),
                name="delivery_once_for_subject",
            ),
        ]
        indexes = [models.Index(fields=["study", "-id"], name="delivery_by_study")]

    def __str__(self) -> str:
        return f"{self.channel} of {self.study_id}: {self.key}"

    @property
    def tries(self) -> int:
        """How often it was sent since somebody asked last."""
        return self.job.attempt - self.job.attempts_before
