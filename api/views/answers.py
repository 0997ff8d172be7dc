"""Answers: those that are there, and adding many at once."""

from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Annotation, Rater
from api.access import Needs, caller
from api.requests.bodies import Body
from api.requests.filters import METADATA, OWN_COLUMNS, Filter, by_truth, since
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.people import AnswerSerializer
from imports.answers.batches import MOST, add_answers


class AnswersSerializer(Body):
    answers = serializers.ListField(
        child=serializers.DictField(),
        min_length=1,
        max_length=MOST,
        help_text="As lines of `import_answers`: unit, rater, kind, answer, perhaps block.",
    )


class LineSerializer(serializers.Serializer[Any]):
    index = serializers.IntegerField()
    status = serializers.ChoiceField(choices=["stored", "present", "refused"])
    field = serializers.CharField(allow_blank=True)
    detail = serializers.CharField(allow_blank=True)


class StoredSerializer(serializers.Serializer[Any]):
    stored = serializers.IntegerField()
    present = serializers.IntegerField(help_text="Those that were there already, word for word.")
    refused = serializers.IntegerField()
    results = LineSerializer(many=True)


class Answers(Rows):
    """The answers of people and judges, also excluded and replaced ones; without those of judges
    about the sealed half."""

    one = "One answer."
    needs = Needs(Scope.READ, Role.REVIEWER)
    serializer_class = AnswerSerializer
    filters: ClassVar = {
        "unit": Filter("question__unit__key", "the key of the unit"),
        "block": Filter("question__block__key", "the key of the block"),
        "rater": Filter("rater__name", "the name of the rater"),
        "kind": Filter("rater__kind", "the kind of rater", choices=Rater.Kind.values),
        "round": Filter("round__name", "the name of the round"),
        "standing": by_truth("superseded_at__isnull", "whether no later answer replaces it"),
        "since": since("created_at__gte", "stored then or later"),
        METADATA: OWN_COLUMNS,
    }

    def get_queryset(self) -> QuerySet[Annotation]:
        related = ("question__unit", "question__block", "rater", "round")
        rows = Annotation.objects.filter(study=self.study).unsealed().select_related(*related)
        return rows.defer("question__payload", "question__reference")

    @writes(
        Needs(Scope.WRITE, Role.EDITOR), takes=AnswersSerializer, answers={200: StoredSerializer}
    )
    def create(self, request: Request) -> Response:
        """Add answers given elsewhere. Each line is stored or refused by itself; one that is there
        already, word for word, is left as it is."""
        answers = self.valid(request)["answers"]
        lines = add_answers(study=self.study, answers=answers, by=caller(request))
        rows = [
            {"index": n, "status": line.status, "field": line.field, "detail": line.reason}
            for n, line in enumerate(lines)
        ]
        counts = {
            status: sum(1 for line in lines if line.status == status)
            for status in ("stored", "present", "refused")
        }
        return Response({**counts, "results": rows})
