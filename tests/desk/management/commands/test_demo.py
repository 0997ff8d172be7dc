"""The demonstration is ready when its address is printed."""

import pytest

from desk.management.commands.demo import example_study
from judges.models import JudgeRun
from tests.cast import make_user

pytestmark = pytest.mark.django_db


def test_its_judge_has_answered_before_results_are_counted() -> None:
    for name in ("admin", "researcher"):
        make_user(name)
    run = example_study().judge_runs.get()
    assert run.state == JudgeRun.State.COMPLETE
    assert run.calls.filter(status="answered").count() == run.calls.count() > 0
