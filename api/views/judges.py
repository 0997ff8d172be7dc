"""Judges of a study: defining, trying, taking over and calibrating them, and their probe sets."""

from http import HTTPStatus
from typing import Any, ClassVar, get_args

from django.db.models import QuerySet
from django.http import Http404
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import Study
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Cost, Number, Sentence, Text, Whole
from api.requests.filters import Filter
from api.resources import Rows, reads, writes
from api.scopes import Scope
from api.serializers.data import JobSerializer
from api.serializers.machines import (
    CalibratedSerializer,
    JudgeSerializer,
    ProbeSetSerializer,
    RunSerializer,
    TrialSerializer,
    TriedSerializer,
)
from api.serializers.people import NumberSerializer
from jobs.queue import ask
from judges.calibration import Measure, NotCalibrated, calibrate
from judges.calibration.baselines import MAKE_BASELINES, refuse_uncalibrated
from judges.definitions.families import imported_judges, set_families
from judges.definitions.proposals import judges_elsewhere, propose_judge, take_over
from judges.definitions.versions import BadJudge, UnknownJudge
from judges.models import Judge, ProbeSet
from judges.probes.askings import ask_again
from judges.probes.sets import (
    LONGEST_DAYS,
    SIZE,
    ProbeChoice,
    begin_series,
    current_set,
    set_schedule,
)
from judges.runs.plans.scope import RunRefused
from judges.runs.trials import Trial, ask_once, prepare_trial

EDITS = Needs(Scope.WRITE, Role.EDITOR)
# What asks a model may cost money.
SPENDS = Needs(Scope.JUDGES, Role.EDITOR)
REFUSALS = (BadJudge, UnknownJudge, RunRefused, NotCalibrated)
SEED = {"min_value": 0, "max_value": 2**31 - 1}
NO_SET = "This judge has no probe set."


class DefinitionSerializer(Body):
    name = Sentence(max_length=80)
    method = Text(max_length=80)
    backend = Text(max_length=80, default="", allow_blank=True)
    model = Text(max_length=200, default="", allow_blank=True)
    family = Text(max_length=200, default="", allow_blank=True)
    parameters = serializers.DictField(default=dict, help_text="As in the study file.")


class TrialOfSerializer(DefinitionSerializer):
    unit = Text(
        max_length=300, default="", allow_blank=True, help_text="Its key; empty: the first."
    )


class TakeSerializer(Body):
    judge = Whole(min_value=0, max_value=2**63 - 1, help_text="Its id in the other study.")
    name = Text(max_length=80, default="", allow_blank=True, help_text="Empty: as there.")


class FamiliesSerializer(Body):
    families = serializers.DictField(
        child=Text(max_length=200, allow_blank=True),
        help_text="Names of imported judges to families of models.",
    )


class CalibrationSerializer(Body):
    measure = serializers.ChoiceField(choices=list(get_args(Measure)), default="f1")
    share = Number(
        min_value=0.01, max_value=0.99, default=0.5, help_text="Of the sources to fit on."
    )
    seed = Whole(default=0, **SEED)


class ScheduleSerializer(Body):
    every_days = Whole(
        min_value=0, max_value=LONGEST_DAYS, default=0, help_text="0: only when it is asked for."
    )
    max_cost = Cost(required=False, help_text="In USD, of one asking.")


class NewProbeSetSerializer(ScheduleSerializer):
    size = Whole(min_value=1, max_value=10_000, default=SIZE, help_text="Units to draw.")
    subset = Text(max_length=80, default="", allow_blank=True, help_text="All units of it instead.")
    seed = Whole(required=False, help_text="Of the draw; without it the study's.", **SEED)


class Judges(Rows):
    """The study's own judges and the built-in ones that have run there, a row for each version."""

    one = "One version of a judge."
    serializer_class = JudgeSerializer
    filters: ClassVar = {
        "name": Filter("name", "the name"),
        "method": Filter("method", "the method"),
    }

    def get_queryset(self) -> QuerySet[Judge]:
        return Judge.objects.seen_in(self.study)

    @writes(EDITS, takes=DefinitionSerializer, answers={201: JudgeSerializer})
    def create(self, request: Request) -> Response:
        """Define a judge, or the next version of one, and add it to the study."""
        with conflicts(*REFUSALS):
            made = propose_judge(study=self.study, by=caller(request), **self.valid(request))
        return self.shown(made, status=HTTPStatus.CREATED)

    @writes(EDITS, takes=TrialOfSerializer, answers={200: TrialSerializer})
    @action(detail=False, methods=["post"], url_path="try")
    def prepare_trial(self, request: Request) -> Response:
        """What a judge would be asked about one unit, and what that costs. Nothing is asked."""
        trial = self._trial(request)
        return Response(TrialSerializer(_shown(trial)).data)

    @writes(SPENDS, takes=TrialOfSerializer, answers={200: TriedSerializer})
    @action(detail=False, methods=["post"], url_path="try/ask")
    def try_out(self, request: Request) -> Response:
        """Ask a judge about one unit before it is defined. The caller's account pays."""
        trial = self._trial(request)
        with conflicts(*REFUSALS):
            tried = ask_once(trial, by=caller(request))
        shown = {
            **_shown(trial),
            "replies": [reply.text for reply in tried.replies],
            "answer": tried.answer,
            "usd": tried.usd,
        }
        return Response(TriedSerializer(shown).data)

    def _trial(self, request: Request) -> Trial:
        sent = self.valid(request)
        unit = sent.pop("unit")
        with conflicts(*REFUSALS):
            return prepare_trial(study=self.study, fields=sent, unit=unit, by=caller(request))

    @writes(EDITS, takes=TakeSerializer, answers={201: JudgeSerializer})
    @action(detail=False, methods=["post"])
    def take(self, request: Request) -> Response:
        """Take a judge over from another study that the caller may read."""
        sent, by = self.valid(request), caller(request)
        judge = judges_elsewhere(study=self.study, user=by).filter(pk=sent["judge"]).first()
        if judge is None or not self._is_for(judge.study):
            text = "There is no such judge in another study that you can read."
            raise Problem(HTTPStatus.CONFLICT, text, field="judge")
        with conflicts(*REFUSALS):
            taken = take_over(study=self.study, judge=judge, name=sent["name"] or judge.name, by=by)
        return self.shown(taken, status=HTTPStatus.CREATED)

    def _is_for(self, study: Study | None) -> bool:
        """Whether the token may read it: one for a single study reads no other."""
        return getattr(self.request.auth, "study_id", None) in (None, study and study.pk)

    @writes(SPENDS, answers={202: JobSerializer})
    @action(detail=False, methods=["post"])
    def baselines(self, request: Request) -> Response:
        """Fit the study's baselines on people's answers, and run them."""
        with conflicts(*REFUSALS):
            refuse_uncalibrated(self.study)
        job = ask(MAKE_BASELINES, study=self.study, by=caller(request), parameters={})
        return Response(JobSerializer(job).data, status=HTTPStatus.ACCEPTED)

    @writes(EDITS, takes=FamiliesSerializer, answers={200: NumberSerializer})
    @action(detail=False, methods=["post"])
    def families(self, request: Request) -> Response:
        """Set the model families of imported judges; how many have changed."""
        sent = self.valid(request)["families"]
        known = dict(imported_judges(self.study).values_list("name", "pk"))
        unknown = sorted(set(sent) - set(known))
        if unknown:
            text = f"There is no imported judge {unknown[0]!r}."
            raise Problem(HTTPStatus.CONFLICT, text, field="families")
        families = {known[name]: family for name, family in sent.items()}
        number = set_families(study=self.study, families=families, by=caller(request))
        return Response({"number": number})

    @writes(EDITS, takes=CalibrationSerializer, answers={201: CalibratedSerializer})
    @action(detail=True, methods=["post"])
    def calibrate(self, request: Request) -> Response:
        """Fit the judge's threshold: its next version, which then may be run."""
        sent, judge = self.valid(request), self.get_object()
        with conflicts(*REFUSALS):
            fitted = calibrate(study=self.study, judge=judge, by=caller(request), **sent)
        shown = {"judge": fitted.judge, "threshold": fitted.threshold}
        return Response(CalibratedSerializer(shown).data, status=HTTPStatus.CREATED)

    @reads(Needs(), answers={200: ProbeSetSerializer})
    @action(detail=True)
    def probes(self, request: Request, **_names: Any) -> Response:
        """The judge's probe set, which it is asked again and again, with what was found."""
        return Response(ProbeSetSerializer(self._set()).data)

    @writes(SPENDS, takes=NewProbeSetSerializer, answers={201: RunSerializer})
    @probes.mapping.post
    def fix_probes(self, request: Request) -> Response:
        """Fix a probe set, and ask it twice as its baseline. An earlier series ends."""
        sent = {"seed": self.study.seed, **self.valid(request)}
        with conflicts(*REFUSALS):
            run = begin_series(
                study=self.study,
                judge=self.get_object(),
                choice=ProbeChoice(**sent),
                by=caller(request),
            )
        return Response(RunSerializer(run).data, status=HTTPStatus.CREATED)

    @writes(SPENDS, answers={201: RunSerializer})
    @action(detail=True, methods=["post"], url_path="probes/ask")
    def ask_probes(self, request: Request) -> Response:
        """Ask the probe set again."""
        with conflicts(*REFUSALS):
            run = ask_again(probe_set=self._set(), by=caller(request))
        return Response(RunSerializer(run).data, status=HTTPStatus.CREATED)

    @writes(SPENDS, takes=ScheduleSerializer, answers={200: ProbeSetSerializer})
    @action(detail=True, methods=["post"], url_path="probes/schedule")
    def schedule_probes(self, request: Request) -> Response:
        """Set how often the probe set is asked again, and what that may cost."""
        sent = {"max_cost": None, **self.valid(request)}
        set_schedule(probe_set=self._set(), by=caller(request), **sent)
        return Response(ProbeSetSerializer(self._set()).data)

    def _set(self) -> ProbeSet:
        probe_set = current_set(self.study, self.get_object())
        if probe_set is None:
            raise Http404(NO_SET)
        return probe_set


def _shown(trial: Trial) -> dict[str, Any]:
    return {
        "unit": trial.ask.unit,
        "prompts": trial.prompts,
        "calls": trial.cost.calls,
        "expected_usd": trial.cost.usd,
    }
