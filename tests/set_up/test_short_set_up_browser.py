"""A study with four criteria, three controls, a chat judge, pay and six links, from a template, in
a real browser that counts clicks and typed fields."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.models import Study
from judges.models import Judge
from tests.cast import make_user
from tests.desk.researcher import DESKTOP, PHONE, Researcher
from tests.services.browser import scrolls_sideways, violations_in_both_schemes
from tests.sessions import sign_in
from tests.set_up.steps.studies import mills

pytestmark = pytest.mark.django_db(transaction=True)
MOST_CLICKS, MOST_FIELDS = 22, 10
SYSTEMS = ("alder", "birch", "cedar")
TABLE = "document,system,summary\n" + "".join(
    f"A mill burned in town {n}. Nobody was hurt.,{system},The mill of town {n} burned: {system}.\n"
    for n in range(24)
    for system in SYSTEMS
)
FACTS = {
    "Title": "How good are three systems' summaries?",
    "Ethics board": "Board of the faculty",
    "Number of the approval": "2026-1",
    "Responsible for the data": "A university",
    "Answers per unit": "2",
    "Units per batch": "7",
    "Pay for a batch": "1.50",
}
RIGHT = {"1/alder": "4 5 5 4", "2/birch": "2 1 4 2", "12/cedar": "3 4 5 3"}
ENDPOINTS = {
    "lab": {
        "base_url": "http://127.0.0.1:9/v1",
        "prices": {"local-chat": {"input": 0.1, "output": 0.2}},
    }
}


@pytest.fixture(autouse=True)
def _installation(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path
    file = tmp_path / "endpoints.yaml"
    file.write_text(yaml.safe_dump(ENDPOINTS))
    settings.JUDGE_ENDPOINTS = str(file)


def make_from_template(me: Researcher, table: Path) -> None:
    """From the list of studies to the checklist."""
    me.press(me.link("New study"))
    me.station("new-study")
    me.press(me.page.get_by_role("button", name="Summaries by four criteria"))
    me.upload("Files", table)
    me.press(me.button("Upload"))
    me.press(me.button("Continue"))
    expect(me.page.get_by_label("Contact for questions")).to_have_value("study@example.org")
    me.write(FACTS)
    me.station("texts")
    me.press(me.button("Make the study"))
    me.station("checklist")


def pick_controls(me: Researcher) -> None:
    """Three of the table of units, with their right answers."""
    me.press(me.link("Controls and examples"))
    me.station("controls")
    for unit, line in RIGHT.items():
        me.write({f"Right answer for {unit}": line})
    me.press(me.button("Save"))


def define_judge(me: Researcher) -> None:
    """A chat model of the installation, called by its name."""
    me.tab("Judges")
    me.clicks += 1
    me.page.get_by_text("Define a judge").click()
    me.clicks += 2  # the list, and the model in it
    me.page.get_by_label("Chat model", exact=True).select_option(label="local-chat")
    me.press(me.button("Define the judge"))
    me.station("judge")


def invite(me: Researcher) -> None:
    """A link for each person that the study needs."""
    me.tab("People")
    me.press(me.link("Invite people"))
    me.choose(me.page.get_by_label("For one person, who can also return by it"))
    me.press(me.button("Make links"))
    me.station("links")


def test_a_study_as_papers_have_it_takes_at_most_22_clicks_and_10_fields(
    new_page: Callable[..., Page], tmp_path: Path
) -> None:
    table = tmp_path / "summaries.csv"
    table.write_text(TABLE)
    maker = make_user("maker")
    maker.email = "study@example.org"
    maker.save()
    page = new_page(viewport=DESKTOP)
    sign_in(page, maker)
    page.goto(reverse("desk:home"))
    me = Researcher(page)

    make_from_template(me, table)
    pick_controls(me)
    define_judge(me)
    me.tab("Set-up")
    expect(me.page.locator("main")).to_contain_text("Nothing is missing")
    me.press(me.button("Open the study"))
    invite(me)

    study = Study.objects.get()
    assert study.state == Study.State.OPEN
    names = [facet.name for facet in study.blocks.get().facets]
    assert names == ["coherence", "consistency", "fluency", "relevance"]
    assert study.units.filter(role="positive").count() == len(RIGHT)
    assert Judge.objects.filter(name="local-chat", study=study).exists()
    assert [str(round_.base_pay) for round_ in study.rounds.all()] == ["1.50"]
    assert study.invitations.exclude(worker=None).count() == 6
    print(f"clicks: {me.clicks}, typed fields: {me.fields}")
    assert me.clicks <= MOST_CLICKS
    assert me.fields <= MOST_FIELDS


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_criteria_are_rows_beside_what_a_worker_sees(
    new_page: Callable[..., Page], window: Any
) -> None:
    maker = make_user("maker")
    study = mills(maker)
    page = new_page(viewport=window)
    sign_in(page, maker)
    page.goto(reverse("desk:set-up-questions", args=[study.slug]))
    page.get_by_label("Question").fill("How fluent is it?")
    preview = page.locator("#questions-preview")
    expect(preview).to_contain_text("How fluent is it?")
    page.get_by_label("Points").fill("1–3, clumsy … smooth")
    expect(preview).to_contain_text("smooth")
    page.get_by_label("Points").fill("1–300")
    expect(preview).to_contain_text("more than 21 points")
    page.get_by_label("Points").fill("1–3, clumsy … smooth")
    page.get_by_role("button", name="Add a row").click()
    expect(page.get_by_label("Points")).to_have_count(2)
    expect(page.get_by_label("Points").last).to_have_value("1–3, clumsy … smooth")
    expect(page.get_by_text("This is needed.")).to_have_count(0)
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_checklist_asks_about_pay_and_the_table_shows_whole_texts(
    new_page: Callable[..., Page], window: Any
) -> None:
    maker = make_user("maker")
    study = mills(maker)
    page = new_page(viewport=window)
    sign_in(page, maker)
    page.goto(reverse("desk:set-up", args=[study.slug]))
    expect(page.get_by_text("0.00: is the work unpaid?")).to_be_visible()
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
    page.get_by_role("button", name="Yes, it is unpaid").click()
    expect(page.get_by_text("Pay: unpaid")).to_be_visible()
    page.goto(reverse("desk:controls", args=[study.slug]))
    page.get_by_text("Read it: 1/alder").click()
    expect(page.locator("#right-answer").first).to_contain_text("alder says that mill")
    assert violations_in_both_schemes(page) == []
    assert not scrolls_sideways(page)
