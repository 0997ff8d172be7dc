"""The split of a study's sources, and looks at its sealed half."""

from functools import cached_property
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Rater
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Cost, Number, Text, Whole
from api.requests.filters import Filter, by_number
from api.resources import Resource, Rows, reads, writes
from api.scopes import Scope
from api.serializers.looks import (
    FlipsSerializer,
    LookSerializer,
    SplitSerializer,
    VersionSerializer,
)
from judges.definitions.versions import BadJudge
from judges.runs.plans.scope import RunRefused
from workbench.looks import (
    LookRefused,
    finished,
    looks_of,
    publish_sealed,
    take_look,
    version_named,
)
from workbench.loop import Version, flips, versions_of
from workbench.models import Look
from workbench.splitting import ERROR, PLANNED_LOOKS, NotSplit, split_of, split_sources

EDITS = Needs(Scope.WRITE, Role.EDITOR)
SPENDS = Needs(Scope.JUDGES, Role.EDITOR)
OWNS = Needs(Scope.MANAGE, Role.OWNER)


class NewSplitSerializer(Body):
    seed = Whole(min_value=0, max_value=2**31 - 1, help_text="Of the draw.")
    share = Number(
        min_value=0.1, max_value=0.9, default=0.5, help_text="Of the sources that are sealed."
    )
    planned_looks = Whole(min_value=1, max_value=100, default=PLANNED_LOOKS)
    error = Number(
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

    @writes(OWNS, answers={200: SplitSerializer})
    @action(detail=False, methods=["post"])
    def publish(self, request: Request) -> Response:
        """Publish the answers behind the looks: bundles have them from now on, and no other look
        can be taken."""
        with conflicts(LookRefused):
            split = publish_sealed(study=self.study, by=caller(request))
        return Response(SplitSerializer(split).data)


class Versions(Rows):
    """The versions of all judges, imported ones too, with their closeness to people on the
    development half."""

    one = "One version of a judge, with its closeness to people."
    serializer_class = VersionSerializer
    filters: ClassVar = {"name": Filter("name", "the name of the judge")}

    def get_queryset(self) -> QuerySet[Rater]:
        return self.study.raters.filter(kind=Rater.Kind.JUDGE)

    def version(self, rater: Rater) -> Version | None:
        """A version with its figures; None while the answers are being counted."""
        if rater.name not in self._known:
            found = versions_of(self.study, rater.name, looks_of(self.study))
            self._known[rater.name] = {v.rater.pk: v for v in found or ()}
        return self._known[rater.name].get(rater.pk)

    @cached_property
    def _known(self) -> dict[str, dict[int, Version]]:
        return {}

    @reads(
        Needs(),
        answers={200: FlipsSerializer},
        parameters={"before": by_number("pk", "the id of an earlier version")},
    )
    @action(detail=True)
    def flips(self, request: Request, **_names: Any) -> Response:
        """Which units are nearer to people by this version than by another of the same judge, and
        which are farther; without `before`, than by the version before it."""
        now = self.get_object()
        others = self.get_queryset().filter(name=now.name).exclude(pk=now.pk).order_by("-version")
        asked = self.parameter("before", default=None)
        chosen = others.filter(pk=asked) if asked is not None else others.filter(
            version__lt=now.version
        )  # fmt: skip
        before = chosen.first()
        if before is None:
            raise Http404("There is no such other version of the judge.")
        first, second = self.version(before), self.version(now)
        if first is None or second is None:
            raise Problem(HTTPStatus.CONFLICT, "The answers are being counted; ask again.")
        return Response(FlipsSerializer(flips(self.study, first, second)).data)
