"""The loop in a real browser: from a poor prompt to one that agrees, with counted looks."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Member, Study, User
from judges.models import JudgeRun
from judges.runs.plans.plan import plan_run
from tests.cast import join
from tests.judges.endpoints import Opening
from tests.judges.scripted_judges import work_all
from tests.services.browser import follow, scrolls_sideways, violations_in_both_schemes
from tests.services.endpoint import Behaviour
from tests.sessions import sign_in
from tests.workbench.rule import GOOD, HALF, POOR, by_the_rule, chat_judge, split_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def study(owner: User) -> Study:
    made = split_study()
    join(made, owner, Member.Role.OWNER)
    return made


def test_a_judge_is_improved_on_one_half_and_tested_on_the_other(
    study: Study,
    owner: User,
    page: Page,
    endpoint: Opening,
) -> None:
    server = endpoint(Behaviour(answer=by_the_rule))
    judge = chat_judge(study, POOR, reason="before")
    sign_in(page, owner)
    page.goto(f"/studies/{study.slug}/judges/development/")
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Looks at the sealed half, at most").fill("2")
    follow(page.get_by_role("button", name="Split the sources"))
    expect(page.locator("#looks-taken")).to_have_text("0 of 2")
    assert violations_in_both_schemes(page) == []

    work_all(plan_run(study=study, judge=judge, subset=""))
    page.goto(f"/studies/{study.slug}/judges/development/judge/marker/")
    row = page.get_by_role("row", name="marker@1")
    expect(row).to_contain_text("0.700")
    expect(page.get_by_text("It is bridge").first).to_be_visible()
    take_a_look(page, "marker@1", "@1")
    expect(row).to_contain_text("look 1 of 2")

    # The half rule reaches the numbers of 0 and 1 modulo 4 of the development half.
    keys = study.sources.filter(sealed=False).values_list("key", flat=True)
    reached = sum(int(key.partition("-")[2]) % 4 < 2 for key in keys)
    both = "Of 12 units that both answered"
    change(page, POOR, HALF)
    expect(page.get_by_text(f"{both}, {reached} are nearer")).to_be_visible()
    change(page, HALF, GOOD)
    expect(page.get_by_role("row", name="marker@3")).to_contain_text("1.000")
    expect(page.get_by_text("Nowhere on the development half.")).to_be_visible()
    expect(page.get_by_text(f"{both}, {12 - reached} are nearer")).to_be_visible()
    asked = len(server.asked)
    take_a_look(page, "marker@3", "@3")
    assert len(server.asked) == asked + 12
    expect(page.get_by_role("row", name="marker@3")).to_contain_text("look 2 of 2")
    expect(page.get_by_role("row", name="marker@2")).to_contain_text("all looks are taken")
    assert violations_in_both_schemes(page) == []
    follow(page.locator("#better ~ .table-frame a").first)
    expect(page.get_by_text("marker@2").first).to_be_visible()
    page.go_back()
    page.set_viewport_size({"width": 390, "height": 844})
    assert not scrolls_sideways(page)


def take_a_look(page: Page, version: str, short: str) -> None:
    """The plan first, then the look; its run is worked here."""
    follow(page.get_by_role("button", name=f"Test {short}", exact=True))
    expect(page.get_by_role("heading", name=f"Test {version} on the sealed half")).to_be_visible()
    follow(page.get_by_role("button", name="Take the look"))
    work_newest()
    page.reload()


def change(page: Page, old: str, new: str) -> None:
    """Another system message, its plan, and its run."""
    field = page.get_by_label("System message")
    expect(field).to_have_value(old)
    field.fill(new)
    follow(page.get_by_role("button", name="Make the next version"))
    expect(page.get_by_text("is defined.")).to_be_visible()
    expect(page.locator("dt:has-text('Calls') + dd").first).to_have_text("12")
    follow(page.get_by_role("button", name="Start the run"))
    work_newest()
    page.goto(page.url.partition("/runs/")[0] + "/development/judge/marker/")


def work_newest() -> None:
    newest = JudgeRun.objects.order_by("-pk")[0]
    work_all(newest)
