"""Pages of studies whose answers were given elsewhere: no dead ends, and nothing to wait for."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Study, User
from tests.cast import join
from tests.results.imported import import_raters, points
from tests.sessions import as_user
from tests.set_up.steps.studies import send

WARNING = "cannot open yet"


@pytest.fixture
def imported(tmp_path: Path, owner: User) -> Study:
    study = import_raters(
        tmp_path, points(ada="123", bob="321"), points(gpt="124"), level="interval"
    )
    join(study, owner, Member.Role.OWNER)
    return study


@pytest.fixture
def published(tmp_path: Path, owner: User) -> Study:
    table = tmp_path / "table.csv"
    table.write_text("study,system,rater,metric,value\nfirst,Alder,humans,mean_rank,1.5\n")
    call_command("import_study", "summary", str(table), slug="table", verbosity=0)
    study = Study.objects.get(slug="table")
    join(study, owner, Member.Role.OWNER)
    return study


def text(client: Client, name: str, study: Study) -> str:
    return client.get(reverse(name, args=[study.slug])).content.decode()


def test_finished_data_are_no_draft_and_lack_nothing(imported: Study, owner: User) -> None:
    client = as_user(owner)
    page = text(client, "desk:study", imported)
    assert WARNING not in page
    assert ">imported</span>" in page
    assert ">draft</span>" not in page
    home = client.get(reverse("desk:home")).content.decode()
    assert ">imported</span>" in home


def test_material_alone_is_still_a_draft(study: Study, owner: User) -> None:
    Study.objects.filter(pk=study.pk).update(
        state=Study.State.DRAFT, imported={"format": "jsonl"}, instructions=""
    )
    page = text(as_user(owner), "desk:study", study)
    assert ">draft</span>" in page
    assert WARNING in page


def test_imported_judges_have_answered(imported: Study, owner: User) -> None:
    client = as_user(owner)
    for name in ("desk:study", "judges:runs"):
        page = text(client, name, imported)
        assert "The answers of 1 judge were imported. None has run here." in page
        assert "No judge has answered yet." not in page


def test_the_progress_of_a_study_with_rounds_says_who_answered_elsewhere(
    imported: Study, owner: User
) -> None:
    said = "2 more people answered elsewhere"
    client = as_user(owner)
    assert said not in text(client, "desk:study", imported)
    imported.rounds.create(position=0, name="main")
    assert said in text(client, "desk:study", imported)


def test_the_list_of_workers_says_where_imported_people_are(imported: Study, owner: User) -> None:
    page = text(as_user(owner), "desk:workers", imported)
    assert "2 people answered elsewhere" in page
    assert reverse("results:summary", args=[imported.slug]) in page
    assert "No workers yet." not in page


def test_published_figures_have_no_blocks(published: Study, owner: User) -> None:
    client = as_user(owner)
    page = text(client, "desk:study", published) + text(client, "desk:set-up", published)
    assert "Citation recovery" not in page
    assert "none: published figures alone" in page
    assert WARNING not in page
    results = text(client, "results:dashboard", published)
    assert "Published figures" in results
    assert "Citation recovery" not in results
    assert "No judge has answered" not in results


def test_the_analysis_plan_of_imported_answers_is_set_in_a_form(
    imported: Study, owner: User
) -> None:
    sent = send(as_user(owner), "desk:set-up-method", imported.slug, go="apply", k__epsilon="0.2")
    assert sent.status_code == 302, sent.content.decode()
    imported.refresh_from_db()
    assert imported.epsilon == 0.2
