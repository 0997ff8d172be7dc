"""The team of a study: its members, their links, and the table of who answers what."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.entry.invitations import invite_team
from annotation.models import Study, log_change
from annotation.rounds.team.allotments import Takers, join_team, settle_team, unassigned
from annotation.rounds.team.table import COLUMNS, TableFault, table_rows, take_table
from annotation.views.downloads import as_download
from annotation.work.team import membership
from api.access import Needs, caller
from api.problems import Problem
from api.requests.bodies import Body, Text
from api.resources import Resource, reads, writes
from api.scopes import Scope
from api.serializers.people import NumberSerializer, TeamSerializer
from desk.people.team.forms import NamesForm
from desk.people.team.members import team_members
from desk.people.team.views import MOST_MEMBERS
from exports.csv_text import csv_line

READS, EDITS = Needs(Scope.READ, Role.EDITOR), Needs(Scope.WRITE, Role.EDITOR)
SHOWN = {200: TeamSerializer}
FULL = f"A team has at most {MOST_MEMBERS} members."


class NamesSerializer(Body):
    names = serializers.DictField(
        child=Text(max_length=80, allow_blank=True), help_text="Words for members, by number."
    )


class SettlingSerializer(Body):
    to = serializers.ChoiceField(choices=[each.value for each in Takers])


class ReleaseSerializer(Body):
    round = Text(max_length=80, help_text="Name of the round.")


class TableSerializer(Body):
    table = Text(help_text=f"As CSV with a head: {', '.join(COLUMNS)}.")


class Team(Resource):
    """The members of a study in which each unit is given to named people."""

    lookup_url_kwarg, lookup_value_converter = "id", "int"

    @reads(READS, answers=SHOWN)
    def list(self, request: Request, **_names: Any) -> Response:
        """The members with their links and how far they are; none where the study has no team."""
        return self._shown()

    @writes(EDITS, answers={201: TeamSerializer})
    def create(self, request: Request) -> Response:
        """Take in one member more, and write the table anew."""
        study = self._with_room()
        join_team(study)
        log_change(study=study, by=caller(request), action="team.joined")
        return self._shown(status=HTTPStatus.CREATED)

    @writes(EDITS, answers={200: NumberSerializer})
    @action(detail=False, methods=["post"])
    def links(self, request: Request) -> Response:
        """Make a personal link for each member who has none; how many were made."""
        return Response({"number": invite_team(self._with_team(), by=caller(request))})

    @writes(EDITS, takes=NamesSerializer, answers=SHOWN)
    @action(detail=False, methods=["post"])
    def names(self, request: Request) -> Response:
        """Set the researcher's words for members; others keep theirs."""
        seats = [member.seat for member in team_members(self._with_team())]
        standing = {str(seat.number): seat.name for seat in seats}
        sent = self.valid(request)["names"]
        if unknown := sorted(set(sent) - set(standing)):
            text = f"There is no member {unknown[0]!r}."
            raise Problem(HTTPStatus.CONFLICT, text, field="names")
        form = NamesForm(seats, {**standing, **sent})
        if not form.is_valid():
            raise ValidationError({"names": [str(text) for text in form.errors.values()]})
        form.save()
        return self._shown()

    @writes(EDITS, takes=SettlingSerializer, answers=SHOWN)
    @action(detail=False, methods=["post"])
    def settle(self, request: Request) -> Response:
        """Decide who gives the answers that are in nobody's table."""
        to = Takers(self.valid(request)["to"])
        study = self._with_room() if to == Takers.NEWCOMER else self._with_team()
        settle_team(study, to)
        log_change(study=study, by=caller(request), action="team.settled", subject=to.value)
        return self._shown()

    @writes(EDITS, takes=ReleaseSerializer, answers=SHOWN)
    @action(detail=False, methods=["post"])
    def release(self, request: Request) -> Response:
        """Let the members go on who have answered a calibration."""
        name, study = self.valid(request)["round"], self._with_team()
        round_ = study.rounds.select_related("study").filter(name=name).first()
        if round_ is None:
            raise Problem(HTTPStatus.CONFLICT, f"There is no round {name!r}.", field="round")
        now, by = timezone.now(), caller(request)
        if not membership.release_calibration(round_=round_, now=now, by=by):
            text = "This round is no calibration, or was released before."
            raise Problem(HTTPStatus.CONFLICT, text, field="round")
        return self._shown()

    @writes(EDITS, answers=SHOWN)
    @action(detail=True, methods=["post"])
    def end(self, request: Request) -> Response:
        """Give a member nothing more; answers stay. `id`: the member's number."""
        seats = self._with_team().seats.select_related("participation__study", "study")
        seat = get_object_or_404(seats, number=self.kwargs["id"])
        if not membership.end_membership(seat=seat, by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This member had left before.")
        return self._shown()

    @reads(READS, answers={(200, "text/csv"): OpenApiTypes.STR})
    @action(detail=False)
    def table(self, request: Request, **_names: Any) -> HttpResponse:
        """The table of who answers which unit, as CSV."""
        rows = [COLUMNS, *table_rows(self.study)] if self.study.has_team else [COLUMNS]
        text = "".join(map(csv_line, rows))
        answer = HttpResponse(text, content_type="text/csv; charset=utf-8")
        return as_download(answer, f"{self.study.slug}-team.csv")

    @writes(EDITS, takes=TableSerializer, answers={200: NumberSerializer})
    @table.mapping.put
    def take_table(self, request: Request) -> Response:
        """Let the table be this one; how many rows it has. What members have begun stays."""
        text, study = self.valid(request)["table"], self._with_team()
        try:
            return Response({"number": take_table(study=study, text=text, by=caller(request))})
        except TableFault as fault:
            raise ValidationError({"table": fault.faults}) from fault

    def _with_team(self) -> Study:
        if not self.study.has_team:
            raise Problem(HTTPStatus.CONFLICT, "The study has no team.")
        return self.study

    def _with_room(self) -> Study:
        if self._with_team().team_members >= MOST_MEMBERS:
            raise Problem(HTTPStatus.CONFLICT, FULL)
        return self.study

    def _shown(self, **response: Any) -> Response:
        study = Study.objects.get(pk=self.study.pk)
        members = team_members(study) if study.has_team else []
        left = unassigned(study) if study.has_team else 0
        shown = TeamSerializer(
            {"results": members, "unassigned": left}, context=self.get_serializer_context()
        )
        return Response(shown.data, **response)
