"""Raters, workers, reported problems and the log of changes."""

from http import HTTPStatus
from typing import ClassVar

from django.db.models import QuerySet
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.entry.personal_link import give_link, participation_by_id
from annotation.models import AssignmentUnit, Change, Participation, Rater
from annotation.panels.registry import panel_of
from annotation.work.problems import problems_in
from annotation.work.qualification import NotEnded, reinstate_worker, remove_worker
from annotation.work.review import LONGEST_REASON
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Sentence
from api.requests.filters import Filter, since
from api.resources import Rows, link_to, writes
from api.scopes import Scope
from api.serializers.people import (
    EventSerializer,
    LinkSerializer,
    RaterSerializer,
    ReportedProblemSerializer,
    WorkerSerializer,
)

REVIEWS = Needs(Scope.WRITE, Role.REVIEWER)


class Raters(Rows):
    """The raters: people, judges and simulations."""

    one = "One rater."
    serializer_class = RaterSerializer
    filters: ClassVar = {
        "name": Filter("name", "the name"),
        "kind": Filter("kind", "the kind", choices=Rater.Kind.values),
        "origin": Filter("origin", "where it answered", choices=Rater.Origin.values),
    }

    def get_queryset(self) -> QuerySet[Rater]:
        return self.study.raters.all()


class Problems(Rows):
    """The problems that workers reported with units."""

    one = "One reported problem."
    needs = Needs(Scope.READ, Role.REVIEWER)
    serializer_class = ReportedProblemSerializer
    filters: ClassVar = {"unit": Filter("unit__key", "the key of the unit")}

    def get_queryset(self) -> QuerySet[AssignmentUnit]:
        related = ("unit", "assignment__participation", "assignment__round")
        return problems_in(self.study).select_related(*related)


class Events(Rows):
    """Who changed what of the study, and when."""

    one = "One change."
    needs = Needs(Scope.READ, Role.EDITOR)
    serializer_class = EventSerializer
    filters: ClassVar = {
        "action": Filter("action", "the action, such as `study.opened`"),
        "since": since("at__gte", "then or later"),
    }

    def get_queryset(self) -> QuerySet[Change]:
        return Change.objects.filter(study=self.study).select_related("by")


class WhySerializer(Body):
    reason = Sentence(max_length=LONGEST_REASON)


class LostLinkSerializer(Body):
    external_id = Sentence(max_length=200, help_text="The worker's id at the study's panel.")


class Workers(Rows):
    """The workers of the study, by their pseudonyms."""

    one = "One worker. `id`: the number in the pseudonym."
    needs = Needs(Scope.READ, Role.REVIEWER)
    serializer_class = WorkerSerializer
    lookup_field = "number"
    filters: ClassVar = {
        "state": Filter("state", "the state", choices=Participation.State.values),
        "round": Filter("round__name", "the name of the round"),
    }

    def get_queryset(self) -> QuerySet[Participation]:
        return self.study.participations.select_related("round", "study")

    @writes(REVIEWS, takes=WhySerializer, answers={200: WorkerSerializer})
    @action(detail=True, methods=["post"])
    def remove(self, request: Request) -> Response:
        """Give a worker no more batches, and exclude what they answered; it stays paid."""
        reason = self.valid(request)["reason"]
        done = remove_worker(participation=self.get_object(), reason=reason, by=caller(request))
        if not done:
            raise Problem(HTTPStatus.CONFLICT, "This worker's participation had ended before.")
        return self.shown(self.get_object())

    @writes(REVIEWS, takes=WhySerializer, answers={200: WorkerSerializer})
    @action(detail=True, methods=["post"])
    def reinstate(self, request: Request) -> Response:
        """Bring back a worker who was removed, screened out or not qualified, or who left."""
        reason, worker = self.valid(request)["reason"], self.get_object()
        with conflicts(NotEnded, said="This worker is still taking part, or has withdrawn."):
            reinstate_worker(participation=worker, reason=reason, by=caller(request))
        return self.shown(self.get_object())

    @writes(
        Needs(Scope.MANAGE, Role.OWNER),
        takes=LostLinkSerializer,
        answers={200: LinkSerializer},
        secrets=("link",),
    )
    @action(detail=False, methods=["post"], url_path="lost-link")
    def lost_link(self, request: Request) -> Response:
        """A new personal link for a worker who has lost theirs; the one before works no more."""
        given = self.valid(request)["external_id"].strip()
        panel = panel_of(self.study).slug
        person = participation_by_id(self.study, panel=panel, external_id=given)
        if person is None or person.worker.erased_at is not None:
            text = "No worker with this id is in the study."
            raise Problem(HTTPStatus.CONFLICT, text, field="external_id")
        return Response(
            {"link": link_to(request, give_link(participation=person, by=caller(request)))}
        )
