"""Sources, items, units and questions of a study."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Item, Question, Source, Unit
from api.access import Needs, caller
from api.problems import Problem
from api.requests.bodies import Body
from api.requests.filters import METADATA, OWN_COLUMNS, Filter
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.material import (
    ItemSerializer,
    QuestionSerializer,
    SourceSerializer,
    UnitSerializer,
)
from api.study_keys import add_items
from set_up.study_files.application import JustChanged

KEY = {"key": Filter("key", "the key in the study")}
OF_OWN = {METADATA: OWN_COLUMNS}
OF_SOURCE = {"source": Filter("source__key", "the key of the source")}


class Sources(Rows):
    """The sources: claims with evidence, documents or queries."""

    one = "One source."
    serializer_class = SourceSerializer
    filters: ClassVar = {**KEY, **OF_OWN}

    def get_queryset(self) -> QuerySet[Source]:
        return self.study.sources.all()


class RecordsSerializer(Body):
    records = serializers.ListField(
        child=serializers.DictField(),
        min_length=1,
        max_length=10_000,
        help_text="As lines of a file of records: source, items and perhaps unit.",
    )


class AddedSerializer(serializers.Serializer[Any]):
    items = serializers.IntegerField(help_text="How many items the study has now.")


class Items(Rows):
    """The items: outputs about sources."""

    one = "One item."
    serializer_class = ItemSerializer
    filters: ClassVar = {
        **KEY,
        **OF_SOURCE,
        "system": Filter("system", "the system that wrote it"),
        "condition": Filter("condition", "the condition"),
        "evidence_source": Filter("evidence_source", "whose evidence it rests on"),
        **OF_OWN,
    }

    def get_queryset(self) -> QuerySet[Item]:
        return self.study.items.select_related("source")

    @writes(
        Needs(Scope.WRITE, Role.EDITOR), takes=RecordsSerializer, answers={201: AddedSerializer}
    )
    def create(self, request: Request) -> Response:
        """Add records of sources, items and units; all of them or none."""
        records = self.valid(request)["records"]
        try:
            items = add_items(study=self.study, records=records, by=caller(request))
        except JustChanged as error:
            text = "Somebody changed the study just now. Send it again."
            raise Problem(HTTPStatus.CONFLICT, text) from error
        return Response({"items": items}, status=HTTPStatus.CREATED)


class Units(Rows):
    """The units: what a worker meets at once."""

    one = "One unit."
    serializer_class = UnitSerializer
    filters: ClassVar = {
        **KEY,
        **OF_SOURCE,
        "role": Filter("role", "its role", choices=Unit.Role.values),
        "subset": Filter("subsets__name", "the name of a subset that it is in"),
        **OF_OWN,
    }

    def get_queryset(self) -> QuerySet[Unit]:
        rows = self.study.units.select_related("source")
        return rows.prefetch_related("subsets", "unit_items__item")


class Questions(Rows):
    """The questions: a unit in a block, with the payload as it is shown."""

    one = "One question."
    serializer_class = QuestionSerializer
    filters: ClassVar = {
        "unit": Filter("unit__key", "the key of the unit"),
        "block": Filter("block__key", "the key of the block"),
    }

    def get_queryset(self) -> QuerySet[Question]:
        return self.study.questions.select_related("unit", "block")
