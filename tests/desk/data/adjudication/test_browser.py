"""Deciding in a real browser: by keyboard alone, on a phone, and without scripts."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import AdjudicationCase, GoldAnswer, Member, Question, Study, User
from annotation.work.submission import submit
from desk.data.adjudication.queue import send_to_adjudication
from desk.data.adjudication.work import ask_for_contested
from desk.data.exclusions.conditions import Conditions
from desk.data.exclusions.work import look_at
from tasktypes.likert import LIKERT
from tests.annotation.views.worker_pages import study_of
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.results.answers import disagree, questions
from tests.services.browser import follow, scrolls_sideways, violations_in_both_schemes
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]


@pytest.fixture
def study() -> Study:
    """Two people and a judge who differ, and two workers with a batch each."""
    made = make_study(sources=4, overlap=2)
    owner = make_user("keeper")
    join(made, owner, Member.Role.OWNER)
    disagree(made)
    for _ in range(2):
        submit(assignment=answer_all(lease(newcomer(made))), now=timezone.now())
    ask_for_contested(study=made, most=4, by=owner)
    question = questions(made)[3]
    GoldAnswer.objects.create(
        study=made, question=question, answer={"sentences": [0]}, reason="Plain.", by=owner
    )
    look_at(study=made, conditions=Conditions(workers=(1, 2), longest_run=1), by=owner)
    return made


def look(page: Page, name: str) -> None:
    """A picture where one is wanted, and whether everybody can use the page."""
    folder = os.environ.get("SCREENSHOTS")
    for width in (1280, 768, 360):
        page.set_viewport_size({"width": width, "height": 800})
        if folder:
            page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
        assert not scrolls_sideways(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert violations_in_both_schemes(page) == []


def test_cases_are_decided_by_keys_alone_and_nothing_typed_is_lost(
    new_page: NewPage, study: Study
) -> None:
    page = new_page()
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(reverse("desk:adjudication", args=[study.slug]))
    look(page, "adjudication")
    page.get_by_role("button", name="Take the next case").press("Enter")
    page.wait_for_url("**/adjudication/*/")
    look(page, "case")
    first = page.url
    page.locator("#why_gold").fill("The passage says so.")
    expect(page.locator("#saved")).to_contain_text("Saved")
    page.reload()
    expect(page.locator("#why_gold")).to_have_value("The passage says so.")
    page.keyboard.press("Alt+1")
    expect(page.locator("#saved input[name=revision]")).to_have_value("3")
    page.wait_for_load_state("load")
    page.keyboard.press("Alt+r")
    expect(page.get_by_text("lexical", exact=True).first).to_be_visible()
    page.wait_for_load_state("load")
    look(page, "case-revealed")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != first)
    assert GoldAnswer.objects.get(reason="The passage says so.").blind is False
    second = page.url
    page.keyboard.press("Alt+s")
    page.wait_for_url(lambda url: url != second)
    for name in ("beside-gold", "exclusions"):
        page.goto(reverse(f"desk:{name}", args=[study.slug]))
        look(page, name)
    follow(page.get_by_role("link", name="the same answer more than"))
    look(page, "exclusion")
    unit = questions(study)[3].unit_id
    page.goto(reverse("desk:promote", args=[study.slug, unit]))
    look(page, "promote")


def test_a_case_is_decided_without_scripts_on_a_phone(new_page: NewPage, study: Study) -> None:
    page = new_page(java_script_enabled=False, viewport={"width": 360, "height": 740})
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(reverse("desk:adjudication", args=[study.slug]))
    page.get_by_role("button", name="Take the next case").click()
    page.get_by_label("Reason").fill("Typed by hand.")
    page.get_by_role("button", name="Begin with answer 1").click()
    expect(page.get_by_label("Reason")).to_have_value("Typed by hand.")
    page.get_by_role("button", name="Decide", exact=True).click()
    assert GoldAnswer.objects.filter(reason="Typed by hand.", blind=True).exists()
    assert AdjudicationCase.objects.filter(state="decided").count() == 1


def test_the_document_is_open_above_what_is_judged(new_page: NewPage) -> None:
    made = study_of(LIKERT)
    owner = make_user("keeper")
    join(made, owner, Member.Role.OWNER)
    question = Question.objects.filter(block__study=made).first()
    assert question is not None
    document = "The ferry left at nine. " * 200
    question.payload = {**question.payload, "document": document}
    question.save()
    send_to_adjudication(study=made, units=[question.unit], by=owner)
    page = new_page()
    sign_in(page, owner)
    page.goto(reverse("desk:case", args=[made.slug, AdjudicationCase.objects.earliest("pk").pk]))
    look(page, "case-document")
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.locator(".document")).to_be_visible()
        box = page.locator(".document").bounding_box()
        assert box is not None
        assert box["height"] <= 0.41 * 800
