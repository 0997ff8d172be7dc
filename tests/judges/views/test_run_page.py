"""The page of a run in a real browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Study, User
from judges.models import JudgeRun
from tests.judges.scripted_judges import scripted_judge, work_all
from tests.services.browser import follow, violations_in_both_schemes
from tests.sessions import sign_in

POLLING_MS = 2_000

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_run_is_started_watched_and_ends_before_ones_eyes(
    study: Study,
    owner: User,
    tmp_path: Path,
    new_page: Callable[..., Page],
) -> None:
    garbled = {"claim-1/alder/1": {"reply": "Certainly! Sentence one, I would say."}}
    scripted_judge(study, tmp_path, garbled)
    study.judges = ["parrot"]
    study.save()
    page = new_page(viewport={"width": 360, "height": 740})
    page.clock.install()
    sign_in(page, owner)
    page.goto("/studies/small/judges/")
    assert violations_in_both_schemes(page) == []
    page.get_by_label("Judge", exact=True).select_option("parrot")
    page.get_by_text("Define a judge").click()
    assert violations_in_both_schemes(page) == []
    with page.expect_navigation():
        page.get_by_role("button", name="Plan the run").press("Enter")
    expect(page.get_by_text("about 0 in, 0 out")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    with page.expect_navigation():
        page.get_by_role("button", name="Start the run").press("Enter")
    expect(page.get_by_text("Waiting for a background worker")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    page.get_by_role("button", name="Pause").focus()
    for _ in range(2):  # the page has asked again, and shown what it got the first time
        with page.expect_response(lambda response: "/judges/runs/" in response.url):
            page.clock.fast_forward(POLLING_MS)
    expect(page.get_by_role("button", name="Pause")).to_be_focused()
    work_all(JudgeRun.objects.get())
    page.clock.fast_forward(POLLING_MS)
    expect(page.get_by_text("6 of 6 calls finished")).to_be_visible()
    expect(page.get_by_text("2 × parse_failure")).to_be_visible()
    expect(page.locator("#call-list .badge--good")).to_have_count(4)
    expect(page.locator("#call-list").get_by_text("Planned")).to_have_count(0)
    page.get_by_text("Request and reply").nth(1).click()
    assert violations_in_both_schemes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    follow(page.get_by_role("link", name="parrot@1").first)
    expect(page.get_by_role("heading", name="Prompt of slider")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    number = JudgeRun.objects.get().pk
    page.goto(f"/studies/small/judges/runs/compare/?a={number}&b={number}")
    expect(page.get_by_text("No recorded differences.")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    JudgeRun.objects.update(state="paused", max_cost=1, spent=2)
    page.goto(f"/studies/small/judges/runs/{number}/")
    expect(page.get_by_label("New cap in USD")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
