"""The split of a study's sources, and looks at its sealed half."""

from http import HTTPStatus
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from api.access import Needs, caller
from api.problems import conflicts
from api.requests.bodies import Body, Cost, Text, Whole
from api.resources import Resource, Rows, reads, writes
from api.scopes import Scope
from api.serializers.looks import LookSerializer, SplitSerializer
from judges.definitions.versions import BadJudge
from judges.runs.plans.scope import RunRefused
from workbench.looks import LookRefused, finished, take_look, version_named
from workbench.models import Look
from workbench.splitting import ERROR, PLANNED_LOOKS, NotSplit, split_of, split_sources

EDITS = Needs(Scope.WRITE, Role.EDITOR)
SPENDS = Needs(Scope.JUDGES, Role.EDITOR)


class NewSplitSerializer(Body):
    seed = Whole(min_value=0, max_value=2**31 - 1, help_text="Of the draw.")
    share = serializers.FloatField(
        min_value=0.1, max_value=0.9, default=0.5, help_text="Of the sources that are sealed."
    )
    planned_looks = Whole(min_value=1, max_value=100, default=PLANNED_LOOKS)
    error = serializers.FloatField(
        min_value=0.001, max_value=0.5, default=ERROR, help_text="Of all looks together."
    )


class Split(Resource):
    """The split of the sources into a development and a sealed half."""

    @reads(Needs(), answers={200: SplitSerializer})
    def retrieve(self, request: Request, **_names: Any) -> Response:
        """The split; 404 where the sources are not split."""
        split = split_of(self.study)
        if split is None:
            raise Http404("The sources are not split.")
        return Response(SplitSerializer(split).data)

    @writes(EDITS, takes=NewSplitSerializer, answers={200: SplitSerializer})
    def update(self, request: Request) -> Response:
        """Split the sources, which is done once."""
        with conflicts(NotSplit):
            made = split_sources(study=self.study, by=caller(request), **self.valid(request))
        return Response(SplitSerializer(made).data)


class NewLookSerializer(Body):
    judge = Text(max_length=200, help_text="Its name, or name@version; also an imported one.")
    max_cost = Cost(required=False, help_text="In USD.")


class Looks(Rows):
    """The looks at the sealed half, with their figures once their runs have ended."""

    one = "One look at the sealed half, with its figures and its number."
    serializer_class = LookSerializer

    def get_queryset(self) -> QuerySet[Look]:
        # Those whose run has ended get their figures, which never change after that.
        for look in self.study.looks.filter(figures=[]).select_related("run", "rater", "study"):
            finished(look)
        return self.study.looks.select_related("rater", "study__split")

    @writes(SPENDS, takes=NewLookSerializer, answers={201: LookSerializer})
    def create(self, request: Request) -> Response:
        """Test a version on the sealed half. The look is spent at once; its run then starts. A
        version that was tested already keeps its look."""
        sent = self.valid(request)
        with conflicts(LookRefused, RunRefused, BadJudge):
            rater = version_named(self.study, sent.pop("judge"))
            look = take_look(study=self.study, rater=rater, by=caller(request), **sent)
        return self.shown(look, status=HTTPStatus.CREATED)
