"""Answers: those that are there, and adding many at once."""

from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from api.access import Needs, caller
from api.bodies import Body
from api.resources import ListMixin, WriteMixin
from api.scopes import Scope
from api.views.people import AnswerRows
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


class Answers(ListMixin, WriteMixin, AnswerRows):
    """The answers of people and judges, also excluded and replaced ones."""

    needs: ClassVar = {
        "GET": Needs(Scope.READ, Role.REVIEWER),
        "POST": Needs(Scope.WRITE, Role.EDITOR),
    }

    takes = AnswersSerializer
    answers: ClassVar = {"POST": {200: StoredSerializer}}

    def write(self, request: Request) -> Response:
        """Add answers given elsewhere. Each line is stored or refused by itself; one that is there
        already, word for word, is left as it is."""
        answers = self.valid(request, AnswersSerializer)["answers"]
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
