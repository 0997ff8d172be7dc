"""Messages about alerts and other events, and what became of each."""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from alerts.models.alerts import Alert
from alerts.models.webhooks import Listener, ListenerQuerySet, belonging_to
from annotation.models import Member, Study
from jobs.models import Job


class DeliveryQuerySet(ListenerQuerySet):
    """Selections of messages."""

    def posted_for(self, listener: Listener) -> Self:
        """Those to the webhook of the study itself, or of the account."""
        posts = self.filter(channel=Delivery.Channel.WEBHOOK)
        is_study = isinstance(listener, Study)
        return posts.filter(study=listener, owner=None) if is_study else posts.of(listener)


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

    # None for a test of the webhook of an account.
    study = models.ForeignKey(
        Study, on_delete=models.CASCADE, null=True, blank=True, related_name="deliveries"
    )
    # Whose webhook it is for, where that is not the study's own.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="webhook_deliveries",
    )
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

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(channel="webhook", member=None) | Q(channel="email"),
                name="delivery_member_by_email",
            ),
            models.CheckConstraint(
                condition=Q(study__isnull=False, channel="webhook")
                | Q(study__isnull=False, owner=None)
                | Q(study=None, owner__isnull=False, channel="webhook", event="test"),
                name="delivery_of_study_or_account",
            ),
            models.UniqueConstraint(
                fields=["study", "event", "subject"],
                condition=~Q(subject="") & Q(owner=None),
                name="delivery_once_for_subject",
            ),
            models.UniqueConstraint(
                fields=["owner", "study", "event", "subject"],
                condition=~Q(subject="") & Q(owner__isnull=False),
                name="delivery_once_for_account",
            ),
        ]
        indexes = [
            models.Index(fields=["study", "-id"], name="delivery_by_study"),
            models.Index(fields=["owner", "-id"], name="delivery_by_account"),
        ]

    def __str__(self) -> str:
        return f"{self.channel} of {self.study_id or self.owner_id}: {self.key}"

    @property
    def listener(self) -> Listener:
        """Whose webhook it is for."""
        listener = self.owner or self.study
        assert listener is not None  # a constraint
        return listener

    @listener.setter
    def listener(self, of: Listener) -> None:
        for field, value in belonging_to(of).items():
            setattr(self, field, value)

    @property
    def tries(self) -> int:
        """How often it was sent since somebody asked last."""
        return self.job.attempt - self.job.attempts_before
