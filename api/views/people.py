"""Raters, reported problems and the log of changes."""

from typing import ClassVar

from django.db.models import QuerySet

from annotation.access import Role
from annotation.models import AssignmentUnit, Change, Rater
from annotation.work.problems import problems_in
from api.access import Needs
from api.requests.filters import Filter, since
from api.resources import Rows
from api.scopes import Scope
from api.serializers.people import EventSerializer, RaterSerializer, ReportedProblemSerializer


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
