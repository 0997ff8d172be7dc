"""What researchers have begun and not finished, and what watches a study for them."""

from desk.models.alerts import Alert, AlertMemory
from desk.models.api import ApiToken, KeyedWrite
from desk.models.colleagues import ColleagueInvitation
from desk.models.imports import ImportJob
from desk.models.messages import Delivery, Subscription, Webhook, WebhookFeed
from desk.models.new_study import KEPT_FOR, NewStudy
from desk.models.units import MaterialText, SavedView, UnitAction, UnitActionUnit
from desk.models.workers import KeptFigures

__all__ = [
    "KEPT_FOR",
    "Alert",
    "AlertMemory",
    "ApiToken",
    "ColleagueInvitation",
    "Delivery",
    "ImportJob",
    "KeptFigures",
    "KeyedWrite",
    "MaterialText",
    "NewStudy",
    "SavedView",
    "Subscription",
    "UnitAction",
    "UnitActionUnit",
    "Webhook",
    "WebhookFeed",
]
