"""Studies made of the files of other tools and of published data sets."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, ClassVar

from django import forms
from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import Needs, caller
from api.problems import Problem
from api.requests.bodies import Body, Truth
from api.requests.filters import Filter
from api.requests.json_body import JsonBody
from api.resources import Rows, link_to, reads, writes
from api.scopes import Scope
from api.serializers.machines import ImportSerializer
from api.views.readings import refuse_length, refuse_others
from files.errors import ImportFailure
from imports.uploads import kept_upload
from jobs.models import JobState
from jobs.queue import cancel
from set_up.imports import jobs
from set_up.imports.skipped_rows import download
from set_up.imports.tool_files import remove_files
from set_up.imports.tool_studies import offered_format, offered_formats
from set_up.models import ImportJob
from set_up.new_study.file_forms import with_slug
from set_up.new_study.from_tool import FromToolForm, uploads_of
from set_up.new_study.upload_limit import early_status, refused_status

MAKES = Needs(Scope.WRITE)
# Of a form every text is read as yes.
SWITCHES = {"keep_names", "skip"}
FORMATS = [name for group in offered_formats().values() for name in group]
JSON_BODY: dict[str, Any] = {"parser_classes": [JsonBody], "takes_files": False}


class ImportedFilesSerializer(serializers.Serializer[Any]):
    format = serializers.ChoiceField(choices=FORMATS)
    title = serializers.CharField(max_length=200)
    slug = serializers.CharField(max_length=80, required=False, help_text="Else of the title.")
    file = serializers.ListField(
        child=serializers.FileField(),
        required=False,
        help_text="One part for each file; a ZIP file of a folder. Or `address`.",
    )
    address = serializers.CharField(
        max_length=300, required=False, help_text="Of a dataset on the Hugging Face Hub."
    )
    config = serializers.CharField(max_length=200, required=False)
    split = serializers.CharField(max_length=200, required=False)
    columns = serializers.FileField(required=False, help_text="A map of columns, as YAML.")
    chains = serializers.FileField(required=False, help_text="Of human evidence chains.")
    task_type = serializers.CharField(
        max_length=80, required=False, help_text="What is asked about rows without answers."
    )
    text = serializers.CharField(
        max_length=200, required=False, help_text="The field with the outputs."
    )
    keep_names = serializers.BooleanField(required=False, help_text="Name people as in the files.")
    skip = serializers.BooleanField(
        required=False, help_text="Leave out records that do not fit, and import the rest."
    )


def _truth(switch: str, text: str) -> bool:
    try:
        return bool(serializers.BooleanField().run_validation(text))
    except ValidationError as error:
        raise ValidationError({switch: error.detail}) from error


class AgainSerializer(Body):
    leave_out = Truth(default=False, help_text="Leave out rows that do not fit.")


class Imports(Rows):
    """The imports that the token's owner asked for."""

    one = "One import."
    needs = MAKES
    serializer_class = ImportSerializer
    parser_classes: ClassVar = [MultiPartParser]
    takes_files = True
    filters: ClassVar = {"state": Filter("state", "the state", choices=JobState.values)}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """A token for one study makes no other, and sees none made."""
        super().initial(request, *args, **kwargs)
        refuse_others(request)

    def get_queryset(self) -> QuerySet[ImportJob]:
        return ImportJob.objects.filter(owner=caller(self.request)).select_related("study")

    @reads(MAKES, takes=ImportedFilesSerializer, answers={202: ImportSerializer})
    def create(self, request: Request) -> Response:
        """Make a study of the files of another tool, as `import_study` does. The study is at
        `Location` when it is whole."""
        refuse_length(request, early_status(request._request))
        files = uploads_of(request._request)
        try:
            refuse_length(request, refused_status(request._request))
            job = self._asked(request, files)
        except BaseException:
            remove_files(files.values())
            raise
        there = {"Location": link_to(request, reverse("api:imports-detail", args=[job.pk]))}
        return self.shown(job, status=HTTPStatus.ACCEPTED, headers=there)

    def _asked(self, request: Request, files: Mapping[str, str]) -> ImportJob:
        name = str(request._request.POST.get("format", ""))
        kind = offered_format(name)
        if kind is None:
            raise ValidationError({"format": f"One of: {', '.join(FORMATS)}."})
        typed = with_slug(request._request.POST)
        for switch in SWITCHES.intersection(typed):
            typed[switch] = str(_truth(switch, typed[switch]))
        form = FromToolForm(kind, typed, request._request.FILES)
        if not form.is_valid():
            raise ValidationError(_errors(form))
        try:
            return jobs.ask_for_tool_import(
                format_name=name,
                files=files,
                keys=form.keys,
                strict=not form.cleaned_data["skip"],
                by=caller(request),
            )
        except ImportFailure as failure:  # with the file and the line
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(failure), field="file") from failure

    @writes(MAKES, answers={200: ImportSerializer})
    @action(detail=True, methods=["post"], **JSON_BODY)
    def cancel(self, request: Request) -> Response:
        """Stop an import."""
        if not cancel(self.get_object(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This import has ended already.")
        return self.shown(self.get_object())

    @writes(MAKES, takes=AgainSerializer, answers={200: ImportSerializer})
    @action(detail=True, methods=["post"], **JSON_BODY)
    def again(self, request: Request) -> Response:
        """Start an import that did not come to its end once more."""
        leave_out = self.valid(request)["leave_out"]
        if not jobs.start_again(job=self.get_object(), leave_out=leave_out):
            raise Problem(HTTPStatus.CONFLICT, "This import is under way, or has made its study.")
        return self.shown(self.get_object())

    @reads(MAKES, answers={(200, "application/x-ndjson"): OpenApiTypes.STR})
    @action(detail=True)
    def skipped(self, request: Request, **_names: Any) -> HttpResponseBase:
        """Every record that was left out, with the reason."""
        path = kept_upload(self.get_object().skipped_digest)
        if path is None:
            raise Http404("No record was left out, or the list is no longer kept.")
        return download(path, "skipped.jsonl")


def _errors(form: forms.Form) -> dict[str, list[str]]:
    return {
        "detail" if name == "__all__" else name: [*map(str, texts)]
        for name, texts in form.errors.items()
    }
