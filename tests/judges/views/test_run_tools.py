"""Around a run: its plan with the cost, judges defined on the page, two runs compared, replays."""

import json
from decimal import Decimal
from html import unescape
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from annotation.models import Member, Question, Study, User
from judges.backends.local.weights import UnusableModel, Weights
from judges.definitions.proposals import propose_judge
from judges.definitions.versions import BadJudge, define_judge, judge_for
from judges.models import JudgeRun
from judges.runs.comparison import compare_runs
from judges.runs.plans.plan import plan_run
from judges.runs.records.replay import replay_lines
from tests.cast import join, make_study
from tests.judges.endpoints import MODEL, Opening, asking_judge, by_blocks
from tests.judges.scripted_judges import ONE_BLOCK, scripted_judge, work_all
from tests.services.endpoint import Behaviour

pytestmark = pytest.mark.django_db

# Without it, *Start the run* shows the plan.
CONFIRMED = {"confirmed": "yes"}
DEFINITION = {
    "name": "asked",
    "method": "zero_shot",
    "backend": "chat",
    "model": MODEL,
    "family": "tests",
    "parameters": "temperature: 0.5\nmax_tokens: 100",
}


@pytest.fixture
def owners(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def act(name: str) -> str:
    return reverse(f"judges:{name}", args=["small"])


def test_a_judge_defined_on_the_page_can_be_planned_and_run(
    study: Study, owners: Client, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_blocks))
    shown = reverse("judges:judge", args=["small", "asked", 1])
    assert owners.post(act("define"), DEFINITION).headers["Location"] == shown
    study.refresh_from_db()
    assert study.judges[0]["parameters"] == {"temperature": 0.5, "max_tokens": 100}
    wanted = {"judge": "asked", "subset": "", "replicates": "2", "max_cost": "1.50"}
    shown = owners.post(act("start"), wanted).content.decode()
    assert "<dt>Calls</dt><dd>12</dd>" in shown
    assert "USD</dd>" in shown
    assert 'name="max_cost" value="1.50"' in shown
    assert not JudgeRun.objects.exists()
    owners.post(act("start"), {**wanted, **CONFIRMED})
    run = work_all(JudgeRun.objects.get())
    assert (run.state, run.replicates, run.max_cost) == ("complete", 2, Decimal("1.50"))
    assert 0 < run.spent < Decimal("1.50")
    page = owners.get(reverse("judges:run", args=["small", run.pk])).content.decode()
    assert "finish_reason" in page
    assert "of at most 1.5" in page


def test_what_a_judge_will_say_can_be_read_before_it_is_paid_for(
    study: Study, owners: Client, endpoint: Opening
) -> None:
    server = endpoint(Behaviour(answer=by_blocks))
    page = owners.post(act("define"), DEFINITION).headers["Location"]
    plan = owners.post(act("start"), {"judge": "asked", "subset": "", "replicates": "1"})
    question = Question.objects.filter(block__key="citation_recovery").earliest("pk")
    for shown in (owners.get(page).content.decode(), plan.content.decode()):
        assert "say which sentences should cite that piece of evidence" in shown
        assert "Read the passage, then choose the sentences" in shown  # the study's instructions
        assert f"Prompts about {question.unit.key}" in shown
        assert escape(question.payload["passages"][0]["text"]) in shown
    assert page in plan.content.decode()
    assert not server.asked
    assert not JudgeRun.objects.exists()


def test_a_run_asks_the_questions_that_are_chosen_on_the_page(
    study: Study, owners: Client, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_blocks))
    owners.post(act("define"), DEFINITION)
    wanted = {"judge": "asked", "subset": "", "block": "slider", "replicates": "1"}
    shown = owners.post(act("start"), wanted).content.decode()
    assert "<dt>Questions</dt><dd>slider</dd>" in shown
    assert 'name="block" value="slider"' in shown
    assert "Prompt of slider" in shown
    assert "Prompt of citation_recovery" not in shown
    page = owners.post(act("start"), {**wanted, **CONFIRMED}).headers["Location"]
    assert JudgeRun.objects.get().blocks == ["slider"]
    assert "<dt>Questions</dt><dd>slider</dd>" in owners.get(page).content.decode()


def test_another_definition_takes_the_place_of_the_first(study: Study, owners: Client) -> None:
    owners.post(act("define"), DEFINITION)
    owners.post(act("define"), {**DEFINITION, "parameters": ""})
    study.refresh_from_db()
    assert len(study.judges) == 1
    assert str(judge_for(study, "asked")) == "asked@2"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "no good"}, "may only contain letters"),
        ({"method": "divination"}, "Select a valid choice"),
        ({"model": ""}, "name the model to ask"),
        ({"parameters": "temperature: 9"}, "temperature: Input should be less than or equal to 2"),
        ({"parameters": "warmth: 1"}, "warmth: Extra inputs are not permitted"),
        ({"parameters": "endpoint: nowhere"}, "there is no &#x27;nowhere&#x27; here"),
        (
            {"parameters": "replies: /etc/passwd"},
            "(apply_study) can name a file",
        ),
        ({"parameters": "{"}, "This is not valid YAML."),
        ({"parameters": "- 1"}, "Enter one name and value per line"),
    ],
)
def test_what_is_wrong_with_a_definition_is_said_beside_its_field(
    study: Study, owners: Client, wrong: dict[str, str], said: str
) -> None:
    answer = owners.post(act("define"), {**DEFINITION, **wrong})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert "field__error" in answer.content.decode()
    study.refresh_from_db()
    assert study.judges == []


def test_a_judge_is_tried_on_the_first_questions_with_a_seed_of_its_own(
    study: Study, owners: Client
) -> None:
    wanted = {"judge": "lexical", "subset": "", "replicates": "1", "limit": "2", "seed": "7"}
    shown = owners.post(act("start"), wanted).content.decode()
    assert "<dt>Calls</dt><dd>2</dd>" in shown
    assert 'name="limit" value="2"' in shown
    owners.post(act("start"), {**wanted, **CONFIRMED})
    run = JudgeRun.objects.get()
    assert (run.n_calls, run.seed) == (2, 7)
    owners.post(act("start"), {**wanted, **CONFIRMED, "limit": "", "seed": ""})
    run = JudgeRun.objects.latest("pk")
    assert (run.n_calls, run.seed) == (3, study.seed)


def test_a_run_at_its_cap_goes_on_from_its_page_under_a_higher_one(
    owners: Client, owner: User, tmp_path: Path
) -> None:
    study = make_study("costly", blocks=ONE_BLOCK, sources=4)
    join(study, owner, Member.Role.OWNER)
    costly = {f"claim-{n}/alder/1": {"cost": "0.01"} for n in range(4)}
    parrot = scripted_judge(study, tmp_path, costly)
    run = work_all(plan_run(study=study, judge=parrot, max_cost=Decimal("0.02")))
    page, resume = (
        reverse(f"judges:{name}", args=["costly", run.pk]) for name in ("run", "resume")
    )
    assert "New cap in USD" in owners.get(page).content.decode()
    for cap, said in (("", "needs a higher cap"), ("much", "must be an amount")):
        assert said in owners.post(resume, {"max_cost": cap}, follow=True).content.decode()
    owners.post(resume, {"max_cost": "0.5"})
    run = work_all(run)
    assert (run.state, run.max_cost) == ("complete", Decimal("0.5"))
    assert "New cap" not in owners.get(page).content.decode()


def test_a_cap_below_the_plan_is_refused_on_the_page(
    study: Study, owners: Client, endpoint: Opening
) -> None:
    endpoint()
    owners.post(act("define"), DEFINITION)
    wanted = {"judge": "asked", "subset": "", "replicates": "1", "max_cost": "0.000001"}
    for sent in (wanted, {**wanted, **CONFIRMED}):
        answer = owners.post(act("start"), sent)
        assert answer.status_code == 422
        assert "are expected to cost" in answer.content.decode()
    assert not JudgeRun.objects.exists()


def test_a_model_without_a_price_is_said_to_have_none_and_takes_no_cap(
    study: Study, owners: Client, endpoint: Opening
) -> None:
    endpoint(prices={})
    owners.post(act("define"), DEFINITION)
    wanted = {"judge": "asked", "subset": "", "replicates": "1"}
    assert "no price is configured" in owners.post(act("start"), wanted).content.decode()
    answer = owners.post(act("start"), {**wanted, "max_cost": "1"})
    assert "the cost of the calls is unknown" in answer.content.decode()


def test_two_runs_are_compared_by_what_changed_and_what_that_changed(
    study: Study, owners: Client, tmp_path: Path
) -> None:
    left = work_all(plan_run(study=study, judge=scripted_judge(study, tmp_path), subset=""))
    other = {"claim-1/alder/1": {"reply": '{"sentences": []}'}}  # no answer to the other block
    changed = scripted_judge(study, tmp_path, other, name="changed")
    right = work_all(plan_run(study=study, judge=changed, subset=""))
    found = compare_runs(left, right)
    assert {change.name for change in found.changes} >= {"judge", "parameters.file"}
    assert (found.n_both, found.n_same, found.n_different) == (5, 4, 1)
    assert (found.n_left_only, found.n_right_only) == (1, 0)
    assert found.differing[0].left == {"sentences": [0]}
    assert found.differing[0].right == {"sentences": []}
    by_facet = {one.facet: one.alpha for one in found.agreement}
    assert len(by_facet) == 2
    assert [one.undefined is None for one in by_facet.values()] == [True, False]
    page = f"{reverse('judges:compare', args=['small'])}?a={left.pk}&b={right.pk}"
    shown = owners.get(page).content.decode()
    assert "Differences between the runs" in shown
    assert "undefined: " in shown
    assert "{&quot;sentences&quot;: []}" in shown
    assert "&#x27;sentences&#x27;" not in shown


def test_calls_and_definitions_are_shown_as_text(
    study: Study, owners: Client, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_blocks))
    first = Question.objects.filter(unit__key="claim-0/alder/1", block__key="citation_recovery")
    first.update(reference={"sentences": [0]})
    said = "seed: false\nexamples: [{unit: claim-0/alder/1, block: citation_recovery}]"
    owners.post(act("define"), {**DEFINITION, "parameters": said, "system": "Be strict."})
    judge = judge_for(study, DEFINITION["name"])
    run = work_all(plan_run(study=study, judge=judge, limit=2))
    assert run.calls.filter(status="answered").exists()
    judges = reverse("judges:judge", args=["small", judge.name, judge.version])
    for page in (reverse("judges:run", args=["small", run.pk]), judges):
        text = unescape(owners.get(page).content.decode())
        assert "Be strict." in text
        written = ("{'", "['", "': ", ">True<", ">False<", ">None<", "\\n\\n")
        assert [python for python in written if python in text] == []


def test_runs_that_cannot_be_compared_are_not_found(study: Study, owners: Client) -> None:
    run = plan_run(study=study, judge=judge_for(study, "lexical"))
    page = reverse("judges:compare", args=["small"])
    for query in ("", f"?a={run.pk}", f"?a={run.pk}&b=x", f"?a={run.pk}&b=999999"):
        assert owners.get(page + query).status_code == 404


def test_a_run_is_repeated_from_its_own_replies(
    tmp_path: Path, endpoint: Opening, owners: Client
) -> None:
    server = endpoint(Behaviour(rates={"prose": 0.2, "refusal": 0.2}, seed=3))
    study = make_study(blocks=ONE_BLOCK, sources=20)
    first = work_all(plan_run(study=study, judge=asking_judge(study), subset=""))
    asked = len(server.asked)
    file = tmp_path / "replies.jsonl"
    file.write_text("".join(replay_lines(first)), encoding="utf-8")
    replayed = define_judge(
        study=study,
        name="replayed",
        method="zero_shot",
        backend="scripted",
        parameters={"replies": str(file)},
    )
    again = work_all(plan_run(study=study, judge=replayed, subset=""))
    assert len(server.asked) == asked
    assert again.spent == first.spent
    for name in ("status", "reply", "cost"):
        both = [
            list(run.calls.order_by("pk").values_list(name, flat=True)) for run in (first, again)
        ]
        assert both[0] == both[1]
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line.get("failure") for line in lines} == {None, "parse_failure", "refusal"}


def test_the_replies_of_a_run_are_downloaded(study: Study, owners: Client) -> None:
    run = work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    answer = owners.get(reverse("judges:replies", args=["small", run.pk]))
    lines = b"".join(answer.streaming_content).splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 3
    assert "attachment" in answer.headers["Content-Disposition"]


@pytest.mark.parametrize(
    ("method", "parameters"),
    [("scripted", {"file": "/etc/hostname"}), ("zero_shot", {"replies": "/etc/hostname"})],
)
def test_a_proposed_judge_reads_no_file_of_the_server(
    study: Study, method: str, parameters: dict[str, str]
) -> None:
    with pytest.raises(BadJudge, match="can name a file of the server"):
        propose_judge(study=study, name="thief", method=method, parameters=parameters)


@pytest.mark.parametrize("folder", ["/etc", "/nowhere", "~", "./judges", ".."])
def test_a_page_cannot_ask_what_folders_the_server_has(
    study: Study, owners: Client, folder: str
) -> None:
    said = "name a model on the hub; only a study"
    near = {"name": "thief", "method": "embedding", "model": folder}
    answer = owners.post(act("define"), near)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    with pytest.raises(BadJudge, match=f"^parameters.embedding: {said}"):
        propose_judge(
            study=study, name="thief", method="fingract", parameters={"embedding": folder}
        )
    study.refresh_from_db()
    assert study.judges == []


def test_what_a_server_calls_its_model_may_look_like_a_path(
    study: Study, owners: Client, endpoint: Opening
) -> None:
    endpoint()
    owners.post(act("define"), {**DEFINITION, "model": "/models/one"})
    assert judge_for(Study.objects.get(), "asked").model == "/models/one"


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_hub_is_asked(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def pin(name: str, revision: str = "") -> Weights:
        seen.append(connection.in_atomic_block)
        raise UnusableModel("the hub failed")

    monkeypatch.setattr("judges.methods.local_model.pinned", pin)
    with pytest.raises(BadJudge, match="the hub failed"):
        propose_judge(
            study=study, name="near", method="embedding", model="some/model", parameters={}
        )
    assert seen == [False]


@pytest.mark.parametrize(("prices", "shown"), [({}, None), ({"*": {"input": 0, "output": 0}}, 0)])
def test_a_cost_that_nobody_knows_is_no_amount(
    study: Study,
    owners: Client,
    endpoint: Opening,
    prices: dict[str, dict[str, int]],
    shown: int | None,
) -> None:
    endpoint(Behaviour(answer=by_blocks), prices=prices)
    run = work_all(plan_run(study=study, judge=asking_judge(study)))
    assert run.state == "complete"

    overview = owners.get(reverse("judges:runs", args=["small"]))
    page = owners.get(reverse("judges:run", args=["small", run.pk])).content.decode()

    (progress,) = overview.context["progresses"]
    assert progress.usd == shown
    assert ("unknown</span></td>" in overview.content.decode()) == (shown is None)
    assert ("unknown: no price is configured" in page) == (shown is None)
    assert (" USD</dd>" in page) == (shown is not None)


def test_a_run_that_asks_no_model_costs_nothing(study: Study, owners: Client) -> None:
    work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    (progress,) = owners.get(reverse("judges:runs", args=["small"])).context["progresses"]
    assert progress.usd == 0


def test_the_page_of_a_judge_says_what_its_method_is(study: Study, owners: Client) -> None:
    plan_run(study=study, judge=judge_for(study, "lexical"))
    page = owners.get(reverse("judges:judge", args=["small", "lexical", 1])).content.decode()
    assert "<dd>Shared words (lexical, version 1)</dd>" in page
    assert "<dt>Answers</dt><dd>Citation recovery</dd>" in page
    assert "It asks no model and is deterministic." in page
