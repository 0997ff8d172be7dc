"""Reviews and pay by the API: the same verbs as the pages, for the same roles."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Annotation, Assignment, LedgerRow, Member, Study, User
from annotation.rights.withdrawal import withdraw
from api.models import KeyedWrite
from api.scopes import Scope
from tests.api.conftest import Caller
from tests.api.seeding import PANEL, with_everything
from tests.cast import join, make_user

SMALL, JSON = "/api/v1/studies/small/", "application/json"
Verdict = Assignment.Verdict


@pytest.fixture(autouse=True)
def seeded(study: Study, owner: User) -> Study:
    return with_everything(study, owner)


def send(client: Client, path: str, body: Any = None, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post(f"{SMALL}{path}", body or {}, content_type=JSON, headers=named)


@pytest.mark.operations("studies_reviews_undo_create")
def test_batches_are_excluded_taken_back_and_accepted(owner: User, as_program: Caller) -> None:
    client = as_program(owner)
    batches = [row["id"] for row in client.get(f"{SMALL}reviews/").json()["results"]]
    excluded = send(client, "reviews/exclude/", {"batches": batches, "reason": "Too fast."})
    assert excluded.json() == {"changed": sorted(batches)}
    assert set(Assignment.objects.values_list("verdict", flat=True)) == {Verdict.EXCLUDED}
    assert not Annotation.objects.filter(excluded_reason="").exists()
    assert send(client, "reviews/undo/", {"batches": batches[:1]}).json()["changed"] == batches[:1]
    assert send(client, "reviews/accept/", {"batches": batches}).json()["changed"]
    again = send(client, "reviews/accept/", {"batches": batches})
    assert again.json() == {"changed": []}
    assert LedgerRow.objects.filter(kind=LedgerRow.Kind.BASE).count() == 2  # all stay paid


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"batches": [1]}, "reason"),
        ({"batches": [1], "reason": "  "}, "reason"),
        ({"batches": [], "reason": "x"}, "batches"),
        ({"batches": ["1"], "reason": "x"}, "batches.0"),
        ({"batches": [1], "reason": "x", "verdict": "excluded"}, "verdict"),
    ],
)
def test_a_decision_that_is_no_whole_one_is_refused_by_its_field(
    owner: User, as_program: Caller, body: Any, field: str
) -> None:
    refused = send(as_program(owner), "reviews/exclude/", body)
    assert refused.status_code == 422
    assert [error["field"] for error in refused.json()["errors"]] == [field]
    assert not Assignment.objects.exclude(verdict=Verdict.OPEN).exists()


def test_of_batches_of_which_one_is_not_there_none_is_decided(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    batch = client.get(f"{SMALL}reviews/").json()["results"][0]["id"]
    assert send(client, "reviews/accept/", {"batches": [batch, 10**9]}).status_code == 404
    assert not Assignment.objects.exclude(verdict=Verdict.OPEN).exists()


def test_a_worker_is_told_about_a_batch(owner: User, as_program: Caller) -> None:
    client = as_program(owner)
    batch = client.get(f"{SMALL}reviews/").json()["results"][0]["id"]
    shown = send(client, f"reviews/{batch}/feedback/", {"text": "Thank you."})
    assert shown.json()["feedback"] == "Thank you."
    assert Assignment.objects.get(pk=batch).feedback == "Thank you."


def test_a_write_that_is_repeated_brings_back_no_words_of_somebody_who_withdrew(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    batch = Assignment.objects.filter(state=Assignment.State.SUBMITTED).earliest("pk")
    Assignment.objects.filter(pk=batch.pk).update(comment="I am ill.")
    told = (f"reviews/{batch.pk}/feedback/", {"text": "Get well."})
    assert "I am ill." in send(client, *told, Idempotency_Key="k").content.decode()
    withdraw(participation=batch.participation, now=timezone.now())
    again = send(client, *told, Idempotency_Key="k")
    assert (again.status_code, again["Idempotency-Replayed"]) == (200, "true")
    assert "ill" not in str(KeyedWrite.objects.values_list("body", flat=True))
    assert Assignment.objects.get(pk=batch.pk).feedback == ""


@pytest.mark.operations("studies_pay_files_create")
def test_what_is_owed_goes_into_a_file_once(owner: User, as_program: Caller) -> None:
    client = as_program(owner)
    owed = client.get(f"{SMALL}pay/?covers=all").json()
    (payout,) = owed["owed"]
    assert (payout["panel"], payout["workers"], payout["total"]) == (PANEL, 1, "1.50")
    assert owed["totals"][0]["filed"] == "1.50"
    wanted = {"panel": PANEL, "currency": "USD", "covers": "all"}
    made = send(client, "pay/files/", wanted)
    assert made.status_code == 201, made.content
    text = client.get(made.json()["file"]).content.decode()
    assert re.fullmatch(r"second,1\.50\n", text)
    again = send(client, "pay/files/", wanted)
    assert again.status_code == 409
    assert len(client.get(f"{SMALL}pay/files/").json()["results"]) == 2
    assert client.get(f"{SMALL}pay/files/1/").status_code == 404
    assert PANEL not in str(client.get(f"{SMALL}answers/").json())


def test_pay_is_adjusted_by_whoever_has_seen_the_statement_as_it_is(
    owner: User, as_program: Caller
) -> None:
    client, path = as_program(owner), "pay/workers/1/adjustments/"
    (worker, _other) = client.get(f"{SMALL}pay/workers/").json()["results"]
    assert (worker["id"], worker["totals"][0]["total"]) == (1, "1.50")
    statement = client.get(f"{SMALL}pay/workers/1/")
    tag, change = statement.headers["ETag"], {"amount": "0.50", "note": "For the outage."}
    assert [row["kind"] for row in statement.json()["rows"]] == ["base", "bonus"]
    blind = send(client, path, change)
    assert blind.status_code == 428
    assert "ETag" in blind.json()["detail"]
    assert send(client, path, change, If_Match=tag).status_code == 201
    late = send(client, path, change, If_Match=tag)
    assert late.status_code == 412
    assert late.json()["errors"][0]["field"] == "If-Match"
    below = send(client, path, {**change, "amount": -100}, If_Match="*")
    assert below.status_code == 409
    assert LedgerRow.objects.filter(kind=LedgerRow.Kind.ADJUSTMENT).count() == 1


def test_money_needs_its_own_scope_and_the_owner(
    owner: User, study: Study, as_program: Caller
) -> None:
    reader = as_program(owner, Scope.READ, Scope.WRITE, Scope.EXPORT)
    assert reader.get(f"{SMALL}pay/").status_code == 403
    editor = make_user("editor")
    join(study, editor, Member.Role.EDITOR)
    assert as_program(editor).get(f"{SMALL}pay/files/").status_code == 403


@pytest.mark.operations("studies_exports_again_create")
def test_an_export_is_stopped_and_started_again(owner: User, as_program: Caller) -> None:
    client = as_program(owner)
    (job,) = client.get(f"{SMALL}exports/").json()["results"]
    path = f"exports/{job['id']}/"
    assert send(client, f"{path}cancel/").json()["state"] == "cancelled"
    assert send(client, f"{path}cancel/").status_code == 409
    assert send(client, f"{path}again/").json()["state"] == "queued"
