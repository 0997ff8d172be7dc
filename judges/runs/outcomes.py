"""Write down outcomes: answers and calls together, in short transactions, under a lease."""

import time
from collections.abc import Container, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from decimal import Decimal
from itertools import zip_longest
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Annotation, Question
from judges.backends.contract import Failure, Reply, answer_name
from judges.methods.contract import Ask, Method, Outcome, prompt_hash
from judges.models import Call, Chunk, JudgeRun
from judges.runs.leases import Lease, LeaseLost, extend
from judges.runs.reply_cache import charged, forget
from judges.runs.states import heed_cap, heed_failures
from tasktypes.candidates import order_shown

# (question id, replicate): what there is one answer to.
Pair = tuple[int, int]
Calls = dict[Pair, list[Call]]
# What tells a reply that was paid for: its key, and the batch that it came with.
Paid = tuple[str | None, str | None]

# Outcomes that come fast are written together; one that came slowly is written at once.
MOST_WAITING = 25
LONGEST_WAIT_SECONDS = 0.25

ALREADY = "Answered already."
MEANWHILE = "Answered by another run meanwhile."
WRITTEN = (
    "status", "attempts", "prompt_hash", "step", "request", "reply", "error", "tokens_in",
    "tokens_out", "cost", "latency_ms", "detail", "finished_at", "annotation",
)  # fmt: skip
NOTHING = Decimal(0)


def skip_answered(chunk: Chunk) -> None:
    """Mark the calls whose question this judge version has answered before."""
    answered = Annotation.objects.filter(
        rater=chunk.run.rater_id,
        question=OuterRef("question"),
        replicate=OuterRef("replicate"),
        superseded_at=None,
    )
    chunk.calls.filter(Exists(answered), status=Call.Status.PLANNED).update(
        status=Call.Status.SKIPPED, error=ALREADY, finished_at=timezone.now()
    )


class Writer:
    """Collects the outcomes of one chunk and writes them; LeaseLost where that is not ours."""

    def __init__(
        self,
        lease: Lease,
        run: JudgeRun,
        method: Method[Any],
        questions: Mapping[int, Question],
        calls: Calls,
        *,
        at_once: bool = False,
    ) -> None:
        self.lease, self.run, self.method = lease, run, method
        self.questions, self.calls = questions, calls
        self.most_waiting = 1 if at_once else max(MOST_WAITING, 2 * method.at_once)
        self.hashes: dict[str, str] = {}
        self.waiting: list[Outcome] = []
        self.waiting_cost = NOTHING
        self.spent = run.spent
        self.has_answers = False
        self.written_at = time.monotonic()

    def add(self, outcome: Outcome) -> bool:
        """Take an outcome on; whether this was the moment at which they were written."""
        self.waiting.append(self._fitting(outcome))
        self.waiting_cost += sum((reply.cost or NOTHING for reply in outcome.replies), NOTHING)
        waited = time.monotonic() - self.written_at
        few = len(self.waiting) < self.most_waiting and waited < LONGEST_WAIT_SECONDS
        if few and not self.run.is_capped_at(self.spent + self.waiting_cost):
            return False
        self.flush()
        return True

    def flush(self) -> None:
        """Write what is waiting. An answer that another run gave first is not written twice."""
        outcomes, self.waiting, self.waiting_cost = self.waiting, [], NOTHING
        if outcomes:
            self._write_but_what_is_lost(outcomes)
            self._heed(outcomes)
        self.written_at = time.monotonic()

    def _heed(self, outcomes: Iterable[Outcome]) -> None:
        """Pause the run where it has spent what it may, or where nothing is answered."""
        if self.run.is_capped_at(self.spent):
            heed_cap(run_id=self.run.pk)
        self.has_answers |= any(outcome.answer is not None for outcome in outcomes)
        if not self.has_answers:
            heed_failures(run_id=self.run.pk)

    def _write_but_what_is_lost(self, outcomes: list[Outcome]) -> None:
        # The other run goes on writing while we look, so one look may not be enough.
        lost: frozenset[Pair] = frozenset()
        while True:
            try:
                self._write(outcomes, lost)
            except IntegrityError:
                answered = self._answered(outcomes)
                if answered <= lost:
                    raise
                lost = answered
            else:
                return

    def _fitting(self, outcome: Outcome) -> Outcome:
        """The outcome; with an answer that does not fit its question, a parse failure."""
        if outcome.answer is None:
            return outcome
        try:
            kind = outcome.ask.task_type
            check = kind.check_between if self.method.between_points else kind.check
            check(outcome.ask.payload, outcome.answer)
        except ValueError as error:
            last = outcome.replies[-1].failed(Failure.PARSE_FAILURE, str(error))
            return replace(outcome, answer=None, replies=(*outcome.replies[:-1], last))
        return outcome

    @transaction.atomic
    def _write(self, outcomes: Iterable[Outcome], lost: frozenset[Pair]) -> None:
        if not extend(self.lease, progressed=True):
            raise LeaseLost
        answered = [o for o in outcomes if o.answer is not None and _pair(o) not in lost]
        annotations = record_answers(
            rater=self.run.rater, given=[self._given(outcome) for outcome in answered]
        )
        by_pair = {_pair(o): a for o, a in zip(answered, annotations, strict=True)}
        filled: list[Call] = []
        spent = NOTHING
        for outcome in outcomes:
            pair = _pair(outcome)
            # Copies: should the transaction fail, the next try begins where this one did.
            calls = [copy(call) for call in self._enough_calls(outcome)]
            spent += self._fill(outcome, calls, by_pair.get(pair), lost=pair in lost)
            filled += calls
        _save(filled)
        forget(_unread(outcomes))
        self._count(spent)

    def _count(self, spent: Decimal) -> None:
        """Add to what the run has spent, and see what that is with all other workers' calls."""
        own = JudgeRun.objects.filter(pk=self.run.pk)
        if spent:
            own.update(spent=F("spent") + spent)
        if self.run.max_cost is not None:
            self.spent = own.values_list("spent", flat=True).get()

    def _given(self, outcome: Outcome) -> GivenAnswer:
        assert outcome.answer is not None
        return GivenAnswer(
            question=self.questions[outcome.ask.question_id],
            answer=outcome.answer,
            replicate=outcome.ask.replicate,
            between_points=self.method.between_points,
        )

    def _fill(
        self, outcome: Outcome, calls: list[Call], annotation: Annotation | None, *, lost: bool
    ) -> Decimal:
        """Copy replies into the rows of their calls; USD that this adds to the run.

        Replies that came by batch were counted for the run when the batch was back.
        """
        asked_hash, before = self._prompt_hash(outcome), _cost(calls)
        counted = {_paid(call.detail) for call in calls if call.attempts}
        order = list(order_shown(outcome.ask.raw_payload))
        for call, reply in zip_longest(calls, outcome.replies):
            call.prompt_hash, call.annotation = asked_hash, annotation
            is_uncounted = reply is not None and self._is_uncounted(outcome.ask, reply, counted)
            _fill(call, charged(reply) if is_uncounted else reply)
            if reply is not None and order:
                call.detail["order"] = order
            if reply is not None and is_uncounted and "batch" in reply.detail:
                before += charged(reply).cost or NOTHING
            if lost:
                call.status, call.error = Call.Status.SKIPPED, MEANWHILE
        return _cost(calls) - before

    def _is_uncounted(self, ask: Ask, reply: Reply, counted: Container[Paid]) -> bool:
        """Whether this run paid for a kept reply, for this very answer, and never counted it: the
        worker that had asked was killed before it wrote it down, or it came with a batch."""
        own = reply.detail.get("cached", {}).get("own")
        paid_for = answer_name(ask.unit, ask.block, ask.replicate)
        is_for_this = reply.detail.get("for") == paid_for
        return bool(own and is_for_this and _paid(reply.detail) not in counted)

    def _prompt_hash(self, outcome: Outcome) -> str:
        ask = outcome.ask
        if ask.block not in self.hashes:
            text = self.method.whole_prompt(ask.task_type, ask.told)
            self.hashes[ask.block] = prompt_hash(text)
        return self.hashes[ask.block]

    def _enough_calls(self, outcome: Outcome) -> list[Call]:
        """The calls planned for an answer, and new ones where it took more."""
        calls = self.calls[_pair(outcome)]
        missing = range(len(calls), len(outcome.replies))
        if missing:
            first = calls[0]
            more = [
                Call(
                    run_id=first.run_id,
                    chunk_id=first.chunk_id,
                    question_id=first.question_id,
                    replicate=first.replicate,
                    sample=sample,
                )
                for sample in missing
            ]
            calls = [*calls, *Call.objects.bulk_create(more)]
            JudgeRun.objects.filter(pk=self.run.pk).update(n_calls=F("n_calls") + len(more))
        return calls

    def _answered(self, outcomes: Iterable[Outcome]) -> frozenset[Pair]:
        pairs = {_pair(outcome) for outcome in outcomes}
        standing = Annotation.objects.filter(
            rater=self.run.rater, question__in=[pair[0] for pair in pairs], superseded_at=None
        )
        return frozenset(standing.values_list("question", "replicate")) & pairs


def _pair(outcome: Outcome) -> Pair:
    return outcome.ask.question_id, outcome.ask.replicate


def _paid(detail: Mapping[str, Any]) -> Paid:
    return detail.get("cache_key"), detail.get("batch")


def _cost(calls: Iterable[Call]) -> Decimal:
    return sum((call.cost or NOTHING for call in calls), NOTHING)


def _unread(outcomes: Iterable[Outcome]) -> list[str]:
    """The keys of replies that hold no answer: whoever asks again is to ask for real."""
    keys = [
        reply.detail.get("cache_key")
        for outcome in outcomes
        for reply in outcome.replies
        if reply.failure
    ]
    return [key for key in keys if key]


def _fill(call: Call, reply: Reply | None) -> None:
    """Copy a reply into its call's row; none: the answer was there without this call.

    Tokens and cost are added to those of the times before.
    """
    call.finished_at = timezone.now()
    if reply is None:
        call.status, call.error = Call.Status.SKIPPED, "Not needed."
        return
    call.attempts += 1
    call.status = Call.Status(reply.failure.value) if reply.failure else Call.Status.ANSWERED
    call.request, call.reply, call.error = dict(reply.request), reply.text, reply.error
    call.tokens_in = _plus(call.tokens_in, reply.tokens_in)
    call.tokens_out = _plus(call.tokens_out, reply.tokens_out)
    call.cost, call.latency_ms = _plus(call.cost, reply.cost), reply.latency_ms
    call.step, call.detail = reply.step, dict(reply.detail)


N = TypeVar("N", int, Decimal)


def _plus(before: N | None, now: N | None) -> N | None:
    return now if before is None else before if now is None else before + now


def _save(calls: Sequence[Call]) -> None:
    """Write rows that are there already, by one statement for all: as an insertion in conflict
    with every one of them, since `bulk_update` takes a hundred times as long."""
    Call.objects.bulk_create(
        calls, update_conflicts=True, unique_fields=["pk"], update_fields=WRITTEN
    )
