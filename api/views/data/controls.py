"""Controls: proposing, checking, picking and disabling them, and making one of a decided unit."""

from http import HTTPStatus
from typing import ClassVar, get_args

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Round, Unit
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Text, Truth, Whole
from api.requests.filters import Filter
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.data import ControlSerializer
from set_up.controls.promotion import CannotPromote, promote_to_control
from set_up.controls.proposals import (
    JustMet,
    NoRound,
    NotInUse,
    NotProposed,
    TooFew,
    check_control,
    propose_controls,
    retire_control,
)
from set_up.steps.picks import ROLES, Pick, pick_units, undo_pick, units_to_pick
from set_up.study_files.application import JustChanged
from tasktypes.plans import ControlPool

EDITS = Needs(Scope.WRITE, Role.EDITOR)
MOST_PICKED, MOST_PROPOSED = 1_000, 1_000
CHANGED = {200: ControlSerializer}
UNIT = {"max_length": 300, "help_text": "Key of the unit."}


class ProposalSerializer(Body):
    round = Text(max_length=80, help_text="Name of the round.")
    positive = Whole(min_value=0, max_value=MOST_PROPOSED, default=0)
    negative = Whole(min_value=0, max_value=MOST_PROPOSED, default=0)
    pool = serializers.ChoiceField(choices=list(get_args(ControlPool)), default="one_passage")
    seed = Whole(min_value=0, max_value=2**31 - 1, default=1)


class CheckSerializer(Body):
    valid = Truth(help_text="False rejects it.")


class PromotionSerializer(Body):
    unit = Text(**UNIT)
    kind = serializers.ChoiceField(choices=["positive", "negative"])
    round = Text(max_length=80, help_text="Name of the round.")


class OnePickSerializer(Body):
    unit = Text(**UNIT)
    answers = serializers.DictField(
        child=serializers.DictField(), help_text="The right answers by the key of the block."
    )
    reasons = Text(max_length=10_000, default="", allow_blank=True)


class PicksSerializer(Body):
    role = serializers.ChoiceField(choices=[name for name, _ in ROLES])
    round = Text(max_length=80, default="", allow_blank=True, help_text="Name of the round.")
    picks = serializers.ListField(child=OnePickSerializer(), min_length=1, max_length=MOST_PICKED)


class PutBackSerializer(Body):
    unit = Text(**UNIT)


class Controls(Rows):
    """The controls: units whose right answer is known."""

    one = "One control."
    needs = Needs(Scope.READ, Role.EDITOR)
    serializer_class = ControlSerializer
    filters: ClassVar = {
        "key": Filter("key", "the key of the unit"),
        "role": Filter("role", "its kind", choices=[str(role) for role in Unit.CONTROLS]),
        "check_state": Filter("check_state", "how far it is", choices=Unit.Check.values),
    }

    def get_queryset(self) -> QuerySet[Unit]:
        rows = self.study.units.filter(role__in=Unit.CONTROLS)
        return rows.select_related("source", "study")

    @writes(EDITS, takes=ProposalSerializer, answers={201: ControlSerializer(many=True)})
    def create(self, request: Request) -> Response:
        """Propose controls made of units that nobody has met: all of them or none. They count once
        each was checked."""
        sent = self.valid(request)
        if not sent["positive"] + sent["negative"]:
            raise ValidationError({"positive": "Give a number for at least one kind."})
        round_ = self._round(sent.pop("round"))
        with (
            conflicts(TooFew),
            conflicts(JustMet, said="A unit was just given out. Send it again."),
        ):
            made = propose_controls(study=self.study, round_=round_, by=caller(request), **sent)
        return self.shown(made, many=True, status=HTTPStatus.CREATED)

    @writes(EDITS, takes=CheckSerializer, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def check(self, request: Request) -> Response:
        """Validate or reject a proposed control."""
        unit, valid = self.get_object(), self.valid(request)["valid"]
        with (
            conflicts(NotProposed, said="This control has been checked already."),
            conflicts(NoRound, said="The round that it was proposed for is gone: reject it."),
        ):
            check_control(unit=unit, valid=valid, by=caller(request), now=timezone.now())
        return self.shown(unit)

    @writes(EDITS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def retire(self, request: Request) -> Response:
        """Take back a control that turned out to be wrong. Bonuses that workers missed by it are
        owed."""
        unit = self.get_object()
        with conflicts(NotInUse, said="This control is not in use."):
            retire_control(unit=unit, by=caller(request), now=timezone.now())
        return self.shown(unit)

    @writes(EDITS, takes=PromotionSerializer, answers={201: ControlSerializer})
    @action(detail=False, methods=["post"])
    def promote(self, request: Request) -> Response:
        """Make a control of a unit that has a gold answer."""
        sent = self.valid(request)
        unit = self._unit(self.study.units.all(), sent["unit"])
        with conflicts(CannotPromote, field="unit"):
            control = promote_to_control(
                unit=unit,
                kind=Unit.Role(sent["kind"]),
                round_=self._round(sent["round"]),
                by=caller(request),
                now=timezone.now(),
            )
        return self.shown(control, status=HTTPStatus.CREATED)

    @writes(EDITS, takes=PicksSerializer, answers={200: ControlSerializer(many=True)})
    @action(detail=False, methods=["post"])
    def pick(self, request: Request) -> Response:
        """Make controls, worked examples or training of units, with the right answers that are
        sent: all of them or none."""
        sent = self.valid(request)
        about = sent["role"], sent["round"]
        units = units_to_pick(self.study, "")
        picks = [
            Pick(self._unit(units, each["unit"]), *about, each["answers"], each["reasons"].strip())
            for each in sent["picks"]
        ]
        with conflicts(JustChanged, said="Somebody changed the study just now. Send it again."):
            pick_units(study=self.study, picks=picks, by=caller(request))
        keys = [pick.unit.key for pick in picks]
        return self.shown(self.study.units.filter(key__in=keys).order_by("pk"), many=True)

    @writes(EDITS, takes=PutBackSerializer, answers=CHANGED)
    @action(detail=False, methods=["post"], url_path="put-back")
    def put_back(self, request: Request) -> Response:
        """Make a picked unit a normal one again."""
        unit = self._unit(units_to_pick(self.study, ""), self.valid(request)["unit"])
        if unit.role == Unit.Role.NORMAL:
            raise Problem(HTTPStatus.CONFLICT, "This unit was not picked.", field="unit")
        with conflicts(JustChanged, said="Somebody changed the study just now. Send it again."):
            undo_pick(study=self.study, unit=unit, by=caller(request))
        return self.shown(self.study.units.get(pk=unit.pk))

    def _unit(self, units: QuerySet[Unit], key: str) -> Unit:
        unit = units.filter(key=key).select_related("source", "study").first()
        if unit is None:
            raise Problem(HTTPStatus.CONFLICT, f"There is no such unit: {key!r}.", field="unit")
        return unit

    def _round(self, name: str) -> Round:
        round_ = self.study.rounds.filter(name=name).first()
        if round_ is None:
            raise Problem(HTTPStatus.CONFLICT, f"There is no round {name!r}.", field="round")
        return round_
