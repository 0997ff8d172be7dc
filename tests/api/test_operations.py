"""Operations that the study of `seeding` does not allow as it is: here it does, and what each
changes is looked at."""

from pathlib import Path

import pytest
from django.test import Client

from annotation.models import Change, Member, Participation, Study, Unit, User, Worker
from judges.definitions.versions import judge_for
from judges.models import JudgeRun
from judges.runs.plans.plan import plan_run
from set_up.steps.review_points import UNPAID
from tests.annotation.pilot_study import do_batch, make_pilot_study
from tests.annotation.rounds.team.teams import make_team_study
from tests.annotation.workers import newcomer
from tests.api.calls import listed, send
from tests.api.seeding import with_everything
from tests.cast import join
from tests.judges.endpoints import MODEL, Opening
from tests.services.endpoint import Behaviour
from tests.set_up.writing.studies import claims, writes

STUDY, ACCOUNT = "studies/small", "account"
HOOK = {"url": "https://example.org/hook", "events": ["run.finished"]}


@pytest.mark.operations("studies_runs_resume_create", "studies_resume_create")
def test_what_was_stopped_is_started_again(program: Client, study: Study, owner: User) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"), seed=0, requested_by=owner)
    send(program, f"{STUDY}/runs/{run.pk}/pause")
    assert send(program, f"{STUDY}/runs/{run.pk}/resume")["state"] == JudgeRun.State.RUNNING
    run.refresh_from_db()
    assert run.state == JudgeRun.State.RUNNING
    send(program, f"{STUDY}/pause")
    send(program, f"{STUDY}/resume")
    study.refresh_from_db()
    assert study.paused_at is None


@pytest.mark.operations("studies_results_links_create")
def test_results_are_shared_by_a_link_until_it_is_revoked(program: Client, study: Study) -> None:
    send(program, f"{STUDY}/close")
    made = send(program, f"{STUDY}/results-links")
    assert "/shared/" in made["link"]
    row = study.results_links.get()
    send(program, f"{STUDY}/results-links/{row.pk}/revoke")
    row.refresh_from_db()
    assert row.revoked_at is not None


@pytest.mark.operations("studies_workers_reinstate_create", "studies_workers_lost_link_create")
def test_a_worker_who_left_is_brought_back_and_gets_a_new_link(
    program: Client, study: Study
) -> None:
    person = newcomer(study)
    there = f"{STUDY}/workers/{person.number}"
    send(program, f"{there}/remove", {"reason": "By mistake."})
    person.refresh_from_db()
    assert Participation.objects.get(pk=person.pk).has_ended
    send(program, f"{there}/reinstate", {"reason": "It was a mistake."})
    assert not Participation.objects.get(pk=person.pk).has_ended
    Worker.objects.filter(pk=person.worker_id).update(external_id="lost")
    before = person.token_hash
    link = send(program, f"{STUDY}/workers/lost-link", {"external_id": "lost"})["link"]
    person.refresh_from_db()
    assert "/return/" in link
    assert person.token_hash not in ("", before)


@pytest.mark.operations("studies_controls_promote_create", "studies_controls_retire_create")
def test_a_control_is_promoted_from_a_gold_answer_and_taken_out_of_use(
    program: Client, study: Study, owner: User
) -> None:
    with_everything(study, owner)
    gold = study.gold_answers.get()
    unit, path = gold.question.unit, f"{STUDY}/controls"
    control = send(
        program, f"{path}/promote", {"unit": unit.key, "kind": "positive", "round": "main"}
    )
    made = study.units.get(key=control["key"])
    assert (made.role, made.check_state) == (Unit.Role.POSITIVE, Unit.Check.VALIDATED)
    send(program, f"{path}/{made.pk}/retire")
    made.refresh_from_db()
    assert made.check_state == Unit.Check.RETIRED


@pytest.mark.operations("studies_lists_reopen_create")
def test_a_list_is_decided_reopened_and_decided_otherwise(
    program: Client, study: Study, owner: User
) -> None:
    with_everything(study, owner)
    row = study.preparations.get()
    there = f"{STUDY}/lists/{row.pk}"
    version = listed(program, there)["version"]
    nuggets = [{"text": text, "importance": "okay"} for text in ("It rained.", "It was wet.")]
    body = {"version": version, "entries": nuggets}
    edited = send(program, f"{there}/entries", body)
    assert (edited["version"], len(edited["entries"])) == (version + 1, 2)
    version = send(program, f"{there}/reject", {"version": edited["version"]})["version"]
    row.refresh_from_db()
    rejected = row.state
    send(program, f"{there}/reopen", {"version": version})
    row.refresh_from_db()
    assert row.state != rejected


@pytest.mark.operations("studies_writings_plan_create", "studies_writings_create")
def test_texts_are_planned_and_asked_for(
    program: Client,
    owner: User,
    tmp_path: Path,
    endpoint: Opening,
) -> None:
    mills = claims(tmp_path)
    join(mills, owner, Member.Role.OWNER)
    server = endpoint(Behaviour(answer=writes))
    body = {"kind": "explanation", "writers": [{"model": MODEL, "system": "Larch"}]}
    plan = send(program, "studies/s/writings/plan", body)
    assert (plan["calls"], plan["shares"][0]["number"], server.asked) == (3, 3, [])
    assert float(plan["expected_usd"]) > 0
    path = "/api/v1/studies/s/writings/"
    closed = body | {"parameters": {"replies": "/etc/passwd"}}
    refused = program.post(path, closed, content_type="application/json")
    assert (refused.status_code, "replies cannot be set" in refused.json()["detail"]) == (409, True)
    made = send(program, "studies/s/writings", body)
    assert (made["state"], made["about"]) == ("queued", f"Explanations of claims: Larch ({MODEL})")
    assert mills.jobs.get().pk == made["id"]


@pytest.fixture
def team(owner: User) -> Study:
    made = make_team_study(sources=4, systems=2, members=3, overlap=2)
    join(made, owner, Member.Role.OWNER)
    return made


@pytest.mark.operations(
    "studies_team_create",
    "studies_team_end_create",
    "studies_team_links_create",
    "studies_team_names_create",
    "studies_team_settle_create",
    "studies_team_table_update",
)
def test_a_team_is_named_invited_joined_and_left(program: Client, team: Study) -> None:
    path = f"studies/{team.slug}/team"
    assert len(listed(program, path)["results"]) == 3
    send(program, f"{path}/names", {"names": {"1": "Ann"}})
    unknown = {"names": {"1": "Bo", "9": "Cy"}}
    refused = program.post(f"/api/v1/{path}/names/", unknown, content_type="application/json")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (409, "names")
    assert team.seats.get(number=1).name == "Ann"
    assert send(program, f"{path}/links") == {"number": 3}
    assert team.seats.filter(invitation=None).count() == 0
    send(program, path)
    team.refresh_from_db()
    assert (team.team_members, team.seats.count()) == (4, 4)
    send(program, f"{path}/4/end")
    assert team.seats.get(number=4).left_at is not None
    assert program.post(f"/api/v1/{path}/4/end/").status_code == 409
    send(program, f"{path}/settle", {"to": "others"})
    table = program.get(f"/api/v1/{path}/table/").content.decode()
    assert send(program, f"{path}/table", {"table": table}, "PUT")["number"] > 0


@pytest.mark.operations("studies_team_release_create")
def test_a_calibration_is_released_once_and_no_other_round_is(program: Client, team: Study) -> None:
    fields = {"position": 1, "normal_per_batch": 2, "expected_minutes": 5}
    asked = team.rounds.create(name="calibration", calibration_sources=2, **fields)
    path = f"studies/{team.slug}/team"
    assert send(program, f"{path}/release", {"round": "calibration"}) == listed(program, path)
    asked.refresh_from_db()
    assert asked.released_at is not None
    for name in ("calibration", "main", "nowhere"):
        body = {"round": name}
        refused = program.post(f"/api/v1/{path}/release/", body, content_type="application/json")
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (409, "round")
    assert team.rounds.get(name="main").released_at is None


@pytest.mark.operations("studies_rounds_invite_qualified_create")
def test_whoever_passed_a_round_is_let_into_the_next_one_once(program: Client, owner: User) -> None:
    pilot = make_pilot_study()
    pilot.recruitment |= {"invite_qualified": True}
    pilot.save()
    join(pilot, owner, Member.Role.OWNER)
    person = newcomer(pilot)
    do_batch(person)
    there = f"studies/{pilot.slug}/rounds/{pilot.rounds.get(name='main').pk}/invite-qualified"
    assert send(program, there) == {"number": 1}
    assert pilot.invitations.filter(round__name="main").count() == 1
    assert send(program, there) == {"number": 0}
    assert pilot.invitations.filter(round__name="main").count() == 1


def test_a_study_is_tried_out_in_a_copy_and_noted_as_unpaid(program: Client, study: Study) -> None:
    links = [send(program, f"{STUDY}/try-out")["link"] for _ in range(2)]
    copy = study.tryouts.get()  # the first one is removed
    person = copy.participations.get()
    assert [person.token in link for link in links] == [False, True]
    assert study.participations.count() == 0
    shown = send(program, f"{STUDY}/unpaid")
    noted = Change.objects.get(study=study, action=UNPAID)
    assert (shown["slug"], noted.by) == ("small", study.members.get(role="owner").user)
