"""Exports in a real browser: asked for, watched, fetched."""

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django import Settings

from annotation.models import Member
from jobs.models import Job
from jobs.runner import work
from tests.cast import join, make_study, make_user
from tests.results.answers import disagree
from tests.services.browser import axe_violations, follow, scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_export_is_watched_until_its_file_is_there(
    page: Page, settings: Settings, tmp_path: Path
) -> None:
    settings.EXPORTS_ROOT = tmp_path
    study, keeper = disagree(make_study()), make_user("keeper")
    join(study, keeper, Member.Role.OWNER)
    page.set_viewport_size({"width": 360, "height": 740})
    sign_in(page, keeper)
    page.goto(reverse("desk:exports", args=[study.slug]))
    follow(page.get_by_role("button", name="Export", exact=True))
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)

    work(job_id=Job.objects.get().pk)

    link = page.get_by_role("link", name="Download Labelled dataset")
    expect(link).to_be_visible()  # without a reload
    assert axe_violations(page) == []
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "small-dataset.zip"
