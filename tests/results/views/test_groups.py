"""Results by own columns: who sees which groups, chooses them, and sets them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Member, Study, User
from results.paper.shared.links import make_link
from tests.api.conftest import as_program  # noqa: F401 (a fixture)
from tests.cast import join
from tests.results.dashboard.pages import address
from tests.results.grouped import LANGUAGE, TOPIC, import_grouped
from tests.sessions import as_user

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = ("people", "systems", "dashboard")


@pytest.fixture
def grouped(owner: User, tmp_path: Path) -> Study:
    study = import_grouped(tmp_path, "domain", "language")
    join(study, owner, Member.Role.OWNER)
    return study


def text_of(user: User, url: str) -> str:
    return as_user(user).get(url).content.decode()


def test_a_researcher_sees_figures_by_domain_and_by_language(owner: User, grouped: Study) -> None:
    page = text_of(owner, address(grouped, "people"))
    assert "α by domain" in page
    assert "α by language of raters" in page
    assert "English" in page
    assert "German" not in page
    assert "personal data" in page
    systems = text_of(owner, address(grouped, "systems"))
    assert "Mean: domain" in systems
    assert "Mean: language of raters" in systems


def test_a_viewer_sees_no_figure_by_what_is_told_of_raters(colleague: User, grouped: Study) -> None:
    join(grouped, colleague, Member.Role.VIEWER)
    for name in PAGES:
        page = text_of(colleague, address(grouped, name))
        assert "domain" in page
        assert "language of raters" not in page
        assert "English" not in page
    asked = {LANGUAGE: "English", "panel": "among-raterlanguage-fluency", "format": "csv"}
    assert as_user(colleague).get(address(grouped, "table"), asked).status_code == 404
    units = as_user(colleague).get(
        address(grouped, "units"),
        {"facet": "fluency", "raters": "humans", "metric": "mean", LANGUAGE: "English"},
    )
    assert units.context["behind"].group == {}


def test_a_reviewer_sees_it_and_gets_the_table_as_a_file(colleague: User, grouped: Study) -> None:
    join(grouped, colleague, Member.Role.REVIEWER)
    assert "English" in text_of(colleague, address(grouped, "people"))
    asked = {"panel": "among-raterlanguage-fluency", "format": "csv"}
    assert b"English" in as_user(colleague).get(address(grouped, "table"), asked).content


def test_an_outsider_sees_nothing(outsider: User, grouped: Study) -> None:
    for name in PAGES:
        assert as_user(outsider).get(address(grouped, name)).status_code == 404
    method = reverse("desk:set-up-method", args=[grouped.slug])
    assert as_user(outsider).get(method).status_code == 404


def test_shared_results_and_the_paper_have_no_groups_of_raters(owner: User, grouped: Study) -> None:
    Study.objects.update(state=Study.State.CLOSED)
    grouped.refresh_from_db()
    link = make_link(study=grouped, by=owner)
    shared = text_of(owner, reverse("results:shared", args=[link.token]))
    paper = text_of(owner, address(grouped, "paper"))
    assert "α by domain" in paper
    for page in (shared, paper):
        assert "English" not in page
        assert "of raters" not in page


def test_the_page_is_narrowed_to_a_group(owner: User, grouped: Study) -> None:
    client = as_user(owner)
    for key, name in ((TOPIC, "news"), (LANGUAGE, "English")):
        page = client.get(address(grouped, "people"), {key: name}).content.decode()
        assert "There are no figures for this combination" not in page
        assert f'<option value="{name}" selected>' in page
    # What does not exist narrows nothing.
    page = client.get(address(grouped, "people"), {LANGUAGE: "German"}).content.decode()
    assert "selected>German" not in page


def test_a_number_of_a_group_leads_to_its_units(owner: User, grouped: Study) -> None:
    about = {"facet": "fluency", "raters": "humans", "metric": "mean", "aggregation": "per_item"}
    text_of(owner, address(grouped, "systems"))
    page = as_user(owner).get(address(grouped, "units"), {**about, TOPIC: "sport"})
    assert "domain: sport" in page.content.decode()
    assert len(page.context["lines"]) == 4
    page = as_user(owner).get(address(grouped, "units"), {**about, LANGUAGE: "English"})
    assert len(page.context["lines"]) == 12
    assert page.context["number"] is not None


def test_the_page_says_why_there_are_no_figures_of_small_groups(
    owner: User, tmp_path: Path, grouped: Study
) -> None:
    for rater in grouped.raters.filter(name__in=["w0", "w1", "w2", "w3"]):
        rater.metadata = {"language": rater.name}
        rater.save()
    grouped.raters.exclude(name__in=["w0", "w1", "w2", "w3"]).update(metadata={})
    grouped.touch()
    page = text_of(owner, address(grouped, "people"))
    assert "No figures by language of raters: no group has 5 people or more." in page


# --- Choosing the columns -----------------------------------------------------------------------


def test_an_editor_ticks_the_columns_without_a_new_import(owner: User, tmp_path: Path) -> None:
    study = import_grouped(tmp_path)
    join(study, owner, Member.Role.OWNER)
    assert "by domain" not in text_of(owner, address(study, "people"))
    client, method = as_user(owner), reverse("desk:set-up-method", args=[study.slug])
    page = client.get(method)
    shown = page.content.decode()
    assert "domain (of the source, 2 values)" in shown
    assert "language (of the raters: personal data, 2 values)" in shown
    form = page.context["form"]
    fields = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    sent = {**fields, "go": "apply", "k.group_by": [TOPIC, LANGUAGE]}
    assert client.post(method, sent).status_code == 302
    study.refresh_from_db()
    assert study.group_by == [TOPIC, LANGUAGE]
    assert "by domain" in text_of(owner, address(study, "people"))
    assert client.get(method).content.decode().count("checked") >= 2


def test_a_column_that_is_not_there_is_refused(owner: User, tmp_path: Path) -> None:
    study = import_grouped(tmp_path)
    path = tmp_path / "study.yaml"
    for key, said in (
        ("source.colour", r"no own column source.colour \(there are: .*source.domain"),
        ("colour", "group_by"),
    ):
        path.write_text(f"slug: {study.slug}\ngroup_by: [{key}]\n")
        with pytest.raises(CommandError, match=said):
            call_command("apply_study", str(path), verbosity=0)
    path.write_text(f"slug: {study.slug}\ngroup_by: [{TOPIC}]\n")
    call_command("apply_study", str(path), verbosity=0)
    study.refresh_from_db()
    assert study.group_by == [TOPIC]


def test_a_column_that_is_read_as_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="fluency: read as answer"):
        import_grouped(tmp_path, "fluency")
    with pytest.raises(CommandError, match="colour: no such column"):
        import_grouped(tmp_path, "colour")


# --- Programs -----------------------------------------------------------------------------------


def test_a_program_gets_groups_of_raters_for_those_who_may_see_people(
    owner: User,
    colleague: User,
    grouped: Study,
    as_program: Callable[..., object],  # noqa: F811
) -> None:
    join(grouped, colleague, Member.Role.VIEWER)
    url = f"/api/v1/studies/{grouped.slug}/estimates/"

    def keys(user: User, query: str = "") -> set[str]:
        rows = as_program(user).get(url + query).json()["estimates"]  # type: ignore[attr-defined]
        return {key for row in rows for key in row["group"]}

    usual = keys(owner)
    assert TOPIC in usual
    assert LANGUAGE not in usual
    assert keys(owner, "?rater_groups=true") == {*usual, LANGUAGE}
    assert keys(colleague) == usual
    refused = as_program(colleague).get(f"{url}?rater_groups=true")  # type: ignore[attr-defined]
    assert refused.status_code == 403
