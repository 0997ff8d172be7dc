"""The page *For the paper*."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from annotation.models import Study, User
from estimates.report.cache import report_of
from results.paper.shared.links import make_link
from tests.services.browser import scrolls_sideways, violations_in_both_schemes
from tests.sessions import as_user, sign_in


def address(study: Study, name: str = "paper") -> str:
    return reverse(f"results:{name}", args=[study.slug])


def test_it_has_paragraphs_references_tables_and_figures(answered: Study, colleague: User) -> None:
    page = as_user(colleague).get(address(answered)).content.decode()
    assert "2 people gave 12 answers to 3 units of 3 sources" in page
    assert "[@krippendorff2011" in page
    assert "@misc{krippendorff2011," in page
    assert "manage.py report small --paper" in page
    assert "manage.py report small --latex --panel trust" in page
    assert "panel=among-recovery&amp;format=md" in page
    assert "kind=spread&amp;facet=utility&amp;format=pdf" in page
    assert 'data-copies="methods-markdown"' in page


def test_the_results_tabs_lead_there(answered: Study, colleague: User) -> None:
    page = as_user(colleague).get(address(answered, "summary")).content.decode()
    assert f'href="{address(answered)}"' in page


def test_filters_go_into_the_commands(answered: Study, colleague: User) -> None:
    asked = {"only": "ada", "setting": "sample"}
    page = as_user(colleague).get(address(answered), asked).content.decode()
    assert "manage.py report small --paper --only ada" in page
    assert "--part setting=sample --only ada" in page


def test_an_outsider_sees_nothing(answered: Study, outsider: User) -> None:
    report_of(answered)
    for name in ("paper", "references", "page-file"):
        assert as_user(outsider).get(address(answered, name)).status_code == 404


def test_references_are_a_file(answered: Study, colleague: User) -> None:
    answer = as_user(colleague).get(address(answered, "references"))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="small.bib"'
    assert b"@misc{krippendorff2011," in answer.content


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_texts_are_copied_and_axe_finds_nothing(
    answered: Study, owner: User, new_page: Callable[..., Page]
) -> None:
    answered.state = Study.State.CLOSED
    answered.save()
    link = make_link(study=answered, by=owner)
    page = new_page(viewport={"width": 1280, "height": 800})
    sign_in(page, owner)
    page.goto(address(answered))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator('[data-copies="bibtex"]').click()
    page.locator('[data-copies="bibtex"]', has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#bibtex").text_content()
    assert violations_in_both_schemes(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert not scrolls_sideways(page)
    page.goto(reverse("results:shared", args=[link.token]))
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
