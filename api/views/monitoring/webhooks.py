"""The webhook of a study, that of an account, the messages that each was sent, and the webhooks of
all studies."""

from dataclasses import replace
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from alerts import webhooks
from alerts.announcements import announce_test, was_tested
from alerts.events import NAMES
from alerts.models import Delivery, Listener, Webhook
from annotation.access import Role
from api.access import Needs, caller, token_with
from api.problems import Problem
from api.requests.bodies import Body, Text
from api.requests.filters import Filter, since
from api.resources import Operation, Resource, Rows, reads, writes
from api.scopes import Scope
from api.serializers.monitoring import (
    DeliverySerializer,
    TestedSerializer,
    WebhookSerializer,
    WebhookWithSecretSerializer,
)
from api.views.monitoring.alerts import JUST_TESTED
from jobs.models import JobState

READS, OWNS = Needs(Scope.READ, Role.OWNER), Needs(Scope.MANAGE, Role.OWNER)
NONE = "There is no webhook."
SHOWN = {200: WebhookSerializer}
WITH_SECRET: dict[str, Any] = {
    "answers": {200: WebhookWithSecretSerializer},
    "secrets": ("secret",),
}


def _events(**options: Any) -> serializers.ListField:
    child = serializers.ChoiceField(choices=NAMES)
    return serializers.ListField(child=child, max_length=len(NAMES), **options)


class AddressSerializer(Body):
    url = Text(max_length=500, help_text="With https://, and without a password.")
    events = _events(required=False, help_text="Without it, those that were chosen before.")


class EventsSerializer(Body):
    events = _events()


class HasWebhook(Resource):
    """What has a webhook of its own."""

    @property
    def listener(self) -> Listener:
        """The study."""
        return self.study


class OfAccount(HasWebhook):
    """The same of the account that the token acts for."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """A token for one study hears of no other."""
        super().initial(request, *args, **kwargs)
        if token_with(request, self.operation.needs.scope).study_id is not None:
            raise PermissionDenied("This token is for one study.")

    @property
    def operation(self) -> Operation:
        """What it needs is no role in any study."""
        asked = super().operation
        return replace(asked, needs=Needs(asked.needs.scope))

    @property
    def listener(self) -> Listener:
        """The account."""
        return caller(self.request)


class StudyWebhook(HasWebhook):
    """The address that events of the study are posted to."""

    @reads(READS, answers=SHOWN)
    def retrieve(self, request: Request, **_names: Any) -> Response:
        """The address and the events; the secret is shown when it is made, and then never again."""
        return self._shown()

    @writes(OWNS, takes=AddressSerializer, **WITH_SECRET)
    def update(self, request: Request) -> Response:
        """Post events to an address, under a new secret. Where the address stays, messages are
        signed with the secret before as well for a day."""
        sent, now, by = self.valid(request), timezone.now(), caller(request)
        try:
            made = webhooks.set_webhook(of=self.listener, url=sent["url"], by=by, now=now)
        except webhooks.BadAddress as error:
            raise ValidationError({"url": str(error)}) from error
        if "events" in sent:
            webhooks.choose_events(of=self.listener, events=sent["events"], by=by, now=now)
        return self._shown(made.secret)

    @writes(OWNS, takes=EventsSerializer, answers=SHOWN)
    @action(detail=False, methods=["post"])
    def events(self, request: Request) -> Response:
        """Choose which events are posted."""
        self._hook  # noqa: B018 (404 without one)
        events, now = self.valid(request)["events"], timezone.now()
        webhooks.choose_events(of=self.listener, events=events, by=caller(request), now=now)
        return self._shown()

    @writes(OWNS, **WITH_SECRET)
    @action(detail=False, methods=["post"])
    def secret(self, request: Request) -> Response:
        """Make a new secret for the same address."""
        made = webhooks.renew_secret(of=self.listener, by=caller(request), now=timezone.now())
        if made is None:
            raise Http404(NONE)
        return self._shown(made.secret)

    @writes(OWNS, answers=SHOWN)
    @action(detail=False, methods=["post"], url_path="end-old-secret")
    def end_old_secret(self, request: Request) -> Response:
        """Sign with the newest secret alone."""
        webhooks.end_old_secret(of=self.listener, by=caller(request), now=timezone.now())
        return self._shown()

    @writes(OWNS, answers=SHOWN)
    @action(detail=False, methods=["post"])
    def remove(self, request: Request) -> Response:
        """Post events nowhere; the webhook as it was."""
        answer = self._shown()
        webhooks.remove_webhook(of=self.listener, by=caller(request))
        return answer

    @writes(OWNS, answers={200: TestedSerializer})
    @action(detail=False, methods=["post"])
    def test(self, request: Request) -> Response:
        """Post a test message."""
        self._hook  # noqa: B018 (404 without one)
        now = timezone.now()
        if was_tested(of=self.listener, now=now):
            raise Problem(HTTPStatus.CONFLICT, JUST_TESTED)
        announce_test(of=self.listener, now=now)
        return Response({"sent": True})

    @property
    def _hook(self) -> Webhook:
        hook = Webhook.objects.of(self.listener).select_related("study").first()
        if hook is None:
            raise Http404(NONE)
        return hook

    def _shown(self, secret: str = "") -> Response:
        if not secret:
            return Response(WebhookSerializer(self._hook).data)
        return Response({**WebhookWithSecretSerializer(self._hook).data, "secret": secret})


class AccountWebhook(OfAccount, StudyWebhook):
    """The address that events of all studies are posted to that the token's owner owns, also of
    later ones. A token for one study does not see it."""


class Deliveries(HasWebhook, Rows):
    """The messages that were sent to the study's webhook, of 90 days."""

    one = "One message."
    needs = READS
    serializer_class = DeliverySerializer
    filters: ClassVar = {
        "state": Filter("job__state", "what became of it", choices=JobState.values),
        "since": since("made_at__gte", "made then or later"),
    }

    def get_queryset(self) -> QuerySet[Delivery]:
        rows = Delivery.objects.posted_for(self.listener)
        return rows.select_related("job", "study", "owner")

    @writes(OWNS, answers={200: DeliverySerializer})
    @action(detail=True, methods=["post"])
    def again(self, request: Request) -> Response:
        """Send a message once more, under the same key."""
        if not webhooks.send_again(delivery=self.get_object(), by=caller(request)):
            text = "It waits already, or there is no webhook to send it to."
            raise Problem(HTTPStatus.CONFLICT, text)
        return self.shown(self.get_object())


class AccountDeliveries(OfAccount, Deliveries):
    """The messages that were sent to the account's webhook, of 90 days."""


class AccountWebhooks(Rows):
    """The webhooks of all studies that the token's owner owns."""

    serializer_class = WebhookSerializer

    def get_queryset(self) -> QuerySet[Webhook]:
        token = token_with(self.request, Scope.READ)
        owned = {"study__members__user": token.owner_id, "study__members__role": Role.OWNER}
        rows = Webhook.objects.filter(study__tryout_of=None, **owned).select_related("study")
        return rows if token.study_id is None else rows.filter(study=token.study_id)
