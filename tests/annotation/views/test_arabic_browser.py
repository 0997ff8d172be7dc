"""The way of a worker through an Arabic study, from right to left, in a real browser."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect

from annotation.entry.invitations import invite
from annotation.models import Annotation, Assignment, Draft, Item, Source, Study, Unit
from annotation.models import Question as AskedQuestion
from tests.annotation.workers import answer_all
from tests.cast import make_study
from tests.services.browser import (
    DESKTOP,
    PHONE,
    axe_violations,
    press,
    scrolls_sideways,
    tab_to,
)

pytestmark = pytest.mark.django_db(transaction=True)

NewPage = Callable[..., Page]
CLAIM = "أُغلق الجسر رقم 7 العام الماضي."
CONTINUE = 'button[value="next"]'


@pytest.fixture
def study() -> Study:
    """Instructions and one claim in Arabic, the other texts in English."""
    study = make_study(
        language="ar",
        sources=2,
        positive=1,
        max_batches_per_worker=1,
        tips=["اقرأ المقطع أولًا.", "Take your time."],
        content_warning="بعض النصوص تتحدث عن العنف.",
        debrief="هذه الادعاءات خاطئة.",
    )
    study.title = "أين ينبغي أن يكون الاستشهاد؟"
    study.instructions = "اقرأ المقطع، ثم اختر الجمل التي ينبغي أن تستشهد به."
    study.consent_text = "المشاركة طوعية."
    study.save()
    Source.objects.filter(units__role=Unit.Role.NORMAL).update(claim=CLAIM)
    for asked in AskedQuestion.objects.filter(unit__role=Unit.Role.NORMAL):
        asked.payload["claim"] = CLAIM
        asked.save(update_fields=["payload"])
    assert Item.objects.filter(study=study).exists()
    return study


def invitation_link(study: Study) -> str:
    return reverse("annotation:join", args=[invite(study=study, created_by=None).token])


def accessible(page: Page, name: str = "") -> None:
    assert page.locator("html").get_attribute("dir") == "rtl", name
    assert page.locator("html").get_attribute("lang") == "ar", name
    assert axe_violations(page) == [], name
    assert not scrolls_sideways(page), name


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_contain_text("حُفظ")


def choose(page: Page, sentence: int) -> None:
    """By its digit, which shows a sentence that is out of view first."""
    page.keyboard.press(str(sentence))
    if not page.locator(f"#sentence-{sentence - 1}").is_checked():
        page.keyboard.press(str(sentence))


def every_page(page: Page, study: Study) -> Iterator[str]:
    """All pages on the way, each named when it is there, with the keyboard alone."""
    page.goto(invitation_link(study))
    yield "invitation"
    press(page, "main button")
    yield "lobby"
    yield "consent"
    press(page, "main button")
    yield "consent refused"
    tab_to(page, "#id_of_age")
    page.keyboard.press("Space")
    tab_to(page, "#id_agree")
    page.keyboard.press("Space")
    press(page, "main button")
    press(page, "main button")
    while page.locator(CONTINUE).count() == 0:  # tips
        yield "tips"
        press(page, "main form button")
    yield "question"
    press(page, CONTINUE)
    yield "question refused"
    tab_to(page, "#sentences input")
    choose(page, 1)
    saved(page)
    is_strip = page.locator(".strip").is_visible()
    tab_to(page, ".strip__name:last-child" if is_strip else ".evidence summary")
    page.keyboard.press("Enter")
    yield "question answered"
    for number in (2, 3):
        tab_to(page, f".aside:nth-child({number}) > summary")
        page.keyboard.press("Enter")
    yield "asides"
    Draft.objects.update(revision=9)
    tab_to(page, "#sentences input")
    choose(page, 2)
    press(page, CONTINUE)
    yield "two versions"
    press(page, "section form button")
    yield "slider"
    tab_to(page, "#scale-range")
    page.keyboard.press("ArrowLeft")
    saved(page)
    yield "slider answered"
    press(page, "button[value=review]")
    yield "review"
    batch = Assignment.objects.get()
    page.goto(reverse("annotation:leave", args=[study.slug]))
    yield "leave"
    answer_all(batch)
    page.goto(reverse("annotation:review", args=[batch.public_id]))
    press(page, "main form button")
    yield "done"
    for name in ("statement", "my-data", "withdraw", "debrief", "tips", "lobby"):
        page.goto(reverse(f"annotation:{name}", args=[study.slug]))
        yield f"afterwards {name}"


def test_the_whole_way_by_keyboard_is_accessible_and_fits_a_narrow_phone(
    new_page: NewPage, study: Study
) -> None:
    page = new_page(locale="en-GB", **PHONE)
    for name in every_page(page, study):
        accessible(page, name)
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED
    assert Annotation.objects.count() == 6


def test_each_text_stands_in_its_own_direction(new_page: NewPage, study: Study) -> None:
    page = new_page(**DESKTOP)
    way = every_page(page, study)
    while next(way) != "question":
        pass
    direction = "one => getComputedStyle(one).direction"
    assert page.locator(".sentence-text").first.evaluate(direction) == "ltr"
    assert page.locator(".sentence-none .sentence-text").evaluate(direction) == "rtl"
    card = page.locator(".sentence").first
    assert card.evaluate("one => getComputedStyle(one).borderRightWidth") == "6px"
    claims = {page.locator(".subject__claim").evaluate(direction)}
    text = page.locator(".subject__claim").inner_text()
    assert claims == {"rtl" if text == CLAIM else "ltr"}


def test_the_low_end_of_a_slider_is_where_reading_begins(new_page: NewPage, study: Study) -> None:
    page = new_page(**DESKTOP)
    way = every_page(page, study)
    while next(way) != "slider":
        pass
    low, high = (page.locator(end).bounding_box() for end in ("#scale-low", "#scale-high"))
    assert low is not None
    assert high is not None
    assert low["x"] > high["x"]
    line = page.locator("#scale-range")
    box = line.bounding_box()
    assert box is not None
    line.click(position={"x": box["width"] - 5, "y": box["height"] / 2})
    assert float(page.locator("#scale-value").input_value()) < 5
    line.press("ArrowLeft")
    line.press("ArrowLeft")
    near_the_low_end = float(line.input_value())
    line.press("ArrowRight")
    assert float(line.input_value()) < near_the_low_end


@pytest.mark.skipif("JURYBOX_SCREENSHOTS" not in os.environ, reason="nobody asked for them")
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_screenshots_of_every_page(
    new_page: NewPage, study: Study, size: dict[str, object], request: pytest.FixtureRequest
) -> None:
    page = new_page(**size)
    folder = Path(settings.BASE_DIR) / "var" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(every_page(page, study)):
        which = f"arabic-{request.node.callspec.id}-{number:02}-{name.replace(' ', '-')}.png"
        page.screenshot(path=folder / which, full_page=True)
