"""A judge's section about drift in a real browser, on a phone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Member, User
from judges.definitions.raters import rater_of
from tests.cast import join
from tests.judges.probing import asked_again, begun, keys_of, set_right_answers, study_of
from tests.judges.scripted_judges import scripted_judge
from tests.services.browser import scrolls_sideways, violations_in_both_schemes
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_section_about_drift_reads_well_on_a_phone(
    owner: User, tmp_path: Path, new_page: Callable[..., Page]
) -> None:
    study = study_of(12)
    join(study, owner, Member.Role.OWNER)
    judge = scripted_judge(study, tmp_path)
    study.judge_runs.create(judge=judge, rater=rater_of(judge, study), state="complete")
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, owner)
    page.goto(f"/studies/{study.slug}/judges/versions/parrot/1/")
    page.get_by_text("Which units, and how often").click()
    expect(page.get_by_label("Units to draw")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
    set_right_answers(study, dict.fromkeys(keys_of(study)[:5], 70.0))
    begun(study, tmp_path, noise={keys_of(study)[0]: 60})
    asked_again(study, judge, tmp_path)
    asked_again(study, judge, tmp_path, dict.fromkeys(keys_of(study)[:9], 20))
    page.goto(f"/studies/{study.slug}/judges/versions/parrot/1/")
    expect(page.get_by_text("Drift found: 75% of the answers")).to_be_visible()
    page.get_by_text("Begin a new series", exact=True).click()
    page.get_by_text("How often it is asked").click()
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
