"""Runs of judges, and their calls."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from api.access import Needs, caller
from api.problems import Problem
from api.requests.bodies import Body, Cost, Text, Truth, Whole
from api.requests.filters import Filter, by_number
from api.resources import Rows, writes
from api.scopes import Scope
from api.serializers.machines import (
    CallSerializer,
    RunProgressSerializer,
    RunSerializer,
)
from judges.access import get_run
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for
from judges.models import Call, Judge, JudgeRun
from judges.probes.askings import ask_again
from judges.probes.sets import current_set
from judges.runs import states
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused

STARTS = Needs(Scope.JUDGES, Role.EDITOR)
CHANGED = {200: RunSerializer}


class NewRunSerializer(Body):
    judge = Text(max_length=200, help_text="Its name, or name@version.")
    subset = Text(max_length=80, required=False, allow_blank=True, help_text="Empty: all units.")
    blocks = serializers.ListField(child=Text(max_length=80), required=False)
    replicates = Whole(min_value=1, max_value=100, default=1)
    limit = Whole(min_value=1, max_value=2**31 - 1, required=False)
    seed = Whole(min_value=0, max_value=2**31 - 1, required=False)
    max_cost = Cost(required=False, help_text="In USD.")
    probe = Truth(
        default=False,
        help_text="Ask the judge's probe set again. Which units, how often and at what cost is "
        "the set's; the other fields are left out.",
    )


class Runs(Rows):
    """The runs of judges."""

    one = "One run of a judge, with its progress."
    serializer_class = RunSerializer
    filters: ClassVar = {
        "judge": Filter("judge__name", "the name of the judge"),
        "state": Filter("state", "the state", choices=JudgeRun.State.values),
    }

    def get_queryset(self) -> QuerySet[JudgeRun]:
        return self.study.judge_runs.select_related("judge")

    def get_serializer_class(self) -> Any:
        return RunProgressSerializer if self.action == "retrieve" else RunSerializer

    @writes(STARTS, takes=NewRunSerializer, answers={201: RunSerializer})
    def create(self, request: Request) -> Response:
        """Plan a run of a judge, and start it."""
        scope = self.valid(request)
        name, probe = scope.pop("judge"), scope.pop("probe")
        try:
            judge = judge_for(self.study, name)
            run = self._probe(judge, request) if probe else self._run(judge, scope, request)
        except (RunRefused, BadJudge, UnknownJudge) as error:
            # The body is as it should be; what the study has does not go with it.
            raise Problem(HTTPStatus.CONFLICT, str(error), field="judge") from error
        return self.shown(run, status=HTTPStatus.CREATED)

    def _run(self, judge: Judge, scope: dict[str, Any], request: Request) -> JudgeRun:
        seed = scope.pop("seed", self.study.seed)
        return plan_run(
            study=self.study, judge=judge, seed=seed, requested_by=caller(request), **scope
        )

    def _probe(self, judge: Judge, request: Request) -> JudgeRun:
        probe_set = current_set(self.study, judge)
        if probe_set is None:
            raise RunRefused(f"probe: {judge} has no probe set; fix one on its page")
        return ask_again(probe_set=probe_set, by=caller(request))

    @writes(STARTS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def pause(self, request: Request) -> Response:
        """Stop a run after the calls under way, until it is resumed."""
        return self._changed(states.pause_run)

    @writes(STARTS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request) -> Response:
        """Let a run go on, or ask again what has failed in it."""
        return self._changed(states.resume_run)

    @writes(STARTS, answers=CHANGED)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request) -> Response:
        """Stop a run for good. Answers stay."""
        return self._changed(states.cancel_run)

    def _changed(self, change: Callable[..., object]) -> Response:
        """The run as it is afterwards."""
        run = get_run(self.study, self.kwargs["id"])
        try:
            change(run_id=run.pk, by=caller(self.request))
        except states.NotPossible as error:
            raise Problem(HTTPStatus.CONFLICT, str(error)) from error
        return self.shown(get_run(self.study, run.pk))


class Calls(Rows):
    """The requests of judges, each with its raw reply."""

    one = "One request of a judge."
    serializer_class = CallSerializer
    filters: ClassVar = {
        "run": by_number("run", "the id of the run"),
        "status": Filter("status", "the status", choices=Call.Status.values),
        "unit": Filter("question__unit__key", "the key of the unit"),
    }

    def get_queryset(self) -> QuerySet[Call]:
        rows = Call.objects.filter(run__study=self.study).unsealed()
        rows = rows.select_related("question__unit", "question__block")
        return rows.defer("question__payload", "question__reference")
