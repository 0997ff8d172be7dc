"""Operations that the study of `seeding` does not allow as it is: here it does, and what each
changes is looked at."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from alerts.announcements import announce_test
from alerts.models import Delivery, Webhook
from annotation.models import Member, Study, Unit, User, Worker
from jobs.models import Job, JobState
from judges.definitions.versions import judge_for
from judges.models import JudgeRun
from judges.runs.plans.plan import plan_run
from tests.annotation.rounds.team.teams import make_team_study
from tests.annotation.workers import newcomer
from tests.api.conftest import Caller
from tests.api.seeding import with_everything
from tests.cast import join

STUDY, ACCOUNT = "studies/small", "account"
HOOK = {"url": "https://example.org/hook", "events": ["run.finished"]}


@pytest.fixture
def program(owner: User, as_program: Caller) -> Client:
    return as_program(owner)


def send(client: Client, path: str, body: Any = None, method: str = "POST", **headers: str) -> Any:
    """What is answered to a write that is to be done."""
    sent = "" if body is None else json.dumps(body)
    answer = client.generic(
        method, f"/api/v1/{path}/", sent, content_type="application/json", headers=headers
    )
    assert answer.status_code < 300, answer.content
    return answer.json()


def listed(client: Client, path: str) -> Any:
    return client.get(f"/api/v1/{path}/").json()


@pytest.mark.parametrize("whose", [STUDY, ACCOUNT])
def test_a_webhook_is_set_told_other_events_tested_and_removed(
    program: Client, study: Study, owner: User, whose: str
) -> None:
    listener, slug = (study, "small") if whose == STUDY else (owner, None)
    made = send(program, f"{whose}/webhook", HOOK, "PUT")
    hook = Webhook.objects.of(listener).get()
    assert (made["secret"], made["study"]) == (hook.secret, slug)
    assert listed(program, f"{whose}/webhook")["events"] == ["run.finished"]
    send(program, f"{whose}/webhook/events", {"events": ["export.ready"]})
    renewed = send(program, f"{whose}/webhook/secret")
    hook.refresh_from_db()
    assert (hook.chosen, hook.secret) == (["export.ready"], renewed["secret"])
    send(program, f"{whose}/webhook/end-old-secret")
    hook.refresh_from_db()
    assert hook.old_secret == ""
    send(program, f"{whose}/webhook/test")
    (row,) = listed(program, f"{whose}/webhook/deliveries")["results"]
    assert (row["event"], row["study"], row["state"]) == ("test", slug, "queued")
    there = f"{whose}/webhook/deliveries/{row['id']}"
    assert listed(program, there) == row
    Job.objects.update(state=JobState.FAILED, reason="no answer")
    assert send(program, f"{there}/again")["state"] == "queued"
    assert Delivery.objects.get().job.state == JobState.QUEUED
    send(program, f"{whose}/webhook/remove")
    assert not Webhook.objects.exists()


def test_a_token_for_one_study_does_not_see_the_webhook_of_the_account(
    study: Study, owner: User, as_program: Caller
) -> None:
    program = as_program(owner, study=study)
    for path in ("webhook", "webhook/deliveries"):
        assert program.get(f"/api/v1/account/{path}/").status_code == 403
    put = program.put("/api/v1/account/webhook/", json.dumps(HOOK), content_type="application/json")
    assert (put.status_code, Webhook.objects.count()) == (403, 0)


def test_messages_of_others_are_in_no_list_of_an_owner(
    program: Client, study: Study, colleague: User
) -> None:
    now = timezone.now()
    rows = [announce_test(of=listener, now=now) for listener in (study, colleague)]
    assert [row["id"] for row in listed(program, f"{STUDY}/webhook/deliveries")["results"]] == [
        rows[0].pk
    ]
    assert listed(program, f"{ACCOUNT}/webhook/deliveries")["results"] == []


def test_a_test_mail_goes_to_the_caller(
    program: Client, study: Study, owner: User, settings: Any
) -> None:
    settings.EMAIL_ENABLED = True
    User.objects.filter(pk=owner.pk).update(email="owner@example.org")
    send(program, f"{STUDY}/alert-mails/test")
    row = Delivery.objects.get()
    assert row.member is not None
    assert (row.channel, row.member.user) == ("email", owner)


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


def test_results_are_shared_by_a_link_until_it_is_revoked(program: Client, study: Study) -> None:
    send(program, f"{STUDY}/close")
    made = send(program, f"{STUDY}/results-links")
    assert "/shared/" in made["link"]
    row = study.results_links.get()
    send(program, f"{STUDY}/results-links/{row.pk}/revoke")
    row.refresh_from_db()
    assert row.revoked_at is not None


def test_a_worker_who_left_is_brought_back_and_gets_a_new_link(
    program: Client, study: Study
) -> None:
    person = newcomer(study)
    there = f"{STUDY}/workers/{person.number}"
    send(program, f"{there}/remove", {"reason": "By mistake."})
    person.refresh_from_db()
    assert person.has_ended
    send(program, f"{there}/reinstate", {"reason": "It was a mistake."})
    person.refresh_from_db()
    assert not person.has_ended
    Worker.objects.filter(pk=person.worker_id).update(external_id="lost")
    before = person.token_hash
    link = send(program, f"{STUDY}/workers/lost-link", {"external_id": "lost"})["link"]
    person.refresh_from_db()
    assert "/return/" in link
    assert person.token_hash not in ("", before)


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


def test_a_list_is_decided_reopened_and_decided_otherwise(
    program: Client, study: Study, owner: User
) -> None:
    with_everything(study, owner)
    row = study.preparations.get()
    there = f"{STUDY}/lists/{row.pk}"
    version = listed(program, there)["version"]
    body = {"version": version, "entries": ["It rained.", "It was wet."]}
    edited = send(program, f"{there}/entries", body)
    assert (edited["version"], len(edited["entries"])) == (version + 1, 2)
    version = send(program, f"{there}/reject", {"version": edited["version"]})["version"]
    row.refresh_from_db()
    rejected = row.state
    send(program, f"{there}/reopen", {"version": version})
    row.refresh_from_db()
    assert row.state != rejected


@pytest.fixture
def team(owner: User) -> Study:
    made = make_team_study(sources=4, systems=2, members=3, overlap=2)
    join(made, owner, Member.Role.OWNER)
    return made


def test_a_team_is_named_invited_joined_and_left(program: Client, team: Study) -> None:
    path = f"studies/{team.slug}/team"
    assert len(listed(program, path)["results"]) == 3
    send(program, f"{path}/names", {"names": {"1": "Ann"}})
    assert team.seats.get(number=1).name == "Ann"
    assert send(program, f"{path}/links") == {"number": 3}
    assert team.seats.filter(invitation=None).count() == 0
    send(program, path)
    team.refresh_from_db()
    assert (team.team_members, team.seats.count()) == (4, 4)
    send(program, f"{path}/4/end")
    assert team.seats.get(number=4).left_at is not None
    send(program, f"{path}/settle", {"to": "others"})
    table = program.get(f"/api/v1/{path}/table/").content.decode()
    assert send(program, f"{path}/table", {"table": table}, "PUT")["number"] > 0
