"""Real worker processes: killed in the middle, started late, with the broker away."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.models import Annotation
from jobs.models import Heartbeat
from jobs.workers.health import worker_alive
from judges.models import JudgeRun
from tests.cast import make_study
from tests.judges.runs.background import Background, ended, wait_until
from tests.judges.scripted_judges import replies_for, write_lines
from tests.services import redis as redis_service

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

SOURCES = 100
QUESTIONS = 2 * SOURCES
JUDGE = """
import django; django.setup()
import sys
from django.core.management import call_command
from annotation.models import Study
from judges.definitions.versions import define_judge
parameters = {"file": sys.argv[1], "delay_ms": 25}
define_judge(study=Study.objects.get(), name="slow", method="scripted", parameters=parameters)
call_command("judge", "small", "slow", *sys.argv[2:])
"""


def judge_slowly(background: Background, folder: Path, *options: str) -> None:
    """Define a judge that takes its time, and send it to the study, in a process of its own."""
    study = make_study(sources=SOURCES)
    file = write_lines(folder / "replies.jsonl", replies_for(study))
    background.run("-c", JUDGE, str(file), *options)


def assert_every_question_was_answered_once() -> None:
    run = JudgeRun.objects.get()
    assert (run.state, run.reason) == ("complete", "")
    assert Annotation.objects.count() == QUESTIONS
    assert Annotation.objects.values("question").distinct().count() == QUESTIONS
    assert run.calls.filter(status="answered", annotation__isnull=False).count() == QUESTIONS


def a_killed_worker_costs_nothing(background: Background, folder: Path) -> None:
    # Planned first: on a busy machine the command may take longer to end than a worker to answer.
    judge_slowly(background, folder)
    background.start_worker()
    wait_until(lambda: Annotation.objects.count() > QUESTIONS // 10)
    background.kill_worker()
    killed_at = Annotation.objects.count()
    assert killed_at < QUESTIONS
    assert JudgeRun.objects.get().state == "running"
    background.start_worker()
    wait_until(ended)
    assert_every_question_was_answered_once()


def test_in_the_embedded_setting_a_killed_worker_costs_nothing(
    installation: Callable[..., Background], tmp_path: Path
) -> None:
    background = installation()
    a_killed_worker_costs_nothing(background, tmp_path)
    assert Heartbeat.objects.of_workers().count() == 2  # with the killed one's row
    background.stop()
    assert Heartbeat.objects.of_workers().count() == 1
    Heartbeat.objects.update(at=timezone.now() - timedelta(seconds=15))
    assert not worker_alive(timezone.now())


def test_with_redis_a_killed_worker_costs_nothing(
    installation: Callable[..., Background], tmp_path: Path, redis_url: str
) -> None:
    a_killed_worker_costs_nothing(installation(redis_url), tmp_path)


def test_a_run_planned_while_the_broker_is_down_goes_on_when_it_is_back(
    installation: Callable[..., Background], tmp_path: Path, redis_url: str
) -> None:
    with redis_service.redis_server() as url:
        gone = url
    away = installation(gone)
    judge_slowly(away, tmp_path, "--setting", "sample")
    run = JudgeRun.objects.get()
    assert run.state == "running"
    assert set(run.chunks.values_list("sent_at", flat=True)) == {None}
    back = installation(redis_url)
    back.start_worker()
    wait_until(ended)
    assert_every_question_was_answered_once()
