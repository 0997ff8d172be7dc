"""The list of background work in a browser: it follows what runs, and fits a phone."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Member
from jobs.models import Job, JobState
from tests.cast import join, make_study, make_user
from tests.services.browser import accessible, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_job_is_watched_and_cancelled_on_a_phone(page: Page) -> None:
    study, keeper = make_study(), make_user("keeper")
    join(study, keeper, Member.Role.OWNER)
    now, parameters = timezone.now(), {"format_name": "csv", "choice": {}}
    job = Job.objects.create(
        study=study, kind="export", owner=keeper, parameters=parameters, asked_at=now
    )
    page.set_viewport_size({"width": 360, "height": 740})
    sign_in(page, keeper)
    page.goto(reverse("desk:background-work", args=[study.slug]))
    expect(page.get_by_text("Queued")).to_be_visible()
    accessible(page)
    assert not scrolls_sideways(page)

    running = {"state": JobState.RUNNING, "progress": {"lines": 7}}
    Job.objects.filter(pk=job.pk).update(alive_at=timezone.now(), **running)

    expect(page.get_by_text("7 lines and pieces written")).to_be_visible()  # without a reload
    page.get_by_role("button", name="Cancel Export csv").click()
    expect(page.get_by_text("Cancelled")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Start again Export csv").click()
    expect(page.get_by_text("Queued")).to_be_visible()


def test_without_scripts_a_link_looks_again(new_page: object) -> None:
    study, keeper = make_study(), make_user("keeper")
    join(study, keeper, Member.Role.OWNER)
    parameters = {"format_name": "csv", "choice": {}}
    Job.objects.create(study=study, kind="export", parameters=parameters, asked_at=timezone.now())
    page = new_page(java_script_enabled=False)  # type: ignore[operator]
    sign_in(page, keeper)
    page.goto(reverse("desk:background-work", args=[study.slug]))
    Job.objects.update(state=JobState.DONE)
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_text("Done", exact=True)).to_be_visible()
