"""A judge that is defined by fields, and tried on one unit before."""

import json
from contextlib import ExitStack
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, Change, Member, Study, User
from endpoints.models import ModelEndpoint, Spending
from judges.models import CachedReply, Judge, JudgeRun
from judges.runs import trials
from tests.cast import join
from tests.endpoints.models_page import (
    MODEL,
    added,
    desk_of_operator,  # noqa: F401 (a fixture)
    operator,  # noqa: F401 (a fixture)
    serve,
    servers,  # noqa: F401 (a fixture)
)
from tests.judges.endpoints import by_blocks
from tests.judges.scripted_judges import work_all
from tests.services.endpoint import Behaviour, Server
from tests.sessions import as_user

pytestmark = pytest.mark.django_db

JUDGE = {"name": "mine", "method": "zero_shot", "chosen": json.dumps(["lab", MODEL])}


@pytest.fixture
def server(desk_of_operator: Client, servers: ExitStack) -> Server:  # noqa: F811
    made, url = serve(servers, Behaviour(answer=by_blocks))
    added(desk_of_operator, url, max_user_usd="1")
    return made


def posted(user: User, view: str, **fields: Any) -> Any:
    address = reverse(f"judges:{view}", args=["small"])
    return as_user(user).post(address, {**JUDGE, **fields})


def test_the_form_offers_the_models_that_the_account_may_use(
    server: Server, study: Study, owner: User, outsider: User
) -> None:
    join(study, outsider, Member.Role.EDITOR)
    option = '<optgroup label="lab">'
    runs = reverse("judges:runs", args=["small"])
    assert option in as_user(owner).get(runs).content.decode()
    without = as_user(outsider).get(runs).content.decode()
    assert option not in without
    assert "None that you may ask: each endpoint is for owners" in without
    ModelEndpoint.objects.all().delete()
    page = as_user(outsider).get(runs).content.decode()
    assert "None yet: the operator sets models up" in page
    assert posted(outsider, "try").status_code == 422


def test_a_judge_without_a_name_is_called_as_its_model(
    server: Server, study: Study, owner: User
) -> None:
    form = as_user(owner).get(reverse("judges:runs", args=["small"])).context["judge_form"]
    assert form["method"].initial == "zero_shot"
    assert posted(owner, "define", name="").status_code == 302
    assert Judge.objects.get(study=study).name == MODEL
    refused = posted(owner, "define", name="", chosen="", method="lexical")
    assert "This field is required." in refused.content.decode()


def test_fields_make_the_same_judge_as_yaml(server: Server, study: Study, owner: User) -> None:
    prompt = "$instructions Judge <$fence>$material</$fence>. Reply with JSON."
    fields = {"system": "Be strict.", "template": prompt, "temperature": "0.5", "reason": "on"}
    assert posted(owner, "define", block="slider", **fields).status_code == 302
    judge = Judge.objects.get(name="mine")
    assert (judge.model, judge.backend) == (MODEL, "chat")
    own = {name: judge.parameters[name] for name in ("endpoint", "temperature", "reason")}
    assert own == {"endpoint": "lab", "temperature": 0.5, "reason": "before"}
    assert (judge.parameters["system"], judge.parameters["template"]) == ("Be strict.", prompt)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"template": "$nothing"}, "nothing"),
        ({"examples": "no-such-unit"}, "there is no unit no-such-unit"),
        ({"model": "x"}, "not both"),
        ({"method": "lexical", "chosen": "", "system": "Be strict."}, "asks no chat model"),
        ({"parameters": "system: Be lax", "system": "Be strict."}, "has a field above"),
        ({"temperature": "3"}, "less than or equal to 2"),
    ],
)
def test_a_wrong_field_is_named_in_a_sentence(
    server: Server, study: Study, owner: User, fields: dict[str, str], sentence: str
) -> None:
    for view in ("define", "try"):
        answer = posted(owner, view, **fields)
        assert answer.status_code == 422
        assert sentence in answer.content.decode()
    assert not Judge.objects.filter(name="mine").exists()
    assert server.asked == []


def test_the_cost_comes_first_then_prompt_and_reply_as_text(
    server: Server, study: Study, owner: User
) -> None:
    fields = {"unit": "claim-1/alder/1", "system": "Be strict."}
    before = posted(owner, "try", **fields).content.decode()
    assert server.asked == []
    assert "1 call" in before
    assert "of the 1 USD that you may spend" in before
    assert "[system]\nBe strict." in before
    shown = posted(owner, "try", confirmed="1", **fields).content.decode()
    assert len(server.asked) == 1
    assert "The bridge number 1 was closed" in shown
    assert "&#x27;role&#x27;" not in shown
    assert "{&quot;sentences&quot;: [0]}" in shown
    assert not Judge.objects.filter(name="mine").exists()
    assert not Annotation.objects.exists()
    assert Change.objects.get(action="judge.tried").detail["unit"] == "claim-1/alder/1"
    paid = Spending.objects.get(user=owner).usd
    assert paid * 1_000_000 == server.charged["micro"]
    posted(owner, "try", confirmed="1", **fields)
    assert (len(server.asked), Spending.objects.get(user=owner).usd) == (1, paid)


def test_a_run_finds_the_reply_of_the_trial(server: Server, study: Study, owner: User) -> None:
    posted(owner, "try", confirmed="1")
    kept = CachedReply.objects.count()
    posted(owner, "define")
    start = {"judge": "mine", "block": "citation_recovery", "limit": "1", "replicates": "1",
             "subset": "full", "confirmed": "1"}  # fmt: skip
    as_user(owner).post(reverse("judges:start", args=["small"]), start)
    work_all(JudgeRun.objects.get())
    assert (kept, len(server.asked)) == (1, 1)


def test_a_reply_without_an_answer_says_why_and_is_asked_again(
    server: Server, study: Study, owner: User
) -> None:
    server.script.extend(["prose", "prose"])
    for n in (1, 2):
        page = posted(owner, "try", confirmed="1").content.decode()
        assert "Certainly! I would say" in page
        assert 'role="alert"' in page
        assert len(server.asked) == n


def test_an_account_without_money_left_and_a_dear_judge_are_refused(
    server: Server,
    study: Study,
    owner: User,
    desk_of_operator: Client,  # noqa: F811
) -> None:
    price = {"model": MODEL, "currency": "USD", "input": "900000", "output": "900000",
             "valid_on": "2026-11-01", "source": "made up"}  # fmt: skip
    row = ModelEndpoint.objects.get()
    desk_of_operator.post(reverse("desk:set-price", args=[row.pk]), price)
    answer = posted(owner, "try", confirmed="1")
    assert answer.status_code == 422
    assert "and you have 1.00 USD left" in answer.content.decode()
    Spending.objects.create(endpoint=row, user=owner, usd=1)
    assert "have spent what you may" in posted(owner, "try").content.decode()
    assert server.asked == []


def test_viewers_and_outsiders_try_nothing(
    server: Server, study: Study, colleague: User, outsider: User, client: Client
) -> None:
    assert posted(colleague, "try", confirmed="1").status_code == 403
    assert posted(outsider, "try", confirmed="1").status_code == 404
    assert "/sign-in/" in client.post(reverse("judges:try", args=["small"])).headers["Location"]
    assert server.asked == []


def test_a_page_cannot_try_a_file_of_the_server(server: Server, study: Study, owner: User) -> None:
    fields = {"chosen": "", "backend": "scripted", "parameters": "replies: /etc/passwd"}
    answer = posted(owner, "try", confirmed="1", **fields)
    assert answer.status_code == 422
    assert "only a study file of the command line" in answer.content.decode()


def test_an_endpoint_that_does_not_answer_keeps_nobody_waiting(
    server: Server, study: Study, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "SECONDS", 0.2)
    server.script.append("hang")
    page = posted(owner, "try", confirmed="1").content.decode()
    assert "No reply within 0.2 seconds." in page
    assert len(server.asked) == 1
