"""Alerts of a study, and how the caller hears of them."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.announcements import announce_test, was_tested
from alerts.kinds import KINDS
from alerts.models import Alert, Subscription
from annotation.access import Role
from annotation.models import Member
from api.access import Needs, caller
from api.problems import Problem
from api.requests.bodies import Body, Truth
from api.requests.filters import Filter, by_truth, since
from api.resources import Resource, Rows, reads, writes
from api.scopes import Scope
from api.serializers.monitoring import AlertSerializer, SubscriptionSerializer, TestedSerializer

NAMES = [kind.name for kind in KINDS]
JUST_TESTED = "A test message was sent a moment ago. Please wait a minute."
OWN = Needs(Scope.WRITE, Role.VIEWER)


class Alerts(Rows):
    """The alerts of the study, open and past ones."""

    one = "One alert."
    serializer_class = AlertSerializer
    filters: ClassVar = {
        "kind": Filter("kind", "the kind", choices=NAMES),
        "open": by_truth("ended_at__isnull", "whether it still holds"),
        "since": since("since__gte", "opened then or later"),
    }

    def get_queryset(self) -> QuerySet[Alert]:
        return self.study.alerts.all()


class NewSubscriptionSerializer(Body):
    by_email = Truth()
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=NAMES),
        max_length=len(NAMES),
        required=False,
        help_text="Without it, all.",
    )


class AlertMails(Resource):
    """How the caller hears of the study's alerts."""

    @reads(Needs(), answers={200: SubscriptionSerializer})
    def retrieve(self, request: Request, **_names: Any) -> Response:
        """What the caller has chosen."""
        return self._chosen()

    @writes(OWN, takes=NewSubscriptionSerializer, answers={200: SubscriptionSerializer})
    def update(self, request: Request) -> Response:
        """Choose whether the caller gets mails, and about what."""
        sent = self.valid(request)
        wanted = sent.get("kinds", NAMES)
        without = [name for name in NAMES if name not in wanted]
        chosen = {"by_email": sent["by_email"], "without": without}
        Subscription.objects.update_or_create(member=self._member, defaults=chosen)
        return self._chosen()

    @writes(OWN, answers={200: TestedSerializer})
    @action(detail=False, methods=["post"])
    def test(self, request: Request) -> Response:
        """Send the caller a test message."""
        if not (settings.EMAIL_ENABLED and caller(request).email):
            raise Problem(HTTPStatus.CONFLICT, "There is no address to send a message to.")
        now, member = timezone.now(), self._member.pk
        if was_tested(of=self.study, now=now, member=member):
            raise Problem(HTTPStatus.CONFLICT, JUST_TESTED)
        announce_test(of=self.study, now=now, member=member)
        return Response({"sent": True})

    @property
    def _member(self) -> Member:
        assert self.study.viewer is not None  # whom `study_of` lets in
        return self.study.viewer

    def _chosen(self) -> Response:
        chosen = Subscription.objects.filter(member=self._member).first()
        without = [] if chosen is None else chosen.without
        kinds = [name for name in NAMES if name not in without]
        return Response({"by_email": chosen is not None and chosen.by_email, "kinds": kinds})
