"""The page of a background job in a browser: it goes on by itself, with scripts and without."""

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Member, Study, User
from annotation.work.submission import submit
from desk.data.background import jobs
from jobs import queue
from jobs.models import Heartbeat, Job, JobState
from jobs.runner import work
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.services.browser import accessible
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
NewPage = Callable[..., Page]


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Study:
    """Two workers with the same answers, in a study that no request may count."""
    made = make_study(sources=4, overlap=2)
    join(made, make_user("keeper"), Member.Role.OWNER)
    for _ in range(2):
        submit(assignment=answer_all(lease(newcomer(made))), now=timezone.now())
    monkeypatch.setattr(jobs, "is_small", lambda _study: False)
    monkeypatch.setattr(queue, "send_task", lambda *_of, **_expires: True)
    return made


def look(page: Page, name: str) -> None:
    """A picture where one is wanted, and whether everybody can use the page."""
    folder = os.environ.get("SCREENSHOTS")
    for width in (1280, 360) if folder else ():
        page.set_viewport_size({"width": width, "height": 800})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            path = Path(str(folder)) / f"{name}-{width}-{scheme}.png"
            page.screenshot(path=path, full_page=True)
    page.set_viewport_size({"width": 360, "height": 800})
    accessible(page)


def asked(page: Page, study: Study, seconds: str = "100000") -> Job:
    page.goto(reverse("desk:exclusions", args=[study.slug]))
    page.get_by_label("Seconds per answer: below").fill(seconds)
    page.get_by_role("button", name="Preview").click()
    page.wait_for_url("**/background/*/")
    return Job.objects.latest("pk")


def test_a_page_waits_and_goes_on_by_itself(new_page: NewPage, study: Study) -> None:
    page, now = new_page(), timezone.now()
    sign_in(page, User.objects.get(username="keeper"))
    job = asked(page, study)
    Heartbeat.objects.create(worker="one", at=now + timedelta(hours=1))
    look(page, "queued")
    rows = Job.objects.filter(pk=job.pk)
    rows.update(state=JobState.RUNNING, alive_at=now + timedelta(hours=1))
    expect(page.get_by_text("s so far")).to_be_visible()
    look(page, "running")
    rows.update(alive_at=now - timedelta(hours=1))
    expect(page.get_by_text("The worker was stopped.")).to_be_visible()
    look(page, "stopped")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible()
    look(page, "cancelled")
    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert work(job_id=job.pk)
    page.wait_for_url("**/exclusions/*/")
    study.touch()
    page.reload()
    expect(page.get_by_text("Answers have changed since this was computed")).to_be_visible()
    look(page, "outdated")


def test_without_scripts_it_goes_on_as_well(new_page: NewPage, study: Study) -> None:
    page = new_page(java_script_enabled=False, viewport={"width": 360, "height": 740})
    sign_in(page, User.objects.get(username="keeper"))
    job = asked(page, study)
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert work(job_id=job.pk)
    page.wait_for_url("**/exclusions/*/")
    expect(page.get_by_text("This would remove")).to_be_visible()
