"""Actions on many units, and saved views of the table of units."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import Count, Q, QuerySet
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Place, Unit
from annotation.rounds.subsets import LONGEST_NAME
from annotation.work.demand import MOST_MORE
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Sentence, Text, Truth, Whole
from api.requests.filters import Filter
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.data import SavedViewSerializer, UnitActionSerializer
from desk.data.units.actions import confirm_action, propose_action
from desk.data.units.reversal import UndoRefused, undo_action
from desk.data.units.saved import TooMany, may_remove, remove_view, save_view, views_for
from desk.data.units.search import keep_texts_soon
from desk.data.units.table import table_of
from desk.models import SavedView, UnitAction

EDITS = Needs(Scope.WRITE, Role.EDITOR)
VIEWS = Needs(Scope.WRITE, Role.VIEWER)
MOST_NAMED, LONGEST_QUERY = 10_000, 4_000
Kind = UnitAction.Kind
# What a kind needs beside the units.
NEEDED = {Kind.ADD: "subset", Kind.REMOVE: "subset", Kind.ASK_AGAIN: "more"} | {
    Kind.PRIORITY: "priority"
}
QUERY = "As behind `?` in the address of the page *Data*, such as `role=normal&q=flood`."


class NewActionSerializer(Body):
    kind = serializers.ChoiceField(choices=Kind.choices)
    units = serializers.ListField(
        child=Text(max_length=300),
        min_length=1,
        max_length=MOST_NAMED,
        required=False,
        help_text="Keys of units; without it, all that `query` leaves.",
    )
    query = Text(max_length=LONGEST_QUERY, required=False, allow_blank=True, help_text=QUERY)
    subset = Sentence(max_length=LONGEST_NAME, required=False, help_text="For `add`, `remove`.")
    more = Whole(min_value=1, max_value=MOST_MORE, required=False, help_text="For `ask_again`.")
    priority = serializers.ChoiceField(
        choices=Place.Priority.names, required=False, help_text="For `priority`."
    )


class UnitActions(Rows):
    """Actions on many units: disabling and enabling them, subsets, more answers, priority,
    adjudication."""

    one = "One action, with how far it has come."
    needs = Needs(Scope.READ, Role.EDITOR)
    serializer_class = UnitActionSerializer
    filters: ClassVar = {"kind": Filter("kind", "the kind", choices=Kind.values)}

    def get_queryset(self) -> QuerySet[UnitAction]:
        rows = self.study.unit_actions.select_related("by", "study")
        done = Q(action_units__changed__isnull=False)
        return rows.annotate(
            done=Count("action_units", filter=done),
            changed=Count("action_units", filter=Q(action_units__changed=True)),
        )

    @writes(EDITS, takes=NewActionSerializer, answers={201: UnitActionSerializer})
    def create(self, request: Request) -> Response:
        """Propose an action on the units that there are now. Nothing changes until it is
        confirmed."""
        sent = self.valid(request)
        kind, query = Kind(sent["kind"]), sent.get("query", "")
        proposed = propose_action(
            study=self.study,
            units=self._named(sent["units"]) if "units" in sent else self._left_by(query),
            kind=kind,
            parameters=self._parameters(kind, sent),
            by=caller(request),
            query=query,
        )
        return self._now(proposed, status=HTTPStatus.CREATED)

    def _named(self, keys: list[str]) -> QuerySet[Unit]:
        units = self.study.units.filter(key__in=keys)
        unknown = set(keys) - set(units.values_list("key", flat=True))
        if unknown:
            raise Problem(HTTPStatus.CONFLICT, f"There is no unit {min(unknown)!r}.", field="units")
        return units

    def _left_by(self, query: str) -> QuerySet[Unit]:
        table = table_of(self.study, query)
        if "q" in table.form.chosen:
            keep_texts_soon(self.study)
        return table.units

    def _parameters(self, kind: Kind, sent: dict[str, Any]) -> dict[str, Any]:
        name = NEEDED.get(kind)
        if name is None:
            return {}
        if name not in sent:
            raise ValidationError({name: f"Say it for {kind.value!r}."})
        if kind == Kind.REMOVE and not self.study.subsets.filter(name=sent[name]).exists():
            raise Problem(HTTPStatus.CONFLICT, "The study has no such subset.", field=name)
        value = sent[name]
        return {name: Place.Priority[value].value if kind == Kind.PRIORITY else value}

    @writes(EDITS, answers={202: UnitActionSerializer})
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request) -> Response:
        """Do it, or go on with one that was stopped; nothing is done twice. `ended_at` says when
        all units are done."""
        confirm_action(action=self.get_object(), by=caller(request))
        return self.shown(self.get_object(), status=HTTPStatus.ACCEPTED)

    @writes(EDITS, answers={202: UnitActionSerializer})
    @action(detail=True, methods=["post"])
    def undo(self, request: Request) -> Response:
        """Do the reverse for the units that it changed; the action that does it."""
        with conflicts(UndoRefused):
            undoing = undo_action(action=self.get_object(), by=caller(request))
        return self._now(undoing, status=HTTPStatus.ACCEPTED)

    def _now(self, action: UnitAction, **response: Any) -> Response:
        """The action as it stands."""
        return self.shown(self.get_queryset().get(pk=action.pk), **response)


class NewViewSerializer(Body):
    name = Sentence(max_length=80)
    query = Text(max_length=LONGEST_QUERY, allow_blank=True, help_text=QUERY)
    shared = Truth(default=False, help_text="With all members; for editors.")


class UnitViews(Rows):
    """The saved views of the table of units: the caller's own, and shared ones."""

    one = "One saved view."
    serializer_class = SavedViewSerializer

    def get_queryset(self) -> QuerySet[SavedView]:
        return views_for(self.study, caller(self.request))

    @property
    def _role(self) -> Role:
        assert self.study.viewer is not None  # whom `study_of` lets in
        return Role(self.study.viewer.role)

    @writes(VIEWS, takes=NewViewSerializer, answers={201: SavedViewSerializer})
    def create(self, request: Request) -> Response:
        """Keep filters, order and columns under a name; one of the same name is replaced."""
        sent = self.valid(request)
        if sent["shared"] and not self._role.may(Role.EDITOR):
            raise PermissionDenied("Only editors share views.")
        query = table_of(self.study, sent.pop("query")).query
        with conflicts(TooMany, said="A hundred views are saved already. Remove some first."):
            view = save_view(study=self.study, owner=caller(request), query=query, **sent)
        return self.shown(view, status=HTTPStatus.CREATED)

    @writes(VIEWS, answers={200: SavedViewSerializer})
    @action(detail=True, methods=["post"])
    def remove(self, request: Request) -> Response:
        """Forget it; the view as it was."""
        view = self.get_object()
        if not may_remove(view, caller(request), self._role):
            raise PermissionDenied("Only the person who saved a view or an editor can remove it.")
        answer = self.shown(view)
        remove_view(view=view)
        return answer
