"""The pages of judges: who may see and start what, and what they say."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Study, User
from config.celery import app
from jobs.workers.heartbeat import beat
from judges.definitions.versions import define_judge, judge_for
from judges.models import Chunk, JudgeRun
from judges.runs.plans.plan import plan_run
from tests.cast import join, make_study
from tests.judges.endpoints import MODEL, Opening
from tests.judges.scripted_judges import broker_that_is_down, scripted_judge, work_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(study: Study) -> JudgeRun:
    return plan_run(study=study, judge=judge_for(study, "lexical"))


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def pages(run: JudgeRun) -> list[str]:
    slug = run.study.slug
    return [
        reverse("judges:runs", args=[slug]),
        reverse("judges:run", args=[slug, run.pk]),
        reverse("judges:judge", args=[slug, "lexical", 1]),
        reverse("judges:replies", args=[slug, run.pk]),
        f"{reverse('judges:compare', args=[slug])}?a={run.pk}&b={run.pk}",
    ]


def acts(run: JudgeRun) -> list[str]:
    slug = run.study.slug
    names = ("pause", "cancel", "resume")
    of_study = ("start", "define", "families")
    return [
        *(reverse(f"judges:{name}", args=[slug]) for name in of_study),
        *(reverse(f"judges:{name}", args=[slug, run.pk]) for name in names),
    ]


PLAN = {"judge": "lexical", "subset": "full", "replicates": "1"}
START = {**PLAN, "confirmed": "3"}


def test_an_outsider_sees_nothing(run: JudgeRun, outsider: User) -> None:
    client = signed_in(outsider)
    assert {client.get(page).status_code for page in pages(run)} == {404}
    assert {client.post(act, START).status_code for act in acts(run)} == {404}


def test_who_is_not_signed_in_is_asked_to(run: JudgeRun, client: Client) -> None:
    for address in (*pages(run), *acts(run)):
        assert "/sign-in/" in client.get(address).headers["Location"]


def test_a_viewer_looks_and_changes_nothing(run: JudgeRun, colleague: User) -> None:
    client = signed_in(colleague)
    for page in pages(run):
        answer = client.get(page)
        assert answer.status_code == 200
        assert b'<form method="post" action="/studies' not in answer.getvalue()
    assert {client.post(act, START).status_code for act in acts(run)} == {403}
    run.refresh_from_db()
    assert run.state == "running"


def test_a_run_of_another_study_is_not_found(run: JudgeRun, owner: User) -> None:
    other = make_study("other")
    join(other, owner, Member.Role.OWNER)
    assert signed_in(owner).get(reverse("judges:run", args=["other", run.pk])).status_code == 404


def test_a_judge_has_its_page_before_it_has_run_but_in_no_other_study(
    study: Study, owner: User, tmp_path: Path
) -> None:
    scripted_judge(study, tmp_path)
    join(make_study("other"), owner, Member.Role.OWNER)
    client = signed_in(owner)
    pages = [reverse("judges:judge", args=[slug, "parrot", 1]) for slug in ("small", "other")]
    assert [client.get(page).status_code for page in pages] == [200, 404]


def test_a_version_that_another_study_made_of_a_built_in_judge_is_not_found(
    study: Study, owner: User
) -> None:
    judge_for(study, "lexical")
    fitted = define_judge(study=study, name="lexical", method="lexical", family="fitted in small")
    plan_run(study=study, judge=fitted)
    other = make_study("other")
    join(other, owner, Member.Role.OWNER)
    client = signed_in(owner)
    seen = [
        client.get(reverse("judges:judge", args=[slug, "lexical", version])).status_code
        for slug in ("small", "other")
        for version in (1, 2)
    ]
    assert seen == [200, 200, 200, 404]


def test_an_editor_starts_a_run(study: Study, outsider: User) -> None:
    join(study, outsider, Member.Role.EDITOR)
    answer = signed_in(outsider).post(reverse("judges:start", args=["small"]), START)
    run = JudgeRun.objects.get()
    assert answer.headers["Location"] == reverse("judges:run", args=["small", run.pk])
    assert (run.subset, run.requested_by, run.n_calls) == ("full", outsider, 3)


def test_a_run_starts_only_after_its_calls_cost_and_cap_were_shown(
    study: Study, owner: User
) -> None:
    client, address = signed_in(owner), reverse("judges:start", args=["small"])
    overview = client.get(reverse("judges:runs", args=["small"])).content.decode()
    assert overview.index('id="runs"') < overview.index('id="start"')
    assert "Start the run" not in overview
    page = client.post(address, {**PLAN, "max_cost": "0.5"}).content.decode()
    assert not JudgeRun.objects.exists()
    assert "<dt>Calls</dt><dd>3</dd>" in page
    assert "<dt>Cost</dt><dd>about 0 USD</dd>" in page
    assert "<dt>Cap</dt><dd>0.500000 USD</dd>" in page
    assert '<input type="hidden" name="confirmed" value="3">' in page
    uncapped = client.post(address, PLAN).content.decode()
    assert "<dt>Cap</dt><dd>none</dd>" in uncapped
    assert client.post(address, START).status_code == 302
    assert JudgeRun.objects.get().n_calls == 3


def test_the_plan_says_which_units_nobody_is_asked_about(
    owner: User, capsys: pytest.CaptureFixture[str]
) -> None:
    study = make_study(positive=1)
    join(study, owner, Member.Role.OWNER)
    beside = study.units.get(key="claim-0/alder/1")
    beside.places.all().delete()
    study.units.filter(role="positive").update(source=beside.source)
    page = signed_in(owner).post(reverse("judges:start", args=["small"]), PLAN).content.decode()
    assert "<dt>Not asked</dt><dd>1 unit whose source is used for a control" in page
    assert "<dt>Calls</dt><dd>3</dd>" in page  # the two others and the control
    call_command("judge", "small", "lexical", dry_run=True)
    assert "1 unit whose source is used for a control is left out" in capsys.readouterr().out


def test_the_cap_of_the_endpoint_is_shown_where_it_is_the_lower_one(
    study: Study, owner: User, endpoint: Opening
) -> None:
    endpoint(max_run_usd=0.25)
    study.judges = [{"name": "asked", "method": "zero_shot", "model": MODEL}]
    study.save()
    address = reverse("judges:start", args=["small"])
    page = signed_in(owner).post(address, {**PLAN, "judge": "asked", "max_cost": "7"})
    assert "<dt>Cap</dt><dd>0.250000 USD</dd>" in page.content.decode()


def test_a_run_of_a_new_version_asks_what_the_earlier_one_has_answered(
    study: Study, owner: User
) -> None:
    first = judge_for(study, "lexical")
    work_all(plan_run(study=study, judge=first, limit=1))
    define_judge(study=study, name="lexical", method="lexical", family="other")
    wanted = {**START, "judge": "lexical@2", "subset": "", "like": "lexical@1"}
    assert signed_in(owner).post(reverse("judges:start", args=["small"]), wanted).status_code == 302
    run = JudgeRun.objects.first()
    assert run is not None
    assert (str(run.judge), run.n_calls) == ("lexical@2", 1)
    for unknown in ({"like": "lexical@7"}, {"like": "@@"}, {"judge": "lexical@9"}):
        answer = signed_in(owner).post(
            reverse("judges:start", args=["small"]), {**wanted, **unknown}
        )
        assert answer.status_code == 422


@pytest.mark.parametrize(
    "wrong", [{"judge": "nobody"}, {"subset": "nowhere"}, {"replicates": "0"}, {"judge": ""}]
)
def test_a_form_that_makes_no_sense_is_shown_again(
    study: Study, owner: User, wrong: dict[str, str]
) -> None:
    answer = signed_in(owner).post(reverse("judges:start", args=["small"]), {**START, **wrong})
    assert answer.status_code == 422
    assert b"field__error" in answer.content
    assert not JudgeRun.objects.exists()


def test_a_study_that_no_judge_can_answer_says_so(owner: User) -> None:
    join(make_study("facts", blocks=(("importance", {}),)), owner, Member.Role.OWNER)
    answer = signed_in(owner).get(reverse("judges:runs", args=["facts"]))
    assert b"No judge of this installation can answer" in answer.content


def test_the_family_of_an_imported_judge_is_told_on_the_page(study: Study, owner: User) -> None:
    made = {"kind": "judge", "origin": "imported"}
    judge_of_file = study.raters.create(name="published", **made)
    study.raters.create(name="person", kind="human", origin="imported")
    client, name = signed_in(owner), f"family-{judge_of_file.pk}"
    shown = client.get(reverse("judges:runs", args=["small"])).content.decode()
    assert f'name="{name}"' in shown
    assert shown.count('name="family-') == 1
    before = study.revision
    client.post(reverse("judges:families", args=["small"]), {name: "gpt-4"})
    judge_of_file.refresh_from_db()
    study.refresh_from_db()
    assert (judge_of_file.family, study.revision > before) == ("gpt-4", True)
    wrong = client.post(reverse("judges:families", args=["small"]), {name: "x" * 201})
    assert (wrong.status_code, b"field__error" in wrong.content) == (422, True)


def test_with_broker_and_worker_down_a_run_starts_and_says_what_it_waits_for(
    study: Study, owner: User, django_capture_on_commit_callbacks: Any
) -> None:
    client = signed_in(owner)
    broker_that_is_down().set_current()
    try:
        with django_capture_on_commit_callbacks(execute=True):
            started = client.post(reverse("judges:start", args=["small"]), START)
        without_worker = client.get(started.headers["Location"]).content.decode()
        beat()
        without_broker = client.get(started.headers["Location"]).content.decode()
    finally:
        app.set_current()
    assert (
        "Waiting for a background worker. The run goes on when one is available." in without_worker
    )
    assert "The message broker does not answer" in without_broker
    with_both = client.get(started.headers["Location"]).content.decode()
    assert "message--warn" not in with_both


def test_while_it_runs_the_page_asks_again_and_afterwards_no_more(
    run: JudgeRun, owner: User
) -> None:
    client = signed_in(owner)
    page = reverse("judges:run", args=["small", run.pk])
    part = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert f'hx-get="{page}"' in part
    work_all(run)
    part = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert "hx-get" not in part
    assert "3 of 3 calls finished" in part
    assert '<div id="call-list" class="panel" hx-swap-oob="true">' in part
    assert part.count('badge--good">Answered') == 3
    filtered = client.get(f"{page}?status=error", headers={"HX-Request": "true"})
    assert "No such calls." in filtered.content.decode()
    assert "HX-Request" in client.get(page).headers["Vary"]


def test_failures_are_counted_by_reason_and_raw_replies_are_shown(
    study: Study, owner: User, tmp_path: Path
) -> None:
    garbled = {"claim-0/alder/1": {"reply": "<b>No idea</b>"}}
    run = work_all(plan_run(study=study, judge=scripted_judge(study, tmp_path, garbled)))
    client = signed_in(owner)
    page = reverse("judges:run", args=["small", run.pk])
    shown = client.get(page).content.decode()
    assert "2 × parse_failure: the reply holds no JSON object" in shown
    assert "&lt;b&gt;No idea&lt;/b&gt;" in shown
    assert run.prompts["slider"]["hash"] in shown
    failed = client.get(page, {"status": "parse_failure"}).content.decode()
    assert failed.count("claim-0/alder/1") >= 2
    assert "claim-1/alder/1</strong>" not in failed


def test_calls_come_fifty_at_a_time(owner: User) -> None:
    study = make_study(sources=51, blocks=(("citation_recovery", {}),))
    join(study, owner, Member.Role.OWNER)
    run = work_all(plan_run(study=study, judge=judge_for(study, "lexical")))
    client = signed_in(owner)
    page = reverse("judges:run", args=["small", run.pk])
    assert client.get(page).content.decode().count("<details>") == 50
    second = client.get(page, {"page": "2"}).content.decode()
    assert second.count("<details>") == 1
    assert "Page 2 of 2" in second


def test_a_run_is_paused_resumed_and_cancelled_by_its_buttons(run: JudgeRun, owner: User) -> None:
    client = signed_in(owner)
    seen = []
    for act in ("pause", "resume", "cancel", "cancel"):
        answer = client.post(reverse(f"judges:{act}", args=["small", run.pk]), follow=True)
        run.refresh_from_db()
        seen.append(run.state)
    assert seen == ["paused", "running", "cancelled", "cancelled"]
    assert "The run is cancelled already." in answer.content.decode()


def test_the_page_of_a_judge_shows_what_it_does_and_with_what(
    study: Study, owner: User, tmp_path: Path
) -> None:
    run = plan_run(study=study, judge=scripted_judge(study, tmp_path))
    shown = signed_in(owner).get(reverse("judges:judge", args=["small", "parrot", 1]))
    text = shown.content.decode()
    assert run.judge.fingerprint in text
    assert run.judge.parameters["sha256"] in text
    assert run.prompts["citation_recovery"]["hash"] in text


def test_the_study_page_shows_how_far_its_judges_are(run: JudgeRun, owner: User) -> None:
    work_all(run)
    shown = signed_in(owner).get(reverse("desk:study", args=["small"])).content.decode()
    assert "3 of 3 calls answered" in shown
    assert reverse("judges:run", args=["small", run.pk]) in shown


def test_a_page_of_a_running_run_takes_few_queries(
    run: JudgeRun, owner: User, django_assert_max_num_queries: Any
) -> None:
    client = signed_in(owner)
    assert Chunk.objects.filter(run=run).exists()
    with django_assert_max_num_queries(12):
        client.get(reverse("judges:run", args=["small", run.pk]), headers={"HX-Request": "true"})
