"""The pages of the loop: who may see and change what, and what they say."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Annotation, Member, Rater, Study, User
from estimates.report.cache import report_of
from exports.readme import CSV, readme_lines
from judges.models import Judge
from judges.runs.plans.plan import plan_run
from results.tables.text import as_text
from tests.cast import join
from tests.judges.endpoints import Opening
from tests.judges.scripted_judges import work_all
from tests.services.endpoint import Behaviour
from tests.workbench.rule import (
    GOOD,
    HALF,
    POOR,
    answer_all,
    by_the_rule,
    chat_judge,
    half_value,
    split_study,
)
from workbench.models import Look, Split
from workbench.splitting import split_sources

pytestmark = pytest.mark.django_db
MOST_QUERIES = 45


@pytest.fixture
def study(owner: User, colleague: User) -> Study:
    """With an imported judge that is right every second time."""
    made = split_study()
    join(made, owner, Member.Role.OWNER)
    join(made, colleague, Member.Role.VIEWER)
    rater = Rater.objects.create(study=made, name="theirs/7b", kind="judge", origin="imported")
    answer_all(made, rater, half_value)
    return made


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(view: str, *of: object) -> str:
    return reverse(f"workbench:{view}", args=["loop", *of])


PAGES: list[tuple[Any, ...]] = [("loop",), ("judge", "theirs/7b"), ("card", 1, "theirs/7b")]
ACTS: list[tuple[Any, ...]] = [
    *(("split",), ("change", "theirs/7b"), ("look", 1, "theirs/7b"), ("publish",)),
]
SPLIT = {"seed": "7", "share": "50", "planned_looks": "2", "error": "0.05"}


def test_an_outsider_sees_nothing(study: Study, outsider: User) -> None:
    client = signed_in(outsider)
    assert {client.get(address(*page)).status_code for page in PAGES} == {404}
    assert {client.post(address(*act), SPLIT).status_code for act in ACTS} == {404}
    assert not Split.objects.exists()


def test_who_is_not_signed_in_is_asked_to(study: Study, client: Client) -> None:
    assert all("/sign-in/" in client.get(address(*page)).headers["Location"] for page in PAGES)
    assert all("/sign-in/" in client.post(address(*act)).headers["Location"] for act in ACTS)


def test_a_viewer_looks_and_changes_nothing(study: Study, colleague: User) -> None:
    client = signed_in(colleague)
    for page in PAGES:
        answer = client.get(address(*page))
        assert answer.status_code == 200
        assert b'method="post" action="/studies' not in answer.getvalue()
    assert {client.post(address(*act), SPLIT).status_code for act in ACTS} == {403}


def test_a_judge_that_has_not_answered_here_is_not_found(study: Study, owner: User) -> None:
    assert signed_in(owner).get(address("judge", "nobody")).status_code == 404


def test_an_editor_splits_once_and_tests_an_imported_judge(study: Study, owner: User) -> None:
    client = signed_in(owner)
    assert client.post(address("split"), {**SPLIT, "share": "1"}).status_code == 422
    client.post(address("split"), SPLIT)
    assert Split.objects.get().made_by == owner
    again = client.post(address("split"), SPLIT)
    assert again.status_code == 422
    assert "only once" in again.content.decode()
    plan = client.post(address("look", 1, "theirs/7b")).content.decode()
    assert "0 of 2" in plan
    assert "This version answered 12 questions about sealed sources before the split" in plan
    assert not Look.objects.exists()
    client.post(address("look", 1, "theirs/7b"), {"confirmed": "1"})
    assert Look.objects.get().looked_by == owner
    page = client.get(address("judge", "theirs/7b")).content.decode()
    assert "look 1 of 2" in page
    assert f"{Look.objects.get().figures[0]['value']:.3f}" in page
    assert "1 of 2" in client.get(address("loop")).content.decode()


def test_what_people_wrote_is_for_reviewers(study: Study, owner: User, colleague: User) -> None:
    people = Annotation.objects.filter(study=study, rater__kind="human")
    people.update(reasons=["It was <b>open</b> all year."])
    escaped = "It was &lt;b&gt;open&lt;/b&gt; all year."
    assert escaped in signed_in(owner).get(address("judge", "theirs/7b")).content.decode()
    assert escaped not in signed_in(colleague).get(address("judge", "theirs/7b")).content.decode()


def test_only_units_of_the_development_half_are_listed(study: Study, owner: User) -> None:
    split_sources(study=study, seed=7)
    page = signed_in(owner).get(address("judge", "theirs/7b"))
    listed = {unit.pk for unit in page.context["apart"]}
    assert listed
    assert not study.units.filter(pk__in=listed, source__sealed=True).exists()


def test_more_versions_and_units_take_no_more_queries(
    study: Study, owner: User, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_the_rule))
    split_sources(study=study, seed=7)
    client, counts = signed_in(owner), []
    for text in (POOR, HALF, GOOD):
        work_all(plan_run(study=study, judge=chat_judge(study, text), subset=""))
        client.get(address("judge", "marker"))  # what is counted anew is kept
        with CaptureQueriesContext(connection) as seen:
            page = client.get(address("judge", "marker"))
        counts.append(len(seen))
    assert page.status_code == 200
    assert counts[2] <= counts[1] <= MOST_QUERIES
    found = page.context["flips"]
    assert found.n_better > 0
    assert found.n_worse == 0


def test_another_text_is_the_next_version_and_an_unchanged_one_is_not(
    study: Study, owner: User, endpoint: Opening
) -> None:
    server = endpoint(Behaviour(answer=by_the_rule))
    split_sources(study=study, seed=7)
    work_all(plan_run(study=study, judge=chat_judge(study, POOR), subset=""))
    client = signed_in(owner)
    form = client.get(address("judge", "marker")).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"of": "1"}
    sent.pop("reason")
    same = client.post(address("change", "marker"), sent)
    assert same.status_code == 200
    assert list(Judge.objects.filter(name="marker").values_list("version", flat=True)) == [1]
    plan = client.post(address("change", "marker"), {**sent, "system": GOOD, "reason": "on"})
    assert plan.context["forecast"].calls == 12
    assert len(server.asked) == 12  # nothing is asked before the plan is confirmed
    made = Judge.objects.get(name="marker", version=2)
    assert (made.parameters["system"], made.parameters["reason"]) == (GOOD, "before")
    assert made.method == "zero_shot"


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 30, "9" * 5000])
def test_a_version_that_is_none_is_not_found(study: Study, owner: User, number: str) -> None:
    sent = {"of": number}
    assert signed_in(owner).post(address("change", "marker"), sent).status_code == 404


def test_a_sealed_example_is_refused_beside_its_field(
    study: Study, owner: User, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=by_the_rule))
    split_sources(study=study, seed=7)
    work_all(plan_run(study=study, judge=chat_judge(study, POOR), subset=""))
    key = study.units.filter(source__sealed=True).order_by("pk")[0].key
    client = signed_in(owner)
    form = client.get(address("judge", "marker")).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"of": "1", "examples": key}
    refused = client.post(address("change", "marker"), sent)
    assert refused.status_code == 422
    assert "is of the sealed half" in str(refused.context["form"].errors["examples"])


def test_the_text_of_people_and_the_answer_stand_beside_each_other(
    study: Study, owner: User
) -> None:
    page = signed_in(owner).get(address("judge", "theirs/7b"))
    (first, *_rest) = page.context["apart"]
    assert first.apart == pytest.approx(0.3)
    assert [said.text for said in first.said][-1] == "50"
    assert {said.text for said in first.said[:-1]} <= {"20", "80"}


def test_a_card_is_shown_and_downloaded(study: Study, owner: User) -> None:
    client, page = signed_in(owner), address("card", 1, "theirs/7b")
    shown = client.get(page)
    assert b"Judge card" in shown.content
    assert b"Agreement of the judge with one person" in shown.content
    for form, kind in (
        ("html", "text/html"),
        ("md", "text/markdown"),
        ("json", "application/json"),
    ):
        file = client.get(f"{page}?block=slider&format={form}")
        assert file.headers["Content-Type"] == f"{kind}; charset=utf-8"
        assert f'filename="loop.slider.theirs-7b@1.{form}"' in file.headers["Content-Disposition"]
    for wrong in ("?format=exe", "?format=md&block=nothing", f"?format={'9' * 5000}"):
        assert client.get(page + wrong).status_code == 404
    for version in ("7", "9" * 30):
        assert client.get(page.replace("/1/", f"/{version}/")).status_code == 404


def test_a_judge_that_never_answered_has_a_sentence_in_place_of_a_card(
    study: Study, owner: User
) -> None:
    Rater.objects.create(study=study, name="silent", kind="judge")
    page = signed_in(owner).get(address("card", 1, "silent"))
    assert b"silent@1 has no answer, so that it has no card." in page.content
    with pytest.raises(CommandError, match="silent@1 has no answer"):
        call_command("judge_card", "loop", "silent")


def test_only_owners_publish_and_only_what_they_confirm(study: Study, owner: User) -> None:
    client = signed_in(owner)
    editor = User.objects.create_user("editor")
    join(study, editor, Member.Role.EDITOR)
    client.post(address("split"), SPLIT)
    assert signed_in(editor).post(address("publish"), {"confirmed": "on"}).status_code == 403
    client.post(address("look", 1, "theirs/7b"), {"confirmed": "1"})
    client.post(address("publish"))
    assert Split.objects.get().opened_at is None
    assert b"This cannot be undone" in client.get(address("loop")).content
    page = client.post(address("publish"), {"confirmed": "on"}, follow=True)
    split = Split.objects.get()
    assert (split.opened_by, study.changes.filter(action="study.sealed_published").count()) == (
        owner,
        1,
    )
    assert b"There are no more looks." in page.content
    answer = client.post(address("look", 1, "theirs/7b"), {"confirmed": "1"})
    assert answer.status_code == 302


def test_pages_and_exports_of_a_split_study_say_which_half_figures_are_of(
    study: Study, owner: User
) -> None:
    client = signed_in(owner)
    client.post(address("split"), SPLIT)
    said = "of the development half alone; 0 of 2 looks at the sealed half used."
    for page in ("summary", "judges", "paper"):
        assert said in client.get(reverse(f"results:{page}", args=["loop"])).text
    again = Study.objects.get(pk=study.pk)
    assert said in "".join(readme_lines(again, CSV))
    assert said in as_text(report_of(again), None)
