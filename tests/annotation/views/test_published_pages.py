"""What the published example says of its pages is what they show."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.annotation.published import open_published
from tests.annotation.worker_client import Person

pytestmark = pytest.mark.django_db
NUMBERS = {6: "six"}


def test_a_batch_has_as_many_texts_as_the_instructions_say_and_no_name_of_ours() -> None:
    study = open_published()
    client = Person(study).client
    lobby = client.get(reverse("annotation:lobby", args=[study.slug])).content.decode()
    shown = re.search(r"in batches of (\d+)", lobby)
    assert shown
    assert f"in batches of {NUMBERS[int(shown[1])]}," in study.instructions
    assert not re.search("pilot|main round", study.instructions)


def test_the_link_by_which_people_may_stop_is_on_every_page() -> None:
    study = open_published()
    person, at = Person(study), [study.slug]
    consent = person.client.get(reverse("annotation:consent", args=at)).content.decode()
    named = re.search("by the link “(.+?)” at the bottom of every page", consent)
    assert named
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
