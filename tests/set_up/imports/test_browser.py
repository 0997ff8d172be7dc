"""A large table in a real browser: refused, uploaded with progress, imported, opened."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Study
from jobs import queue
from jobs.models import Heartbeat
from jobs.runner import work
from set_up.models import ImportJob
from tests.cast import make_user
from tests.services.browser import accessible, follow
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
HEAD = "document,system,summary\n"
ROWS = "".join(f"Report {n} of the mill.,alder,It burned.\n" for n in range(2_500))


def begun(page: Page) -> None:
    page.goto(reverse("desk:new-study"))
    follow(page.get_by_role("button", name="Rating by criteria"))


def test_a_large_table_is_uploaded_and_imported(
    new_page: Callable[..., Page], tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "send_task", lambda *_of, **_expires: True)
    settings.MEDIA_ROOT, settings.UPLOAD_MIB = tmp_path, 1
    Heartbeat.objects.create(worker="here", at=timezone.now())
    table, other = tmp_path / "large.csv", tmp_path / "larger.csv"
    table.write_text(HEAD + ROWS + "Short\n")
    other.write_text(HEAD + ROWS * 15)
    page = new_page(viewport={"width": 360, "height": 800})
    sign_in(page, make_user("maker"))
    begun(page)
    files = page.get_by_label("Files", exact=True)
    files.set_input_files(other)
    expect(page.get_by_role("alert")).to_contain_text("Larger than 1 MiB")
    files.set_input_files(table)
    page.get_by_role("button", name="Upload", exact=True).click()
    page.wait_for_url("**/reading/")
    follow(page.get_by_role("button", name="Continue"))
    page.get_by_label("Title").fill("Large")
    if (leave_out := page.get_by_label("Leave out rows")).count():
        leave_out.check()
    follow(page.get_by_role("button", name="Make the study"))
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    accessible(page)
    running = {"state": "running", "alive_at": timezone.now()}
    ImportJob.objects.update(**running, progress={"read": 50_000, "rows": 1_234})
    expect(page.get_by_text("1,234 rows written")).to_be_visible()
    accessible(page)
    job = ImportJob.objects.get()
    job.state, job.parameters["skip_unusable"] = "queued", True
    job.save()
    assert work(job_id=ImportJob.objects.get().pk)
    expect(page.get_by_text("1 row left out")).to_be_visible()
    accessible(page)
    follow(page.get_by_role("link", name="Open the study"))
    assert Study.objects.get(slug="large").units.count() == 2_500
