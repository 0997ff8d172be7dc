"""Studies, their rounds, and what their file says; making, opening, pausing and closing them."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.backends import MAKE_STUDIES
from annotation.access import Role
from annotation.entry.invitations import invite_qualified
from annotation.models import Round, Study, log_change
from annotation.rounds.opening import NotReady, close_study, open_study, pause_study, resume_study
from api.access import Needs, caller, token_with
from api.problems import Problem, conflicts
from api.requests.bodies import NO_OBJECT, Body, Slug, Text
from api.requests.conditions import just_changed, require_match
from api.requests.filters import Filter, by_truth
from api.resources import Rows, link_to, reads, writes
from api.scopes import Scope
from api.serializers.material import RoundSerializer, StudySerializer
from api.serializers.people import LinkSerializer, NumberSerializer
from api.study_keys import made_study
from desk.studies.archive import (
    NotRemovable,
    StillOpen,
    archive_study,
    delete_study,
    unarchive_study,
)
from desk.studies.tryouts import NothingToTry, try_out
from imports.study_file.writing import as_yaml, study_keys, study_yaml
from set_up.steps.review_points import UNPAID
from set_up.study_files.application import JustChanged, edit_study, version_of

OWNS = Needs(Scope.WRITE, Role.OWNER)
MANAGES = Needs(Scope.MANAGE, Role.OWNER)
CHANGED = {200: StudySerializer}


class NewStudySerializer(serializers.Serializer[Any]):
    """The keys of a study file; of `items` the records themselves instead of names of files."""

    default_error_messages = NO_OBJECT
    # Other keys are those of a study file, which says by itself what it does not know.

    slug = Slug(max_length=80)
    title = Text(max_length=200)
    items = serializers.ListField(child=serializers.JSONField(), required=False, max_length=10_000)


class DeletionSerializer(Body):
    slug = Text(max_length=80, help_text="That of the study, to confirm.")


class EditedSerializer(serializers.Serializer[Any]):
    changed = serializers.ListField(child=serializers.CharField(), help_text="What was changed.")
    difference = serializers.ListField(
        child=serializers.CharField(), help_text="Of the file, line by line."
    )
    applied = serializers.BooleanField(help_text="False where `check` was sent.")


class Studies(Rows):
    """The studies of the token's owner; a token for one study sees that one."""

    one = "One study."
    serializer_class = StudySerializer
    lookup_url_kwarg, lookup_value_converter = "slug", "slug"
    filters: ClassVar = {
        "state": Filter("state", "the state", choices=Study.State.values),
        "listed": by_truth("archived_at__isnull", "whether it is on the lists: not archived"),
        "title": Filter("title__icontains", "a part of the title"),
    }

    def get_queryset(self) -> QuerySet[Study]:
        token = token_with(self.request, Scope.READ)
        rows = Study.objects.filter(members__user=token.owner_id, tryout_of=None)
        if token.study_id is not None:
            rows = rows.filter(pk=token.study_id)
        return rows.annotate(role=F("members__role"))

    def get_object(self) -> Study:
        """With what the caller may do in it."""
        return self.study

    @writes(Needs(Scope.WRITE), takes=NewStudySerializer, answers={201: StudySerializer})
    def create(self, request: Request) -> Response:
        """Make a study from the keys of a study file."""
        if token_with(request, Scope.WRITE).study_id is not None:
            raise PermissionDenied("This token is for one study and makes no other.")
        if not caller(request).has_perm(MAKE_STUDIES):
            raise PermissionDenied("This account may not make studies.")
        self.valid(request)
        study = made_study(keys=request.data, by=caller(request))
        study.viewer = study.members.get(user=caller(request))
        there = {"Location": link_to(request, reverse("api:studies-detail", args=[study.slug]))}
        return self.shown(study, status=HTTPStatus.CREATED, headers=there)

    @reads(Needs(Scope.READ, Role.EDITOR), answers={200: OpenApiTypes.OBJECT})
    @action(detail=True)
    def file(self, request: Request, slug: str) -> Response:
        """The keys of the study's file."""
        keys = study_keys(self.study)
        return Response(keys, headers={"ETag": f'"{version_of(as_yaml(keys))}"'})

    @writes(
        Needs(Scope.WRITE, Role.EDITOR),
        takes=OpenApiTypes.OBJECT,
        answers={200: EditedSerializer},
        parameters={"check": by_truth("", "only say what would change")},
        matches=True,
    )
    @file.mapping.put
    def change_file(self, request: Request) -> Response:
        """Change the study to what a file says, if nobody has changed it since it was read. What
        cannot change any more is refused, and nothing is changed then."""
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

    @writes(OWNS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def open(self, request: Request) -> Response:
        """Let workers in."""
        try:
            open_study(study=self.study, by=caller(request))
        except NotReady as not_ready:
            return self._now(f"Not opened. Missing: {'; '.join(not_ready.missing)}.")
        return self._now()

    @writes(OWNS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def close(self, request: Request) -> Response:
        """Give out no more batches. Open ones may still be submitted."""
        close_study(study=self.study, by=caller(request))
        return self._now()

    @writes(OWNS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def pause(self, request: Request) -> Response:
        """Let nobody begin for a while."""
        done = pause_study(study=self.study, by=caller(request), now=timezone.now())
        return self._now("" if done else "The study is not open, or paused already.")

    @writes(OWNS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request) -> Response:
        """Let people begin again after a pause."""
        done = resume_study(study=self.study, by=caller(request))
        return self._now("" if done else "The study is not paused.")

    @writes(MANAGES, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def archive(self, request: Request) -> Response:
        """Leave a closed study, or a draft, out of lists. Nothing is deleted."""
        with conflicts(StillOpen, said="Close the study first: people could still start."):
            archive_study(study=self.study, by=caller(request))
        return self._now()

    @writes(MANAGES, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def unarchive(self, request: Request) -> Response:
        """Bring an archived study back to the lists."""
        unarchive_study(study=self.study, by=caller(request))
        return self._now()

    @writes(MANAGES, takes=DeletionSerializer, answers=CHANGED)
    # No method is called `delete`: it would answer the method of HTTP.
    @action(detail=True, methods=["post"], url_path="delete", url_name="delete")
    def delete_draft(self, request: Request) -> Response:
        """Delete a draft without answers, with its material; the study as it was. Others can be
        archived."""
        answer = self._now()
        with conflicts(NotRemovable):
            delete_study(study=self.study, by=caller(request), typed=self.valid(request)["slug"])
        return answer

    @writes(Needs(Scope.WRITE, Role.EDITOR), answers=CHANGED)
    @action(detail=True, methods=["post"])
    def unpaid(self, request: Request) -> Response:
        """Note that nobody is paid, and that this is meant."""
        log_change(study=self.study, by=caller(request), action=UNPAID)
        return self._now()

    @writes(Needs(Scope.WRITE, Role.EDITOR), answers={201: LinkSerializer}, secrets=("link",))
    @action(detail=True, methods=["post"], url_path="try-out")
    def try_out(self, request: Request) -> Response:
        """Make a copy in which nothing counts, and a link by which the caller works through it as
        a worker does. The copy of an earlier try is removed."""
        with conflicts(NothingToTry, said="This study has no rounds to work in."):
            copy = try_out(study=self.study, by=caller(request))
        link = link_to(request, reverse("annotation:return", args=[copy.token]))
        return Response({"link": link}, status=HTTPStatus.CREATED)

    def _now(self, refusal: str = "") -> Response:
        """The study as it is then, or why nothing was done."""
        if refusal:
            raise Problem(HTTPStatus.CONFLICT, refusal)
        study = Study.objects.get(pk=self.study.pk)
        study.viewer = self.study.viewer
        return self.shown(study)


class Rounds(Rows):
    """The rounds: stages with their batches, rules and pay."""

    one = "One round."
    serializer_class = RoundSerializer

    def get_queryset(self) -> QuerySet[Round]:
        return self.study.rounds.all()

    @writes(Needs(Scope.WRITE, Role.EDITOR), answers={200: NumberSerializer})
    @action(detail=True, methods=["post"], url_path="invite-qualified")
    def invite_qualified(self, request: Request) -> Response:
        """Let everybody into the round who has passed the one before it; how many."""
        invited = invite_qualified(round_=self.get_object(), created_by=caller(request))
        return Response({"number": len(invited)})
