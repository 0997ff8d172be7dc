"""Texts and lists that models write for a study: what they would cost, and the jobs that write."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from pydantic import ValidationError
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from api.access import Needs, caller
from api.problems import conflicts
from api.requests.bodies import Body, Cost, Text, Truth, Whole
from api.requests.filters import Filter
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.writings import WritingPlanSerializer, WritingSerializer
from generators.conversations import GenerationRefused
from generators.jobs.plans import plan_writing
from generators.jobs.requests import (
    LARGEST_SEED,
    MOST_TEXTS,
    MOST_WRITERS,
    ListsRequest,
    TextsRequest,
)
from generators.jobs.work import PROPOSE_LISTS, WRITE_TEXTS, Requested, ask_to_write
from generators.kinds import BY_NAME
from jobs.models import Job, JobState
from judges.backends.contract import Unusable

LISTS = "lists"
SPENDS = Needs(Scope.JUDGES, Role.EDITOR)
REFUSALS = (ValueError, OSError, Unusable)


class WriterSerializer(Body):
    model = Text(max_length=200)
    endpoint = Text(max_length=80, default="default")
    system = Text(
        max_length=200, default="", allow_blank=True, help_text="As which system it writes."
    )
    family = Text(max_length=200, default="", allow_blank=True)


class NewWritingSerializer(Body):
    kind = serializers.ChoiceField(choices=[*BY_NAME, LISTS])
    writers = serializers.ListField(
        child=WriterSerializer(), min_length=1, max_length=MOST_WRITERS, help_text="Of lists one."
    )
    block = Text(max_length=80, default="", allow_blank=True, help_text="Of lists: its key.")
    list = Text(
        max_length=80,
        default="",
        allow_blank=True,
        help_text="Of lists: its name, where the block is asked by several.",
    )
    rejected = Truth(default=False, help_text="Of lists: also where one was rejected.")
    parameters = serializers.DictField(
        default=dict, help_text="Of the generator, such as `evidence` and `template`."
    )
    seed = Whole(min_value=0, max_value=LARGEST_SEED, default=0)
    limit = Whole(
        min_value=1, max_value=MOST_TEXTS, required=False, help_text="Only so many of each writer."
    )
    max_cost = Cost(required=False, help_text="In USD.")


class Writings(Rows):
    """What models were asked to write, newest first."""

    one = "What models were asked to write, with how far they are and what came of it."
    needs = Needs(Scope.READ, Role.EDITOR)
    serializer_class = WritingSerializer
    filters: ClassVar = {"state": Filter("state", "the state", choices=JobState.values)}

    def get_queryset(self) -> QuerySet[Job]:
        return self.study.jobs.filter(kind__in=(WRITE_TEXTS.name, PROPOSE_LISTS.name))

    @writes(SPENDS, takes=NewWritingSerializer, answers={202: WritingSerializer})
    def create(self, request: Request) -> Response:
        """Have models write texts, or propose lists. What is there is not written again."""
        with conflicts(*REFUSALS):
            wanted = self._wanted(request)
            job = ask_to_write(study=self.study, request=wanted, by=caller(request))
        return self.shown(job, status=HTTPStatus.ACCEPTED)

    @writes(SPENDS, takes=NewWritingSerializer, answers={200: WritingPlanSerializer})
    @action(detail=False, methods=["post"])
    def plan(self, request: Request) -> Response:
        """What it would take; nothing is asked."""
        with conflicts(*REFUSALS):
            wanted = self._wanted(request)
            plan = plan_writing(study=self.study, request=wanted, by=caller(request))
        return Response(WritingPlanSerializer(plan).data)

    def _wanted(self, request: Request) -> Requested:
        sent: dict[str, Any] = self.valid(request)
        own = {name: sent.pop(name) for name in ("block", "list", "rejected")}
        try:
            if sent["kind"] != LISTS:
                return TextsRequest.model_validate(sent)
            (writer, *_) = sent.pop("writers")
            sent.pop("kind")
            return ListsRequest.model_validate(sent | own | {"writer": writer})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise GenerationRefused(f"{where}: {first['msg']}") from error
