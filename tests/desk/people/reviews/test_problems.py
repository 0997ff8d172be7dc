"""What workers reported as wrong, where researchers read it."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotation.models import Assignment, Member, Study, Unit, User
from annotation.rights.withdrawal import leave
from annotation.work.problems import flag_problem
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user

pytestmark = pytest.mark.django_db
OWN = "The passage is cut off."


@pytest.fixture
def as_owner(client: Client, owner: User, study: Study) -> Client:
    client.force_login(owner)
    return client


def report(batch: Assignment, text: str = OWN) -> Unit:
    unit = batch.assignment_units.select_related("unit").first()
    assert unit is not None
    flag_problem(assignment=batch, unit=unit.unit_id, text=text)
    return unit.unit


def listed(client: Client, study: Study, query: str = "") -> str:
    return client.get(reverse("desk:reviews", args=[study.slug]) + query).content.decode()


def test_a_problem_is_read_whatever_became_of_the_batch(as_owner: Client, study: Study) -> None:
    gone, done, opened = (lease(newcomer(study)) for _ in range(3))
    for batch, text in ((gone, "first"), (done, "second"), (opened, "third")):
        report(batch, text)
    leave(participation=gone.participation)
    submit(assignment=answer_all(done), now=timezone.now())
    page = listed(as_owner, study)
    for said in ("first", "second", "third", "given back", "submitted", "still open"):
        assert said in page
    assert "3 reported problems" in as_owner.get(study.get_absolute_url()).content.decode()


def test_the_unit_most_are_reported_with_comes_first_and_can_be_looked_at_alone(
    as_owner: Client,
) -> None:
    study = make_study("more", sources=2, per_batch=1, overlap=3)
    join(study, User.objects.get(username="owner"), Member.Role.OWNER)
    units = [report(lease(newcomer(study))) for _ in range(4)]
    most = max(set(units), key=units.count)
    other = next(iter(set(units) - {most}))
    page = listed(as_owner, study)
    assert page.index(most.key) < page.index(other.key)
    alone = listed(as_owner, study, f"?unit={other.pk}")
    assert other.key in alone
    assert most.key not in alone


def test_the_page_of_a_unit_says_that_a_problem_was_reported(
    as_owner: Client, study: Study
) -> None:
    unit = report(lease(newcomer(study)))
    page = as_owner.get(reverse("desk:unit", args=[study.slug, unit.pk])).content.decode()
    assert "1 problem reported" in page
    assert f"{reverse('desk:reviews', args=[study.slug])}?unit={unit.pk}" in page


def test_the_page_takes_the_same_queries_whatever_was_reported(
    as_owner: Client, study: Study, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(3):
        report(lease(newcomer(study)))
        with django_assert_max_num_queries(11):
            listed(as_owner, study)


def test_only_who_reviews_reads_what_workers_wrote(
    client: Client, study: Study, colleague: User, outsider: User
) -> None:
    report(lease(newcomer(study)))
    address = reverse("desk:reviews", args=[study.slug])
    assert client.get(address).status_code == 302
    reviewer = make_user("reviewer")
    join(study, reviewer, Member.Role.REVIEWER)
    for user, status in ((outsider, 404), (colleague, 403), (reviewer, 200)):
        client.force_login(user)
        assert client.get(address).status_code == status
