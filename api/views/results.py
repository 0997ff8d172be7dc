"""Invitations, estimates and exports of a study."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.entry.invitations import end_invitation, invite_many
from annotation.models import Invitation, User, log_change
from annotation.views.downloads import as_download
from api.access import Needs, caller
from api.bodies import Body, Text, Truth, Whole
from api.filters import Filter
from api.problems import Problem
from api.resources import ListMixin, OneMixin, StudyResource, StudyRows, WriteMixin
from api.scopes import Scope
from api.serializers.machines import ExportSerializer
from api.serializers.people import InvitationSerializer
from desk.data.exports.forms import TITLES
from estimates.report.newest import newest_report
from jobs.models import Job, State
from jobs.queue import cancel, start_again
from results.exporting import jobs
from results.exporting.choice import EXCLUDED, Choice, choice_in, unknown_in

READS_EXPORTS = {"GET": Needs(Scope.EXPORT, Role.REVIEWER)}


class NewInvitationsSerializer(Body):
    number = Whole(min_value=1, max_value=1000, default=1)
    personal = Truth(default=False, help_text="For one person, who can also return by it.")
    max_uses = Whole(min_value=1, max_value=1_000_000, required=False)
    note = Text(max_length=200, default="", allow_blank=True)


class _Invitations(StudyRows):
    needs: ClassVar = {
        "GET": Needs(Scope.READ, Role.EDITOR),
        "POST": Needs(Scope.WRITE, Role.EDITOR),
    }
    serializer_class = InvitationSerializer

    def rows(self) -> QuerySet[Invitation]:
        return self.study.invitations.select_related("round")


class Invitations(ListMixin, WriteMixin, _Invitations):
    """The links into the study."""

    takes = NewInvitationsSerializer
    answers: ClassVar = {"POST": {201: InvitationSerializer(many=True)}}

    def write(self, request: Request) -> Response:
        """Make links into the study."""
        fields = self.valid(request, NewInvitationsSerializer)
        made = invite_many(study=self.study, created_by=caller(request), **fields)
        return Response(self.shown(made, many=True), status=HTTPStatus.CREATED)


class InvitationView(OneMixin, _Invitations):
    """One link into the study."""


class EndInvitation(WriteMixin, _Invitations):
    """Admit nobody by a link any more."""

    needs: ClassVar = {"POST": Needs(Scope.WRITE, Role.EDITOR)}
    answers: ClassVar = {"POST": {200: InvitationSerializer}}

    def write(self, request: Request) -> Response:
        """End it; those who came by it stay."""
        invitation = get_object_or_404(self.rows(), pk=self.kwargs["id"])
        if not end_invitation(invitation=invitation, now=timezone.now(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This link had ended before.")
        ended = self.rows().get(pk=invitation.pk)
        return Response(InvitationSerializer(ended, context={"request": request}).data)


class EstimatesSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField(allow_null=True)
    outdated = serializers.BooleanField(help_text="Whether answers have changed since.")
    computed_at = serializers.DateTimeField(allow_null=True)
    estimates = serializers.ListField(
        child=serializers.DictField(), help_text="Rows as `report --json` has them."
    )


class Estimates(StudyResource):
    """The figures of the study, as its pages show them."""

    answers: ClassVar = {"GET": {200: EstimatesSerializer, 202: EstimatesSerializer}}

    def get(self, request: Request, slug: str) -> Response:
        """All rows of the report; while they are counted for the first time there are none."""
        report = newest_report(self.study)
        if report is None:
            body: dict[str, Any] = {
                "revision": None,
                "outdated": True,
                "computed_at": None,
                "estimates": [],
            }
            return Response(body, status=HTTPStatus.ACCEPTED, headers={"Retry-After": "5"})
        return Response(
            {
                "revision": report.revision,
                "outdated": report.outdated,
                "computed_at": report.computed_at,
                "estimates": [row.as_json() for row in report.rows],
            }
        )


class NewExportSerializer(Body):
    format = serializers.ChoiceField(choices=list(TITLES))
    consensus = Text(max_length=80, required=False)
    facet = Text(max_length=80, required=False)
    subset = Text(max_length=80, required=False)
    round = Text(max_length=80, required=False)
    excluded = serializers.ChoiceField(choices=[name for name in EXCLUDED if name], required=False)


class _Exports(StudyRows):
    needs: ClassVar = {**READS_EXPORTS, "POST": Needs(Scope.EXPORT, Role.REVIEWER)}
    serializer_class = ExportSerializer
    filters: ClassVar = {"state": Filter("state", "the state", choices=State.values)}

    def rows(self) -> QuerySet[Job]:
        return jobs.exports_of(self.study)


class Exports(ListMixin, WriteMixin, _Exports):
    """The exports that were asked for."""

    takes = NewExportSerializer
    answers: ClassVar = {"POST": {202: ExportSerializer}}

    def write(self, request: Request) -> Response:
        """Let a worker write an export."""
        asked = self.valid(request, NewExportSerializer)
        name = asked.pop("format")
        choice: Choice = choice_in(asked)
        unknown = unknown_in(choice, self.study)
        if unknown:
            field, _, reason = unknown.partition(": ")
            raise Problem(HTTPStatus.CONFLICT, reason, field=field)
        job = jobs.ask_for_export(
            study=self.study, format_name=name, choice=choice, by=caller(request)
        )
        return Response(self.shown(job, many=False), status=HTTPStatus.ACCEPTED)


class ExportView(OneMixin, _Exports):
    """One export."""


class _ChangeOfExport(WriteMixin, _Exports):
    """A button beside an export."""

    needs: ClassVar = {"POST": Needs(Scope.EXPORT, Role.REVIEWER)}
    answers: ClassVar = {"POST": {200: ExportSerializer}}

    def change(self, job: Job, by: User) -> str:
        """Do it; why not, in a sentence, where it was not done."""
        raise NotImplementedError

    def write(self, request: Request) -> Response:
        """Do it, and show the export as it is then."""
        job = get_object_or_404(self.rows(), pk=self.kwargs["id"])
        refusal = self.change(job, caller(request))
        if refusal:
            raise Problem(HTTPStatus.CONFLICT, refusal)
        changed = self.rows().get(pk=job.pk)
        return Response(ExportSerializer(changed, context={"request": request}).data)


class CancelExport(_ChangeOfExport):
    """Stop an export."""

    def change(self, job: Job, by: User) -> str:
        return "" if cancel(job, by=by) else "This export has ended already."


class ExportAgain(_ChangeOfExport):
    """Start an export that did not come to its end once more."""

    def change(self, job: Job, by: User) -> str:
        done = start_again(job, by=by)
        return "" if done else "This export is being written, or is there."


class ExportFile(StudyResource):
    """The file of a finished export."""

    needs: ClassVar = READS_EXPORTS
    answers: ClassVar = {"GET": {(200, "application/zip"): OpenApiTypes.BINARY}}

    def get(self, request: Request, slug: str, id: int) -> HttpResponseBase:  # noqa: A002
        """The file; 404 until it is there, and once it was removed."""
        job = get_object_or_404(jobs.exports_of(self.study), pk=id, state=State.DONE)
        path = jobs.path_of(job)
        if not path.is_file():
            raise Http404("This file is gone. Export again.")
        user, subject = caller(request), job.parameters["format_name"]
        log_change(study=self.study, by=user, action="export.downloaded", subject=subject)
        file = FileResponse(path.open("rb"), content_type="application/zip")
        return as_download(file, f"{slug}-{subject}.zip")
