"""Adjudication: the queue of cases, deciding them, and the gold answers."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.access import Role
from annotation.models import AdjudicationCase, GoldAnswer
from annotation.work.drafts import TooLong, answer_form
from api.access import Needs, caller
from api.problems import Problem, conflicts
from api.requests.bodies import Body, Sentence, Text, Whole
from api.requests.filters import Filter
from api.resources import Rows, reads, writes
from api.scopes import Scope
from api.serializers.data import (
    CaseSerializer,
    CaseWithAnswersSerializer,
    GoldOutcomeSerializer,
    GoldSerializer,
)
from api.views.data.jobs import STARTED, started
from desk.data.adjudication.decisions import (
    LONGEST_REASON,
    NotHeld,
    Stale,
    decide_again,
    decide_case,
    reveal_case,
    save_case,
    set_aside,
)
from desk.data.adjudication.forms import MOST_CASES, MOST_SAMPLED
from desk.data.adjudication.overview import gold_lines
from desk.data.adjudication.queue import release_case, take_case, take_next
from desk.data.adjudication.work import ask_for_audit, ask_for_contested, newest_beside_gold
from files.errors import ImportFailure
from tasktypes.schemas import Schema

READS = Needs(Scope.READ, Role.REVIEWER)
WRITES = Needs(Scope.WRITE, Role.REVIEWER)
HELD = "Somebody else has this case, or it is decided."
SHOWN = {200: CaseWithAnswersSerializer}


class ContestedSerializer(Body):
    most = Whole(min_value=1, max_value=MOST_CASES, default=50)


class AuditSerializer(Body):
    block = Text(max_length=80, help_text="Key of the block.")
    size = Whole(min_value=10, max_value=MOST_SAMPLED, default=100)
    seed = Whole(min_value=0, max_value=2**31 - 1)


class DecisionSerializer(Body):
    answer = serializers.DictField(help_text="As an answer to the question.")
    reason = Text(max_length=LONGEST_REASON, default="", allow_blank=True)


class ReasonSerializer(Body):
    reason = Sentence(max_length=LONGEST_REASON)


class Cases(Rows):
    """The cases of adjudication: questions that somebody is to decide, or has decided."""

    one = "One case with the answers that were given; names only once it was revealed."
    needs = READS
    serializer_class = CaseSerializer
    filters: ClassVar = {
        "state": Filter("state", "the state", choices=AdjudicationCase.State.values),
        "why": Filter("why", "why it is there", choices=AdjudicationCase.Why.values),
        "block": Filter("question__block__key", "the key of the block"),
        "holder": Filter("holder__username", "the user name of who has it"),
    }

    def get_queryset(self) -> QuerySet[AdjudicationCase]:
        related = ("question__block", "question__unit", "holder", "study")
        return self.study.adjudication_cases.select_related(*related)

    def get_serializer_class(self) -> Any:
        return CaseSerializer if self.action == "list" else CaseWithAnswersSerializer

    @writes(WRITES, takes=ContestedSerializer, answers=STARTED)
    @action(detail=False, methods=["post"])
    def contested(self, request: Request) -> Response:
        """Put the most contested questions without a decision into the queue."""
        most = self.valid(request)["most"]
        return started(ask_for_contested(study=self.study, most=most, by=caller(request)))

    @writes(WRITES, takes=AuditSerializer, answers=STARTED)
    @action(detail=False, methods=["post"])
    def audit(self, request: Request) -> Response:
        """Draw a random sample of answered questions, and put it into the queue."""
        sent = self.valid(request)
        block = self.study.blocks.filter(key=sent["block"]).first()
        if block is None:
            raise Problem(HTTPStatus.CONFLICT, "The study has no such block.", field="block")
        return started(
            ask_for_audit(study=self.study, by=caller(request), **{**sent, "block": block})
        )

    @writes(WRITES, answers={**SHOWN, 204: None})
    @action(detail=False, methods=["post"])
    def next(self, request: Request) -> Response:
        """Take the next case for some minutes; no two people get the same. 204 where none waits."""
        case = take_next(study=self.study, by=caller(request), now=timezone.now())
        if case is None:
            return Response(status=HTTPStatus.NO_CONTENT)
        return self.shown(self.get_queryset().get(pk=case.pk))

    @writes(WRITES, answers=SHOWN)
    @action(detail=True, methods=["post"])
    def take(self, request: Request) -> Response:
        """Take this case for some minutes."""
        return self.shown(self._taken())

    @writes(WRITES, answers=SHOWN)
    @action(detail=True, methods=["post"])
    def release(self, request: Request) -> Response:
        """Give a case back that the caller has."""
        if not release_case(case=self.get_object(), by=caller(request)):
            raise Problem(HTTPStatus.CONFLICT, "This case is not yours, or it is decided.")
        return self.shown(self.get_object())

    @writes(WRITES, answers=SHOWN)
    @action(detail=True, methods=["post"])
    def reveal(self, request: Request) -> Response:
        """Show who gave which answer from now on. The case is not decided blind then."""
        reveal_case(case=self._taken(), by=caller(request), now=timezone.now())
        return self.shown(self.get_object())

    @writes(WRITES, takes=DecisionSerializer, answers={201: GoldSerializer})
    @action(detail=True, methods=["post"])
    def decide(self, request: Request) -> Response:
        """Make an answer gold, and end the case. It is taken first where nobody has it."""
        sent, case = self.valid(request), self._taken()
        answer = self._typed(case, sent["answer"])
        posted = answer_form(case.question, None).filled(answer)
        with conflicts(NotHeld, Stale, said=HELD), conflicts(TooLong, said="It is too long."):
            self._save(case, posted, sent["reason"])
            gold = decide_case(case=case, answer=answer, by=caller(request), now=timezone.now())
        return Response(GoldSerializer(gold).data, status=HTTPStatus.CREATED)

    @writes(WRITES, takes=ReasonSerializer, answers=SHOWN)
    @action(detail=True, methods=["post"], url_path="set-aside")
    def set_aside(self, request: Request) -> Response:
        """End a case without gold, as nobody can tell."""
        reason, case = self.valid(request)["reason"], self._taken()
        with conflicts(NotHeld, Stale, said=HELD):
            self._save(case, case.posted, reason)
            set_aside(case=case, by=caller(request), now=timezone.now())
        return self.shown(self.get_object())

    def _taken(self) -> AdjudicationCase:
        case: AdjudicationCase = self.get_object()
        if not take_case(case=case, by=caller(self.request), now=timezone.now()):
            raise Problem(HTTPStatus.CONFLICT, HELD)
        return case

    def _save(self, case: AdjudicationCase, posted: Any, reason: str) -> None:
        by, now = caller(self.request), timezone.now()
        save_case(case=case, posted=posted, reason=reason, revision=case.revision, by=by, now=now)

    def _typed(self, case: AdjudicationCase, answer: Any) -> Schema:
        """The answer, checked against the question; ImportFailure names the field."""
        try:
            typed: Schema = case.question.typed_answer(answer)
            case.question.block.task_type.check(case.question.typed_payload, typed)
        except ValueError as error:
            raise ImportFailure.of("answer", error, within="answer") from error
        return typed


class Gold(Rows):
    """The gold answers that stand: what adjudicators decided to be right."""

    one = "One gold answer."
    needs = READS
    serializer_class = GoldSerializer
    filters: ClassVar = {
        "unit": Filter("question__unit__key", "the key of the unit"),
        "block": Filter("question__block__key", "the key of the block"),
    }

    def get_queryset(self) -> QuerySet[GoldAnswer]:
        return gold_lines(self.study).defer("question__payload", "question__reference")

    @writes(WRITES, answers={201: CaseSerializer})
    @action(detail=True, methods=["post"])
    def again(self, request: Request) -> Response:
        """Open a case that begins with this answer, to decide the question again."""
        case = decide_again(gold=self.get_object(), by=caller(request))
        rows = self.study.adjudication_cases.select_related("question__unit", "question__block")
        return Response(CaseSerializer(rows.get(pk=case.pk)).data, status=HTTPStatus.CREATED)

    @reads(READS, answers={200: GoldOutcomeSerializer, 202: GoldOutcomeSerializer})
    @action(detail=False)
    def results(self, request: Request, **_names: Any) -> Response:
        """Who agrees with gold, and the figures before and after; 202 while they are counted."""
        job = newest_beside_gold(study=self.study, by=caller(request))
        if job is None:
            return Response({"state": "", "outdated": False, "figures": None})
        outdated = job.revision != self.study.revision
        body = {"state": job.state, "outdated": outdated, "figures": job.outcome}
        return Response(body, status=HTTPStatus.ACCEPTED if job.is_under_way else HTTPStatus.OK)
