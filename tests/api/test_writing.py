"""Writing by the API: the same verbs as the pages, once for each key."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.models import Annotation, Change, Member, Study, User
from api.scopes import Scope
from tests.api.conftest import Caller
from tests.cast import join, make_study
from tests.judges.probing import begun, study_of
from tests.judges.scripted_judges import scripted_judge

pytestmark = pytest.mark.both_databases

STUDIES = "/api/v1/studies/"
JSON = "application/json"
KEYS = {
    "slug": "by-program",
    "title": "By a program",
    "task_type": "slider",
    "items": [
        {"source": {"key": "s1", "document": "A text."}, "items": [{"key": "i1", "text": "One."}]},
    ],
}


def send(client: Client, path: str, body: Any = None, key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"{STUDIES}{path}", body or {}, content_type=JSON, headers=headers)


def answer(unit: str = "claim-0/alder/1", rater: str = "ann", value: float = 40) -> dict[str, Any]:
    return {
        "unit": unit,
        "block": "slider",
        "rater": rater,
        "kind": "human",
        "answer": {"value": value},
    }


def test_a_study_is_made_from_the_keys_of_its_file_and_gets_more_items(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    made = send(client, "", KEYS)
    assert made.status_code == 201, made.content
    assert made.json()["role"] == "owner"
    more = {
        "records": [
            {"source": {"key": "s2", "document": "B."}, "items": [{"key": "i2", "text": "Two."}]}
        ]
    }
    added = send(client, "by-program/items/", more)
    assert (added.status_code, added.json()) == (201, {"items": 2})
    assert Change.objects.filter(action="study.made").exists()


def test_a_study_that_is_made_twice_under_one_key_is_where_it_was(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    made, again = (send(client, "", KEYS, key="a") for _ in range(2))
    assert (again.status_code, again.json()) == (201, made.json())
    assert again.headers["Location"] == made.headers["Location"]
    assert client.get(again.headers["Location"]).json()["slug"] == "by-program"


def test_a_key_of_a_study_that_does_not_fit_is_named_and_nothing_is_made(
    owner: User, as_program: Caller
) -> None:
    refused = send(as_program(owner), "", {**KEYS, "overlap": -1})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "overlap"
    assert not Study.objects.exists()


def test_the_name_of_another_study_is_a_conflict(owner: User, as_program: Caller) -> None:
    client = as_program(owner)
    assert [send(client, "", KEYS).status_code for _ in range(2)] == [201, 409]


def test_a_record_that_does_not_fit_is_named_by_its_place(owner: User, as_program: Caller) -> None:
    client, odd = (
        as_program(owner),
        {"source": {"key": "s2", "document": "B."}, "items": [{"key": ""}]},
    )
    refused = send(client, "", {**KEYS, "items": [*KEYS["items"], odd]})
    assert refused.json()["errors"][0]["field"] == "items[1].items[0].key"
    send(client, "", KEYS)
    refused = send(client, "by-program/items/", {"records": [odd]})
    assert refused.json()["errors"][0]["field"] == "records[0].items[0].key"


def test_a_token_for_one_study_and_an_account_without_the_permission_make_none(
    owner: User, study: Study, as_program: Caller, settings: Any
) -> None:
    assert send(as_program(owner, study=study), "", KEYS).status_code == 403
    settings.STUDY_MAKERS = "permitted"
    assert send(as_program(owner), "", KEYS).status_code == 403


@pytest.mark.operations("studies_answers_create")
def test_answers_are_stored_or_refused_line_by_line(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    lines = [answer(), answer(unit="no such unit"), answer(), answer(value=41), {"unit": "x"}]
    sent = send(client, "small/answers/", {"answers": lines}).json()
    assert [line["status"] for line in sent["results"]] == [
        *("stored", "refused", "present", "refused", "refused")
    ]
    assert (sent["stored"], sent["present"], sent["refused"]) == (1, 1, 3)
    assert sent["results"][1]["field"] == "unit"
    assert Annotation.objects.count() == 1
    again = send(client, "small/answers/", {"answers": lines[:1]}).json()
    assert (again["stored"], again["present"]) == (0, 1)
    shown = client.get(f"{STUDIES}small/answers/?rater=ann").json()["results"]
    assert [row["answer"]["value"] for row in shown] == [40]
    assert Change.objects.filter(action="answers.added").count() == 1


def test_a_write_is_done_once_for_its_key_and_answered_alike(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    first = send(client, "small/invitations/", {"number": 2}, key="a")
    again = send(client, "small/invitations/", {"number": 2}, key="a")
    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert study.invitations.count() == 2
    other = send(client, "small/invitations/", {"number": 3}, key="a")
    assert other.status_code == 422
    assert other.json()["errors"][0]["field"] == "Idempotency-Key"
    assert study.invitations.count() == 2


def test_a_write_that_failed_may_be_sent_again_under_its_key(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    assert send(client, "small/resume/", key="a").status_code == 409
    assert send(client, "small/pause/", key="b").json()["paused"]
    assert send(client, "small/resume/", key="a").json()["paused"] is False


def test_a_study_is_opened_paused_and_closed_and_told_what_is_missing(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    assert send(client, "small/close/").json()["state"] == "closed"
    assert send(client, "small/open/").json()["state"] == "open"
    Study.objects.update(state=Study.State.DRAFT, consent_text="")
    refused = send(client, "small/open/")
    assert refused.status_code == 409
    assert "consent text" in refused.json()["detail"]


def test_an_invitation_is_ended_once(owner: User, study: Study, as_program: Caller) -> None:
    client = as_program(owner)
    (made,) = send(client, "small/invitations/", {}).json()
    assert send(client, f"small/invitations/{made['id']}/end/").json()["ended_at"]
    assert send(client, f"small/invitations/{made['id']}/end/").status_code == 409


def test_a_judge_is_started_paused_and_cancelled(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    run = send(client, "small/runs/", {"judge": "lexical"})
    assert run.status_code == 201, run.content
    number = run.json()["id"]
    assert send(client, f"small/runs/{number}/pause/").json()["state"] == "paused"
    assert send(client, f"small/runs/{number}/cancel/").json()["state"] == "cancelled"
    assert send(client, f"small/runs/{number}/pause/").status_code == 409
    unknown = send(client, "small/runs/", {"judge": "nobody"})
    assert unknown.json()["errors"][0]["field"] == "judge"
    calls = client.get(f"{STUDIES}small/calls/?run={number}").json()["results"]
    assert len(calls) == run.json()["n_calls"]
    plain = as_program(owner, Scope.READ, Scope.WRITE)
    assert send(plain, "small/runs/", {"judge": "lexical"}).status_code == 403


def test_a_probe_set_is_asked_again(owner: User, as_program: Caller, tmp_path: Path) -> None:
    study = study_of(10)
    join(study, owner, Member.Role.OWNER)
    client = as_program(owner)
    scripted_judge(study, tmp_path)
    wanted = {"judge": "parrot", "probe": True}
    refused = send(client, f"{study.slug}/runs/", wanted)
    assert refused.status_code == 409
    assert "no probe set" in refused.json()["detail"]
    begun(study, tmp_path)
    run = send(client, f"{study.slug}/runs/", wanted)
    assert run.status_code == 201
    assert (run.json()["probe"], run.json()["replicates"]) == (True, 1)
    assert send(client, f"{study.slug}/runs/", wanted).status_code == 409  # under way
    plain = send(client, f"{study.slug}/runs/", {"judge": "parrot"})
    assert plain.json()["probe"] is False


def test_an_export_is_asked_for_and_its_file_is_not_there_yet(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    asked = send(client, "small/exports/", {"format": "jsonl"})
    assert asked.status_code == 202
    assert asked.json()["file"] is None
    assert client.get(f"{STUDIES}small/exports/{asked.json()['id']}/file/").status_code == 404
    refused = send(client, "small/exports/", {"format": "csv", "facet": "nothing"})
    assert refused.json()["errors"][0]["field"] == "facet"


def test_a_body_that_is_no_json_or_too_large_is_refused(
    owner: User, study: Study, as_program: Caller, settings: Any
) -> None:
    client = as_program(owner)
    path = f"{STUDIES}small/answers/"
    assert client.post(path, "{", content_type=JSON).status_code == 400
    assert client.post(path, "a=1", content_type="text/plain").status_code == 415
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    large = client.post(path, {"answers": [answer()]}, content_type=JSON)
    assert large.status_code == 413


def test_a_study_of_another_is_not_found(owner: User, as_program: Caller) -> None:
    make_study("foreign")
    assert send(as_program(owner), "foreign/close/").status_code == 404
