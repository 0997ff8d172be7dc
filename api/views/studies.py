"""Studies, their rounds, and what their file says; making, opening, pausing and closing them."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.backends import MAKE_STUDIES
from annotation.access import Role
from annotation.models import Round, Study, User
from annotation.rounds.opening import NotReady, close_study, open_study, pause_study, resume_study
from api.access import Needs, caller, token_with
from api.bodies import NO_OBJECT, Slug, Text
from api.conditions import just_changed, require_match
from api.filters import Filter, by_truth
from api.problems import Problem
from api.resources import (
    ListMixin,
    OneMixin,
    StudyResource,
    StudyRows,
    WriteMixin,
    Writing,
    link_to,
)
from api.scopes import Scope
from api.serializers.material import RoundSerializer, StudySerializer
from api.study_keys import made_study
from desk.set_up.study_files.application import JustChanged, edit_study, version_of
from imports.study_file.writing import as_yaml, study_keys, study_yaml

WRITES = Needs(Scope.WRITE, Role.OWNER)


class NewStudySerializer(serializers.Serializer[Any]):
    """The keys of a study file; of `items` the records themselves instead of names of files."""

    default_error_messages = NO_OBJECT
    # Other keys are those of a study file, which says by itself what it does not know.

    slug = Slug(max_length=80)
    title = Text(max_length=200)
    items = serializers.ListField(child=serializers.JSONField(), required=False, max_length=10_000)


class Studies(ListMixin, WriteMixin):
    """The studies of the token's owner; a token for one study sees that one."""

    needs: ClassVar = {"GET": Needs(), "POST": Needs(Scope.WRITE)}
    takes = NewStudySerializer
    answers: ClassVar = {"POST": {201: StudySerializer}}
    serializer_class = StudySerializer
    filters: ClassVar = {
        "state": Filter("state", "the state", choices=Study.State.values),
        "title": Filter("title__icontains", "a part of the title"),
    }

    def rows(self) -> QuerySet[Study]:
        token = token_with(self.request, Scope.READ)
        rows = Study.objects.filter(members__user=token.owner_id, tryout_of=None)
        if token.study_id is not None:
            rows = rows.filter(pk=token.study_id)
        return rows.annotate(role=F("members__role"))

    def write(self, request: Request) -> Response:
        """Make a study from the keys of a study file."""
        if token_with(request, Scope.WRITE).study_id is not None:
            raise PermissionDenied("This token is for one study and makes no other.")
        if not caller(request).has_perm(MAKE_STUDIES):
            raise PermissionDenied("This account may not make studies.")
        self.valid(request, NewStudySerializer)
        study = made_study(keys=request.data, by=caller(request))
        study.viewer = study.members.get(user=caller(request))
        there = {"Location": link_to(request, reverse("api:study", args=[study.slug]))}
        return Response(self.shown(study, many=False), status=HTTPStatus.CREATED, headers=there)


class StudyView(OneMixin, StudyRows):
    """One study."""

    serializer_class = StudySerializer

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.shown(self.study, many=False))


class EditedSerializer(serializers.Serializer[Any]):
    changed = serializers.ListField(child=serializers.CharField(), help_text="What was changed.")
    difference = serializers.ListField(
        child=serializers.CharField(), help_text="Of the file, line by line."
    )
    applied = serializers.BooleanField(help_text="False where `check` was sent.")


class StudyFile(StudyResource, Writing):
    """The keys of the study's file."""

    serializer_class = EditedSerializer

    needs: ClassVar = {
        "GET": Needs(Scope.READ, Role.EDITOR),
        "PUT": Needs(Scope.WRITE, Role.EDITOR),
    }
    answers: ClassVar = {"GET": {200: OpenApiTypes.OBJECT}, "PUT": {200: EditedSerializer}}
    takes = OpenApiTypes.OBJECT
    matches = True
    parameters: ClassVar = {"PUT": {"check": by_truth("", "only say what would change")}}

    def get(self, request: Request, slug: str) -> Response:
        keys = study_keys(self.study)
        return Response(keys, headers={"ETag": f'"{version_of(as_yaml(keys))}"'})

    def put(self, request: Request, slug: str) -> Response:
        """Change the study to what a file says, if nobody has changed it since it was read. What
        cannot change any more is refused, and nothing is changed then."""
        return self.once(request)

    def write(self, request: Request) -> Response:
        """Apply the file, or say what it would change."""
        if not isinstance(request.data, dict):
            raise ValidationError({"detail": NO_OBJECT["invalid"]})
        check = self.parameter("check", default=False)
        version = version_of(study_yaml(self.study))
        require_match(request, f'"{version}"')
        try:
            edited = edit_study(
                study=self.study,
                text=as_yaml(request.data),
                version=version,
                keep=not check,
                by=caller(request),
            )
        except JustChanged as error:
            raise just_changed() from error
        tag = version_of(study_yaml(Study.objects.get(pk=self.study.pk)))
        rows = {"changed": edited.changed, "difference": edited.difference, "applied": not check}
        return Response(rows, headers={"ETag": f'"{tag}"'})


class _Rounds(StudyRows):
    serializer_class = RoundSerializer

    def rows(self) -> QuerySet[Round]:
        return self.study.rounds.all()


class Rounds(ListMixin, _Rounds):
    """The rounds: stages with their batches, rules and pay."""


class RoundView(OneMixin, _Rounds):
    """One round."""


Change = Callable[[Study, User], object]


class _ChangeOfState(StudyResource, WriteMixin):
    """A button of the study's page."""

    needs: ClassVar = {"POST": WRITES}
    answers: ClassVar = {"POST": {200: StudySerializer}}
    serializer_class = StudySerializer

    def change(self, study: Study, by: User) -> str:
        """Do it; why not, in a sentence, where it was not done."""
        raise NotImplementedError

    def write(self, request: Request) -> Response:
        """Do it, and show the study as it is then."""
        refusal = self.change(self.study, caller(request))
        if refusal:
            raise Problem(HTTPStatus.CONFLICT, refusal)
        viewer = self.study.viewer
        study = Study.objects.get(pk=self.study.pk)
        study.viewer = viewer
        return Response(StudySerializer(study, context={"request": request}).data)


class Open(_ChangeOfState):
    """Let workers in."""

    def change(self, study: Study, by: User) -> str:
        try:
            open_study(study=study, by=by)
        except NotReady as not_ready:
            return f"Not opened. Missing: {'; '.join(not_ready.missing)}."
        return ""


class Close(_ChangeOfState):
    """Give out no more batches. Open ones may still be submitted."""

    def change(self, study: Study, by: User) -> str:
        close_study(study=study, by=by)
        return ""


class Pause(_ChangeOfState):
    """Let nobody begin for a while."""

    def change(self, study: Study, by: User) -> str:
        done = pause_study(study=study, by=by, now=timezone.now())
        return "" if done else "The study is not open, or paused already."


class Resume(_ChangeOfState):
    """Let people begin again after a pause."""

    def change(self, study: Study, by: User) -> str:
        return "" if resume_study(study=study, by=by) else "The study is not paused."
