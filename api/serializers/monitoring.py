"""Alerts, a study's webhook and its messages as JSON."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from alerts.events import NAMES, name_of
from alerts.kinds import KINDS, title_of
from alerts.models import Alert, Delivery, Webhook
from api.serializers.related import RowSerializer, study_slug
from jobs.models import JobState


class AlertSerializer(RowSerializer):
    title = serializers.SerializerMethodField()

    class Meta:
        model = Alert
        fields = ("id", "kind", "title", "message", "since", "ended_at")

    def get_title(self, alert: Alert) -> str:
        return str(title_of(alert.kind))


class SubscriptionSerializer(serializers.Serializer[Any]):
    by_email = serializers.BooleanField(help_text="Whether the caller gets mails.")
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=[kind.name for kind in KINDS]),
        help_text="About which alerts.",
    )


class TestedSerializer(serializers.Serializer[Any]):
    sent = serializers.BooleanField()


class WebhookSerializer(RowSerializer):
    study = study_slug()
    events = serializers.ListField(
        source="chosen", child=serializers.ChoiceField(choices=NAMES), read_only=True
    )
    old_until = serializers.SerializerMethodField(
        help_text="Until when messages are signed with the secret before, too."
    )

    class Meta:
        model = Webhook
        fields: tuple[str, ...] = ("id", "study", "url", "events", "made_at", "old_until")

    def get_old_until(self, hook: Webhook) -> str | None:
        signs = hook.signs_with_old(timezone.now()) and hook.old_until is not None
        return hook.old_until.isoformat() if signs and hook.old_until else None


class WebhookWithSecretSerializer(WebhookSerializer):
    secret = serializers.CharField(
        read_only=True, help_text="Shown in this answer alone; empty where the answer is repeated."
    )

    class Meta:
        model = Webhook
        fields = (*WebhookSerializer.Meta.fields, "secret")


class DeliverySerializer(RowSerializer):
    study = study_slug()
    event = serializers.SerializerMethodField()
    state = serializers.ChoiceField(source="job.state", choices=JobState.choices, read_only=True)
    problem = serializers.CharField(source="job.reason", read_only=True)
    tries = serializers.IntegerField(read_only=True)

    class Meta:
        model = Delivery
        fields = (
            *("id", "key", "study", "event", "state"),
            *("status", "problem", "tries", "made_at"),
        )

    def get_event(self, delivery: Delivery) -> str:
        return name_of(delivery.event)
