"""An open study from its first answer to its last, in a real browser: every page shows the same
interval for the same figure at the same time."""

from collections.abc import Callable
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from agreement import Estimate
from annotation.models import GoldAnswer, Member, Participation, Study, User
from annotation.rounds.collection import Standing
from annotation.rounds.opening import open_study
from annotation.work.steps import Steps
from annotation.work.submission import submit
from desk.data.exclusions.conditions import Conditions
from desk.data.exclusions.work import look_at
from estimates.catalogue import alpha_of
from estimates.report.newest import newest_report
from results.reading.wording import interval, interval_text
from tests.annotation.workers import answer_step, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.results.answers import questions
from tests.services.browser import scrolls_sideways
from tests.sessions import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

BATCHES, PER_BATCH = 4, 24
NewPage = Callable[..., Page]


def work_on(worker: Participation, shift: int) -> None:
    """One batch. The two who answer agree in part, and differ in severity."""
    batch = lease(worker)
    for step in Steps(batch).unanswered:
        key = step.question.unit.key
        true, own = Random(key).randint(25, 75), Random(f"{key} {shift}").randint(-22, 22)
        value = true + own
        answer_step(step, {"value": [str(value)]})
    submit(assignment=batch, now=timezone.now())


def shown(study: Study, metric: str) -> Estimate:
    """The figure of people as the pages are to show it."""
    report = newest_report(study)
    assert report is not None
    (row,) = [
        row for row in report.rows if (row.metric, row.raters, row.group) == (metric, "humans", {})
    ]
    return row.estimate


def look_everywhere(page: Page, study: Study, owner: User, stage: int) -> Estimate:
    """α on the first screen, in the preview of a rule and for the paper; the mean on the page about
    gold and beside all other figures."""
    alpha, mean = shown(study, alpha_of("interval")), shown(study, "mean")
    for name in ("summary", "paper"):
        page.goto(reverse(f"results:{name}", args=[study.slug]))
        assert not scrolls_sideways(page)
        text = page.locator("main").inner_text()
        assert alpha.low is None or interval(alpha) in text, name
    rule, _job = look_at(
        study=study, conditions=Conditions(workers=(1,), longest_run=90 + stage), by=owner
    )
    page.goto(reverse("desk:exclusion", args=[study.slug, rule.pk]))
    assert interval_text(alpha) in page.locator(".rule-effect").inner_text()
    page.goto(reverse("desk:beside-gold", args=[study.slug]))
    assert interval_text(mean) in page.locator("main").inner_text()
    page.goto(reverse("results:dashboard", args=[study.slug]))
    assert interval_text(mean) in page.locator("main").inner_text()
    return alpha


def test_an_open_study_is_live_then_at_its_planned_end_then_closed(new_page: NewPage) -> None:
    study = make_study(
        sources=BATCHES * PER_BATCH,
        per_batch=PER_BATCH,
        overlap=2,
        blocks=[("slider", {})],
        state=Study.State.DRAFT,
    )
    owner = make_user("keeper")
    join(study, owner, Member.Role.OWNER)
    open_study(study=study, by=owner)
    study.refresh_from_db()
    GoldAnswer.objects.create(
        study=study, question=questions(study)[3], answer={"value": 50}, reason="Plain.", by=owner
    )
    page, workers = new_page(), (newcomer(study), newcomer(study))
    sign_in(page, owner)
    page.goto(reverse("results:summary", args=[study.slug]))
    expect(page.get_by_text("There are no answers from people to count yet.").first).to_be_visible()

    seen = []
    for stage in range(BATCHES):
        for shift, worker in enumerate(workers):
            work_on(worker, shift)
        study.refresh_from_db()
        seen.append(look_everywhere(page, study, owner, stage))
        page.goto(reverse("results:summary", args=[study.slug]))
        is_end = stage == BATCHES - 1
        expect(page.get_by_text("Answers are still to come")).to_have_count(int(not is_end))
        step = page.get_by_text("Close the study: all planned answers are in.")
        expect(step).to_have_count(int(is_end))
    looked, ended = seen[-2:]
    assert str(looked.interval_method).startswith("confidence sequence")
    assert str(ended.interval_method).startswith("jackknife")

    page.get_by_text("Close the study: all planned answers are in.").click()
    page.get_by_role("button", name="Close the study").click()
    study.refresh_from_db()
    assert study.state == Study.State.CLOSED
    report = newest_report(study)
    assert report is not None
    assert report.standing is Standing.PLANNED
    closed = look_everywhere(page, study, owner, BATCHES)
    assert (closed.low, closed.high) == (ended.low, ended.high)
    page.goto(reverse("results:summary", args=[study.slug]))
    expect(page.get_by_text("Close the study: all planned answers are in.")).to_have_count(0)
