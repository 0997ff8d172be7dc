"""People with links of their own: how far each of them is, and a text that reminds them."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import arrive
from annotation.entry.consent import consent_hash, give_consent
from annotation.entry.invitations import invite_many
from annotation.models import Study, User
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def links(study: Study, owner: User) -> list[Any]:
    made = list(
        invite_many(
            study=study, created_by=owner, personal=True, number=3, max_uses=None, note="Team"
        )
    )
    for link, name in zip(made, ("Ada", "Grace", "Mary"), strict=True):
        link.note = name
        link.save()
    return made


def come(study: Study, link: Any) -> Any:
    person = arrive(study=study, invitation=link)
    give_consent(participation=person, text_hash=consent_hash(study), of_age=True)
    return person


def test_each_is_told_apart_with_what_is_left_for_them(
    study: Study, owner: User, links: list[Any]
) -> None:
    """At most five batches of two units: ten answers each, eight after one batch."""
    submit(assignment=answer_all(lease(come(study, links[0]))), now=timezone.now())
    lease(come(study, links[1]))
    response = as_user(owner).get(reverse("desk:recruitment", args=[study.slug]))
    people = {person.name: person for person in response.context["people"]}
    figures = {
        name: (person.batches_done, person.batches_open, person.answers_left)
        for name, person in people.items()
    }
    assert figures == {"Ada": (1, 0, 8), "Grace": (0, 1, 10), "Mary": (0, 0, 10)}
    assert people["Mary"].last_seen is None
    page = response.content.decode()
    assert "You have begun a batch" in page
    for link in links:
        assert link.token in page


def test_an_ended_link_and_whoever_has_left_need_no_reminder(
    study: Study, owner: User, links: list[Any]
) -> None:
    links[0].ended_at = timezone.now()
    links[0].save()
    gone = come(study, links[1])
    type(gone).objects.filter(pk=gone.pk).update(state="left")
    people = as_user(owner).get(reverse("desk:recruitment", args=[study.slug])).context["people"]
    assert [(person.name, person.needs_reminder) for person in people] == [
        ("Grace", False),
        ("Mary", True),
    ]


def test_it_takes_the_same_queries_for_one_as_for_many(
    study: Study, owner: User, django_assert_max_num_queries: Any
) -> None:
    client = as_user(owner)
    for number in (1, 20):
        invite_many(
            study=study, created_by=owner, personal=True, number=number, max_uses=None, note=""
        )
        with django_assert_max_num_queries(14):
            client.get(reverse("desk:recruitment", args=[study.slug]))


def test_without_links_it_says_how_to_make_some(study: Study, owner: User, colleague: User) -> None:
    address = reverse("desk:recruitment", args=[study.slug])
    assert "Make links" in as_user(owner).get(address).content.decode()
    assert as_user(colleague).get(address).status_code == 403


def test_outsiders_see_nothing(study: Study, outsider: User) -> None:
    for name in ("recruitment", "settings"):
        page = as_user(outsider).get(reverse(f"desk:{name}", args=[study.slug]))
        assert page.status_code == 404
