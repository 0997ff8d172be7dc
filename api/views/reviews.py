"""Submitted batches, what is decided about them, and what their workers are told."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Assignment
from annotation.work import review as reviewing
from api.access import Needs, caller
from api.problems import Problem
from api.requests.bodies import Body, Sentence, Text, Whole
from api.requests.filters import Filter, by_number, since
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.people import ReviewSerializer
from desk.people.reviews.batches import submitted_batches

MOST = 1000
WRITES = Needs(Scope.WRITE, Role.REVIEWER)


class BatchesSerializer(Body):
    batches = serializers.ListField(
        child=Whole(min_value=0, max_value=2**63 - 1),
        min_length=1,
        max_length=MOST,
        help_text="Ids of submitted batches.",
    )


class ExcludedBatchesSerializer(BatchesSerializer):
    reason = Sentence(max_length=reviewing.LONGEST_REASON)


class DecidedSerializer(serializers.Serializer[Any]):
    changed = serializers.ListField(
        child=serializers.IntegerField(), help_text="Ids of the batches whose verdict changed."
    )


DECIDED = {200: DecidedSerializer}


class FeedbackSerializer(Body):
    text = Text(
        max_length=reviewing.LONGEST_FEEDBACK,
        allow_blank=True,
        help_text="The worker sees it on their next visit; empty to remove it.",
    )


class Reviews(Rows):
    """The submitted batches and what reviewers decided."""

    one = "One submitted batch."
    needs = Needs(Scope.READ, Role.REVIEWER)
    serializer_class = ReviewSerializer
    filters: ClassVar = {
        "verdict": Filter("verdict", "the verdict", choices=Assignment.Verdict.values),
        "round": Filter("round__name", "the name of the round"),
        "worker": by_number("participation__number", "the number in the worker's pseudonym"),
        "since": since("submitted_at__gte", "submitted then or later"),
    }

    def get_queryset(self) -> QuerySet[Assignment]:
        return submitted_batches(self.study, {})

    @writes(WRITES, takes=BatchesSerializer, answers=DECIDED)
    @action(detail=False, methods=["post"])
    def accept(self, request: Request) -> Response:
        """Accept batches. Answers that were excluded count again where there is room."""
        return self._decided(reviewing.accept)

    @writes(WRITES, takes=ExcludedBatchesSerializer, answers=DECIDED)
    @action(detail=False, methods=["post"])
    def exclude(self, request: Request) -> Response:
        """Exclude all answers of batches from the results, with a reason. They stay paid."""
        return self._decided(reviewing.exclude)

    @writes(WRITES, takes=BatchesSerializer, answers=DECIDED)
    @action(detail=False, methods=["post"])
    def undo(self, request: Request) -> Response:
        """Undo the decisions about batches: they are to be reviewed again."""
        return self._decided(reviewing.undo)

    def _decided(self, decide: Callable[..., list[Assignment]]) -> Response:
        """Decide about all of the batches, or, where one is not there, about none."""
        sent = self.valid(self.request)
        keys = set(sent.pop("batches"))
        batches = list(self.get_queryset().filter(pk__in=keys))
        if len(batches) < len(keys):
            raise Http404("No such batch.")
        try:
            changed = decide(assignments=batches, by=caller(self.request), **sent)
        except reviewing.NotSubmitted as refusal:
            raise Problem(HTTPStatus.CONFLICT, str(refusal), field="batches") from refusal
        return Response({"changed": sorted(batch.pk for batch in changed)})

    @writes(WRITES, takes=FeedbackSerializer, answers={200: ReviewSerializer})
    @action(detail=True, methods=["post"])
    def feedback(self, request: Request) -> Response:
        """Write to the worker about this batch."""
        text = self.valid(request)["text"]
        reviewing.write_feedback(assignment=self.get_object(), text=text, by=caller(request))
        return self.shown(self.get_object())
