"""Probe sets: which units are frozen, when a series ends, and when it is asked."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.models import Change, GoldAnswer, Question, Study, Unit
from judges.models import JudgeRun, ProbeSet
from judges.probes.askings import ask_again, ask_what_is_due
from judges.probes.sets import ProbeChoice, begin_series, current_set, set_schedule
from judges.runs.plans.scope import RunRefused
from tests.judges.endpoints import Opening, asking_judge
from tests.judges.probing import (
    begun,
    keys_of,
    set_right_answers,
    study_of,
)
from tests.judges.scripted_judges import scripted_judge, work_all
from tests.services.endpoint import Behaviour

pytestmark = pytest.mark.django_db


def the_set(study: Study) -> ProbeSet:
    return ProbeSet.objects.get(study=study, ended_at=None)


def test_units_with_a_right_answer_are_drawn_first_and_the_seed_decides(tmp_path: Path) -> None:
    study = study_of(12)
    keys = keys_of(study)
    judge = scripted_judge(study, tmp_path)
    set_right_answers(study, {keys[3]: 70.0})
    question = Question.objects.get(unit__key=keys[7])
    GoldAnswer.objects.create(study=study, question=question, answer={"value": 1})
    Unit.objects.filter(key=keys[8]).update(retired_at=timezone.now())

    def drawn(seed: int, size: int = 5) -> set[str]:
        work_all(begin_series(study=study, judge=judge, choice=ProbeChoice(size=size, seed=seed)))
        return set(the_set(study).units.values_list("key", flat=True))

    first = drawn(1)
    assert {keys[3], keys[7]} <= first
    assert len(first) == 5
    assert drawn(1) == first
    assert any(drawn(seed) != first for seed in range(2, 6))
    assert drawn(1, size=2) == {keys[3], keys[7]}
    assert drawn(1, size=50) == set(keys) - {keys[8]}


def test_a_named_subset_is_taken_whole(tmp_path: Path) -> None:
    study = study_of(6)
    subset = study.subsets.create(name="anchors")
    units = list(study.units.order_by("pk")[:4])
    subset.units.set(units)
    judge = scripted_judge(study, tmp_path)
    begin_series(study=study, judge=judge, choice=ProbeChoice(size=2, subset="anchors"))
    assert set(the_set(study).units.all()) == set(units)
    with pytest.raises(RunRefused, match="no subset"):
        begin_series(study=study, judge=judge, choice=ProbeChoice(subset="nothing"))
    assert ProbeSet.objects.count() == 1


def test_a_new_set_ends_the_series_of_the_old_one(tmp_path: Path) -> None:
    study = study_of(10)
    judge = begun(study, tmp_path)
    old = the_set(study)
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice()))
    assert the_set(study) != old
    old.refresh_from_db()
    assert old.ended_at is not None
    with pytest.raises(RunRefused, match="taken its place"):
        ask_again(probe_set=old)
    actions = list(Change.objects.filter(study=study).values_list("action", flat=True))
    assert actions.count("probes.fixed") == 2


def test_a_judge_that_would_cost_too_much_changes_nothing(endpoint: Opening) -> None:
    endpoint(Behaviour(reply='{"value": 70}'))
    study = study_of(3)
    judge = asking_judge(study)
    with pytest.raises(RunRefused, match="max cost"):
        begin_series(study=study, judge=judge, choice=ProbeChoice(max_cost=Decimal("0.0000001")))
    assert not ProbeSet.objects.exists()
    assert not JudgeRun.objects.exists()


def test_the_schedule_asks_when_it_is_due_and_says_why_it_cannot(tmp_path: Path) -> None:
    study = study_of(10)
    judge = begun(study, tmp_path, every_days=7)
    now = timezone.now()
    assert ask_what_is_due(now=now + timedelta(days=6)) == []
    (run,) = ask_what_is_due(now=now + timedelta(days=7, minutes=1))
    assert (run.replicates, run.probe_set) == (1, the_set(study))
    assert ask_what_is_due(now=now + timedelta(days=15)) == []  # that one is under way
    work_all(run)
    Unit.objects.update(retired_at=now)
    assert ask_what_is_due(now=now + timedelta(days=15)) == []
    assert "none of its units is left" in the_set(study).problem
    assert set_schedule(probe_set=the_set(study), every_days=0, max_cost=None)
    assert not set_schedule(probe_set=the_set(study), every_days=0, max_cost=None)
    assert the_set(study).problem == ""
    assert ask_what_is_due(now=now + timedelta(days=30)) == []
    assert current_set(study, judge) == the_set(study)


def test_nothing_is_asked_while_a_run_of_the_set_is_under_way(tmp_path: Path) -> None:
    study = study_of(3)
    begin_series(study=study, judge=scripted_judge(study, tmp_path), choice=ProbeChoice())
    with pytest.raises(RunRefused, match="being asked already"):
        ask_again(probe_set=the_set(study))


def test_another_prompt_begins_a_new_series_and_is_no_drift(endpoint: Opening) -> None:
    endpoint(Behaviour(reply='{"value": 70}'))
    study = study_of(3)
    judge = asking_judge(study)
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice()))
    Study.objects.filter(pk=study.pk).update(instructions="Be strict.")
    with pytest.raises(RunRefused, match=r"prompt of .* is another .* begins a new series"):
        ask_again(probe_set=ProbeSet.objects.get(study=study))
