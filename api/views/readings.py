"""Files of any form: how they are read, and the study that is made of them."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from pydantic import ValidationError as Misfit
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.backends import MAKE_STUDIES
from api.access import Needs, caller, token_with
from api.problems import Problem
from api.requests.bodies import Body, Slug, Text, Truth
from api.requests.json_body import JsonBody
from api.resources import Resource, link_to, reads, writes
from api.scopes import Scope
from files.errors import ImportFailure
from files.reading.model import Reading
from set_up.imports.jobs import ask_for_results, last_import
from set_up.imports.tool_files import remove_files
from set_up.models import NewStudy
from set_up.new_study.found_files import (
    decide,
    found_in,
    keep_found,
    name_results,
    take_files,
)
from set_up.new_study.upload_limit import early_status, reason_of, refused_status

MAKES = Needs(Scope.WRITE)
OBJECT = {"type": "object", "additionalProperties": True}


@extend_schema_field(OBJECT)
class AnyObject(serializers.JSONField):
    """An object whose keys are described elsewhere."""


class FilesSerializer(serializers.Serializer[Any]):
    files = serializers.ListField(
        child=serializers.FileField(),
        min_length=1,
        help_text="One part for each file; a ZIP file of a folder.",
    )


class ReadFilesSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    sentence = serializers.CharField(help_text="How the files are read, in words.")
    reading = AnyObject(help_text="The reading, as `--reading` takes it.")
    counts = AnyObject(help_text="What it finds in the first rows.")
    questions = serializers.ListField(
        child=AnyObject(), help_text="What the files leave open, each with its choices."
    )
    remarks = serializers.ListField(child=AnyObject(), help_text="To know before the import.")
    state = serializers.CharField(help_text="Of the import of its study; empty before that.")
    reason = serializers.CharField(help_text="Why that has failed.")


class NewResultsSerializer(Body):
    title = Text(max_length=200)
    slug = Slug(max_length=80)
    reading = AnyObject(required=False, help_text="Another reading than the proposed one.")
    decided = serializers.DictField(
        child=Text(max_length=200), required=False, help_text="Question to choice, by their keys."
    )
    task_type = Text(
        max_length=80, required=False, help_text="What is asked about texts without answers."
    )
    keep_names = Truth(required=False, help_text="Name people as in the files.")


class Readings(Resource):
    """Files that were sent, with the reading that they propose. They are kept for 14 days, or until
    their study is made."""

    needs = MAKES
    parser_classes: ClassVar = [MultiPartParser]
    lookup_url_kwarg, lookup_value_converter = "id", "int"
    takes_files = True

    @reads(MAKES, takes=FilesSerializer, answers={201: ReadFilesSerializer})
    def create(self, request: Request) -> Response:
        """Send files; they are read, and nothing is imported yet."""
        refuse_others(request)
        refuse_length(request, early_status(request._request))
        files = request.FILES.getlist("files")
        tokens = [str(getattr(file, "digest", "")) for file in files]
        try:
            draft = self._begun([str(file.name) for file in files], tokens)
        except BaseException:
            remove_files(tokens)
            raise
        there = {"Location": link_to(request, reverse("api:readings-detail", args=[draft.pk]))}
        return Response(_shown(draft), status=HTTPStatus.CREATED, headers=there)

    def _begun(self, names: list[str], tokens: list[str]) -> NewStudy:
        refuse_length(self.request, refused_status(self.request._request))
        if not names or len(set(names)) < len(names):
            raise ValidationError({"files": "Send at least one file, and no two of one name."})
        uploads = dict(zip(names, tokens, strict=True))
        try:
            return take_files(draft=NewStudy(owner=caller(self.request)), uploads=uploads)
        except ImportFailure as failure:  # with the file and the line
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(failure), field="files") from failure

    @reads(MAKES, answers={200: ReadFilesSerializer})
    def retrieve(self, request: Request, **_names: Any) -> Response:
        """How the files are read, and what became of the import of their study."""
        refuse_others(request)
        return Response(_shown(self._draft))

    @writes(MAKES, takes=NewResultsSerializer, answers={202: ReadFilesSerializer})
    @action(detail=True, methods=["post"], parser_classes=[JsonBody], takes_files=False)
    def study(self, request: Request) -> Response:
        """Make a study of the files with their answers, or a draft of texts without any that asks
        `task_type` about them. `Location` is its address, which is 404 until it is whole. 409 where
        a question is open."""
        refuse_others(request)
        draft, sent = self._draft, self.valid(request)
        _take_reading(draft, sent)
        title, slug, kind = sent["title"], sent["slug"], sent.get("task_type", "")
        _refuse_kind(draft, kind)
        keep_names = sent.get("keep_names", False)
        name_results(draft=draft, title=title, slug=slug, keep_names=keep_names, kind=kind)
        ask_for_results(draft=draft, by=caller(request))
        there = {"Location": link_to(request, reverse("api:studies-detail", args=[slug]))}
        return Response(_shown(draft), status=HTTPStatus.ACCEPTED, headers=there)

    @writes(MAKES, answers={200: ReadFilesSerializer})
    @action(detail=True, methods=["post"], parser_classes=[JsonBody], takes_files=False)
    def remove(self, request: Request) -> Response:
        """Remove the files before a study is made of them; how they were read."""
        refuse_others(request)
        draft = self._draft
        job = last_import(draft.pk)
        if job is not None and job.is_under_way:
            raise Problem(HTTPStatus.CONFLICT, "A study is being made of them: cancel that first.")
        answer = Response(_shown(draft))
        draft.delete()
        return answer

    @property
    def _draft(self) -> NewStudy:
        drafts = NewStudy.objects.exclude(uploads={})
        return get_object_or_404(drafts, pk=self.kwargs["id"], owner=caller(self.request))


def refuse_length(request: Request, status: int) -> None:
    """Problem with that status, unless it is 0: the files are too large."""
    if status:
        raise Problem(HTTPStatus(status), reason_of(request._request, status))


def refuse_others(request: Request) -> None:
    """PermissionDenied for whoever may make no study by this token."""
    if token_with(request, Scope.WRITE).study_id is not None:
        raise PermissionDenied("This token is for one study and makes no other.")
    if not caller(request).has_perm(MAKE_STUDIES):
        raise PermissionDenied("This account may not make studies.")


def _take_reading(draft: NewStudy, sent: dict[str, Any]) -> None:
    """Read the files as the body says. Problem where a question is open then."""
    found = found_in(draft)
    if "reading" in sent:
        try:
            reading = Reading.model_validate(sent["reading"])
        except Misfit as error:
            raise ImportFailure.of("reading", error, within="reading") from error
        keep_found(draft, found, reading=reading)
        return
    if decided := sent.get("decided", {}):
        found = decide(draft, found, decided)
    if found.proposal.questions:
        keys = ", ".join(question.key for question in found.proposal.questions)
        text = f"Decide first, by `decided` or a `reading`: {keys}."
        raise Problem(HTTPStatus.CONFLICT, text, field="decided")


def _refuse_kind(draft: NewStudy, kind: str) -> None:
    """Problem where it is not known what is asked about texts, or answers are there already."""
    has_answers = bool(found_in(draft).reading.answers)
    if has_answers != bool(kind):
        return
    told = (
        "The files hold answers: leave `task_type` out, or send a `reading` without `answers`."
        if has_answers
        else "The files hold no answers: say by `task_type` what is asked about their texts."
    )
    raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, told, field="task_type")


def _shown(draft: NewStudy) -> dict[str, Any]:
    found, job = found_in(draft), last_import(draft.pk)
    record: dict[str, Any] = found.proposal.model_dump(mode="json")
    about = {"state": "" if job is None else job.state, "reason": "" if job is None else job.reason}
    return {"id": draft.pk, **record, "reading": draft.found["reading"], **about}
