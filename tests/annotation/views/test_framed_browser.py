"""A worker's pages inside the page of a panel, in a real browser: another origin, no cookies.

The panel is a small server of our own under another host name, so that the browser takes our
pages for a third party's, and keeps none of their cookies.
"""

import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, FrameLocator, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.entry.arrival import arrive_from_panel
from annotation.entry.consent import consent_hash, give_consent
from annotation.middleware.frames import framed_lobby
from annotation.models import (
    Annotation,
    Assignment,
    Draft,
    Participation,
    Place,
    Round,
    Study,
    Unit,
    Worker,
)
from annotation.panels.contract import Visit
from annotation.work.qualification import change_state
from annotation.work.submission import submit
from tests.annotation.worker_client import framed_prefix
from tests.annotation.workers import answer_all, lease
from tests.cast import make_study
from tests.services.browser import axe_violations, scrolls_sideways
from tests.services.ports import free_port

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = """<!doctype html><html lang="en"><title>A panel</title><h1>A panel</h1>
<iframe title="the task" src="{src}" width="400" height="700"></iframe>"""


def look(page: Page, name: str) -> None:
    """A picture for whoever wants to look: JURYBOX_SCREENSHOTS names a folder."""
    folder = os.environ.get("JURYBOX_SCREENSHOTS")
    if folder:
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)


@dataclass
class StandIn:
    """A panel: shows a page in a frame, and takes the form at the end."""

    origin: str
    shows: str = ""
    received: list[dict[str, list[str]]] = field(default_factory=list)


@pytest.fixture
def panel() -> Iterator[StandIn]:
    port = free_port()
    panel = StandIn(origin=f"http://localhost:{port}")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(PAGE.format(src=panel.shows))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            panel.received.append({"path": [self.path], **parse_qs(body)})
            self._answer("<!doctype html><title>Thanks</title><p>The panel has it.</p>")

        def _answer(self, page: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield panel
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Not watched: the panel's page is of another host."""
    context = browser.new_context(viewport={"width": 480, "height": 800})
    yield context.new_page()
    context.close()


def recruiting(panel: str, **given: Any) -> Study:
    study = make_study(sources=2, per_batch=1, max_batches_per_worker=1)
    study.recruitment = {"panel": panel, "completion_code": "DONE-1", **given}
    study.save()
    return study


def show(panel: StandIn, page: Page, server: LiveServer, study: Study, query: str) -> FrameLocator:
    """The task in the panel's page."""
    slug = study.recruitment["panel"]
    address = reverse("annotation:arrive", args=[study.slug, slug])
    panel.shows = f"{server.url}{address}?{query}"
    page.goto(panel.origin)
    return page.frame_locator("iframe")


def begin(task: FrameLocator) -> None:
    """From the first page to the first question."""
    task.get_by_role("button", name="Continue").click()
    task.locator("#id_of_age").check()
    task.locator("#id_agree").check()
    task.get_by_role("button", name="Agree and continue").click()
    task.get_by_role("button", name="Start").click()


def test_a_hit_from_accepting_it_to_the_form_that_the_platform_gets(
    page: Page, panel: StandIn, live_server: LiveServer, settings: Any
) -> None:
    settings.MTURK_ORIGINS = [panel.origin]
    study = recruiting("mturk")
    ids = f"workerId=W1&assignmentId=A1&hitId=H1&turkSubmitTo={quote(panel.origin, safe='')}"
    task = show(panel, page, live_server, study, ids)
    begin(task)
    task.locator("#sentence-0").check()
    expect(task.locator("#saved")).to_contain_text("Saved")
    assert Draft.objects.get(question__block__position=0).posted == {"sentences": ["0"]}
    task.locator('button[value="next"]').click()
    expect(task.locator(".where")).to_contain_text("question 2 of 2")
    answer_all(Assignment.objects.get())
    page.goto(panel.origin)  # the panel's page loaded anew: the same place
    task.get_by_role("button", name="Continue where you stopped").click()
    task.get_by_role("button", name="Submit").click()
    expect(task.locator("h1")).to_contain_text("Thank you")
    look(page, "framed-done")
    task.get_by_role("button", name="Finish on MTurk").click()
    expect(task.get_by_text("The panel has it.")).to_be_visible()
    assert panel.received == [
        {
            "path": ["/mturk/externalSubmit"],
            "assignmentId": ["A1"],
            "outcome": ["completed"],
            "code": ["DONE-1"],
        }
    ]
    assert Annotation.objects.count() == 2
    assert page.context.cookies(live_server.url) == []


def test_coming_back_to_a_finished_hit_offers_the_form_again(
    page: Page, panel: StandIn, live_server: LiveServer, settings: Any
) -> None:
    settings.MTURK_ORIGINS = [panel.origin]
    study = recruiting("mturk")
    ids = f"workerId=W1&assignmentId=A1&hitId=H1&turkSubmitTo={quote(panel.origin, safe='')}"
    task = show(panel, page, live_server, study, ids)
    begin(task)
    expect(task.locator(".where")).to_be_visible()
    submit(assignment=answer_all(Assignment.objects.get()), now=timezone.now())
    for _ in range(2):
        page.goto(panel.origin)
        task.get_by_role("button", name="Finish on MTurk").click()
        expect(task.get_by_text("The panel has it.")).to_be_visible()
    assert len(panel.received) == 2
    assert Participation.objects.get().ledger.count() == 2  # base and bonus, once


def test_a_preview_in_the_frame_stores_nothing(
    page: Page, panel: StandIn, live_server: LiveServer, settings: Any
) -> None:
    settings.MTURK_ORIGINS = [panel.origin]
    study = recruiting("mturk")
    ids = "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1"
    task = show(panel, page, live_server, study, ids)
    expect(task.locator("main")).to_contain_text("This is a preview")
    assert not Worker.objects.exists()


def test_without_scripts_the_frame_works_as_well(
    browser: Browser, panel: StandIn, live_server: LiveServer
) -> None:
    study = recruiting("generic", parameters={"worker": "pid"}, frame_origins=[panel.origin])
    context = browser.new_context(java_script_enabled=False)
    task = show(panel, context.new_page(), live_server, study, "pid=A")
    begin(task)
    task.locator("#sentence-0").check()
    task.locator('button[value="next"]').click()
    expect(task.locator(".where")).to_contain_text("question 2 of 2")
    assert Draft.objects.get(question__block__position=0).complete
    context.close()


def test_a_training_round_shows_right_answers_within_the_frame(
    page: Page, panel: StandIn, live_server: LiveServer
) -> None:
    names = {"worker": "pid", "session": "sid"}
    study = recruiting("generic", parameters=names, frame_origins=[panel.origin])
    Round.objects.update(shows_answers=True)
    study.units.update(role=Unit.Role.TRAINING, reasons="Both sentences say so.")
    Place.objects.update(role=Unit.Role.TRAINING, wanted=None)
    task = show(panel, page, live_server, study, "pid=A&sid=S1")
    begin(task)
    task.locator("#sentence-1").check()
    task.get_by_role("button", name="Save and continue").click()
    expect(task.locator("h1")).to_have_text("The right answer")
    expect(task.locator("main")).to_contain_text("Both sentences say so.")
    look(page, "framed-feedback")
    task.get_by_role("link", name="Continue").click()
    expect(task.locator(".where")).to_contain_text("question 2 of 2")
    task.get_by_role("button", name="Back").click()
    expect(task.locator("main")).to_contain_text("can no longer change this answer")
    task.get_by_role("link", name="See the right answer").click()
    expect(task.locator("h1")).to_have_text("The right answer")
    batch = Assignment.objects.get()
    frame = page.frame(url=re.compile(re.escape(batch.public_id)))
    assert frame is not None
    assert framed_prefix(batch.participation) in frame.url
    page.goto(panel.origin)  # the panel's page loaded anew: the same place
    task.get_by_role("button", name="Continue where you stopped").click()
    expect(task.locator(".where")).to_contain_text("question 2 of 2")
    assert page.context.cookies(live_server.url) == []


def test_a_page_that_is_not_the_panels_shows_nothing_of_the_study(
    page: Page, panel: StandIn, live_server: LiveServer
) -> None:
    study = recruiting(
        "generic", parameters={"worker": "pid"}, frame_origins=["https://panel.example"]
    )
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        show(panel, page, live_server, study, "pid=A")
    assert page.frame_locator("iframe").get_by_text("invited").count() == 0


@pytest.mark.parametrize(
    ("recruited_by", "state"),
    [
        ("prolific", "screened_out"),
        ("prolific", "left"),
        ("mturk", "screened_out"),
        ("mturk", "removed"),
        ("invitation", "withdrawn"),
    ],
)
def test_every_end_is_accessible_and_fits_a_phone(
    new_page: Callable[..., Page], recruited_by: str, state: str
) -> None:
    study = recruiting(recruited_by, screenout_code="OUT-2", return_code="BACK-3")
    visit = Visit("W1", session="A1", study="H1", submit_to="https://www.mturk.com")
    participation = arrive_from_panel(study=study, panel=recruited_by, visit=visit)
    change_state(participation=participation, to=Participation.State(state), reason="test")
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(framed_lobby(participation))
    assert page.url.endswith("/end/")
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)
    look(page, f"end-{recruited_by}-{state}")


def test_the_pages_of_arriving_are_accessible(new_page: Callable[..., Page]) -> None:
    study = recruiting("mturk")
    address = reverse("annotation:arrive", args=[study.slug, "mturk"])
    page = new_page(viewport={"width": 360, "height": 740})
    for name, query in (
        ("preview", "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"),
        ("wrong", "assignmentId=A1"),
        ("join", "workerId=W&assignmentId=A&hitId=H&turkSubmitTo=https://www.mturk.com"),
    ):
        page.goto(f"{address}?{query}")
        assert axe_violations(page) == []
        look(page, f"arrive-{name}")


def test_the_end_of_a_batch_with_code_and_link_is_accessible(
    new_page: Callable[..., Page],
) -> None:
    study = recruiting("prolific")
    visit = Visit("W1", session="S1", study="T1")
    participation = arrive_from_panel(study=study, panel="prolific", visit=visit)
    give_consent(participation=participation, text_hash=consent_hash(study), of_age=True)
    batch = submit(assignment=answer_all(lease(participation)), now=timezone.now())
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto(reverse("annotation:return", args=[participation.token]))
    for name in ("lobby", "done"):
        assert axe_violations(page) == []
        expect(page.get_by_role("link", name="Return to")).to_be_visible()
        look(page, f"completed-{name}")
        page.goto(reverse("annotation:done", args=[batch.public_id]))
