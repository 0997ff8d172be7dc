"""Invitations, estimates and exports of a study."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.entry.invitations import end_invitation, invite_many
from annotation.models import Invitation, log_change
from annotation.views.downloads import as_download
from api.access import Needs, caller, study_of
from api.problems import Problem
from api.requests.bodies import Body, Text, Truth, Whole
from api.requests.filters import Filter, by_truth
from api.resources import Resource, Rows, reads, writes
from api.scopes import Scope
from api.serializers.machines import ExportSerializer
from api.serializers.people import InvitationSerializer
from desk.data.exports.forms import TITLES
from estimates.data.rows import Row
from estimates.report.newest import newest_rater_groups, newest_report
from exports import jobs
from exports.choice import EXCLUDED, WITH, ExportChoice, choice_in, unknown_in
from jobs.models import Job, JobState
from jobs.queue import cancel, start_again

EXPORTS = Needs(Scope.EXPORT, Role.REVIEWER)
INVITES = Needs(Scope.WRITE, Role.EDITOR)


class NewInvitationsSerializer(Body):
    number = Whole(min_value=1, max_value=1000, default=1)
    personal = Truth(default=False, help_text="For one person, who can also return by it.")
    max_uses = Whole(min_value=1, max_value=1_000_000, required=False)
    note = Text(max_length=200, default="", allow_blank=True)


class Invitations(Rows):
    """The links into the study."""

    one = "One link into the study."
    needs = Needs(Scope.READ, Role.EDITOR)
    serializer_class = InvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        return self.study.invitations.select_related("round")

    @writes(
        INVITES,
        takes=NewInvitationsSerializer,
        answers={201: InvitationSerializer(many=True)},
    )
    def create(self, request: Request) -> Response:
        """Make links into the study."""
        made = invite_many(study=self.study, created_by=caller(request), **self.valid(request))
        return self.shown(made, many=True, status=HTTPStatus.CREATED)

    @writes(INVITES, answers={200: InvitationSerializer})
    @action(detail=True, methods=["post"])
    def end(self, request: Request) -> Response:
        """End a link. People who came by it stay."""
        if not end_invitation(invitation=self.get_object(), now=timezone.now(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This link had ended before.")
        return self.shown(self.get_object())


class EstimatesSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField(allow_null=True)
    outdated = serializers.BooleanField(help_text="Whether answers have changed since.")
    computed_at = serializers.DateTimeField(allow_null=True)
    caution = serializers.CharField(
        allow_blank=True,
        help_text="What is to be said beside all figures: that they are made up, or of which half.",
    )
    estimates = serializers.ListField(
        child=serializers.DictField(), help_text="Rows as `report --json` has them."
    )


def _group_of(text: str) -> dict[str, str]:
    """`system=Alder, round=main`, as the table of the client has groups; empty: the whole study."""
    if len(text) > LONGEST_GROUP:
        raise ValueError
    pairs = [pair.partition("=") for pair in text.split(", ")] if text else []
    if not all(key and equals for key, equals, _name in pairs):
        raise ValueError
    return {key: name for key, _equals, name in pairs}


LONGEST_GROUP = 300
# An empty text is one as well: of figures that no facet, or no rule, has.
OF_ROWS = {
    "metric": Filter("metric", "the metric"),
    "facet": Filter("facet", "the facet"),
    "raters": Filter("raters", "the raters, such as `humans` or `humans~lexical`"),
    "aggregation": Filter("aggregation", "how figures are put together"),
    "consensus": Filter("consensus", "how several answers become one; empty: none"),
    "group": Filter(
        "group",
        "the group, such as `system=Alder`; empty: the whole study",
        _group_of,
        {
            "type": "string",
            "maxLength": LONGEST_GROUP,
            "pattern": "^([^=,]+=[^=,]*(, [^=,]+=[^=,]*)*)?$",
        },
    ),
}
OF_PEOPLE = "with figures of people by what files tell of them: personal data, for reviewers"


class Estimates(Resource):
    """The figures of the study, as its pages show them."""

    @reads(
        Needs(),
        answers={200: EstimatesSerializer, 202: EstimatesSerializer},
        parameters={**OF_ROWS, "rater_groups": by_truth("", OF_PEOPLE)},
    )
    def retrieve(self, request: Request, slug: str) -> Response:
        """All rows of the report, or those that fit; while they are counted for the first time
        there are none."""
        wanted = {
            of.lookup: self.parameter(name, default=None)
            for name, of in OF_ROWS.items()
            if name in request.query_params
        }
        report = newest_report(self.study)
        if report is not None and self.parameter("rater_groups", default=False):
            study_of(request, slug, Needs(role=Role.REVIEWER))
            report = report.with_rows(newest_rater_groups(self.study))
        if report is None:
            body: dict[str, Any] = {
                "revision": None,
                "outdated": True,
                "computed_at": None,
                "caution": self.study.caution,
                "estimates": [],
            }
            return Response(body, status=HTTPStatus.ACCEPTED, headers={"Retry-After": "5"})
        return Response(
            {
                "revision": report.revision,
                "outdated": report.outdated,
                "computed_at": report.computed_at,
                "caution": self.study.caution,
                "estimates": [row.as_json() for row in report.rows if _fits(row, wanted)],
            }
        )


def _fits(row: Row, wanted: Mapping[str, Any]) -> bool:
    return all((getattr(row, name) or type(value)()) == value for name, value in wanted.items())


class NewExportSerializer(Body):
    format = serializers.ChoiceField(choices=list(TITLES))
    consensus = Text(max_length=80, required=False)
    facet = Text(max_length=80, required=False)
    subset = Text(max_length=80, required=False)
    round = Text(max_length=80, required=False)
    excluded = serializers.ChoiceField(choices=[name for name in EXCLUDED if name], required=False)
    personal = serializers.ChoiceField(
        choices=[WITH],
        required=False,
        help_text="With what people wrote beside answers and told of themselves: personal data.",
    )


class Exports(Rows):
    """The exports that were asked for."""

    one = "One export."
    needs = EXPORTS
    serializer_class = ExportSerializer
    filters: ClassVar = {"state": Filter("state", "the state", choices=JobState.values)}

    def get_queryset(self) -> QuerySet[Job]:
        return jobs.exports_of(self.study)

    @writes(EXPORTS, takes=NewExportSerializer, answers={202: ExportSerializer})
    def create(self, request: Request) -> Response:
        """Let a worker write an export."""
        asked = self.valid(request)
        name = asked.pop("format")
        choice: ExportChoice = choice_in(asked)
        unknown = unknown_in(choice, self.study)
        if unknown:
            field, _, reason = unknown.partition(": ")
            raise Problem(HTTPStatus.CONFLICT, reason, field=field)
        job = jobs.ask_for_export(
            study=self.study, format_name=name, choice=choice, by=caller(request)
        )
        return self.shown(job, status=HTTPStatus.ACCEPTED)

    @writes(EXPORTS, answers={200: ExportSerializer})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request) -> Response:
        """Stop an export."""
        if not cancel(self.get_object(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This export has ended already.")
        return self.shown(self.get_object())

    @writes(EXPORTS, answers={200: ExportSerializer})
    @action(detail=True, methods=["post"])
    def again(self, request: Request) -> Response:
        """Start an export that did not come to its end once more."""
        if not start_again(self.get_object(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This export is being written, or is there.")
        return self.shown(self.get_object())

    @reads(EXPORTS, answers={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True)
    def file(self, request: Request, slug: str, id: int) -> HttpResponseBase:  # noqa: A002
        """The file; 404 until it is there, and once it was removed."""
        job = get_object_or_404(jobs.exports_of(self.study), pk=id, state=JobState.DONE)
        path = jobs.path_of(job)
        if not path.is_file():
            raise Http404("This file is gone. Export again.")
        user, subject = caller(request), job.parameters["format_name"]
        log_change(study=self.study, by=user, action="export.downloaded", subject=subject)
        file = FileResponse(path.open("rb"), content_type="application/zip")
        return as_download(file, f"{slug}-{subject}.zip")
