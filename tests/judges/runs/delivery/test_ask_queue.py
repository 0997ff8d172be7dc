"""When another ask may begin: within the money that is left, and while anything is answered."""

from decimal import Decimal
from typing import Any

import pytest

from judges.backends.contract import Failure, Reply
from judges.methods.asks import AskOutcome
from judges.models import Chunk, JudgeRun
from judges.runs.delivery.ask_queue import AskQueue, Budget
from judges.runs.delivery.leases import claim_chunk
from judges.runs.delivery.work import work
from judges.runs.plans.plan import plan_run
from judges.runs.states import resume_run
from tests.cast import make_study
from tests.judges.endpoints import MODEL, Opening, asking_judge
from tests.judges.scripted_judges import ONE_BLOCK, work_all
from tests.services.endpoint import GOOD, Behaviour, Server

CENT = Decimal("0.01")


def outcome(cost: Decimal = CENT, *, answered: bool = True) -> AskOutcome:
    reply = Reply(cost=cost) if answered else Reply(cost=cost).failed(Failure.ERROR, "no")
    ask: Any = None
    answer: Any = object() if answered else None
    return AskOutcome(ask, (reply,), answer)


def test_with_less_than_ten_answers_worth_left_one_is_worked_at_a_time() -> None:
    budget = Budget(Decimal("0.20"), CENT)
    assert [budget.allows(n) for n in (0, 9, 10, 11)] == [True, True, True, False]
    for _ in range(10):
        budget.pay(CENT)
    assert [budget.allows(n) for n in (0, 1)] == [True, False]
    near = [budget.is_near_end]
    budget.pay(CENT)
    assert [*near, budget.is_near_end, budget.is_spent] == [False, True, False]


def test_the_dearest_answer_so_far_is_what_the_next_may_cost() -> None:
    budget = Budget(Decimal(1), CENT)
    budget.pay(Decimal("0.09"))
    assert [budget.allows(n) for n in (0, 1)] == [True, False]


def test_what_an_answer_can_cost_counts_until_ten_have_told_what_they_do() -> None:
    budget = Budget(Decimal(1), Decimal("0.08"))
    assert [budget.allows(n) for n in (2, 3)] == [True, False]
    for _ in range(10):
        budget.pay(CENT)
    assert budget.allows(80)
    budget.pay(Decimal("0.04"))
    assert budget.dearest == Decimal("0.04")


def test_what_others_have_spent_of_it_counts() -> None:
    budget = Budget(Decimal(1), CENT)
    budget.note_left(Decimal("0.05"))
    budget.note_left(Decimal("0.50"))
    assert budget.left == Decimal("0.05")
    assert Budget(None).allows(1000)


def test_without_an_answer_no_more_than_fifty_are_begun() -> None:
    queue = AskQueue([], Budget(None), calls_each=1)
    assert [queue.may_begin(n) for n in (49, 50)] == [True, False]
    for _ in range(49):
        queue.note(outcome(answered=False))
    assert [queue.may_begin(n) for n in (0, 1)] == [True, False]
    assert not queue.is_closed
    queue.note(outcome(answered=False))
    assert queue.is_closed


def test_one_answer_lifts_the_watch() -> None:
    queue = AskQueue([], Budget(None), calls_each=1)
    queue.note(outcome())
    for _ in range(200):
        queue.note(outcome(answered=False))
    assert queue.may_begin(500)
    assert not queue.is_closed


def test_calls_for_few_answers_are_no_reason_to_stop() -> None:
    queue = AskQueue([], Budget(None), calls_each=20)
    assert [queue.may_begin(n) for n in (9, 10)] == [True, False]


@pytest.mark.django_db
@pytest.mark.parametrize("sources", [72, 300])
def test_a_run_whose_first_fifty_replies_cannot_be_read_is_paused(
    endpoint: Opening, sources: int
) -> None:
    """However fast the endpoint is: it was 72 of 72 calls, as replies came faster than written."""
    server = endpoint(Behaviour(reply="Hm."), in_flight=16)
    study = make_study(blocks=ONE_BLOCK, sources=sources)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert (run.state, len(server.asked)) == ("paused", 50)
    assert run.reason.startswith("No answer so far: 50 parse failures. Check the reasons")
    server.behaviour.reply = GOOD
    resume_run(run_id=run.pk)
    assert (work_all(run).state, len(server.asked)) == ("partial", sources)


def dear_run(endpoint: Opening, *, cap: Decimal, sources: int = 200) -> tuple[Server, JudgeRun]:
    """A run whose replies cost about a cent each, many at once."""
    prices = {MODEL: {"input": 2, "output": 8000}}
    long = GOOD.replace("[0]", "[0" + " " * 14 + "]")  # 8 tokens
    server = endpoint(Behaviour(reply=long, delay=0.02), in_flight=16, prices=prices)
    study = make_study(blocks=ONE_BLOCK, sources=sources)
    run = plan_run(study=study, judge=asking_judge(study, max_tokens=10), subset="")
    JudgeRun.objects.filter(pk=run.pk).update(max_cost=cap)
    return server, run


@pytest.mark.django_db
def test_replies_under_way_do_not_pass_the_cap(endpoint: Opening) -> None:
    server, run = dear_run(endpoint, cap=Decimal(3))
    run = work_all(run)
    each = run.spent / len(server.asked)
    assert run.state == "paused"
    assert server.most_under_way > 8
    assert Decimal(3) <= run.spent < 3 + each
    assert each > Decimal("0.01")


@pytest.mark.django_db
def test_near_the_cap_one_call_runs_at_a_time(endpoint: Opening) -> None:
    server, run = dear_run(endpoint, cap=Decimal("0.1"))
    assert work_all(run).state == "paused"
    assert server.most_under_way == 1


@pytest.mark.django_db
def test_near_the_cap_one_worker_goes_on(endpoint: Opening) -> None:
    server, run = dear_run(endpoint, cap=Decimal("0.1"), sources=2)
    first = Chunk.objects.get(run=run)
    other = Chunk.objects.create(run=run, position=1)
    run.calls.filter(pk=run.calls.latest("pk").pk).update(chunk=other)
    assert claim_chunk(chunk_id=first.pk) is not None
    assert work(chunk_id=other.pk)
    other.refresh_from_db()
    assert (other.state, server.asked) == ("queued", [])
    Chunk.objects.filter(pk=first.pk).update(state="done")
    assert work(chunk_id=other.pk)
    assert len(server.asked) == 1
