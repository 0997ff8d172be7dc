"""Reviewing, records and pay in a real browser: on a phone, on a desktop, without scripts."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Member, Study, User, Worker
from annotation.work.problems import flag_problem
from annotation.work.review import write_feedback
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]
SIZES = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 900}}


@pytest.fixture
def study() -> Study:
    """Three workers with two batches each; their batches hold both kinds of controls."""
    made = make_study(
        sources=8,
        overlap=2,
        positive=2,
        negative=2,
        per_batch=2,
        max_batches_per_worker=2,
        minimum_hourly_pay="15.00",
    )
    join(made, make_user("keeper"), Member.Role.OWNER)
    for number in range(3):
        worker = newcomer(made)
        Worker.objects.filter(pk=worker.worker_id).update(panel="panel", external_id=f"id{number}")
        for _ in range(2):
            batch = submit(assignment=answer_all(lease(worker)), now=timezone.now())
    unit = batch.assignment_units.all()[0].unit_id
    flag_problem(assignment=batch, unit=unit, text="The second passage is cut off.")
    write_feedback(assignment=batch, text="Thank you for the hint.", by=None)
    return made


def accessible(page: Page, name: str) -> None:
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize(("size", "scheme"), [("phone", "dark"), ("desktop", "light")])
def test_the_pages_are_accessible_and_never_scroll_sideways(
    new_page: NewPage, study: Study, size: str, scheme: str
) -> None:
    page = new_page(viewport=SIZES[size], color_scheme=scheme)
    sign_in(page, User.objects.get(username="keeper"))
    newest = Assignment.objects.order_by("-pk")[0]
    slug = study.slug
    addresses = {
        "study": reverse("desk:study", args=[slug]),
        "reviews": reverse("desk:reviews", args=[slug]),
        "review": reverse("desk:review", args=[slug, newest.pk]),
        "workers": reverse("desk:workers", args=[slug]),
        "worker": reverse("desk:worker", args=[slug, 3]),
        "pay": reverse("desk:pay", args=[slug]),
    }
    for name, address in addresses.items():
        page.goto(address)
        accessible(page, f"{name}-{size}")
    page.goto(addresses["review"])
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    accessible(page, f"review-open-{size}")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_batches_are_decided_about_in_bulk(new_page: NewPage, study: Study, scripts: bool) -> None:
    page = new_page(java_script_enabled=scripts)
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(reverse("desk:reviews", args=[study.slug]))
    boxes = page.locator("input[name=batch]")
    expect(boxes).to_have_count(6)
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.get_by_role("button", name="Exclude").click()
    expect(page.locator(".message--error")).to_contain_text("say why")
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.get_by_label("Reason for excluding").fill("answers without reading")
    page.get_by_role("button", name="Exclude").click()
    expect(page.locator(".message--success")).to_contain_text("2 batches excluded")
    page.get_by_label("Choose every batch on this page").check()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".message--success")).to_contain_text("2 decisions undone")
    assert not Assignment.objects.exclude(verdict="open").exists()


def test_a_pay_file_is_made_and_downloaded(new_page: NewPage, study: Study) -> None:
    page = new_page()
    sign_in(page, User.objects.get(username="keeper"))
    page.goto(reverse("desk:pay", args=[study.slug]))
    follow(page.get_by_role("button", name="Make a file"))
    with page.expect_download() as started:
        page.locator("#made ~ tbody a").click()
    text = Path(started.value.path()).read_text(encoding="utf-8")
    assert text == "id0,3.00\nid1,3.00\nid2,3.00\n"  # base pay and bonuses: no panel pays
    accessible(page, "pay-after")


def test_a_worker_reads_feedback_and_statement(new_page: NewPage, study: Study) -> None:
    page = new_page(viewport=SIZES["phone"])
    person = study.participations.get(number=3)
    page.goto(reverse("annotation:return", args=[person.token]))
    expect(page.locator("#feedback")).to_be_visible()
    accessible(page, "lobby-feedback-phone")
    follow(page.get_by_role("link", name="batch by batch"))
    expect(page.locator("main")).to_contain_text("Thank you for the hint.")
    accessible(page, "statement-phone")
