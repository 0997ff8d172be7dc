"""The page *Models*: who finds it, what it takes, and what it says of an endpoint."""

import logging
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from annotation.models import Change, Member, Study, User
from api.scopes import Scope
from api.tokens import make_token
from endpoints import asking
from endpoints.models import ModelEndpoint, Spending
from endpoints.registry import endpoint
from judges.definitions.versions import define_judge
from judges.models import Call, Judge, JudgeRun
from judges.runs.plans import plan
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.scope import RunRefused
from judges.runs.states import NotPossible, cancel_run, resume_run
from tests.cast import join
from tests.endpoints.models_page import FIELDS, KEY, MODEL, PRICE, add, added, said, serve
from tests.judges.endpoints import by_blocks
from tests.judges.scripted_judges import work_all
from tests.services.endpoint import Behaviour
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


def judge_at(study: Study, name: str = "lab") -> Judge:
    return define_judge(
        study=study, name="asked", method="zero_shot", model=MODEL, parameters={"endpoint": name}
    )


def pages(row: ModelEndpoint) -> list[str]:
    return [reverse("desk:models"), reverse("desk:model-endpoint", args=[row.pk])]


def test_only_operators_find_it(
    desk_of_operator: Client, owner: User, outsider: User, client: Client
) -> None:
    row = added(desk_of_operator, "https://api.example.org/v1")
    price = row.prices.get()
    addresses = [
        *pages(row),
        reverse("desk:test-endpoint", args=[row.pk]),
        reverse("desk:set-price", args=[row.pk]),
        reverse("desk:remove-price", args=[row.pk, price.pk]),
        reverse("desk:remove-endpoint", args=[row.pk]),
    ]
    for user in (owner, outsider):
        for address in addresses:
            assert as_user(user).post(address, PRICE).status_code == 404, address
            assert as_user(user).get(address).status_code in (404, 405), address
    for address in addresses:
        assert "/sign-in/" in client.post(address).headers["Location"]
    assert "/models/" not in as_user(owner).get(reverse("desk:account")).content.decode()
    assert ModelEndpoint.objects.get().prices.count() == 1


def test_an_endpoint_of_the_page_is_tested_priced_and_asked_without_a_restart(
    desk_of_operator: Client, study: Study, owner: User, servers: ExitStack
) -> None:
    server, url = serve(servers, Behaviour(answer=by_blocks, key=KEY))
    row = added(desk_of_operator, url, typed_key=KEY)
    assert "lists 2 models" in said(desk_of_operator, row)
    assert "replied in" in said(desk_of_operator, row, MODEL)
    page = desk_of_operator.get(pages(row)[1]).content.decode()
    assert "<li>another</li>" in page
    assert "https://example.org/prices" in page
    run = plan_run(study=study, judge=judge_at(study), requested_by=owner)
    work_all(run)
    run.refresh_from_db()
    assert (run.state, {call.status for call in run.calls.all()}) == ("complete", {"answered"})
    charged = Decimal(server.charged["micro"]) / 1_000_000
    spent = {one.user.get_username(): one.usd for one in Spending.objects.all()}
    assert spent["owner"] == run.spent > 0
    assert spent["owner"] + spent["operator"] == charged


def test_the_key_is_in_no_page_row_log_message_export_or_answer_of_the_api(
    desk_of_operator: Client,
    study: Study,
    servers: ExitStack,
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    owner = User.objects.get(username="owner")
    caplog.set_level(logging.DEBUG)
    server, url = serve(servers, Behaviour(answer=by_blocks, key=KEY))
    row = added(desk_of_operator, url, typed_key=KEY)
    server.script.append("echo")  # a server that repeats its headers in an error
    shown = said(desk_of_operator, row, MODEL)
    assert "Odd headers" in shown
    server.script.append("echo")
    run = plan_run(study=study, judge=judge_at(study), requested_by=owner)
    work_all(run)
    texts = [shown, caplog.text, *(str(vars(call)) for call in Call.objects.all())]
    texts += [str(change.detail) + change.subject for change in Change.objects.all()]
    texts += [desk_of_operator.get(page).content.decode() for page in pages(row)]
    _token, secret = make_token(owner=owner, name="x", scopes=tuple(Scope), days=1)
    api = Client(headers={"Authorization": f"Bearer {secret}"})
    at = "/api/v1/studies/small"
    texts += [api.get(f"{at}/{what}/").content.decode() for what in ("judges", "runs", "calls")]
    texts.append(as_user(owner).get(reverse("judges:run", args=["small", run.pk])).content.decode())
    call_command("export", "small", "--format", "jsonl", "--out", str(tmp_path), verbosity=0)
    texts += [file.read_text(encoding="utf-8") for file in tmp_path.rglob("*.json*")]
    assert any("model-of-the-tests" in text for text in texts[-9:])
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM endpoints_modelendpoint")
        texts.append(str(cursor.fetchall()))
    assert any("Odd headers" in text for text in texts[2:])
    assert [text for text in texts if KEY in text or KEY[:12] in text] == []
    assert KEY not in repr(row) + repr(endpoint("lab")) + repr(endpoint("lab").secrets())
    assert endpoint("lab").secrets().key == KEY


def test_a_key_stays_until_another_is_typed_and_goes_to_no_other_server(
    desk_of_operator: Client,
) -> None:
    row = added(desk_of_operator, "https://api.example.org/v1", typed_key=KEY)
    at = pages(row)[1]
    same = {"name": "lab", "kind": "api-key", "users": "owners", "in_flight": "4",
            "timeout_seconds": "10", "base_url": "https://api.example.org/v1"}  # fmt: skip
    assert desk_of_operator.post(at, same).status_code == 302
    assert endpoint("lab").secrets().headers == {"api-key": KEY}
    moved = {**same, "base_url": "https://elsewhere.example.org/v1"}
    answer = desk_of_operator.post(at, moved)
    assert answer.status_code == 422
    assert "Type the key again" in answer.content.decode()
    assert desk_of_operator.post(at, moved | {"typed_key": "sk-other"}).status_code == 302
    assert endpoint("lab").secrets().headers == {"api-key": "sk-other"}


def test_after_another_secret_key_the_page_asks_for_the_key_again(
    desk_of_operator: Client, settings: Settings
) -> None:
    row = added(desk_of_operator, "https://api.example.org/v1", typed_key=KEY)
    settings.SECRET_KEY = "another one"
    desk_of_operator.force_login(User.objects.get(username="operator"))
    assert "unreadable: type it again" in desk_of_operator.get(pages(row)[1]).content.decode()
    assert "SECRET_KEY has changed; type it again" in said(desk_of_operator, row)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"base_url": "ftp://a.example"}, "must be an http or https address"),
        ({"base_url": "https://me:key@a.example/v1"}, "must hold no credentials"),
        ({"base_url": "http://a.example/v1", "own_network": ""}, "use https"),
        ({"name": "a b"}, "Use letters"),
        ({"key_env": "SECRET_KEY"}, "ends with _API_KEY"),
        ({"key_env": "OPENAI_API_KEY", "typed_key": KEY}, "not both"),
        ({"typed_key": "two words"}, "no spaces"),
        ({"users": "named"}, "Name at least one account"),
        ({"users": "named", "named": "nobody"}, "no account nobody"),
        ({"users": "named", "named": "operator lots"}, "write an amount in USD"),
        ({"users": "named", "named": "operator 1\noperator 2"}, "is listed twice"),
        ({"in_flight": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    desk_of_operator: Client, fields: dict[str, str], sentence: str
) -> None:
    answer = add(desk_of_operator, fields.pop("base_url", "https://a.example/v1"), **fields)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not ModelEndpoint.objects.exists()


def test_a_wrong_change_is_refused_and_the_limits_of_accounts_stand_as_they_were_entered(
    desk_of_operator: Client,
) -> None:
    named = "operator 0\nowner 12.5\nzoe"
    for name in ("owner", "zoe"):
        User.objects.create_user(name)
    row = added(desk_of_operator, "https://a.example/v1", users="named", named=named)
    at = pages(row)[1]
    answer = desk_of_operator.post(at, {**FIELDS, "base_url": "ftp://a.example"})
    assert answer.status_code == 422
    assert "must be an http or https address" in answer.content.decode()
    assert desk_of_operator.get(at).context["form"]["named"].value() == named
    assert ModelEndpoint.objects.get().base_url == "https://a.example/v1"


def test_a_price_in_another_currency_is_refused(desk_of_operator: Client) -> None:
    row = added(desk_of_operator, "https://api.example.org/v1", priced=False)
    euros = {**PRICE, "currency": "EUR"}
    answer = desk_of_operator.post(reverse("desk:set-price", args=[row.pk]), euros)
    assert answer.status_code == 422
    assert "Enter the price in USD" in answer.content.decode()
    assert not row.prices.exists()


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (Behaviour(key="another"), "refuses the key (HTTP 401). Enter a key that it takes."),
        (Behaviour(models=b'{"data": []}'), "lists no models. Add a price"),
        (Behaviour(models=b"<html>"), "not JSON. The address usually ends with /v1"),
        (Behaviour(delay=5), "No answer came within 0.2 seconds"),
        (Behaviour(query="api-version=1"), "nothing at /models (HTTP 404)"),
    ],
)
def test_a_failed_test_says_what_to_do(
    desk_of_operator: Client,
    servers: ExitStack,
    monkeypatch: pytest.MonkeyPatch,
    behaviour: Behaviour,
    sentence: str,
) -> None:
    monkeypatch.setattr(asking, "SECONDS", 0.2 if behaviour.delay else 20.0)
    _server, url = serve(servers, behaviour)
    row = added(desk_of_operator, url, typed_key=KEY)
    assert sentence in said(desk_of_operator, row)


def test_a_server_that_is_down_or_private_is_said_to_be(desk_of_operator: Client) -> None:
    down = added(desk_of_operator, "http://127.0.0.1:9/v1", name="down")
    assert "cannot be reached" in said(desk_of_operator, down)
    inside = added(desk_of_operator, "https://127.0.0.1:9/v1", name="inside", own_network="")
    assert "not on the public internet. If the server is in" in said(desk_of_operator, inside)
    metadata = added(desk_of_operator, "http://169.254.169.254/v1", name="metadata")
    assert "not on the public internet" in said(desk_of_operator, metadata)


def test_a_run_connects_through_the_same_guard(
    desk_of_operator: Client, study: Study, owner: User
) -> None:
    added(desk_of_operator, "https://127.0.0.1:9/v1", own_network="")
    run = plan_run(study=study, judge=judge_at(study), requested_by=owner)
    work_all(run)
    run.refresh_from_db()
    assert run.state == "failed"
    assert "127.0.0.1 is not on the public internet" in run.reason


def test_a_dropped_connection_ends_no_run_there_either(
    desk_of_operator: Client, study: Study, owner: User, servers: ExitStack
) -> None:
    server, url = serve(servers, Behaviour(answer=by_blocks))
    added(desk_of_operator, url, in_flight="1", requests_per_minute="6000")
    server.script.extend(["drop"] * 6)
    run = plan_run(study=study, judge=judge_at(study), requested_by=owner)
    ModelEndpoint.objects.update(timeout_seconds=2)
    work_all(run)
    run.refresh_from_db()
    assert (run.state, run.calls.filter(status="answered").count()) == ("complete", run.n_calls)


def test_all_owners_may_use_it_in_their_own_studies_only(
    desk_of_operator: Client, study: Study, owner: User, outsider: User
) -> None:
    added(desk_of_operator, "https://api.example.org/v1", max_user_usd="5")
    join(study, outsider, Member.Role.EDITOR)
    judge = judge_at(study)
    assert forecast_run(study=study, judge=judge, requested_by=owner).cap == 5
    with pytest.raises(RunRefused, match="only owners of a study may ask lab"):
        plan_run(study=study, judge=judge, requested_by=outsider)
    start = {"judge": "asked", "subset": "full", "replicates": "1"}
    study.judges = [{"name": "asked", "method": "zero_shot", "model": MODEL,
                     "parameters": {"endpoint": "lab"}}]  # fmt: skip
    study.save()
    page = as_user(outsider).post(reverse("judges:start", args=["small"]), start)
    assert page.status_code == 422
    assert "only owners of a study may ask lab" in page.content.decode()
    assert not JudgeRun.objects.exists()


def test_named_accounts_have_limits_of_their_own_which_hold_over_runs(
    desk_of_operator: Client, study: Study, owner: User, outsider: User
) -> None:
    row = added(
        desk_of_operator, "https://api.example.org/v1", users="named", named="owner 1\noutsider"
    )
    judge = judge_at(study)
    assert forecast_run(study=study, judge=judge, requested_by=outsider).cap is None
    run = plan_run(study=study, judge=judge, requested_by=owner, max_cost=Decimal("0.75"))
    assert forecast_run(study=study, judge=judge, requested_by=owner).cap == Decimal("0.25")
    cancel_run(run_id=run.pk, by=owner)
    Spending.objects.create(endpoint=row, user=owner, usd=Decimal("0.5"))
    with pytest.raises(NotPossible, match=r"Enter a cap of at most 0\.5000 USD"):
        resume_run(run_id=run.pk, by=owner)
    resume_run(run_id=run.pk, by=owner, max_cost=Decimal("0.5"))
    with pytest.raises(RunRefused, match="your other runs at lab"):
        plan_run(study=study, judge=judge, requested_by=owner)
    cancel_run(run_id=run.pk, by=owner)
    Spending.objects.update(usd=1)
    with pytest.raises(RunRefused, match=r"you have spent the 1.00 USD"):
        plan_run(study=study, judge=judge, requested_by=owner)
    row.named.filter(user=owner).delete()
    with pytest.raises(RunRefused, match="your account may not ask lab"):
        plan_run(study=study, judge=judge, requested_by=owner)


def test_two_runs_that_are_planned_at_once_spend_no_more_than_is_left(
    desk_of_operator: Client, study: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(desk_of_operator, "https://api.example.org/v1", max_user_usd="1")
    judge = judge_at(study)
    plan_run(study=study, judge=judge, requested_by=owner, max_cost=Decimal("0.75"))
    # What the other process saw before the first run was there.
    monkeypatch.setattr(plan, "cap_of", lambda *_args, **_named: Decimal(1))
    with pytest.raises(RunRefused, match="another run of yours at lab has just begun"):
        plan_run(study=study, judge=judge, requested_by=owner)
    assert JudgeRun.objects.count() == 1


def test_removing_an_endpoint_removes_its_key(desk_of_operator: Client) -> None:
    row = added(desk_of_operator, "https://api.example.org/v1", typed_key=KEY)
    price = row.prices.get()
    desk_of_operator.post(reverse("desk:remove-price", args=[row.pk, price.pk]))
    assert not row.prices.exists()
    desk_of_operator.post(reverse("desk:remove-endpoint", args=[row.pk]))
    assert not ModelEndpoint.objects.exists()
    actions = Change.objects.filter(action__startswith="endpoint.").order_by("pk")
    assert [change.action.partition(".")[2] for change in actions] == [
        "saved", "priced", "unpriced", "removed",
    ]  # fmt: skip
