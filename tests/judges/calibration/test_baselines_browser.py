"""The button that adds a study's baselines, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Member, User
from jobs import queue
from jobs.runner import work
from judges.calibration.baselines import newest_job
from tests.cast import join, make_study
from tests.judges.calibration.answers import people
from tests.judges.scripted_judges import ONE_BLOCK, work_all
from tests.services.browser import follow, scrolls_sideways, violations_in_both_schemes
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("width", [1280, 390])
def test_baselines_are_added_by_one_click_and_run(
    owner: User, page: Page, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(queue, "send_task", lambda *_of, **_options: True)
    study = make_study(sources=8, blocks=ONE_BLOCK)
    join(study, owner, Member.Role.OWNER)
    people(study, {"sentences": [0]})
    page.set_viewport_size({"width": width, "height": 844})
    sign_in(page, owner)
    page.goto(f"/studies/{study.slug}/judges/")

    page.get_by_text("Define a judge", exact=True).click()
    methods = page.get_by_label("Method", exact=True).locator("option").all_inner_texts()
    assert "Baseline" not in methods
    assert "Shared words" in methods
    follow(page.get_by_role("button", name="Add and run the baselines"))
    expect(page.get_by_text("The baselines are being fitted. Their runs")).to_be_visible()
    expect(page.get_by_text("The baselines are being fitted on people's answers.")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)

    job = newest_job(study)
    assert job is not None
    assert work(job_id=job.pk)
    for run in study.judge_runs.all():
        work_all(run)
    page.reload()
    expect(page.get_by_text("being fitted")).to_have_count(0)
    for name in ("commonest", "random", "length", "overlap"):
        row = page.get_by_role("row", name=f"baseline:{name}@1")
        expect(row.get_by_text("Done", exact=True)).to_be_visible()
        expect(row.get_by_text("8 / 8")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    follow(page.get_by_role("link", name="baseline:commonest@1").first)
    expect(page.get_by_text("What it was fitted on")).to_be_visible()
    assert violations_in_both_schemes(page) == []
