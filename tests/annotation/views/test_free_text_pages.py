"""The text beside an answer: on the worker's page, and for researchers beside the answer."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import arrive
from annotation.entry.invitations import invite
from annotation.models import AdjudicationCase, Annotation, Draft, Member, Question, Study, User
from annotation.work.submission import submit
from desk.data.adjudication.queue import take_case
from tests.annotation.worker_client import Person
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
ASKED = {"question": "Why <i>so</i>?", "kind": "reason", "asked_of": "people", "longest": 30}
POSTED = {"sentences": ["0"], "revision": "0"}
BOX = 'name="free_text"'


@pytest.fixture
def study(owner: User) -> Study:
    made = make_study(free_text={**ASKED, "required": True})
    join(made, owner, Member.Role.OWNER)
    return made


def test_a_study_that_asks_for_no_text_has_no_box() -> None:
    assert BOX not in Person(make_study()).get()


def test_the_page_asks_in_the_studys_words_and_keeps_what_is_typed(study: Study) -> None:
    person = Person(study)
    assert "Why &lt;i&gt;so&lt;/i&gt;?" in person.get()
    assert person.autosave(POSTED | {"free_text": "So <b>it"}).status_code == 200
    assert Draft.objects.get().posted == {"sentences": ["0"], "free_text": ["So <b>it"]}
    assert "So &lt;b&gt;it</textarea>" in person.get()


def test_a_needed_text_that_is_empty_or_too_long_is_named(study: Study) -> None:
    person = Person(study)
    person.get()
    empty = person.post(POSTED)
    assert empty.status_code == 422
    assert "Please write an answer to “Why &lt;i&gt;so&lt;/i&gt;?”." in empty.content.decode()
    long = person.post(POSTED | {"revision": "1", "free_text": "x" * 31})
    assert long.status_code == 422
    assert "to 30 characters. Now it has 31." in long.content.decode()
    # What was too long is still there, to be shortened.
    assert "x" * 31 in person.get()
    assert person.post(POSTED | {"revision": "2", "free_text": "So."}).status_code == 302


def test_both_versions_of_a_text_are_shown_where_two_tabs_wrote(study: Study) -> None:
    person = Person(study)
    person.autosave(POSTED | {"free_text": "First tab"})
    both = person.post(POSTED | {"free_text": "Second tab"})
    page = both.content.decode()
    assert both.status_code == 409
    assert "First tab</textarea>" in page
    assert "Second tab</textarea>" in page
    assert '<input type="hidden" name="free_text" value="Second tab">' in page


def test_an_edited_text_begins_as_the_judged_one(study: Study) -> None:
    study.free_text = {**ASKED, "kind": "post_edit", "required": False}
    study.save()
    person = Person(study)
    area = person.get().partition(BOX)[2].partition("</textarea>")[0]
    payload = Question.objects.get(
        unit=person.batch.assignment_units.get(position=1).unit, block__position=0
    ).payload
    text = " ".join(sentence["text"] for sentence in payload["sentences"])
    assert area.partition(">")[2].strip() == text


def test_somebody_else_finds_no_page(study: Study) -> None:
    person, stranger = Person(study), Person(make_study("other"))
    assert stranger.client.get(person.address()).status_code == 404
    assert stranger.client.post(person.address(), POSTED).status_code == 404


def test_the_consent_page_says_that_a_text_is_asked_for(study: Study) -> None:
    person = arrive(study=study, invitation=invite(study=study, created_by=None))
    client = Client()
    client.get(reverse("annotation:return", args=[person.token]))
    page = client.get(reverse("annotation:consent", args=[study.slug])).content.decode()
    assert "With each answer you are also asked this, to be answered in your own words:" in page
    assert "Why &lt;i&gt;so&lt;/i&gt;?" in page


@pytest.fixture
def said(study: Study) -> Annotation:
    """An answer beside which somebody wrote something."""
    study.free_text = {**ASKED, "kind": "correction", "required": False}
    study.save()
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())
    answer = Annotation.objects.earliest("pk")
    Annotation.objects.filter(pk=answer.pk).update(reasons=["Nobody <b>said so."])
    return answer


SHOWN = '<span class="muted">Correction:</span> Nobody &lt;b&gt;said so.</p>'


def test_reviewers_see_the_text_beside_the_answer_and_viewers_do_not(
    study: Study, owner: User, said: Annotation
) -> None:
    viewer = make_user("viewer")
    join(study, viewer, Member.Role.VIEWER)
    unit = reverse("desk:unit", args=[study.slug, said.question.unit_id])
    batch = reverse("desk:review", args=[study.slug, said.assignment_id])
    assert SHOWN in as_user(owner).get(unit).content.decode()
    assert SHOWN in as_user(owner).get(batch).content.decode()
    seen = as_user(viewer).get(unit)
    assert seen.status_code == 200
    assert "said so" not in seen.content.decode()


def test_adjudicators_see_the_text(study: Study, owner: User, said: Annotation) -> None:
    case = AdjudicationCase.objects.create(study=study, question=said.question)
    take_case(case=case, by=owner, now=timezone.now())
    page = as_user(owner).get(reverse("desk:case", args=[study.slug, case.pk]))
    assert SHOWN in page.content.decode()


def test_a_reason_that_a_file_holds_stays_one(study: Study, owner: User, said: Annotation) -> None:
    said.rater.origin = "imported"
    said.rater.save()
    unit = reverse("desk:unit", args=[study.slug, said.question.unit_id])
    page = as_user(owner).get(unit).content.decode()
    assert '<span class="muted">Reason:</span> Nobody' in page
