"""What the published example says of its pages is what they show."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.annotation.published import open_published
from tests.annotation.worker_client import Person

pytestmark = pytest.mark.django_db
NUMBERS = {2: "two", 6: "six"}


def test_a_batch_has_as_many_texts_and_questions_as_the_instructions_say() -> None:
    study = open_published()
    client = Person(study).client
    lobby = client.get(reverse("annotation:lobby", args=[study.slug])).content.decode()
    shown = re.search(r"(\d+) texts, (\d+) questions about each", lobby)
    assert shown
    texts, questions = (NUMBERS[int(number)] for number in shown.groups())
    assert f"A batch has {texts} texts with {questions} questions about each" in study.instructions


def test_the_link_by_which_people_may_stop_is_on_every_page() -> None:
    study = open_published()
    named = re.search("by the link “(.+?)” at the end of every page", study.consent_text)
    assert named
    person = Person(study)
    at = [study.slug]
    pages = [reverse(f"annotation:{name}", args=at) for name in ("lobby", "consent", "my-data")]
    pages += [reverse("annotation:example", args=[*at, 1]), reverse("annotation:tips", args=at)]
    pages += [person.address(), person.of_batch("review")]
    for page in pages:
        assert f">{named[1]}</" in person.client.get(page).content.decode(), page


def test_it_is_there_before_they_have_agreed() -> None:
    study = open_published()
    client = Client()
    arrival = reverse("annotation:arrive", args=[study.slug, "prolific"])
    ids = "?PROLIFIC_PID=aaaaaaaaaaaaaaaaaaaaaaaa&STUDY_ID=s&SESSION_ID=x"
    consent = client.post(arrival + ids, follow=True)
    assert consent.redirect_chain[-1][0] == reverse("annotation:consent", args=[study.slug])
    assert ">Leave the study</" in consent.content.decode()
