"""Background work of a study: what waits, runs, and has ended."""

from http import HTTPStatus
from typing import ClassVar

from django.db.models import QuerySet
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from api.access import Needs, caller
from api.problems import Problem
from api.requests.filters import Filter
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.data import JobSerializer
from desk.data.background.listing import jobs_for
from jobs.models import Job, JobState
from jobs.queue import cancel, start_again

WRITES = Needs(Scope.WRITE, Role.REVIEWER)
STARTED = {202: JobSerializer}


def started(job: Job) -> Response:
    """The answer to a write that a worker carries out."""
    return Response(JobSerializer(job).data, status=HTTPStatus.ACCEPTED)


class Jobs(Rows):
    """The background work of the study, as far as the role lets it be seen."""

    one = "One piece of background work."
    needs = Needs(Scope.READ, Role.REVIEWER)
    serializer_class = JobSerializer
    filters: ClassVar = {
        "kind": Filter("kind", "the kind"),
        "state": Filter("state", "the state", choices=JobState.values),
    }

    def get_queryset(self) -> QuerySet[Job]:
        assert self.study.viewer is not None  # whom `study_of` lets in
        return jobs_for(self.study.viewer)

    @writes(WRITES, answers={200: JobSerializer})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request) -> Response:
        """Stop it; what it would have changed stays as it is."""
        if not cancel(self.get_object(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This has ended already.")
        return self.shown(self.get_object())

    @writes(WRITES, answers={200: JobSerializer})
    @action(detail=True, methods=["post"])
    def again(self, request: Request) -> Response:
        """Start once more what did not come to its end. What was done is not done again."""
        if not start_again(self.get_object(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This is under way, or has come to its end.")
        return self.shown(self.get_object())
