"""Raters, answers, reported problems and the log of changes."""

from typing import ClassVar

from django.db.models import QuerySet

from annotation.access import Role
from annotation.models import Annotation, AssignmentUnit, Change, Rater
from annotation.work.problems import problems_in
from api.access import Needs
from api.filters import Filter, by_truth, since
from api.resources import ListMixin, OneMixin, StudyRows
from api.scopes import Scope
from api.serializers.people import (
    AnswerSerializer,
    EventSerializer,
    RaterSerializer,
    ReportedProblemSerializer,
)

FOR_REVIEWERS = {"GET": Needs(Scope.READ, Role.REVIEWER)}


class _Raters(StudyRows):
    serializer_class = RaterSerializer
    filters: ClassVar = {
        "name": Filter("name", "the name"),
        "kind": Filter("kind", "the kind", choices=Rater.Kind.values),
        "origin": Filter("origin", "where it answered", choices=Rater.Origin.values),
    }

    def rows(self) -> QuerySet[Rater]:
        return self.study.raters.all()


class Raters(ListMixin, _Raters):
    """The raters: people, judges and simulations."""


class RaterView(OneMixin, _Raters):
    """One rater."""


class AnswerRows(StudyRows):
    """Answers with what they belong to."""

    needs: ClassVar = FOR_REVIEWERS
    serializer_class = AnswerSerializer
    filters: ClassVar = {
        "unit": Filter("question__unit__key", "the key of the unit"),
        "block": Filter("question__block__key", "the key of the block"),
        "rater": Filter("rater__name", "the name of the rater"),
        "kind": Filter("rater__kind", "the kind of rater", choices=Rater.Kind.values),
        "round": Filter("round__name", "the name of the round"),
        "standing": by_truth("superseded_at__isnull", "whether no later answer replaces it"),
        "since": since("created_at__gte", "stored then or later"),
    }

    def rows(self) -> QuerySet[Annotation]:
        related = ("question__unit", "question__block", "rater", "round")
        rows = Annotation.objects.filter(study=self.study).select_related(*related)
        return rows.defer("question__payload", "question__reference")


class AnswerView(OneMixin, AnswerRows):
    """One answer."""


class _Problems(StudyRows):
    needs: ClassVar = FOR_REVIEWERS
    serializer_class = ReportedProblemSerializer
    filters: ClassVar = {"unit": Filter("unit__key", "the key of the unit")}

    def rows(self) -> QuerySet[AssignmentUnit]:
        related = ("unit", "assignment__participation", "assignment__round")
        return problems_in(self.study).select_related(*related)


class Problems(ListMixin, _Problems):
    """The problems that workers reported with units."""


class ProblemView(OneMixin, _Problems):
    """One reported problem."""


class _Events(StudyRows):
    needs: ClassVar = {"GET": Needs(Scope.READ, Role.EDITOR)}
    serializer_class = EventSerializer
    filters: ClassVar = {
        "action": Filter("action", "the action, such as `study.opened`"),
        "since": since("at__gte", "then or later"),
    }

    def rows(self) -> QuerySet[Change]:
        return Change.objects.filter(study=self.study).select_related("by")


class Events(ListMixin, _Events):
    """Who changed what of the study, and when."""


class EventView(OneMixin, _Events):
    """One change."""
