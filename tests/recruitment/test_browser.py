"""Recruitment in a real browser: from a draft to bonuses that are paid, on a phone."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import PanelStudy, Study, User
from tests.recruitment.conftest import Scene
from tests.services.browser import accessible, follow, scrolls_sideways
from tests.services.prolific import FakeProlific
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def look(page: Page) -> None:
    accessible(page)
    assert not scrolls_sideways(page)


def test_a_study_is_drafted_published_approved_and_paid(
    page: Page, scene: Scene, sent_study: Study, owner: User, fake: FakeProlific
) -> None:
    PanelStudy.objects.all().delete()
    page.set_viewport_size({"width": 360, "height": 740})
    sign_in(page, owner)
    page.goto(reverse("desk:recruitment", args=[sent_study.slug]))
    look(page)
    follow(page.get_by_role("link", name="Make a draft"))
    look(page)
    follow(page.get_by_role("button", name="Look at all fields"))
    look(page)
    follow(page.get_by_role("button", name="Send the draft to Prolific"))
    look(page)
    follow(page.get_by_role("button", name="Publish…"))
    expect(page.get_by_text("48.00 USD")).to_be_visible()
    look(page)
    follow(page.get_by_role("button", name="Publish", exact=True))

    scene.made = PanelStudy.objects.get()
    scene.worked("aa11", "AWAITING REVIEW")
    scene.worked("bb22", "AWAITING REVIEW", batches=2)
    scene.come("cc33")
    scene.come("dd44", "RETURNED")
    scene.fake.submit(scene.made.external_id, "nobody")
    follow(page.get_by_role("button", name="Read now"))
    expect(page.get_by_text("Work and code have arrived: approve.").first).to_be_visible()
    look(page)
    follow(page.get_by_role("button", name="Approve…"))
    look(page)
    follow(page.get_by_role("button", name=re.compile("Approve and pay")))
    assert sum(fake.rewarded.values()) == 2
    follow(page.get_by_role("link", name="What is owed"))
    look(page)
    follow(page.get_by_role("button", name="Let Prolific count"))
    look(page)
    follow(page.get_by_role("button", name=re.compile("^Pay ")))
    follow(page.get_by_role("button", name="Look at Prolific now"))
    expect(page.get_by_text("paid", exact=True).first).to_be_visible()
    look(page)
    assert sorted(minor for paid in fake.paid.values() for minor in paid) == [50, 200]
