"""Judges of a study by the API: tried before they are defined, taken over, calibrated, asked again
about a fixed set of units, and baselines."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from django.test import Client

from annotation.models import Annotation, Change, Member, Rater, Study, User
from jobs.models import Job, JobState
from jobs.runner import work
from judges.definitions.versions import define_judge
from judges.models import Call, Judge, JudgeRun, ProbeSet
from judges.runs.plans.plan import plan_run
from tests.api.calls import get, listed, post, send
from tests.api.conftest import Caller
from tests.cast import join, make_study
from tests.judges.calibration.answers import people
from tests.judges.endpoints import MODEL, Opening, by_blocks
from tests.judges.probing import begun, study_of
from tests.judges.scripted_judges import ONE_BLOCK
from tests.services.endpoint import Behaviour

JUDGES = "studies/small/judges"
ASKED = {"name": "asked", "method": "zero_shot", "backend": "chat", "model": MODEL}


@pytest.mark.operations("studies_judges_try_create", "studies_judges_try_ask_create")
def test_a_judge_is_tried_on_one_unit_before_it_is_defined(
    program: Client, study: Study, endpoint: Opening
) -> None:
    server = endpoint(Behaviour(answer=by_blocks))
    body = {**ASKED, "unit": study.units.latest("pk").key}
    trial = send(program, f"{JUDGES}/try", body)
    assert (trial["unit"], server.asked) == (body["unit"], [])
    assert trial["calls"] == len(trial["prompts"]) > 0
    tried = send(program, f"{JUDGES}/try/ask", body)
    assert len(tried["replies"]) == len(server.asked) > 0
    assert tried["answer"]
    assert Decimal(tried["usd"]) > 0
    assert not Judge.objects.filter(name="asked").exists()
    assert not Annotation.objects.exists()
    make_study("other", sources=5)
    foreign = {**ASKED, "unit": "claim-4/alder/1"}  # there alone
    assert post(program, "judges/try/", foreign).status_code == 409


@pytest.mark.operations("studies_judges_take_create")
def test_a_judge_of_another_study_of_the_caller_is_taken_over_under_a_name(
    program: Client, study: Study, owner: User, as_program: Caller
) -> None:
    other = make_study("other")
    join(other, owner, Member.Role.OWNER)
    defined = send(program, "studies/other/judges", {"name": "words", "method": "lexical"})
    there = Judge.objects.get(pk=defined["id"])
    taken = send(program, f"{JUDGES}/take", {"judge": there.pk, "name": "theirs"})
    judge = Judge.objects.get(pk=taken["id"])
    assert (judge.study, judge.name, judge.method) == (study, "theirs", "lexical")
    assert Change.objects.get(action="judge.taken_over").detail == {"from": "other/words@1"}
    assert post(program, "judges/take/", {"judge": there.pk, "name": "theirs"}).status_code == 409
    for_one = as_program(owner, study=study)
    assert post(for_one, "judges/take/", {"judge": there.pk}).status_code == 409
    assert study.judge_versions.count() == 1


@pytest.mark.operations("studies_judges_families_create")
def test_families_of_imported_judges_are_set_all_or_none(program: Client, study: Study) -> None:
    imported = {"kind": Rater.Kind.JUDGE, "origin": Rater.Origin.IMPORTED}
    rater = Rater.objects.create(study=study, name="gpt", **imported)
    Rater.objects.create(study=make_study("other"), name="claude", **imported)
    wrong = {"families": {"gpt": "GPT", "claude": "Claude"}}
    assert post(program, "judges/families/", wrong).status_code == 409
    rater.refresh_from_db()
    assert rater.family == ""
    for changed in (1, 0):
        answer = send(program, f"{JUDGES}/families", {"families": {"gpt": "GPT"}})
        assert answer == {"number": changed}
    rater.refresh_from_db()
    assert rater.family == "GPT"


@pytest.mark.operations("studies_judges_baselines_create")
def test_baselines_are_fitted_and_run_by_a_worker_once(program: Client, owner: User) -> None:
    made = make_study(sources=8, blocks=ONE_BLOCK)
    join(made, owner, Member.Role.OWNER)
    assert post(program, "judges/baselines/").status_code == 409  # nobody has answered
    people(made, {"sentences": [0]})
    jobs = [post(program, "judges/baselines/") for _ in range(2)]
    assert [job.status_code for job in jobs] == [202, 202]
    assert jobs[0].json() == jobs[1].json()
    job = Job.objects.get(kind="baselines")
    assert work(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.owner) == (JobState.DONE, owner)
    names = set(made.judge_versions.values_list("name", flat=True))
    assert "baseline:commonest" in names
    assert set(JudgeRun.objects.values_list("judge__name", flat=True)) == names


@pytest.mark.operations("studies_judges_calibrate_create")
def test_a_calibrated_judge_is_its_next_version(
    program: Client, owner: User, tmp_path: Path
) -> None:
    made = make_study(sources=8, blocks=ONE_BLOCK)
    join(made, owner, Member.Role.OWNER)
    (tmp_path / "config.json").write_text("{}")  # the model is not asked: its scores are below
    near = {"name": "near", "method": "embedding", "model": str(tmp_path)}
    judge = define_judge(study=made, **near, parameters={"device": "cpu"})
    assert post(program, f"judges/{judge.pk}/calibrate/", {}).status_code == 409
    run = plan_run(study=made, judge=judge, subset="full")
    for call in run.calls.all():
        given = {"question": call.question, "answer": {"sentences": [0]}}
        call.annotation = Annotation.objects.create(study=made, rater=run.rater, **given)
        call.status, call.detail = Call.Status.ANSWERED, {"scores": {"0": 0.9, "1": 0.1, "2": 0.8}}
        call.save()
    fitted = send(program, f"{JUDGES}/{judge.pk}/calibrate", {"measure": "f1", "seed": 3})
    row = Judge.objects.get(pk=fitted["judge"]["id"])
    assert (row.study, row.name, row.version) == (made, "near", 2)
    assert row.parameters["threshold"] == fitted["threshold"]
    assert get(program, f"judges/{row.pk}/") == fitted["judge"]


def test_a_probe_set_is_fixed_asked_and_put_on_a_schedule(
    program: Client, owner: User, tmp_path: Path
) -> None:
    made = study_of(6)
    join(made, owner, Member.Role.OWNER)
    there = f"studies/{made.slug}/judges/{begun(made, tmp_path).pk}/probes"
    first = ProbeSet.objects.get()
    assert listed(program, there)["id"] == first.pk
    asked = send(program, f"{there}/ask")
    assert (asked["probe"], JudgeRun.objects.get(pk=asked["id"]).probe_set) == (True, first)
    assert program.post(f"/api/v1/{there}/ask/").status_code == 409  # under way
    shown = send(program, f"{there}/schedule", {"every_days": 7, "max_cost": "0.5"})
    first.refresh_from_db()
    assert (first.every_days, first.max_cost) == (7, Decimal("0.5"))
    assert (shown["every_days"], shown["max_cost"]) == (7, "0.500000")
    run = JudgeRun.objects.get(pk=send(program, there, {"size": 2})["id"])
    first.refresh_from_db()
    assert first.ended_at is not None
    assert run.probe_set is not None
    assert (run.probe_set.units.count(), run.requested_by) == (2, owner)
    assert listed(program, there)["id"] == run.probe_set.pk
    for odd in ({"subset": "nowhere"}, {"seed": 2**31}, {"every_days": 10**6}):
        body = json.dumps(odd)
        refused = program.post(f"/api/v1/{there}/", body, content_type="application/json")
        assert refused.status_code in (409, 422)
    assert ProbeSet.objects.count() == 2
