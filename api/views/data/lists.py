"""Lists that questions are asked by, such as statements to look for: writing and deciding them."""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Block, Preparation, log_change
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Text, Truth, Whole
from api.requests.filters import Filter
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.material import ListSerializer
from api.study_keys import in_lines
from imports.preparation.files import take_lists
from imports.preparation.lists import accept, edit, reject, reopen
from imports.preparation.targets import Target, blocks_to_prepare
from set_up.preparation.decisions import begin_list

EDITS = Needs(Scope.WRITE, Role.EDITOR)
CHANGED = {200: ListSerializer}
MOST_ENTRIES, MOST_LISTS = 1_000, 10_000
VERSION = {"min_value": 0, "max_value": 2**31 - 1, "help_text": "`version` of the list as read."}


class NewListSerializer(Body):
    block = Text(max_length=80, help_text="Key of the block.")
    item = Text(max_length=300, required=False, help_text="Key of the item, or …")
    source = Text(max_length=300, required=False, help_text="… of the source.")


class EntriesSerializer(Body):
    version = Whole(**VERSION)
    entries = serializers.ListField(child=serializers.JSONField(), max_length=MOST_ENTRIES)


class VersionSerializer(Body):
    version = Whole(**VERSION)


class ListsSerializer(Body):
    lists = serializers.ListField(
        child=serializers.DictField(),
        min_length=1,
        max_length=MOST_LISTS,
        help_text="As lines of the file that the page of lists takes.",
    )
    accept = Truth(default=False, help_text="Accept them as well.")


class TakenSerializer(serializers.Serializer[Any]):
    said = serializers.CharField(help_text="What became of them, in a sentence.")


class Lists(Rows):
    """The lists of the study's material."""

    one = "One list."
    needs = Needs(Scope.READ, Role.EDITOR)
    serializer_class = ListSerializer
    filters: ClassVar = {
        "state": Filter("state", "the state", choices=Preparation.State.values),
        "block": Filter("block__key", "the key of the block"),
    }

    def get_queryset(self) -> QuerySet[Preparation]:
        return self.study.preparations.with_names()

    @writes(EDITS, takes=NewListSerializer, answers={201: ListSerializer})
    def create(self, request: Request) -> Response:
        """Begin the list of an item or a source, to be written by hand."""
        sent = self.valid(request)
        with conflicts(ValueError):
            row = begin_list(
                block=self._block(sent["block"]), target=self._target(sent), by=caller(request)
            )
        return self.shown(self.get_queryset().get(pk=row.pk), status=HTTPStatus.CREATED)

    @writes(EDITS, takes=EntriesSerializer, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def entries(self, request: Request) -> Response:
        """Put these entries in the place of those of a list that waits for a decision."""
        sent, row = self.valid(request), self.get_object()
        with conflicts(ValueError, field="entries"):
            edit(preparation=row, by=caller(request), **sent)
        log_change(study=self.study, by=caller(request), action="list.edited", subject=row.key)
        return self.shown(self.get_object())

    @writes(EDITS, takes=VersionSerializer, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def accept(self, request: Request) -> Response:
        """Accept a list, and make the units of its items."""
        return self._decided(accept, now=timezone.now())

    @writes(EDITS, takes=VersionSerializer, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def reject(self, request: Request) -> Response:
        """Reject a list; another can be proposed."""
        return self._decided(reject, now=timezone.now())

    @writes(EDITS, takes=VersionSerializer, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request) -> Response:
        """Let a decided list be edited and decided again."""
        return self._decided(reopen)

    @writes(EDITS, takes=ListsSerializer, answers={200: TakenSerializer})
    @action(detail=False, methods=["post"])
    def take(self, request: Request) -> Response:
        """Take many lists in, all of them or none."""
        sent, now = self.valid(request), timezone.now()
        with NamedTemporaryFile(suffix=".jsonl") as file:
            file.writelines(in_lines(sent["lists"]))
            file.flush()
            about: dict[str, Any] = {"study": self.study, "path": Path(file.name), "name": "lists"}
            taken = take_lists(**about, by=caller(request), now=now, accepting=sent["accept"])
        return Response({"said": str(taken)})

    def _decided(self, decide: Callable[..., object], **more: Any) -> Response:
        version, row = self.valid(self.request)["version"], self.get_object()
        with conflicts(ValueError):
            decide(preparation=row, version=version, by=caller(self.request), **more)
        return self.shown(self.get_object())

    def _block(self, key: str) -> Block:
        for block in blocks_to_prepare(self.study):
            if block.key == key:
                return block
        raise Problem(HTTPStatus.CONFLICT, "No such block is asked by lists.", field="block")

    def _target(self, sent: dict[str, Any]) -> Target:
        named = [name for name in ("item", "source") if name in sent]
        if len(named) != 1:
            text = "Name an item or a source, one of the two."
            raise Problem(HTTPStatus.CONFLICT, text, field="item")
        (name,) = named
        rows: dict[str, Any] = {
            "item": self.study.items.select_related("source"),
            "source": self.study.sources,
        }
        found = rows[name].filter(key=sent[name]).first()
        if found is None:
            raise Problem(HTTPStatus.CONFLICT, f"There is no {name} {sent[name]!r}.", field=name)
        return Target(found.source, found) if name == "item" else Target(found)
