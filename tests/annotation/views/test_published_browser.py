"""The published study, walked from a panel's link to the second completion code.

By mouse, by keyboard alone and without scripts; every page is accessible, and nothing on it is
cut off on a narrow phone or at 400 % zoom.
"""

import os
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Locator, Page, ViewportSize, expect

from annotation.entry.arrival import arrive_from_panel
from annotation.entry.consent import consent_hash, give_consent
from annotation.models import Annotation, Assignment, Participation, Question, Study
from annotation.panels.contract import Visit
from annotation.work.ledger import earned
from annotation.work.steps import Steps
from tests.annotation.published import open_published
from tests.annotation.right_answers import fill, right
from tests.annotation.views.worker_pages import CONTINUE, saved
from tests.annotation.workers import lease
from tests.services.browser import (
    axe_violations,
    follow,
    press,
    scrolls_sideways,
    tab_to,
)

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]
DESKTOP: ViewportSize = {"width": 1280, "height": 1024}
PHONE: ViewportSize = {"width": 360, "height": 740}
# What is left of 1280 by 1024 pixels at 400 %.
ZOOMED: ViewportSize = {"width": 320, "height": 256}

UNITS = 6


@pytest.fixture
def study() -> Study:
    return open_published()


class Mouse:
    """How a worker presses, ticks and rates."""

    name = "mouse"
    answers = 2  # so many units of the pilot in this way; by the keyboard all

    def press(self, page: Page, selector: str) -> None:
        """Press a button or link, and be on the page behind it."""
        follow(page.locator(selector).first)

    def tick(self, page: Page, selector: str) -> None:
        page.locator(selector).check()

    def option(self, page: Page, words: str) -> None:
        page.get_by_label(words).check()

    def write(self, page: Page, selector: str, text: str) -> None:
        page.locator(selector).fill(text)

    def try_out(self, page: Page) -> None:
        self.tick(page, "#sentence-none")

    def sentences(self, page: Page, boxes: list[str]) -> None:
        for box in boxes:
            self.tick(page, box)

    def rate(self, page: Page) -> None:
        page.locator("#scale-range").click()

    def wait_until_saved(self, page: Page) -> None:
        saved(page)


class Keys(Mouse):
    """Nothing but the keyboard."""

    name = "keys"
    answers = UNITS

    def press(self, page: Page, selector: str) -> None:
        press(page, selector)

    def tick(self, page: Page, selector: str) -> None:
        tab_to(page, selector)
        page.keyboard.press("Space")

    def option(self, page: Page, words: str) -> None:
        option = page.get_by_label(words)
        self.tick(page, f'[name="{option.get_attribute("name")}"]')
        while not option.is_checked():
            page.keyboard.press("ArrowDown")

    def write(self, page: Page, selector: str, text: str) -> None:
        tab_to(page, selector)
        page.keyboard.type(text)

    def try_out(self, page: Page) -> None:
        self.sentences(page, ["#sentence-none"])

    def sentences(self, page: Page, boxes: list[str]) -> None:
        tab_to(page, "#sentences input")
        for box in map(page.locator, boxes):
            key = box.get_attribute("data-key") or ""
            page.keyboard.press(key)
            if not box.is_checked():  # it was out of view, and was brought there first
                page.keyboard.press(key)
            expect(box).to_be_checked()

    def rate(self, page: Page) -> None:
        tab_to(page, "#scale-range")
        page.keyboard.press("ArrowRight")


class Bare(Mouse):
    """A browser without scripts: nothing is saved before a button is pressed."""

    name = "no-scripts"
    twin: Page  # with scripts, for axe

    def sentences(self, page: Page, boxes: list[str]) -> None:
        for box in boxes:
            self.tick(page, box)

    def rate(self, page: Page) -> None:
        page.get_by_role("spinbutton").fill("62.5")

    def wait_until_saved(self, page: Page) -> None:
        """Here pressing the button is what saves."""


def faults(page: Page, hands: Mouse) -> list[str]:
    """What axe minds. It is a script itself: a browser without them gives it the same page."""
    if not isinstance(hands, Bare):
        return axe_violations(page)
    html = page.content()
    hands.twin.unroute_all()
    hands.twin.route("**/*.js", lambda route: route.abort())
    hands.twin.route(page.url, lambda route: route.fulfill(body=html, content_type="text/html"))
    hands.twin.goto(page.url)
    return axe_violations(hands.twin)


def look(page: Page, name: str, hands: Mouse) -> None:
    """A page that is accessible and cuts nothing off, and a picture for whoever wants to look."""
    assert faults(page, hands) == [], name
    size = page.viewport_size
    assert size is not None
    for other in (PHONE, ZOOMED, size):
        page.set_viewport_size(other)
        assert not scrolls_sideways(page), f"{name} at {other}"
        keep_screenshot(page, f"{hands.name}-{other['width']}-{name}")


def keep_screenshot(page: Page, name: str) -> None:
    if "JURYBOX_SCREENSHOTS" in os.environ:
        folder = Path(settings.BASE_DIR) / "var" / "screenshots"
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"published-{name.replace(' ', '-')}.png", full_page=True)


def asked(page: Page) -> tuple[int, int, Question]:
    """Which question this page shows: position, part, and the question itself."""
    found = re.search(r"/work/batch/([^/]+)/(\d+)/(\d+)/", page.url)
    assert found is not None, page.url
    step = Steps(Assignment.objects.get(public_id=found[1])).at(int(found[2]), int(found[3]))
    assert step is not None
    return step.position, step.part, Question.objects.get(pk=step.question.pk)


def boxes_of(question: Question) -> list[str]:
    """What somebody who knows the right answer ticks."""
    given = right(question)
    return [f"#sentence-{one}" for one in given.get("sentences", ["none"])]


def answer_unit(page: Page, hands: Mouse, position: int) -> None:
    """Both parts of a unit: the right sentences, then any rating."""
    for part in (1, 2):
        expect(page.locator(".where")).to_contain_text(f"{position} of {UNITS}")
        at, shown, question = asked(page)
        assert (at, shown) == (position, part)
        if part == 1:
            hands.sentences(page, boxes_of(question))
        else:
            hands.rate(page)
        if position == 1:
            hands.wait_until_saved(page)
            look(page, f"part {part}", hands)
        hands.press(page, CONTINUE)


def finish(page: Page) -> None:
    """Answer what is left of the batch by the verbs, and go on to its end."""
    batch = Assignment.objects.get(state="active")
    fill(batch, lambda step: right(Question.objects.get(pk=step.question.pk)))
    page.goto(reverse("annotation:review", args=[batch.public_id]))


def send(page: Page, hands: Mouse, name: str) -> None:
    """The button that submits the batch, and what comes of it."""
    expect(page.locator("h1")).to_have_text("Review and submit")
    look(page, f"{name} review", hands)
    hands.write(page, "#comment", "The second text was hard.")
    hands.press(page, "main form button")
    expect(page.locator("h1")).to_contain_text("Thank you")
    expect(page.locator(".completion-code")).to_have_text("OWN-COMPLETED")
    look(page, f"{name} done", hands)


def come(page: Page, *, session: str) -> None:
    """By the link that the panel opens."""
    address = reverse("annotation:arrive", args=["published", "prolific"])
    page.goto(f"{address}?PROLIFIC_PID=5f3a&STUDY_ID=pilot-and-main&SESSION_ID={session}")


def enter(page: Page, hands: Mouse) -> None:
    """From the panel's link to the first question: consent, tips, and the check."""
    come(page, session="s1")
    look(page, "arrival", hands)
    hands.press(page, "main form button")
    look(page, "consent", hands)
    hands.tick(page, "#id_of_age")
    hands.tick(page, "#id_agree")
    hands.press(page, "main form button")
    look(page, "overview", hands)
    hands.press(page, "main form button")
    expect(page.locator("h1")).to_have_text("Example 1 of 3")
    look(page, "example", hands)
    hands.try_out(page)
    hands.press(page, "form.question .button")
    expect(page.locator("[role=status]")).to_have_text(
        "Your answer is not right. There were 2 right choices."
    )
    look(page, "example answered", hands)
    hands.press(page, "main .bar a.button")
    expect(page.locator("h1")).to_have_text("Example 2 of 3")
    hands.try_out(page)
    hands.press(page, "form.question .button")
    expect(page.locator("[role=status]")).to_have_text("Your answer is right.")
    hands.press(page, "main .bar a.button")
    hands.rate(page)
    hands.press(page, "form.question .button")
    look(page, "slider example answered", hands)
    hands.press(page, "main .bar a.button")
    expect(page.locator("h1")).to_have_text("2 tips")
    look(page, "tips", hands)
    hands.press(page, "main form button")
    expect(page.locator("h1")).to_have_text("Quick check of the instructions")
    hands.option(page, "shares most words")
    hands.option(page, "comes closest")
    hands.press(page, "main form button")
    expect(page.locator("main")).to_contain_text("answer once more")
    look(page, "check", hands)
    hands.option(page, "Every sentence of the explanation")
    hands.option(page, "None of these sentences")
    hands.press(page, "main form button")


@pytest.mark.parametrize(
    "kind",
    [*(pytest.param(kind, marks=pytest.mark.slow) for kind in (Mouse, Keys)), Bare],
    ids=lambda kind: kind.name,
)
def test_the_published_study_from_the_panels_link_to_the_second_code(
    new_page: NewPage, study: Study, kind: type[Mouse]
) -> None:
    hands = kind()
    scheme = "dark" if isinstance(hands, Keys) else "light"
    scripts = not isinstance(hands, Bare)
    if isinstance(hands, Bare):
        hands.twin = new_page(viewport=DESKTOP)
    page = new_page(viewport=DESKTOP, color_scheme=scheme, java_script_enabled=scripts)
    enter(page, hands)
    for position in range(1, hands.answers + 1):
        answer_unit(page, hands, position)
    if hands.answers < UNITS:
        finish(page)
    send(page, hands, "pilot")
    person = Participation.objects.get()
    assert (person.state, person.round and person.round.name) == ("qualified", "main")
    assert earned(person) == [(Decimal("2.70"), "USD")]

    come(page, session="s2")
    look(page, "overview again", hands)
    hands.press(page, "main form button")
    answer_unit(page, hands, 1)
    finish(page)  # the other five are like those of the pilot
    send(page, hands, "main")
    assert earned(person) == [(Decimal("5.40"), "USD")]
    assert Annotation.objects.filter(rater__participation=person).count() == 24
    said = person.assignments.values_list("comment", flat=True)
    assert set(said) == {"The second text was hard."}


def test_at_400_percent_nothing_covers_what_has_the_focus(new_page: NewPage, study: Study) -> None:
    visit = Visit("5f3a", session="s1", study="pilot-and-main")
    person = arrive_from_panel(study=study, panel="prolific", visit=visit)
    give_consent(participation=person, text_hash=consent_hash(study), of_age=True)
    batch = lease(person)
    page = new_page(viewport=ZOOMED, device_scale_factor=4)
    page.goto(reverse("annotation:return", args=[person.token]))
    page.goto(reverse("annotation:question", args=[batch.public_id, 1, 1]))
    assert not scrolls_sideways(page)
    assert in_sight(page.locator("#passage-in-question-title"))
    for box in page.locator("#sentences input").all():
        box.focus()
        assert in_sight(box)
        label = page.locator(f"label[for={box.get_attribute('id')}]").bounding_box()
        assert label is not None
        assert label["height"] > 0
    for button in page.locator(".actions button").all():
        button.focus()
        assert in_sight(button)


def in_sight(one: Locator) -> bool:
    """Whether the middle of it can be seen, under nothing else."""
    one.scroll_into_view_if_needed()
    script = """one => { const box = one.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return top !== null && (one.contains(top) || top.contains(one)) && !top.matches('html, body');
    }"""
    return bool(one.evaluate(script))


def test_a_shared_browser_is_left_by_the_link_at_the_foot(new_page: NewPage, study: Study) -> None:
    page, hands = new_page(viewport=PHONE), Keys()
    come(page, session="s1")
    hands.press(page, "main form button")
    follow(page.get_by_role("link", name="This is not me"))
    look(page, "not me", hands)
    hands.press(page, "main form button")
    expect(page.locator("h1")).to_have_text("You are signed out in this browser")
    look(page, "signed out", hands)
    come(page, session="s1")
    expect(page.locator("h1")).to_have_text("Before you take part")
