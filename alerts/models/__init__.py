"""Alerts of a study, and messages about them and other events: who gets them how, and what became
of each."""

from alerts.models.alerts import Alert, AlertMemory, Subscription
from alerts.models.deliveries import Delivery
from alerts.models.webhooks import ALERT_EVENTS, Listener, Webhook, WebhookFeed

__all__ = [
    "ALERT_EVENTS",
    "Alert",
    "AlertMemory",
    "Delivery",
    "Listener",
    "Subscription",
    "Webhook",
    "WebhookFeed",
]
