"""From claims without a text to lists that are checked, in a real browser: plan, start, follow."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Member, Study, User
from jobs import queue
from jobs.models import Job
from jobs.runner import work
from tests.cast import join
from tests.judges.endpoints import MODEL, Opening
from tests.services.browser import follow, scrolls_sideways, violations_in_both_schemes
from tests.services.endpoint import Behaviour
from tests.sessions import sign_in
from tests.set_up.writing.studies import claims, writes

pytestmark = pytest.mark.django_db(transaction=True)


def accessible(page: Page) -> None:
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)


@pytest.fixture
def study(owner: User, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.setattr(queue, "send_task", lambda *_of, **_options: True)
    settings.DATA_DIR = tmp_path / "data"
    made = claims(tmp_path)
    join(made, owner, Member.Role.OWNER)
    return made


def test_texts_are_written_and_lists_proposed(
    owner: User, page: Page, study: Study, endpoint: Opening
) -> None:
    endpoint(Behaviour(answer=writes))
    sign_in(page, owner)

    page.goto(f"/studies/{study.slug}/set-up/")
    follow(page.get_by_role("link", name="Have models write the texts"))
    page.locator("details").evaluate_all("all => all.forEach(each => each.open = true)")
    accessible(page)
    page.get_by_label("Model", exact=True).first.select_option(MODEL)
    page.get_by_label("Writes as").first.fill("Larch")
    follow(page.get_by_role("button", name="Plan"))
    expect(page.get_by_role("row", name="Larch").get_by_role("cell").nth(1)).to_have_text("3")
    accessible(page)
    follow(page.get_by_role("button", name="Start"))
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    assert work(job_id=Job.objects.get(kind="write_texts").pk)
    # The page asks for its own part again.
    expect(page.get_by_text("Finished; 1 text is missing.")).to_be_visible()
    page.get_by_text("1 × The reply is empty.").click()
    expect(page.get_by_text("(no text)")).to_be_visible()
    accessible(page)
    follow(page.get_by_role("link", name="Write what is missing"))
    expect(page.get_by_role("row", name="Larch").get_by_role("cell").nth(1)).to_have_text("1")

    page.goto(f"/studies/{study.slug}/preparation/")
    follow(page.get_by_role("link", name="Have a model propose them"))
    page.get_by_label("Model", exact=True).select_option(MODEL)
    accessible(page)
    follow(page.get_by_role("button", name="Plan"))
    follow(page.get_by_role("button", name="Start"))
    assert work(job_id=Job.objects.get(kind="propose_lists").pk)
    expect(page.get_by_text("All lists are proposed.")).to_be_visible()
    follow(page.get_by_role("link", name="Check the lists"))
    follow(page.get_by_role("button", name="Accept all 2 lists shown"))
    assert study.units.count() == 2
