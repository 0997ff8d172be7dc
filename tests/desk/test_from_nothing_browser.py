"""From an account without a study to shared results, by a researcher with a browser alone."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import polars
import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.entry.arrival import arrive
from annotation.entry.consent import consent_hash, give_consent
from annotation.models import Assignment, GoldAnswer, Participation, Study
from annotation.work.assignment import lease_batch
from annotation.work.steps import Step, Steps
from annotation.work.submission import submit
from config.celery import app
from jobs.models import Job, JobState
from jobs.workers.heartbeat import beat
from judges.models import JudgeRun
from tests.annotation.workers import NONE, answer_step
from tests.cast import PASSWORD, make_user
from tests.desk.researcher import (
    DESKTOP,
    PHONE,
    Researcher,
    add_controls,
    choose_judge,
    make_study_from_table,
)
from tests.services.browser import follow

NewPage = Callable[..., Page]
pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "examples" / "citation-recovery" / "explanations.csv"
DOCUMENTED = ROOT / "docs" / "tutorial.md"
# The right sentences are those that cite the passage; the page has filled them in.
CONTROLS: dict[str, str | None] = dict.fromkeys(
    ["3/alder/1", "4/birch/1", "10/birch/1", "12/birch/1"]
)
# 61 units, without those of the four claims that controls were made of.
N_ASKED = 43
MOST_PAGES = 20
# How often a scripted worker overlooks the sentence that cites the passage.
SLIPS = 0.25


@pytest.fixture(autouse=True)
def _worker_at_hand(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> None:
    """What is sent to the background workers is done at once, in the process that sends it."""

    app.loader.import_default_modules()

    def done_at_once(name: str, args: list[int], **_: Any) -> None:
        app.tasks[name].apply(args=args, throw=True)

    monkeypatch.setattr(app, "send_task", done_at_once)
    settings.EXPORTS_ROOT = settings.MEDIA_ROOT = tmp_path
    beat()


def answer_on_a_phone(page: Page, link: str) -> None:
    """One batch by a person in a browser: agrees, answers every question, submits."""
    me = Researcher(page)  # not counted
    page.goto(link)
    for _ in range(MOST_PAGES):
        for box in page.locator("main input[type=checkbox][required]").all():
            box.check()
        if page.url.endswith("/review/"):
            break
        if "/work/batch/" in page.url:
            if not me.stations:
                me.station("question", "#sentences", PHONE)
            page.locator("#sentences label").first.click()
            follow(page.get_by_role("button", name="Save and continue"))
        else:
            follow(page.locator("main button:not(.button--quiet), main a.button").first)
    follow(page.get_by_role("button", name="Submit", exact=True))
    expect(page.locator("main")).to_contain_text("Start another batch")


def answer_the_rest(study: Study) -> int:
    """Scripted workers take what is left; how many there were."""
    rng, n_workers = Random(1), 0
    invitation = study.invitations.get()
    while n_workers < MOST_PAGES:
        person = arrive(study=study, invitation=invitation)
        give_consent(participation=person, text_hash=consent_hash(study), of_age=True)
        if not work_off(person, rng):
            break
        n_workers += 1
    return n_workers


def work_off(person: Participation, rng: Random) -> int:
    """Batch after batch until nothing is left for them; how many they submitted."""
    n = 0
    while isinstance(batch := lease_batch(participation=person, now=timezone.now()), Assignment):
        for step in Steps(batch).all:
            answer_step(step, answer_of(step, rng))
        submit(assignment=batch, now=timezone.now())
        n += 1
    return n


def answer_of(step: Step, rng: Random) -> dict[str, list[str]]:
    """The sentences that cite the passage, or a slip."""
    assert step.question.reference is not None
    right = [str(number) for number in step.question.reference["sentences"]]
    if step.question.unit.role == "normal" and rng.random() < SLIPS:
        return rng.choice([NONE, {"sentences": ["0"]}, {"sentences": [*right, "0"]}])
    return {"sentences": right}


def documented(stretch: str) -> list[int]:
    """Clicks, typed fields and files of that stretch, as the tutorial says."""
    lines = DOCUMENTED.read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if line.startswith(f"| {stretch} |"))
    return [int(number) for number in re.findall(r"\d+", line)]


def test_a_newcomer_makes_answers_decides_exports_and_shares_a_study(
    new_page: NewPage, tmp_path: Path
) -> None:
    make_user("maker")
    page = new_page(viewport=DESKTOP)
    page.goto(reverse("desk:sign-in"))
    page.fill("[name=username]", "maker")
    page.fill("[name=password]", PASSWORD)
    follow(page.get_by_role("button", name="Sign in", exact=True))
    me = Researcher(page)

    me.station("home")
    make_study_from_table(me, "Citation recovery", TABLE, me.station)
    add_controls(me, CONTROLS, me.station)
    choose_judge(me, "lexical", me.station)
    me.press(me.button("Open the study"))
    me.station("open")
    study = Study.objects.get()
    assert (study.state, study.judges) == (Study.State.OPEN, ["lexical"])
    assert study.units.filter(role="positive").count() == len(CONTROLS)
    assert me.counted == documented("to the open study")

    let_people_answer(me, new_page)
    let_the_judge_answer(me)
    look_at_results(me)
    decide(me)
    rows = exported(me, tmp_path)
    complete = rows.filter(polars.col("n") == study.overlap)
    assert complete["unit"].n_unique() == N_ASKED
    assert complete["gold"].drop_nulls().len() > 0
    shared = close_and_share(me)
    assert me.counted == documented("to the shared results")

    reader = new_page(viewport=DESKTOP)
    reader.goto(shared)
    Researcher(reader).station("shared")
    expect(reader.locator("h1")).to_contain_text(study.title)


def let_people_answer(me: Researcher, new_page: NewPage) -> None:
    """A link for everybody; one person in a browser, then scripted ones."""
    me.tab("People")
    me.press(me.link("Invite people"))
    me.press(me.button("Make links"))
    me.station("links")
    answer_on_a_phone(new_page(viewport=PHONE), me.page.locator("main td a").first.inner_text())
    assert answer_the_rest(Study.objects.get()) > 1


def let_the_judge_answer(me: Researcher) -> None:
    """The judge of the set-up, on all units."""
    me.tab("Judges")
    me.press(me.button("Plan the run"))
    me.station("judge-plan")
    me.press(me.button("Start the run"))
    me.station("judge-run")
    assert JudgeRun.objects.get().state == JudgeRun.State.COMPLETE


def look_at_results(me: Researcher) -> None:
    """How far the study is, and what it says."""
    me.tab("Overview")
    me.station("overview")
    expect(me.page.locator("main")).to_contain_text(f"{N_ASKED} of {N_ASKED} units complete")
    me.tab("Results")
    me.station("results")
    expect(me.page.get_by_role("heading", name="Do people agree?")).to_be_visible()


def decide(me: Researcher) -> None:
    """One contested case; then an audit sample is drawn and looked at."""
    me.tab("Data", "Adjudication")
    me.press(me.button("Add to the queue"))
    me.press(me.button("Take the next case"))
    me.station("case")
    me.write({"Reason": "The passage says so."})
    me.press(me.button("Begin with answer 1"))
    me.press(me.button("Decide"))
    assert GoldAnswer.objects.get().blind
    me.press(me.link("Queue"))
    me.press(me.button("Draw the sample"))
    me.station("adjudication")
    expect(me.page.locator("#audits")).to_be_visible()
    me.press(me.link("Results before and after"))
    me.station("before-after")


def exported(me: Researcher, folder: Path) -> polars.DataFrame:
    """The labelled dataset, fetched and read."""
    beat()
    me.tab("Data", "Exports")
    me.press(me.button("Export"))
    me.station("exports")
    assert Job.objects.get(kind="export").state == JobState.DONE
    me.clicks += 1
    with me.page.expect_download() as download:
        me.link("Download Labelled dataset").click()
    download.value.save_as(folder / "dataset.zip")
    with ZipFile(folder / "dataset.zip") as archive:
        name = next(name for name in archive.namelist() if name.endswith(".parquet"))
        return polars.read_parquet(archive.read(name))


def close_and_share(me: Researcher) -> str:
    """The address at which everybody can read the results of the closed study."""
    me.tab("Overview")
    me.press(me.button("Close the study"))
    me.station("closed")
    me.tab("Results")
    me.press(me.link("Paper", exact=True))
    me.press(me.button("Make a link to share"))
    me.station("share", "#share")
    return me.page.locator(".paper-link").inner_text()
