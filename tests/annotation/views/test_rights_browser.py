"""The pages of workers' rights and the count of active seconds, in a real browser."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Annotation, Assignment, Draft, Study
from annotation.work.submission import submit
from tests.annotation.views.worker_pages import address, open_batch, saved
from tests.annotation.workers import answer_all
from tests.cast import make_study
from tests.services.browser import DESKTOP, PHONE, accessible, follow

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]


@pytest.fixture
def study() -> Study:
    return make_study(
        per_batch=3,
        content_warning="Some texts are about violence.",
        debrief="Nothing here was invented by us.",
        verdicts={"false": "What was found untrue."},
    )


@pytest.mark.parametrize(
    "options", [{**PHONE, "color_scheme": "dark"}, {**DESKTOP, "java_script_enabled": False}]
)
def test_a_worker_reads_their_data_and_takes_it_back(
    new_page: NewPage, study: Study, options: dict[str, object]
) -> None:
    page = new_page(**options)
    scripts = options.get("java_script_enabled", True)
    check = accessible if scripts else lambda _page: None
    batch = open_batch(page, study)
    submit(assignment=answer_all(batch), now=timezone.now())
    page.goto(reverse("annotation:done", args=[batch.public_id]))
    follow(page.get_by_role("link", name="Which of the claims were false?"))
    expect(page.get_by_role("heading", name="false", exact=True)).to_be_visible()
    check(page)
    follow(page.get_by_role("link", name="To the overview"))
    expect(page.get_by_text("Some texts are about violence.")).to_be_visible()
    check(page)
    follow(page.get_by_role("link", name="See and download my data"))
    check(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download everything").click()
    assert download.value.suggested_filename == "my-data-small.json"
    follow(page.get_by_role("link", name="Withdraw and erase my answers"))
    check(page)
    follow(page.get_by_role("button", name="Erase now"))
    expect(page.locator("h1")).to_have_text("You have withdrawn from this study")
    check(page)
    assert [one.answer for one in Annotation.objects.all()] == [{}] * 6


def test_seconds_count_while_somebody_is_at_the_page_in_view(
    new_page: NewPage, study: Study
) -> None:
    page = new_page()
    page.clock.install()
    batch = open_batch(page, study)
    page.goto(address(batch))
    # The server's clock has to have run as far as the browser's, which is set forward here.
    hour_ago = timezone.now() - timedelta(hours=1)
    Draft.objects.update(first_shown_at=hour_ago)
    page.clock.run_for(30_000)
    page.locator("#sentence-0").check()
    page.clock.run_for(500)
    saved(page)  # whose answer would otherwise be given up in no time
    # From here on nobody is there: after a minute without a sign the count stands still.
    page.clock.run_for(300_000)
    counted = float(page.locator("[name=active_seconds]").input_value())
    assert 85 <= counted <= 95
    # Out of view nothing counts, whatever moves.
    page.evaluate("Object.defineProperty(document, 'visibilityState', {value: 'hidden'})")
    page.mouse.move(10, 10)
    page.clock.run_for(30_000)
    assert float(page.locator("[name=active_seconds]").input_value()) <= counted + 2
    saved(page)
    Draft.objects.update(saved_at=hour_ago)
    page.locator('button[value="next"]').click()
    expect(page.locator(".where")).to_contain_text("question 2 of 2")
    draft = Draft.objects.get(question__block__position=0)
    assert draft.active_seconds == pytest.approx(counted, abs=3)
    assert Assignment.objects.get().state == "active"
