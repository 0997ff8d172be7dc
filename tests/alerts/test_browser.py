"""Alerts, the change log and a conflict of two editors in a real browser."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from alerts.models import Alert, Delivery
from annotation.models import Member, Study, log_change
from tests.cast import join, make_study, make_user
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import as_user, sign_in

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]
SIZES = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 900}}


@pytest.fixture
def study() -> Study:
    made = make_study()
    keeper = make_user("keeper")
    join(made, keeper, Member.Role.OWNER)
    now = timezone.now()
    text = (
        "2 people took less than 25% of the expected time for a batch within the last day: P3, P7."
    )
    Alert.objects.create(study=made, kind="fast_workers", message=text, since=now)
    past = "40% of 50 controls in the newest batches were answered right; the threshold is 60%."
    Alert.objects.create(study=made, kind="controls", message=past, since=now, ended_at=now)
    detail = {"difference": ["-title: A", "+title: B"], "changed": ["title"]}
    log_change(study=made, by=keeper, action="study.edited", detail=detail)
    return made


def checked(page: Page) -> None:
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("size", SIZES)
def test_an_owner_sees_alerts_sets_a_webhook_and_reads_the_log(
    new_page: NewPage, study: Study, size: str
) -> None:
    page = new_page(viewport=SIZES[size])
    sign_in(page, study.members.get().user)
    page.goto(reverse("desk:alerts", args=[study.slug]))
    checked(page)
    page.get_by_label("Hours without a submitted batch").fill("6")
    follow(page.locator("#rules").get_by_role("button", name="Save"))
    follow(page.get_by_role("link", name="Set a webhook"))
    page.get_by_label("Address", exact=True).fill("https://example.org/hook")
    follow(page.get_by_role("button", name="Set the webhook"))
    expect(page.get_by_text("it is not shown again")).to_be_visible()
    page.get_by_label("a run of a judge has ended").check()
    follow(page.get_by_role("button", name="Save"))
    follow(page.get_by_role("button", name="Post a test"))
    assert Delivery.objects.get().event == Delivery.Event.TEST
    follow(page.get_by_role("button", name="Make a new secret", exact=True))
    checked(page)
    follow(page.get_by_role("button", name="End the old secret now"))
    expect(page.get_by_text("signed with the newest secret alone")).to_be_visible()
    page.goto(reverse("desk:changes", args=[study.slug]))
    page.get_by_text("Show", exact=False).nth(1).scroll_into_view_if_needed()
    expect(page.get_by_text("Alerts: set").last).to_be_attached()
    checked(page)


def test_two_editors_meet_in_the_study_file(new_page: NewPage, study: Study) -> None:
    keeper, other = study.members.get().user, make_user("other")
    join(study, other, Member.Role.EDITOR)
    page = new_page(viewport=SIZES["phone"])
    sign_in(page, keeper)
    address = reverse("desk:edit-study", args=[study.slug])
    page.goto(address)
    form = as_user(other).get(address).context["form"]
    text = form["text"].value().replace("A small study", "Theirs")
    sent = {"text": text, "version": form["version"].value(), "go": "apply"}
    assert as_user(other).post(address, sent).status_code == 302
    typed = page.get_by_label("Study file")
    typed.fill(typed.input_value().replace("A small study", "Mine"))
    follow(page.get_by_role("button", name="Show what changes"))
    expect(page.get_by_role("heading", name="What both of you changed")).to_be_visible()
    checked(page)
    page.get_by_label("Take mine").check()
    follow(page.get_by_role("button", name="Join the two files"))
    checked(page)
    follow(page.get_by_role("button", name="Apply"))
    study.refresh_from_db()
    assert study.title == "Mine"
