"""What only owners do by the API: members, webhooks, shared links, archiving and deleting; and what
is shown once is stored nowhere."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.invitations import open_invitations
from accounts.models import ColleagueInvitation
from alerts.models import Webhook
from annotation.models import Study, User
from api.models import KeyedWrite
from api.scopes import Scope
from tests.api.calls import get, post
from tests.api.conftest import Caller
from tests.cast import make_study

JSON = "application/json"
JSON_SENT: dict[str, Any] = {"content_type": JSON}


def test_a_token_that_may_write_changes_no_members_and_deletes_nothing(
    study: Study, owner: User, as_program: Caller
) -> None:
    writer = as_program(owner, Scope.READ, Scope.WRITE)
    refused = [
        post(writer, "members/", {"username": "outsider", "role": "owner"}),
        post(writer, "colleagues/", {"role": "owner"}),
        post(writer, "delete/", {"slug": "small"}),
        post(writer, "results-links/"),
    ]
    assert [answer.status_code for answer in refused] == [403] * 4


def test_a_member_is_added_given_a_role_and_the_last_owner_stays(
    program: Client, study: Study, outsider: User, owner: User
) -> None:
    added = post(program, "members/", {"username": "outsider", "role": "viewer"})
    assert added.json() == {"id": outsider.pk, "username": "outsider", "role": "viewer"}
    post(program, f"members/{outsider.pk}/role/", {"role": "editor"})
    assert study.members.get(user=outsider).role == "editor"
    alone = post(program, f"members/{owner.pk}/remove/")
    assert (alone.status_code, "at least one owner" in alone.json()["detail"]) == (409, True)
    post(program, f"members/{outsider.pk}/hand-over/")
    assert study.members.get(user=owner).role == "editor"
    assert post(program, f"members/{outsider.pk}/remove/").status_code == 403


def test_the_secret_of_a_webhook_is_shown_once_and_kept_with_no_answer(
    program: Client, study: Study
) -> None:
    body, key = {"url": "https://example.org/hook", "events": ["run.finished"]}, "first"
    path = "/api/v1/studies/small/webhook/"
    sent: dict[str, Any] = {"content_type": JSON, "headers": {"Idempotency-Key": key}}
    made = program.put(path, json.dumps(body), **sent)
    secret = made.json()["secret"]
    assert len(secret) > 30
    again = program.put(path, json.dumps(body), **sent)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.json() == {**made.json(), "secret": ""}
    assert secret not in json.dumps(list(KeyedWrite.objects.values_list("body", flat=True)))
    assert Webhook.objects.get(study=study).secret == secret
    assert "secret" not in program.get(path).json()
    renewed = post(program, "webhook/secret/").json()
    assert renewed["old_until"] is not None
    assert renewed["secret"] not in ("", secret)
    post(program, "webhook/end-old-secret/")
    assert program.get(path).json()["old_until"] is None
    assert program.put(path, json.dumps({"url": "ftp://x"}), **JSON_SENT).status_code == 422


def test_an_account_sees_the_webhooks_of_the_studies_that_it_owns(
    program: Client, study: Study, as_program: Caller, colleague: User
) -> None:
    path = "/api/v1/studies/small/webhook/"
    program.put(path, json.dumps({"url": "https://example.org/hook"}), **JSON_SENT)
    rows = program.get("/api/v1/webhooks/").json()["results"]
    assert [(row["study"], row["url"]) for row in rows] == [("small", "https://example.org/hook")]
    assert as_program(colleague).get("/api/v1/webhooks/").json()["results"] == []


def test_a_member_is_removed_and_an_invitation_of_a_colleague_ended_once(
    program: Client, study: Study, colleague: User, as_program: Caller
) -> None:
    there = f"members/{colleague.pk}/"
    assert get(program, there) == {"id": colleague.pk, "username": "colleague", "role": "viewer"}
    assert post(program, f"{there}remove/").status_code == 200
    assert not study.members.filter(user=colleague).exists()
    assert as_program(colleague).get("/api/v1/studies/small/").status_code == 404
    assert post(program, f"{there}remove/").status_code == 404
    made = post(program, "colleagues/", {"role": "editor"}).json()
    row = ColleagueInvitation.objects.get(study=study)
    assert get(program, f"colleagues/{row.pk}/").items() <= made.items()
    assert post(program, f"colleagues/{row.pk}/end/").status_code == 200
    assert get(program, "colleagues/")["results"] == []
    assert not open_invitations(study=study, now=timezone.now()).exists()
    assert post(program, f"colleagues/{row.pk}/end/").status_code == 404


def test_an_invitation_of_a_colleague_is_a_link_that_is_shown_once(
    program: Client, study: Study
) -> None:
    made = post(program, "colleagues/", {"role": "editor"}).json()
    assert "/invitation/" in made["link"]
    rows = program.get("/api/v1/studies/small/colleagues/").json()["results"]
    assert [row["id"] for row in rows] == [made["id"]]
    assert "link" not in rows[0]


@pytest.mark.operations("studies_archive_create", "studies_delete_create")
def test_a_draft_is_deleted_once_its_name_is_sent_and_others_are_archived(
    program: Client, study: Study, owner: User
) -> None:
    draft = make_study("draft", state=Study.State.DRAFT)
    draft.members.create(user=owner, role="owner")
    address = "/api/v1/studies/draft/delete/"
    wrong = program.post(address, json.dumps({"slug": "small"}), content_type=JSON)
    assert wrong.status_code == 409
    assert (
        program.post(address, json.dumps({"slug": "draft"}), content_type=JSON).status_code == 200
    )
    assert not Study.objects.filter(slug="draft").exists()
    assert post(program, "archive/").status_code == 409
    post(program, "close/")
    assert post(program, "archive/").json()["archived_at"] is not None
    listed = program.get("/api/v1/studies/?listed=true").json()["results"]
    assert listed == []
    post(program, "unarchive/")
    assert program.get("/api/v1/studies/?listed=true").json()["results"]


def test_what_is_left_is_said_before_there_is_nothing_left(
    program: Client, study: Study, settings: Any
) -> None:
    settings.API_RATE = "3/min"
    answers = [program.get("/api/v1/studies/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"token";q=3;w=60'}
    left = [answer.headers["RateLimit"].split(";")[:2] for answer in answers]
    assert left == [['"token"', f"r={n}"] for n in (2, 1, 0, 0)]
    seconds = int(answers[-1].headers["RateLimit"].partition("t=")[2])
    assert 0 < seconds <= 60
    assert abs(int(answers[-1].headers["Retry-After"]) - seconds) <= 1
