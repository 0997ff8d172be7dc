"""What a study says of itself to others: links to its results, registrations, the rule by which it
closes, and its datasheet."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from pydantic import ValidationError as Misfit
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Study
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Sentence, Text
from api.requests.conditions import just_changed, require_match
from api.requests.filters import by_truth
from api.resources import Resource, Rows, reads, writes
from api.scopes import Scope
from api.serializers.results import (
    RegistrationSerializer,
    ResultsLinkSerializer,
    SheetSerializer,
    StopRuleSerializer,
)
from estimates.report.newest import newest_report
from estimates.report.recount import ask_for_recount
from estimates.report.stopping import set_stop_rule
from files.errors import ImportFailure
from imports.study_file.parts import StopPart
from results.models import Registration, ResultsLink
from results.paper.datasheet.answers import SheetAnswer
from results.paper.datasheet.sheet import Outdated, Sheet, SheetEntry, sheet_of, write_answers
from results.paper.shared.links import NotClosed, make_link, revoke_link
from results.studies.registration import NeedsReason, as_json, register

EDITS, OWNS = Needs(Scope.WRITE, Role.EDITOR), Needs(Scope.WRITE, Role.OWNER)
SHARES = Needs(Scope.MANAGE, Role.OWNER)
LONGEST_ANSWER, MOST_CHOSEN = 20_000, 100


class ResultsLinks(Rows):
    """The links by which anybody may read the results of the closed study."""

    one = "One link to the results."
    needs = Needs(Scope.READ, Role.OWNER)
    serializer_class = ResultsLinkSerializer
    filters: ClassVar = {"works": by_truth("revoked_at__isnull", "whether it still works")}

    def get_queryset(self) -> QuerySet[ResultsLink]:
        return self.study.results_links.all()

    @writes(SHARES, answers={201: ResultsLinkSerializer})
    def create(self, request: Request) -> Response:
        """Make a link to the results without names."""
        with conflicts(NotClosed, said="Close the study first: its figures may still change."):
            link = make_link(study=self.study, by=caller(request))
        return self.shown(link, status=HTTPStatus.CREATED)

    @writes(SHARES, answers={200: ResultsLinkSerializer})
    @action(detail=True, methods=["post"])
    def revoke(self, request: Request) -> Response:
        """Let nobody read by a link any more."""
        if not revoke_link(link=self.get_object(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This link works no more.")
        return self.shown(self.get_object())


class NewRegistrationSerializer(Body):
    reason = Text(
        max_length=2_000, default="", allow_blank=True, help_text="Why it is registered again."
    )


class Registrations(Rows):
    """The study as it was registered, each time."""

    one = "One registration."
    needs = Needs(Scope.READ, Role.EDITOR)
    serializer_class = RegistrationSerializer

    def get_queryset(self) -> QuerySet[Registration]:
        return self.study.registrations.all()

    @writes(OWNS, takes=NewRegistrationSerializer, answers={201: RegistrationSerializer})
    def create(self, request: Request) -> Response:
        """Register the study as it stands. What was registered cannot be changed."""
        with conflicts(NeedsReason, field="reason", said="Say why it is registered again."):
            row = register(study=self.study, by=caller(request), **self.valid(request))
        return self.shown(row, status=HTTPStatus.CREATED)

    @reads(Needs(Scope.READ, Role.EDITOR), answers={200: OpenApiTypes.OBJECT})
    @action(detail=True)
    def file(self, request: Request, **_names: Any) -> Response:
        """All that was registered."""
        return Response(as_json(self.get_object()))


class NewStopRuleSerializer(Body):
    rule = serializers.DictField(
        help_text="metric, perhaps facet, raters and group, and either half_width or excludes, as "
        "the key `stop` of a study file has them; empty: none."
    )


class StopRule(Resource):
    """The rule by which the study closes by itself."""

    @reads(Needs(Scope.READ, Role.EDITOR), answers={200: StopRuleSerializer})
    def retrieve(self, request: Request, **_names: Any) -> Response:
        """The rule, and each time that one closed the study."""
        return self._shown()

    @writes(EDITS, takes=NewStopRuleSerializer, answers={200: StopRuleSerializer})
    def update(self, request: Request) -> Response:
        """Set another rule, or none."""
        sent = self.valid(request)["rule"]
        try:
            rule = StopPart.model_validate(sent).as_stored() if sent else {}
        except Misfit as error:
            raise ImportFailure.of("rule", error, within="rule") from error
        set_stop_rule(study=self.study, rule=rule, by=caller(request))
        if rule and self.study.state == Study.State.OPEN:
            ask_for_recount(study=self.study)
        return self._shown()

    def _shown(self) -> Response:
        study = Study.objects.get(pk=self.study.pk)
        return Response({"rule": study.stop_rule, "stops": study.stops})


class WrittenSerializer(Body):
    text = Text(max_length=LONGEST_ANSWER, default="", allow_blank=True)
    chosen = serializers.ListField(child=Text(max_length=500), max_length=MOST_CHOSEN, default=list)


class SheetPartSerializer(Body):
    part = Sentence(max_length=200, help_text="Key of the part.")
    answers = serializers.DictField(
        child=WrittenSerializer(), help_text="By the key of the question."
    )


class DataSheet(Resource):
    """The datasheet of the study: what a reader of its figures asks, with answers."""

    @reads(Needs(), answers={200: SheetSerializer})
    def retrieve(self, request: Request, **_names: Any) -> Response:
        """The sheet, with whose each answer is. 409 while nothing has been counted yet."""
        return self._shown(self._sheet())

    @writes(EDITS, takes=SheetPartSerializer, answers={200: SheetSerializer}, matches=True)
    def update(self, request: Request) -> Response:
        """Answer questions of one part, if nobody has changed the sheet since it was read."""
        sent, sheet = self.valid(request), self._sheet()
        require_match(request, _tag(sheet))
        part = next((part for part in sheet.parts if part.key == sent["part"]), None)
        if part is None:
            raise Problem(HTTPStatus.CONFLICT, "The sheet has no such part.", field="part")
        entries = {entry.key: entry for entry in part.entries}
        for key in sent["answers"]:
            if key not in entries:
                text = f"This part has no question {key!r}."
                raise Problem(HTTPStatus.CONFLICT, text, field="answers")
        answers = {key: _answer(entries[key], written) for key, written in sent["answers"].items()}
        try:
            write_answers(
                study=self.study,
                part=part,
                answers=answers,
                edition=sheet.edition,
                by=caller(request),
            )
        except Outdated as error:
            raise just_changed() from error
        return self._shown(self._sheet())

    def _sheet(self) -> Sheet:
        report = newest_report(self.study)
        if report is None:
            raise Problem(HTTPStatus.CONFLICT, "Nothing has been counted yet. Ask again soon.")
        return sheet_of(report)

    def _shown(self, sheet: Sheet) -> Response:
        record = sheet.as_json()
        for part, section in zip(sheet.parts, record["sections"], strict=True):
            section["key"] = part.key
            for entry, answer in zip(part.entries, section["answers"], strict=True):
                answer["key"] = entry.key
        return Response({"sections": record["sections"]}, headers={"ETag": _tag(sheet)})


def _answer(entry: SheetEntry, written: dict[str, Any]) -> SheetAnswer:
    options, chosen = entry.question.options, tuple(written["chosen"])
    many = len(chosen) > 1 and not entry.question.several
    if many or not set(chosen) <= set(options):
        text = f"{entry.key}: choose {'some' if entry.question.several else 'one'} of its options."
        raise ValidationError({"answers": text})
    return SheetAnswer(written["text"].strip(), chosen)


def _tag(sheet: Sheet) -> str:
    return f'"{sheet.revision}-{sheet.edition}"'
