"""Working chunks: each question is answered once, whatever happens on the way."""

import re
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotation, Member, Question, Study, User
from judges.definitions.versions import define_judge, judge_for
from judges.methods.asks import Cost
from judges.methods.lexical import Lexical
from judges.models import Call, Chunk, JudgeRun
from judges.runs.delivery.leases import MAX_ATTEMPTS, LeaseLost, claim_chunk, extend, fail_chunk
from judges.runs.delivery.queue import LEASE
from judges.runs.delivery.work import MOST_DEATHS, work, work_chunk
from judges.runs.plans.plan import plan_run
from judges.runs.plans.scope import RunRefused
from judges.runs.states import NotPossible, cancel_run, pause_run, resume_run
from tests.cast import join, make_study
from tests.judges.endpoints import MODEL, Opening, asking_judge
from tests.judges.scripted_judges import ONE_BLOCK, let_lease_run_out, scripted_judge, work_all
from tests.services.endpoint import GOOD, Behaviour

in_parallel = pytest.mark.django_db(transaction=True)


def claims_at_once(chunk: Chunk) -> list[object]:
    return at_once(6, lambda _: claim_chunk(chunk_id=chunk.pk))


def at_once(count: int, act: Callable[[int], object]) -> list[object]:
    """Run in so many threads at the same moment; what each gave back."""
    barrier, results = threading.Barrier(count), []

    def go(number: int) -> None:
        try:
            barrier.wait()
            results.append(act(number))
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == count
    return results


@in_parallel
def test_of_several_workers_that_claim_a_chunk_exactly_one_gets_it() -> None:
    study = make_study(blocks=ONE_BLOCK)
    for _ in range(5):
        chunk = plan_run(study=study, judge=judge_for(study, "lexical")).chunks.get()
        for _ in range(2):  # waiting, then left behind by a dead worker
            assert sum(lease is not None for lease in claims_at_once(chunk)) == 1
            let_lease_run_out(chunk)


@in_parallel
def test_two_runs_over_the_same_questions_answer_each_once(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK, sources=40)
    parrot = scripted_judge(study, tmp_path, delay_ms=5)
    runs = [plan_run(study=study, judge=parrot) for _ in range(2)]
    at_once(2, lambda number: work(chunk_id=runs[number].chunks.get().pk))
    assert Annotation.objects.count() == 40
    assert Annotation.objects.values("question").distinct().count() == 40
    assert {work_all(run).state for run in runs} == {"complete"}
    counts = [Call.objects.filter(status=status).count() for status in ("answered", "skipped")]
    assert counts == [40, 40]


@pytest.mark.django_db
def test_what_another_run_has_answered_meanwhile_is_skipped(study: Study) -> None:
    first, second = (plan_run(study=study, judge=judge_for(study, "lexical")) for _ in range(2))
    assert work_all(first).state == "complete"
    assert work_all(second).state == "complete"
    assert set(second.calls.values_list("status", "attempts")) == {("skipped", 0)}
    assert Annotation.objects.count() == 3


@pytest.mark.django_db
def test_a_worker_that_lost_its_lease_writes_nothing(study: Study) -> None:
    chunk = plan_run(study=study, judge=judge_for(study, "lexical")).chunks.get()
    late = claim_chunk(chunk_id=chunk.pk)
    let_lease_run_out(chunk)
    holder = claim_chunk(chunk_id=chunk.pk)
    assert late is not None
    assert holder is not None
    with pytest.raises(LeaseLost):
        work_chunk(late)
    fail_chunk(late, "no longer mine to say")
    assert Annotation.objects.count() == 0
    work_chunk(holder)
    assert Annotation.objects.count() == 3


@pytest.mark.django_db
def test_a_chunk_that_is_done_is_not_worked_again(study: Study) -> None:
    run = work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    assert not work(chunk_id=run.chunks.get().pk)


@pytest.mark.django_db
def test_a_chunk_over_which_workers_keep_dying_fails_visibly(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    chunk = run.chunks.get()
    for _ in range(MAX_ATTEMPTS):
        assert claim_chunk(chunk_id=chunk.pk) is not None
        let_lease_run_out(chunk)
    assert claim_chunk(chunk_id=chunk.pk) is None
    run.refresh_from_db()
    chunk.refresh_from_db()
    assert (run.state, chunk.state) == ("failed", "failed")
    assert set(run.calls.values_list("status", "error")) == {("error", chunk.error)}
    assert "The worker died 5 times" in chunk.error


@pytest.mark.django_db
def test_only_the_question_that_kills_workers_is_left_out(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    chunk = run.chunks.get()
    claim_chunk(chunk_id=chunk.pk)
    let_lease_run_out(chunk)
    deadly = run.calls.order_by("pk")[1]
    Call.objects.filter(pk=deadly.pk).update(attempts=MOST_DEATHS)
    work_all(run)
    deadly.refresh_from_db()
    assert (deadly.status, run.state) == ("error", "partial")
    assert deadly.error == "The worker died 2 times over this question."
    assert run.calls.filter(status="answered").count() == 2


@pytest.mark.django_db
def test_after_a_death_each_question_is_counted_before_it_is_asked(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    chunk = run.chunks.get()
    claim_chunk(chunk_id=chunk.pk)
    let_lease_run_out(chunk)
    seen: list[list[int]] = []

    def look() -> bool:
        seen.append(list(run.calls.order_by("pk").values_list("attempts", flat=True)))
        return False

    work(chunk_id=chunk.pk, leave=look)
    assert seen == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert work_all(run).state == "complete"


@pytest.mark.django_db
def test_a_chat_judge_is_wary_of_many_at_a_time_and_then_of_those_that_were_there(
    endpoint: Opening,
) -> None:
    server = endpoint()
    study = make_study(blocks=ONE_BLOCK, sources=40)
    run = plan_run(study=study, judge=asking_judge(study), subset="")
    chunk = run.chunks.get()
    calls = list(run.calls.order_by("pk"))
    claim_chunk(chunk_id=chunk.pk)  # the worker died, nobody knows over what
    let_lease_run_out(chunk)
    # … and the next one among the first few: one of them was there at a death before that.
    run.calls.filter(pk__in=[call.pk for call in calls[:3]]).update(attempts=1)
    run.calls.filter(pk=calls[1].pk).update(attempts=MOST_DEATHS)
    run = work_all(run)
    assert (run.state, len(server.asked)) == ("partial", 39)
    failed = run.calls.get(status="error")
    assert (failed.pk, failed.error) == (calls[1].pk, "The worker died 2 times over this question.")
    # Those that had been there were counted once more when they were asked alone.
    asked_again = run.calls.filter(status="answered", attempts=2).order_by("pk")
    assert list(asked_again) == [calls[0], calls[2]]


@pytest.mark.django_db
def test_failures_of_times_before_are_no_deaths(endpoint: Opening) -> None:
    endpoint().script.extend(["prose"] * 3)
    study = make_study(blocks=ONE_BLOCK, sources=1)
    run = plan_run(study=study, judge=asking_judge(study), subset="")
    for _ in range(3):
        assert work_all(run).state == "failed"
        resume_run(run_id=run.pk)
    chunk = run.chunks.get()
    claim_chunk(chunk_id=chunk.pk)
    let_lease_run_out(chunk)
    assert work_all(run).state == "complete"


@pytest.mark.django_db
def test_a_question_whose_payload_is_broken_fails_alone(study: Study) -> None:
    Question.objects.filter(unit__key="claim-1/alder/1").update(payload={"claim": "no more"})
    run = work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    failed = run.calls.get(status="error")
    assert failed.question.unit.key == "claim-1/alder/1"
    assert "passages" in failed.error
    assert run.state == "partial"


@pytest.mark.django_db
def test_a_judge_that_can_no_longer_be_used_fails_its_chunks_with_the_reason(
    study: Study, tmp_path: Path
) -> None:
    run = plan_run(study=study, judge=scripted_judge(study, tmp_path))
    (tmp_path / "parrot.jsonl").unlink()
    assert work_all(run).state == "failed"
    assert "parrot.jsonl" in run.chunks.get().error
    assert run.calls.filter(status="error", error__contains="parrot.jsonl").count() == 6


@pytest.mark.django_db
def test_a_worker_that_is_told_to_leave_gives_the_chunk_back(study: Study) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    chunk = run.chunks.get()
    assert work(chunk_id=chunk.pk, leave=lambda: True)
    chunk.refresh_from_db()
    assert (chunk.state, chunk.attempts) == ("queued", 0)
    assert run.calls.filter(status="answered").count() == 1
    assert work_all(run).state == "complete"


def stop_after_first(stop: Callable[[], None]) -> Callable[[], bool]:
    """Called after every outcome; stops the run the first time."""
    pending = [stop]

    def leave() -> bool:
        while pending:
            pending.pop()()
        return False

    return leave


@pytest.mark.django_db
def test_a_paused_run_stops_between_calls_and_goes_on_when_resumed(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK, sources=45)
    run = plan_run(study=study, judge=scripted_judge(study, tmp_path))
    chunk = run.chunks.get()
    work(chunk_id=chunk.pk, leave=stop_after_first(lambda: pause_run(run_id=run.pk)))
    answered = run.calls.filter(status="answered").count()
    assert 0 < answered < 45
    assert not work(chunk_id=chunk.pk)
    resume_run(run_id=run.pk)
    assert work_all(run).state == "complete"
    assert Annotation.objects.count() == 45
    assert set(run.calls.values_list("attempts", flat=True)) == {1}


@pytest.mark.django_db
def test_a_cancelled_run_keeps_what_was_answered_and_can_be_taken_up_again(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK, sources=45)
    run = plan_run(study=study, judge=scripted_judge(study, tmp_path))
    work(chunk_id=run.chunks.get().pk, leave=stop_after_first(lambda: cancel_run(run_id=run.pk)))
    run.refresh_from_db()
    assert (run.state, run.ended_at is not None) == ("cancelled", True)
    assert 0 < Annotation.objects.count() < 45
    resume_run(run_id=run.pk)
    assert work_all(run).state == "complete"
    assert Annotation.objects.count() == 45


@pytest.mark.django_db
def test_resuming_a_partial_run_asks_the_failures_again_and_keeps_what_they_were(
    tmp_path: Path,
) -> None:
    study = make_study(blocks=ONE_BLOCK)
    garbled = {"claim-1/alder/1": {"reply": "Hm."}}
    run = work_all(plan_run(study=study, judge=scripted_judge(study, tmp_path, garbled)))
    assert run.state == "partial"
    resume_run(run_id=run.pk)
    assert work_all(run).state == "partial"
    call = run.calls.get(status="parse_failure")
    assert (call.attempts, len(call.earlier)) == (2, 1)
    assert call.earlier[0]["reply"] == "Hm."
    assert set(run.calls.filter(status="answered").values_list("attempts", flat=True)) == {1}


@pytest.mark.django_db
def test_all_calls_of_an_answer_that_failed_are_asked_again_together(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lexical, "plan", lambda self, ask: Cost(calls=3))
    monkeypatch.setattr("judges.runs.states.BATCH", 1)
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    run.calls.filter(sample=0).update(status="error")
    run.calls.filter(sample__gt=0).update(status="skipped")  # not needed, since the first failed
    JudgeRun.objects.update(state="failed")
    resume_run(run_id=run.pk)
    assert set(run.calls.values_list("status", flat=True)) == {"planned"}
    assert {len(call.earlier) for call in run.calls.all()} == {1}


@pytest.mark.django_db
def test_what_cannot_be_done_to_a_run_is_said(study: Study) -> None:
    run = work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    for act in (pause_run, cancel_run, resume_run):
        with pytest.raises(NotPossible, match="complete"):
            act(run_id=run.pk)


@pytest.mark.django_db
def test_a_run_stops_at_its_cap(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK, sources=60)
    costly = {f"claim-{n}/alder/1": {"cost": "0.01"} for n in range(60)}
    parrot = scripted_judge(study, tmp_path, costly)
    run = work_all(plan_run(study=study, judge=parrot, max_cost=Decimal("0.20")))
    assert (run.state, run.reason) == ("paused", "The cap of 0.2000 USD is reached.")
    assert run.calls.filter(status="answered").count() == 20
    assert isinstance(run, JudgeRun)


@pytest.mark.django_db
def test_a_run_is_complete_where_calls_failed_and_every_question_is_answered(
    endpoint: Opening, owner: User, client: Client
) -> None:
    said = iter(["1. Read.", "Hm."])
    endpoint(Behaviour(answer=lambda asked: next(said, "70")))
    study = make_study(blocks=(("slider", {}),), sources=2)
    join(study, owner, Member.Role.OWNER)
    rated = define_judge(
        study=study,
        name="rated",
        method="geval",
        backend="chat",
        model=MODEL,
        parameters={"samples": 4},
    )
    run = work_all(plan_run(study=study, judge=rated, subset=""))
    assert run.calls.filter(status="parse_failure").count() == 1
    assert (run.state, Annotation.objects.count()) == ("complete", 2)
    assert "calls failed: 1 parse failure. Every question has an answer nevertheless" in run.reason
    client.force_login(owner)
    page = client.get(reverse("judges:run", args=[study.slug, run.pk])).content.decode()
    assert "1 parse failure" in page
    assert "Ask again" not in page


@pytest.mark.django_db
def test_a_run_at_its_cap_goes_on_under_a_higher_one_alone(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK, sources=60)
    costly = {f"claim-{n}/alder/1": {"cost": "0.01"} for n in range(60)}
    parrot = scripted_judge(study, tmp_path, costly)
    run = work_all(plan_run(study=study, judge=parrot, max_cost=Decimal("0.20")))
    for cap in (None, Decimal("0.1")):
        with pytest.raises(NotPossible, match=r"spent 0\.2000 USD of at most 0\.[12]000 USD"):
            resume_run(run_id=run.pk, max_cost=cap)
    run.refresh_from_db()
    assert (run.state, run.max_cost) == ("paused", Decimal("0.20"))
    resume_run(run_id=run.pk, max_cost=Decimal("0.35"))
    run = work_all(run)
    assert (run.state, run.spent) == ("paused", Decimal("0.35"))


@pytest.mark.django_db
def test_a_run_at_its_cap_that_was_not_paused_yet_asks_nothing_more(endpoint: Opening) -> None:
    server = endpoint()
    study = make_study(blocks=ONE_BLOCK, sources=3)
    run = plan_run(study=study, judge=asking_judge(study), subset="")
    JudgeRun.objects.filter(pk=run.pk).update(max_cost=Decimal("0.01"), spent=Decimal("0.01"))
    run = work_all(run)
    assert (run.state, server.asked) == ("paused", [])


@pytest.mark.django_db
def test_under_a_cap_of_nothing_a_judge_that_is_free_answers(study: Study) -> None:
    run = work_all(plan_run(study=study, judge=judge_for(study, "lexical"), max_cost=Decimal(0)))
    assert (run.state, run.calls.filter(status="answered").count()) == ("complete", 3)


@pytest.mark.django_db
def test_a_run_that_reaches_its_cap_with_the_last_answer_is_complete(tmp_path: Path) -> None:
    study = make_study(blocks=ONE_BLOCK, sources=2)
    costly = {f"claim-{n}/alder/1": {"cost": "0.01"} for n in range(2)}
    parrot = scripted_judge(study, tmp_path, costly)
    run = work_all(plan_run(study=study, judge=parrot, max_cost=Decimal("0.02")))
    assert (run.state, run.spent) == ("complete", Decimal("0.02"))


@pytest.mark.django_db
def test_a_run_in_which_everything_fails_is_paused_before_it_pays_for_the_rest(
    endpoint: Opening,
) -> None:
    server = endpoint(Behaviour(reply="Hm.", delay=0.05), in_flight=4)
    study = make_study(blocks=ONE_BLOCK, sources=300)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "paused"
    assert re.match(r"No answer so far: \d+ parse failures\. Check the reasons", run.reason)
    assert 50 <= len(server.asked) < 300  # those under way were waited for
    server.behaviour.reply, server.behaviour.delay = GOOD, 0.0
    resume_run(run_id=run.pk)
    run = work_all(run)
    assert (run.state, len(server.asked)) == ("partial", 300)


@pytest.mark.django_db
def test_a_run_that_is_resumed_though_everything_fails_goes_on(endpoint: Opening) -> None:
    server = endpoint(Behaviour(reply="Hm.", delay=0.05), in_flight=4)
    study = make_study(blocks=ONE_BLOCK, sources=300)
    run = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    assert run.state == "paused"
    server.behaviour.delay = 0.0
    resume_run(run_id=run.pk)
    assert (work_all(run).state, len(server.asked)) == ("failed", 300)


@pytest.mark.django_db
def test_one_answer_is_enough_for_a_run_to_go_on(endpoint: Opening) -> None:
    server = endpoint(Behaviour(reply="Hm."))
    study = make_study(blocks=ONE_BLOCK, sources=150)
    run = plan_run(study=study, judge=asking_judge(study), subset="")
    server.behaviour.answer = lambda asked: GOOD if asked is server.asked[0] else "Hm."
    assert (work_all(run).state, len(server.asked)) == ("partial", 150)


@pytest.mark.django_db
def test_no_run_spends_more_than_its_endpoint_allows(endpoint: Opening) -> None:
    endpoint(max_run_usd=0.01)
    study = make_study(blocks=ONE_BLOCK, sources=3)
    asked = asking_judge(study)
    with pytest.raises(RunRefused, match=r"expected to cost 0\.\d+ USD, more than 0\.0100 USD"):
        plan_run(study=study, judge=asked, subset="", replicates=20, max_cost=Decimal(5))
    with pytest.raises(RunRefused, match=r"more than 0\.0020 USD"):
        plan_run(study=study, judge=asked, subset="", max_cost=Decimal("0.002"))
    run = plan_run(study=study, judge=asked, subset="")
    assert run.max_cost == Decimal("0.01")
    pause_run(run_id=run.pk)
    with pytest.raises(NotPossible, match=r"No run may spend more than 0\.0100 USD where"):
        resume_run(run_id=run.pk, max_cost=Decimal(5))


@pytest.mark.django_db
def test_recording_changes_what_is_counted_of_the_study(study: Study) -> None:
    before = study.revision
    work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    study.refresh_from_db()
    assert study.revision > before
    assert Chunk.objects.get().state == "done"


@in_parallel
def test_a_call_that_takes_longer_than_the_lease_does_not_lose_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judges.runs.delivery.leases.LEASE", timedelta(seconds=0.4))
    study = make_study(blocks=ONE_BLOCK, sources=1)
    run = plan_run(study=study, judge=scripted_judge(study, tmp_path, delay_ms=1500))
    chunk = run.chunks.get()

    def work_or_claim_late(number: int) -> bool:
        if number == 0:
            return work(chunk_id=chunk.pk)
        time.sleep(1.0)
        return claim_chunk(chunk_id=chunk.pk) is not None

    assert sorted(at_once(2, work_or_claim_late), key=bool) == [False, True]
    assert run.calls.get().status == "answered"


@pytest.mark.django_db
def test_an_extended_lease_lasts_its_whole_time_from_now_and_keeps_others_out(
    study: Study,
) -> None:
    chunk = plan_run(study=study, judge=judge_for(study, "lexical")).chunks.get()
    lease = claim_chunk(chunk_id=chunk.pk)
    assert lease is not None
    Chunk.objects.filter(pk=chunk.pk).update(lease_until=timezone.now())
    before = timezone.now()
    assert extend(lease)
    chunk.refresh_from_db()
    assert chunk.lease_until is not None
    assert chunk.lease_until >= before + LEASE
    assert claim_chunk(chunk_id=chunk.pk) is None
