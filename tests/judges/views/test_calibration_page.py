"""Calibrating a judge in a real browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Study, User
from judges.definitions.versions import define_judge
from judges.models import JudgeRun
from judges.runs.plans.plan import plan_run
from tests.judges.scripted_judges import work_all
from tests.services.browser import violations_in_both_schemes
from tests.sessions import as_user, sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_judge_is_calibrated_and_its_new_version_says_where_its_threshold_is_from(
    study: Study, owner: User, encoder_folder: Path, new_page: Callable[..., Page]
) -> None:
    near = define_judge(
        study=study,
        name="near",
        method="embedding",
        model=str(encoder_folder),
        parameters={"device": "cpu"},
    )
    work_all(plan_run(study=study, judge=near, subset="full"))
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, owner)
    page.goto("/studies/small/judges/versions/near/1/")
    assert violations_in_both_schemes(page) == []
    page.get_by_label("Share to fit on").fill("0.34")
    with page.expect_navigation():
        page.get_by_role("button", name="Calibrate and run").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Plan of a run of near@2")
    expect(page.get_by_text("The threshold of near@2 is")).to_be_visible()
    assert not JudgeRun.objects.filter(judge__version=2).exists()
    before = as_user(owner).get("/studies/small/judges/versions/near/2/")
    assert b"Where the threshold comes from" in before.content
    assert b'value="near@2"' in as_user(owner).get("/studies/small/judges/").content
    assert violations_in_both_schemes(page) == []
    with page.expect_navigation():
        page.get_by_role("button", name="Start the run").press("Enter")
    assert JudgeRun.objects.get(judge__version=2).n_calls == 6
    page.goto("/studies/small/judges/versions/near/2/")
    expect(page.get_by_role("heading", name="Where the threshold comes from")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert not wide
