"""Asking a judge again: what is asked and kept, and what comes of it."""

from pathlib import Path

import pytest
from django.utils import timezone

from annotation.models import Annotation, Question, Rating, Source, Study, Unit
from judges.definitions.versions import judge_for
from judges.models import CachedReply, Call, DriftCheck, JudgeRun, ProbeAnswer, ProbeSet
from judges.probes.askings import ask_again
from judges.probes.checks import check_what_ended, findings_of
from judges.probes.comparison import drift_of
from judges.probes.drift import ACCURACY, CHANGE, MEAN, Drift
from judges.probes.pairs import pairs_of
from judges.probes.sets import ProbeChoice, baseline_of, begin_series
from judges.probes.words import left_out
from judges.runs.plans.asks import as_ask
from judges.runs.plans.plan import plan_run
from judges.runs.states import resume_run
from tests.cast import make_study
from tests.judges.endpoints import Opening, asking_judge
from tests.judges.probing import (
    SLIDER,
    answers_become,
    asked_again,
    begun,
    keys_of,
    reply,
    set_right_answers,
    study_of,
)
from tests.judges.scripted_judges import ONE_BLOCK, work_all
from tests.services.endpoint import Behaviour

pytestmark = pytest.mark.django_db


def the_set(study: Study) -> ProbeSet:
    return ProbeSet.objects.get(study=study, ended_at=None)


def figures(check: DriftCheck | None) -> Drift:
    assert check is not None
    return Drift.from_json(check.figures)


def by_name(drift: Drift) -> dict[str, float | None]:
    return {measure.name: measure.estimate.value for measure in drift.measures}


def test_drift_is_what_one_counts_by_hand(tmp_path: Path) -> None:
    study = study_of(20)
    keys = keys_of(study)
    # Right is 70 (within a tenth of the scale, 10 points) for the first 12 units, of which 8 turn.
    set_right_answers(study, dict.fromkeys(keys[:12], 70.0))
    judge = begun(study, tmp_path, noise={keys[0]: 60, keys[19]: 71})
    _, check = asked_again(study, judge, tmp_path, dict.fromkeys(keys[4:16], 40))
    drift = figures(check)
    assert (drift.look, drift.units, drift.questions, drift.found) == (1, 20, 20, True)
    assert by_name(drift) == {
        CHANGE: pytest.approx(12 / 20 - 2 / 20),
        MEAN: pytest.approx(-30 * 12 / 20),
        ACCURACY: pytest.approx(4 / 12 - 12 / 12),
    }
    change, mean, accuracy = drift.measures
    assert (change.newest, change.noise) == pytest.approx((0.6, 0.1))
    assert (mean.first, mean.newest) == pytest.approx((70, 52))
    assert (accuracy.first, accuracy.newest) == pytest.approx((1, 4 / 12))
    assert accuracy.p_value == pytest.approx(2 / 2**8)
    assert drift.apart == [change, mean, accuracy]
    baseline = baseline_of(the_set(study))
    assert baseline is not None
    assert check is not None
    changed = pairs_of(check.run, baseline).changed
    assert [pair.question.unit.key for pair in changed] == sorted(keys[4:16])
    assert changed[0].changes == [("utility", "70", "40")]


def test_a_judge_that_stays_shows_no_drift_though_it_differs_from_itself(tmp_path: Path) -> None:
    study = study_of(12)
    keys = keys_of(study)
    judge = begun(study, tmp_path, noise={keys[0]: 60, keys[1]: 60})
    _, check = asked_again(study, judge, tmp_path, {keys[2]: 60, keys[3]: 80})
    drift = figures(check)
    assert by_name(drift) == {CHANGE: 0, MEAN: 0}
    assert drift.found is False
    assert findings_of(study) == []


def test_a_judge_of_words_alone_is_exactly_as_it_was() -> None:

    study = make_study(sources=12, blocks=ONE_BLOCK)
    judge = judge_for(study, "lexical")
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice()))
    run = work_all(ask_again(probe_set=the_set(study)))
    check_what_ended(now=timezone.now())
    drift = figures(DriftCheck.objects.get(run=run))
    assert drift.found is False
    assert {measure.estimate.value for measure in drift.measures} == {0}


def test_replies_of_other_runs_are_not_taken_and_none_is_left_to_them(endpoint: Opening) -> None:
    server = endpoint(Behaviour(reply='{"value": 70}'))
    study = study_of(11)
    judge = asking_judge(study)
    work_all(plan_run(study=study, judge=judge, subset=""))
    assert len(server.asked) == 11
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice()))
    assert len(server.asked) == 11 + 22
    again = work_all(ask_again(probe_set=the_set(study)))
    assert len(server.asked) == 11 + 22 + 11
    assert again.spent > 0
    # Every replicate is asked in the very same words.
    bodies = {str(asked) for asked in server.asked}
    assert len(bodies) == 11
    # The same run once more takes what it has paid for, and the keys of requests are unchanged.
    kept = set(CachedReply.objects.values_list("key", flat=True))
    told = Call.objects.filter(run__probe_set=None).values_list("detail__cache_key", flat=True)
    assert set(told) <= kept
    of_probes = Call.objects.exclude(run__probe_set=None)
    shared = of_probes.filter(replicate=0, run=again).values_list("detail__cache_key", flat=True)
    assert set(shared) == set(told)
    Annotation.objects.filter(rater__name=judge.name).delete()
    work_all(plan_run(study=study, judge=judge, subset=""))
    assert len(server.asked) == 44


def test_a_probe_that_comes_first_leaves_no_reply_to_a_run(endpoint: Opening) -> None:
    server = endpoint(Behaviour(reply='{"value": 70}'))
    study = study_of(3)
    judge = asking_judge(study)
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice()))
    work_all(plan_run(study=study, judge=judge, subset=""))
    assert len(server.asked) == 6 + 3


def test_answers_to_probes_are_no_annotations(tmp_path: Path) -> None:
    study = study_of(10)
    judge = begun(study, tmp_path)
    asked_again(study, judge, tmp_path)
    assert ProbeAnswer.objects.count() == 30
    assert not Annotation.objects.exists()
    assert not Rating.objects.exists()
    run = work_all(plan_run(study=study, judge=judge, subset=""))
    assert run.state == JudgeRun.State.COMPLETE
    assert Annotation.objects.count() == 10


def test_retired_units_and_missing_answers_are_left_out_and_counted(tmp_path: Path) -> None:
    study = study_of(14)
    keys = keys_of(study)
    judge = begun(study, tmp_path)
    Unit.objects.filter(key=keys[0]).update(retired_at=timezone.now())
    run, check = asked_again(study, judge, tmp_path, but=keys[1:3])
    assert run.state == JudgeRun.State.PARTIAL
    drift = figures(check)
    assert (drift.questions, drift.unanswered, drift.retired) == (11, 2, 1)
    assert drift.found is False


def test_units_that_were_sealed_since_are_left_out_and_said_to_be(tmp_path: Path) -> None:
    study = study_of(14)
    judge = begun(study, tmp_path)
    unit = Unit.objects.get(key=keys_of(study)[0])
    Source.objects.filter(pk=unit.source_id).update(sealed=True)
    run, check = asked_again(study, judge, tmp_path)
    assert not run.calls.filter(question__unit=unit).exists()
    drift = figures(check)
    assert (drift.questions, drift.retired, drift.sealed) == (13, 0, 1)
    assert left_out(drift) == "Left out: 1 unit is of the sealed half."


def test_of_few_units_nothing_is_said(tmp_path: Path) -> None:
    study = study_of(9)
    judge = begun(study, tmp_path)
    _, check = asked_again(study, judge, tmp_path, dict.fromkeys(keys_of(study), 10))
    assert check is not None
    assert check.found is None
    assert findings_of(study) == []


def test_each_look_is_another_one_and_a_finding_lasts_while_askings_show_it(
    tmp_path: Path,
) -> None:
    study = study_of(12)
    keys = keys_of(study)
    judge = begun(study, tmp_path)
    _, quiet = asked_again(study, judge, tmp_path)
    _, loud = asked_again(study, judge, tmp_path, dict.fromkeys(keys, 20))
    _, louder = asked_again(study, judge, tmp_path, dict.fromkeys(keys, 10))
    looks = [figures(check) for check in (quiet, loud, louder)]
    assert [drift.look for drift in looks] == [1, 2, 3]
    assert looks[0].confidence < looks[1].confidence < looks[2].confidence
    (finding,) = findings_of(study)
    assert (finding.since, finding.newest) == (loud, louder)
    asked_again(study, judge, tmp_path)
    assert findings_of(study) == []


def test_a_run_that_goes_on_after_its_end_is_compared_again(tmp_path: Path) -> None:

    study = study_of(12)
    keys = keys_of(study)
    judge = begun(study, tmp_path)
    run, check = asked_again(study, judge, tmp_path, but=keys[:3])
    assert figures(check).questions == 9
    answers_become(judge, tmp_path, [reply(key, 70) for key in keys])
    resume_run(run_id=run.pk)
    work_all(run)
    (checked,) = check_what_ended(now=timezone.now())
    assert figures(checked).questions == 12
    assert check_what_ended(now=timezone.now()) == []


def test_the_backends_own_name_is_told_where_it_changes(tmp_path: Path) -> None:
    study = study_of(10)
    judge = begun(study, tmp_path)
    run, check = asked_again(study, judge, tmp_path)
    assert figures(check).models is None
    baseline = baseline_of(the_set(study))
    assert baseline is not None
    for asking, build in ((baseline, "fp_1"), (run, "fp_2")):
        detail = {"model": "m-2026", "system_fingerprint": build}
        Call.objects.filter(run=asking).update(detail=detail)
    assert drift_of(run, baseline, look=1).models == ("m-2026 fp_1", "m-2026 fp_2")


def test_sides_are_not_turned_between_the_askings() -> None:

    study = make_study(blocks=SLIDER)
    question = Question.objects.as_asked().filter(study=study).first()
    assert question is not None
    texts = [{"letter": letter, "item": at, "text": letter} for at, letter in enumerate("AB")]
    question.payload = {**question.payload, "candidates": texts}
    first, second, alike = (
        as_ask(question, replicate=0),
        as_ask(question, replicate=1),
        as_ask(question, replicate=1, alike=True),
    )
    assert second.raw_payload != first.raw_payload
    assert (alike.raw_payload, alike.seed, alike.replicate) == (first.raw_payload, first.seed, 1)
