"""A word without an end in any text of a study: no page of a worker grows wider with it."""

import pytest
from django.urls import reverse

from annotation.models import Unit
from tests.annotation.pilot_study import hand_in, make_pilot_study
from tests.annotation.views.training import CHECK, become
from tests.annotation.views.worker_pages import NewPage, address, invitation_link, open_batch
from tests.services.browser import lengthen_words, runs_out

pytestmark = pytest.mark.django_db(transaction=True)

OF_STUDY = ("lobby", "consent", "tips", "statement", "my-data", "withdraw", "leave")


def test_no_page_grows_wider_with_a_word_without_an_end(new_page: NewPage) -> None:
    study = make_pilot_study(tell_missed=True, tips="Take your time.", comprehension=CHECK)
    become(study.units.filter(role=Unit.Role.NORMAL).latest("pk"), Unit.Role.EXAMPLE)
    page = new_page()
    page.goto(invitation_link(study))
    assert runs_out(page) == []
    first = open_batch(page, study)
    slug = [study.slug]
    ways = [
        reverse("annotation:example", args=[*slug, 1]),
        reverse("annotation:comprehension", args=slug),
        *(reverse(f"annotation:{name}", args=slug) for name in OF_STUDY),
        address(first),
        reverse("annotation:review", args=[first.public_id]),
    ]
    found = {}
    for way in ways:
        page.goto(way)
        lengthen_words(page)
        found[way] = runs_out(page)
    hand_in(first)
    page.goto(reverse("annotation:done", args=[first.public_id]))
    assert lengthen_words(page)
    found["done"] = runs_out(page)
    assert [f"{way}: {wide}" for way, wide in found.items() if wide] == []
