"""Submitted batches, what is decided about them, and what their workers are told."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Assignment, User
from annotation.work import review as reviewing
from api.access import Needs, caller
from api.bodies import Body, Sentence, Text, Whole
from api.filters import Filter, by_number, since
from api.problems import Problem
from api.resources import ListMixin, OneMixin, StudyRows, WriteMixin
from api.scopes import Scope
from api.serializers.people import ReviewSerializer
from desk.people.reviews.batches import submitted_batches

MOST = 1000


class _Reviews(StudyRows):
    needs: ClassVar = {"GET": Needs(Scope.READ, Role.REVIEWER)}
    serializer_class = ReviewSerializer
    filters: ClassVar = {
        "verdict": Filter("verdict", "the verdict", choices=Assignment.Verdict.values),
        "round": Filter("round__name", "the name of the round"),
        "worker": by_number("participation__number", "the number in the worker's pseudonym"),
        "since": since("submitted_at__gte", "submitted then or later"),
    }

    def rows(self) -> QuerySet[Assignment]:
        return submitted_batches(self.study, {})


class Reviews(ListMixin, _Reviews):
    """The submitted batches and what reviewers decided."""


class ReviewView(OneMixin, _Reviews):
    """One submitted batch."""


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


class _Decision(WriteMixin, _Reviews):
    """A decision about batches: all of them, or none."""

    needs: ClassVar = {"POST": Needs(Scope.WRITE, Role.REVIEWER)}
    takes = BatchesSerializer
    answers: ClassVar = {"POST": {200: DecidedSerializer}}

    def decide(self, batches: Sequence[Assignment], by: User, **more: str) -> list[Assignment]:
        """Decide; the batches whose verdict changed."""
        raise NotImplementedError

    def write(self, request: Request) -> Response:
        """Decide about all of the batches, or, where one is not there, about none."""
        sent = self.valid(request, self.takes)
        keys = set(sent.pop("batches"))
        batches = list(self.rows().filter(pk__in=keys))
        if len(batches) < len(keys):
            raise Http404("No such batch.")
        try:
            changed = self.decide(batches, caller(request), **sent)
        except reviewing.NotSubmitted as refusal:
            raise Problem(HTTPStatus.CONFLICT, str(refusal), field="batches") from refusal
        return Response({"changed": sorted(batch.pk for batch in changed)})


class Accept(_Decision):
    """Accept batches. Answers that were excluded count again where there is room."""

    def decide(self, batches: Sequence[Assignment], by: User, **more: str) -> list[Assignment]:
        return reviewing.accept(assignments=batches, by=by)


class Exclude(_Decision):
    """Exclude all answers of batches from the results, with a reason. They stay paid."""

    takes = ExcludedBatchesSerializer

    def decide(self, batches: Sequence[Assignment], by: User, **more: str) -> list[Assignment]:
        return reviewing.exclude(assignments=batches, by=by, reason=more["reason"])


class Undo(_Decision):
    """Undo the decisions about batches: they are to be reviewed again."""

    def decide(self, batches: Sequence[Assignment], by: User, **more: str) -> list[Assignment]:
        return reviewing.undo(assignments=batches, by=by)


class FeedbackSerializer(Body):
    text = Text(
        max_length=reviewing.LONGEST_FEEDBACK,
        allow_blank=True,
        help_text="The worker sees it on their next visit; empty to remove it.",
    )


class Feedback(WriteMixin, _Reviews):
    """What the worker is told about a batch."""

    needs: ClassVar = {"POST": Needs(Scope.WRITE, Role.REVIEWER)}
    takes = FeedbackSerializer
    answers: ClassVar = {"POST": {200: ReviewSerializer}}

    def write(self, request: Request) -> Response:
        """Write to the worker about this batch."""
        text = self.valid(request, FeedbackSerializer)["text"]
        batch = get_object_or_404(self.rows(), pk=self.kwargs["id"])
        reviewing.write_feedback(assignment=batch, text=text, by=caller(request))
        return Response(ReviewSerializer(self.rows().get(pk=batch.pk)).data)
