"""A large study's results in a real browser: they come by themselves when they are there."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Study, User
from estimates.report.recount import ask_for_recount
from jobs.models import UNDER_WAY, Job
from jobs.runner import work
from tests.cast import make_study, make_user
from tests.results.answers import choose, make_rater, questions
from tests.services.browser import axe_violations
from tests.sessions import sign_in

POLLING_MS = 4_000


@pytest.fixture
def large(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Study:
    """A study with a few answers, where even one is too many to count while a page waits."""
    monkeypatch.setattr("estimates.report.newest.SMALL", 0)
    study = make_study()
    study.members.create(user=make_user("owner"), role="owner")
    for name in ("ada", "bob"):
        choose(make_rater(study, name), questions(study)[0], 0, 2)
    return study


def count(study: Study) -> None:
    """What the background worker does, without the rest between two counts."""
    Job.objects.filter(study=study).exclude(state__in=UNDER_WAY).delete()
    job = ask_for_recount(study=study)
    assert job is not None
    assert work(job_id=job.pk)


def test_figures_and_newer_figures_appear_by_themselves(large: Study, page: Page) -> None:
    page.clock.install()
    sign_in(page, User.objects.get(username="owner"))
    page.goto("/studies/small/results/everything/")
    expect(page.get_by_text("computed for the first time")).to_be_visible()
    assert axe_violations(page) == []

    count(large)
    page.clock.fast_forward(POLLING_MS)
    heading = page.get_by_role("heading", name="Citation recovery").first
    expect(heading).to_be_visible(timeout=15_000)

    choose(make_rater(large, "cyd"), questions(large)[0], 1)
    page.reload()
    expect(page.get_by_text("Newer answers are being counted.")).to_be_visible()
    expect(page.get_by_text("2 from 2 raters")).to_be_visible()
    assert axe_violations(page) == []

    count(large)
    page.clock.fast_forward(POLLING_MS)
    expect(page.get_by_text("3 from 3 raters")).to_be_visible(timeout=15_000)
    expect(page.get_by_text("Newer answers are being counted.")).to_have_count(0)
