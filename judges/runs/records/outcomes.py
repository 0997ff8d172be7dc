"""Write outcomes: answers and calls together, in short transactions, under a lease."""

import time
from collections.abc import Container, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from django.db import Error, IntegrityError, transaction
from django.db.models import F

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Annotation, Question
from annotation.queries.outages import is_outage
from endpoints.models import charge
from judges.backends.contract import Failure, Reply, answer_name
from judges.methods.asks import AnswerKey, Ask, AskOutcome
from judges.methods.asks import prompt_hash as hash_of_prompt
from judges.methods.contract import Method
from judges.models import Call, JudgeRun, ProbeAnswer
from judges.runs.delivery.leases import Lease, LeaseLost, extend
from judges.runs.plans.standing_answers import answers_of
from judges.runs.records.calls import fill_call, save_calls
from judges.runs.records.reply_cache import DatabaseCache, at_full_cost
from judges.runs.states import pause_at_cap, pause_if_all_fail
from tasktypes.pages.candidates import order_shown

Calls = dict[AnswerKey, list[Call]]
# What identifies a payment for a reply: its cache key, and its batch.
Payment = tuple[str | None, str | None]

# Outcomes that come fast are written together; one that came slowly is written at once.
MOST_WAITING = 25
LONGEST_WAIT_SECONDS = 0.25
# A database that is away is waited for so many seconds between tries, together less than a lease:
# the replies were paid for, and the worker did not die over their questions.
WAITS = (1.0, 2.0, 4.0, 8.0)

MEANWHILE = "Answered by another run meanwhile."
NOTHING = Decimal(0)


class Writer:
    """Collects the outcomes of one chunk and writes them; LeaseLost where the lease is lost.

    at_once: write every outcome as it comes.
    """

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
        self.waiting: list[AskOutcome] = []
        self.waiting_cost = NOTHING
        self.has_answers = False
        self.written_at = time.monotonic()

    def add(self, outcome: AskOutcome) -> bool:
        """Add an outcome; True where the waiting outcomes were written now."""
        self.waiting.append(self._checked(outcome))
        self.waiting_cost += sum((reply.cost or NOTHING for reply in outcome.replies), NOTHING)
        waited = time.monotonic() - self.written_at
        few = len(self.waiting) < self.most_waiting and waited < LONGEST_WAIT_SECONDS
        if few and not self.run.is_capped_at(self.run.spent + self.waiting_cost):
            return False
        self.flush()
        return True

    def flush(self) -> None:
        """Write the waiting outcomes, except answers that another run has written first."""
        outcomes, self.waiting, self.waiting_cost = self.waiting, [], NOTHING
        if outcomes:
            self._write_when_possible(outcomes)
            self._pause_if_needed(outcomes)
        self.written_at = time.monotonic()

    def _pause_if_needed(self, outcomes: Iterable[AskOutcome]) -> None:
        """Pause the run where it has reached its cap, or where all calls fail."""
        if self.run.is_capped_at(self.run.spent):
            pause_at_cap(run_id=self.run.pk)
        self.has_answers |= any(outcome.answer is not None for outcome in outcomes)
        if not self.has_answers:
            pause_if_all_fail(run_id=self.run.pk)

    def _write_when_possible(self, outcomes: list[AskOutcome]) -> None:
        for n, wait in enumerate((*WAITS, None)):
            try:
                # What was committed before the connection was lost is there already.
                if not (n and self._is_written(outcomes)):
                    self._write_unless_answered(outcomes)
            except Error as error:
                if wait is None or not is_outage(error):
                    raise
                time.sleep(wait)
            else:
                return

    def _is_written(self, outcomes: Iterable[AskOutcome]) -> bool:
        calls = [self.calls[outcome.ask.key][0].pk for outcome in outcomes]
        return not Call.objects.filter(pk__in=calls, status=Call.Status.PLANNED).exists()

    def _write_unless_answered(self, outcomes: list[AskOutcome]) -> None:
        # Another run of the same judge may write an answer at any time. The unique constraint then
        # fails the transaction, which is tried again without the answers that exist by now.
        answered: frozenset[AnswerKey] = frozenset()
        while True:
            try:
                self._write(outcomes, answered)
            except IntegrityError:
                now_answered = self._answered(outcomes)
                if now_answered <= answered:
                    raise  # it was another constraint
                answered = now_answered
            else:
                return

    def _checked(self, outcome: AskOutcome) -> AskOutcome:
        """The outcome; a parse failure where the answer does not fit its question."""
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
    def _write(self, outcomes: Iterable[AskOutcome], answered: frozenset[AnswerKey]) -> None:
        if not extend(self.lease, progressed=True):
            raise LeaseLost
        to_record = [o for o in outcomes if o.answer is not None and o.ask.key not in answered]
        by_key = self._record(to_record)
        filled: list[Call] = []
        spent = NOTHING
        for outcome in outcomes:
            key = outcome.ask.key
            # Copies, so that another try begins with unchanged calls if the transaction fails.
            calls = [copy(call) for call in self._enough_calls(outcome)]
            spent += self._fill(outcome, calls, by_key.get(key), is_skipped=key in answered)
            filled += calls
        save_calls(filled)
        DatabaseCache.of(self.run).forget(_keys_without_answer(outcomes))
        self._add_to_spent(spent)

    def _record(self, outcomes: Sequence[AskOutcome]) -> dict[AnswerKey, Annotation]:
        """Store the answers; those to probes apart, without annotations."""
        if self.run.is_probe:
            ProbeAnswer.objects.bulk_create(map(self._probe_answer, outcomes))
            return {}
        annotations = record_answers(
            rater=self.run.rater, given=[self._given_answer(outcome) for outcome in outcomes]
        )
        return {o.ask.key: a for o, a in zip(outcomes, annotations, strict=True)}

    def _probe_answer(self, outcome: AskOutcome) -> ProbeAnswer:
        assert outcome.answer is not None
        return ProbeAnswer(
            run=self.run,
            question_id=outcome.ask.question_id,
            replicate=outcome.ask.replicate,
            answer=outcome.answer.model_dump(mode="json"),
        )

    def _add_to_spent(self, cost: Decimal) -> None:
        """Add to what the run has spent, and read the total with other workers' calls."""
        run = JudgeRun.objects.filter(pk=self.run.pk)
        if cost:
            run.update(spent=F("spent") + cost)
            payer = self.run.payer
            endpoint = self.method.endpoint_name()
            if payer is not None and endpoint:
                charge(endpoint=endpoint, user_id=payer.pk, usd=cost)
        if self.run.max_cost is not None:
            self.run.spent = run.values_list("spent", flat=True).get()

    def _given_answer(self, outcome: AskOutcome) -> GivenAnswer:
        assert outcome.answer is not None
        return GivenAnswer(
            question=self.questions[outcome.ask.question_id],
            answer=outcome.answer,
            replicate=outcome.ask.replicate,
            between_points=self.method.between_points,
        )

    def _fill(
        self,
        outcome: AskOutcome,
        calls: list[Call],
        annotation: Annotation | None,
        *,
        is_skipped: bool,
    ) -> Decimal:
        """Copy replies into the rows of their calls; returns the USD to add to the run.

        Replies that came by batch were added to the run when the batch ended.
        """
        prompt_hash, before = self._prompt_hash(outcome), _cost(calls)
        counted = {_payment(call.detail) for call in calls if call.attempts}
        order = list(order_shown(outcome.ask.raw_payload))
        for call, reply in zip_longest(calls, outcome.replies):
            call.prompt_hash, call.annotation = prompt_hash, annotation
            is_uncounted = reply is not None and self._is_uncounted(outcome.ask, reply, counted)
            fill_call(call, at_full_cost(reply) if is_uncounted else reply)
            if reply is not None and order:
                call.detail["order"] = order
            if reply is not None and is_uncounted and "batch" in reply.detail:
                before += at_full_cost(reply).cost or NOTHING
            if is_skipped:
                call.status, call.error = Call.Status.SKIPPED, MEANWHILE
        return _cost(calls) - before

    def _is_uncounted(self, ask: Ask, reply: Reply, counted: Container[Payment]) -> bool:
        """Whether a cached reply was paid for by this run, for this answer, and not counted yet.

        This is so where a worker was killed before it wrote the call, or where the reply came by
        batch.
        """
        is_own = reply.detail.get("cached", {}).get("own")
        is_for_this = reply.detail.get("for") == answer_name(ask.unit, ask.block, ask.replicate)
        return bool(is_own and is_for_this and _payment(reply.detail) not in counted)

    def _prompt_hash(self, outcome: AskOutcome) -> str:
        ask = outcome.ask
        if ask.block not in self.hashes:
            text = self.method.whole_prompt(ask.task_type, ask.instructions)
            self.hashes[ask.block] = hash_of_prompt(text)
        return self.hashes[ask.block]

    def _enough_calls(self, outcome: AskOutcome) -> list[Call]:
        """The calls that were planned for an answer, and new ones where it took more."""
        calls = self.calls[outcome.ask.key]
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

    def _answered(self, outcomes: Iterable[AskOutcome]) -> frozenset[AnswerKey]:
        """The keys of those outcomes that have an answer in the database."""
        keys = {outcome.ask.key for outcome in outcomes}
        answers = answers_of(self.run).filter(question__in=[key[0] for key in keys])
        return frozenset(answers.values_list("question", "replicate")) & keys


def _payment(detail: Mapping[str, Any]) -> Payment:
    return detail.get("cache_key"), detail.get("batch")


def _cost(calls: Iterable[Call]) -> Decimal:
    return sum((call.cost or NOTHING for call in calls), NOTHING)


def _keys_without_answer(outcomes: Iterable[AskOutcome]) -> list[str]:
    """The cache keys of replies that hold no answer, so that another try makes a new request."""
    keys = [
        reply.detail.get("cache_key")
        for outcome in outcomes
        for reply in outcome.replies
        if reply.failure
    ]
    return [key for key in keys if key]
