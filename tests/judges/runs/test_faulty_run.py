"""A run against an endpoint with faults, by workers that are killed, over a broker that restarts.

Each question is answered once or has failed with its reason, and what the run says it has spent is
what the endpoint says it has charged, but for the conversations that were under way at the kill.
"""

from collections.abc import Callable
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from annotation.models import Annotation
from judges.models import Call, JudgeRun
from tests.cast import make_study
from tests.judges.endpoints import MODEL, write_endpoints
from tests.judges.runs.background import Background, ended, wait_until
from tests.judges.scripted_judges import ONE_BLOCK
from tests.services import redis as redis_service
from tests.services.endpoint import PROSE, books, endpoint_process

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

RATES = {"429": 0.05, "500": 0.02, "prose": 0.02}
MILLION = Decimal(1_000_000)
PLAN = f"""
import django; django.setup()
from annotation.models import Study
from judges.definitions.versions import define_judge
from judges.runs.plans.plan import plan_run
fields = dict(name="asked", method="zero_shot", backend="chat", model={MODEL!r})
study = Study.objects.get()
plan_run(study=study, judge=define_judge(study=study, **fields), subset="")
"""


def faulty_run(
    make: Callable[..., Background], folder: Path, *, questions: int, in_flight: int
) -> None:
    make_study(blocks=ONE_BLOCK, sources=questions)
    with ExitStack() as stack:
        url = stack.enter_context(endpoint_process(delay_ms=100, rates=RATES, seed=4))
        file = write_endpoints(folder / "endpoints.yaml", url, in_flight=in_flight)
        try:
            with redis_service.redis_server() as broker:
                background = make(broker)
                background.environment["JUDGE_ENDPOINTS"] = str(file)
                background.run("-c", PLAN)
                background.start_worker()
                wait_until(lambda: Annotation.objects.count() > questions // 4)
                background.kill_worker()
        except redis_service.Unavailable as reason:
            pytest.skip(str(reason))
        assert JudgeRun.objects.get().state == "running"
        port = int(broker.split(":")[2].split("/")[0])
        stack.enter_context(redis_service.redis_server(port))
        background.start_worker()
        wait_until(ended)
        background.stop()
        assert_every_question_is_accounted_for(questions)
        assert_the_books_agree(books(url), at_most_lost=2 * in_flight)


def assert_every_question_is_accounted_for(questions: int) -> None:
    run = JudgeRun.objects.get()
    answered = run.calls.filter(status="answered", annotation__isnull=False)
    failed = run.calls.filter(status="parse_failure", annotation=None)
    assert run.state == "partial"
    assert run.calls.count() == answered.count() + failed.count() == questions
    assert Annotation.objects.count() == answered.count()
    assert Annotation.objects.values("question").distinct().count() == answered.count()
    assert failed.count() > 0
    assert set(failed.values_list("reply", flat=True)) == {PROSE}
    assert "" not in failed.values_list("error", flat=True)
    assert run.calls.filter(detail__tries__isnull=False).exists()


def assert_the_books_agree(theirs: dict[str, Any], *, at_most_lost: int) -> None:
    """Call by call, told apart by their seeds."""
    run = JudgeRun.objects.get()
    costs = {call.request["seed"]: call.cost for call in Call.objects.all()}
    assert sum(cost or 0 for cost in costs.values()) == run.spent
    charged = {int(seed): micro / MILLION for seed, micro in theirs["by_seed"].items()}
    assert set(charged) == set(costs)
    lost = [seed for seed, cost in costs.items() if cost != charged[seed]]
    assert len(lost) <= at_most_lost
    # A call that was lost was charged once more than it was counted, and nothing else differs. It
    # may have brought prose the one time and an answer the other, which cost a little more or less.
    times = {charged[seed] / (costs[seed] or 1) for seed in lost}
    assert all(Decimal("1.8") < one < Decimal("2.2") for one in times), times
    beyond = sum(charged[seed] - (costs[seed] or 0) for seed in lost)
    assert run.spent + beyond == theirs["micro"] / MILLION


def test_faults_a_kill_and_a_restart_lose_no_question_and_no_cent(
    installation: Callable[..., Background],
    tmp_path: Path,
) -> None:
    faulty_run(installation, tmp_path, questions=200, in_flight=6)


@pytest.mark.slow
def test_the_same_with_two_thousand_questions(
    installation: Callable[..., Background],
    tmp_path: Path,
) -> None:
    faulty_run(installation, tmp_path, questions=2000, in_flight=32)


def test_a_worker_that_is_told_to_go_writes_down_what_it_has_paid_for_and_leaves(
    installation: Callable[..., Background],
    tmp_path: Path,
) -> None:
    questions = 200
    make_study(blocks=ONE_BLOCK, sources=questions)
    with endpoint_process(delay_ms=200) as url:
        background = installation()
        file = write_endpoints(tmp_path / "endpoints.yaml", url, in_flight=2)
        background.environment["JUDGE_ENDPOINTS"] = str(file)
        background.run("-c", PLAN)
        background.start_worker()
        wait_until(Annotation.objects.exists)
        assert background.ask_worker_to_go() == 0
        answered = Call.objects.filter(status="answered", annotation__isnull=False)
        assert 0 < answered.count() < questions
        assert len(books(url)["by_seed"]) == answered.count()
        run = JudgeRun.objects.get()
        assert (run.state, run.chunks.get().state) == ("running", "queued")
