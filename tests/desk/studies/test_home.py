"""The list of studies: what a card says, whom it says it to, and how many queries it takes."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from alerts.models import Alert
from annotation.models import Annotation, LedgerRow, Member, Study, User
from annotation.rounds.opening import close_study, pause_study
from annotation.work.submission import submit
from desk.studies.archive import StillOpen, archive_study
from desk.studies.cards import StudyCard
from estimates.report.cache import report_of
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study
from tests.results.answers import choose, make_rater, questions
from tests.sessions import as_user

Role = Member.Role
pytestmark = pytest.mark.django_db


def home(user: User, query: str = "") -> Any:
    response = as_user(user).get(reverse("desk:home") + query)
    assert response.status_code == 200
    return response


def card_of(user: User, study: Study, query: str = "") -> StudyCard:
    (card,) = [one for one in home(user, query).context["cards"] if one.study == study]
    assert isinstance(card, StudyCard)
    return card


def slugs(user: User, query: str = "") -> list[str]:
    return [card.study.slug for card in home(user, query).context["cards"]]


def work(study: Study) -> None:
    submit(assignment=answer_all(lease(newcomer(study))), now=timezone.now())


def test_a_card_says_how_the_study_stands(study: Study, owner: User) -> None:
    work(study)
    lease(newcomer(study))
    report_of(study)
    Alert.objects.create(study=study, kind="pace", message="Too fast", since=timezone.now())
    card = card_of(owner, study)
    assert (card.progress.counted, card.progress.wanted, card.progress.percent) == (2, 6, 33)
    assert card.at_work == 1
    assert card.alerts == ["Too fast"]
    assert card.last_answer == Annotation.objects.latest("created_at").created_at
    (sums,) = card.money
    assert sums.owed == sum(row.amount for row in LedgerRow.objects.all())
    assert (card.role, str(card.state)) == (Role.OWNER, "open")


def test_agreement_is_read_from_what_was_counted_and_never_counted_here(
    study: Study, owner: User
) -> None:
    for _ in range(2):
        work(study)
    assert card_of(owner, study).headline is None
    assert not study.cached_estimates.exists()
    report_of(study)
    headline = card_of(owner, study).headline
    assert headline is not None
    assert (headline.title, headline.badge) == ("Citation recovery", "Undefined")
    assert not card_of(owner, study).outdated
    study.touch()
    assert card_of(owner, study).outdated


def test_a_card_without_agreement_says_why(study: Study, owner: User) -> None:
    def why(study: Study) -> str:
        return card_of(owner, study).why_no_agreement[0]

    assert why(study) == "no answers yet"
    assert "no answers yet" in home(owner).content.decode()
    work(study)
    assert why(study) == "counted soon"
    report_of(study)
    assert why(study) == "undefined"
    judged = make_study("judged")
    join(judged, owner, Role.OWNER)
    choose(make_rater(judged, "lexical", "judge"), questions(judged)[0], 0)
    report_of(judged)
    assert why(judged) == "undefined"


def test_a_viewer_reads_no_money(study: Study, colleague: User, owner: User) -> None:
    work(study)
    assert card_of(colleague, study).money == []
    assert "owed" not in home(colleague).content.decode()
    assert "owed" in home(owner).content.decode()


def test_it_takes_as_many_queries_for_many_studies_as_for_one(
    study: Study, owner: User, django_assert_num_queries: Any
) -> None:
    client = as_user(owner)
    address = reverse("desk:home")
    client.get(address)
    with django_assert_num_queries(16):
        client.get(address)
    for n in range(30):
        join(make_study(f"another-{n}", sources=1), owner, Role.OWNER)
    work(study)
    with django_assert_num_queries(16):
        client.get(address)


def test_studies_are_filtered_searched_and_sorted(study: Study, owner: User) -> None:
    for slug, state in (("apple", "draft"), ("beech", "closed"), ("cedar", "open")):
        made = make_study(slug, state=Study.State(state))
        Study.objects.filter(pk=made.pk).update(title=slug.title())
        join(made, owner, Role.OWNER)
    pause_study(study=study, by=owner, now=timezone.now())
    assert slugs(owner, "?sort=title") == ["small", "apple", "beech", "cedar"]
    assert slugs(owner, "?state=paused") == ["small"]
    assert slugs(owner, "?state=open") == ["cedar"]
    assert slugs(owner, "?q=EEC") == ["beech"]
    assert slugs(owner, "?q=nothing") == []
    assert slugs(owner, "?state=rubbish&sort=rubbish&page=x") != []
    Annotation.objects.all().delete()
    old = timezone.now() - timedelta(days=9)
    Study.objects.exclude(slug="beech").update(created_at=old)
    assert slugs(owner)[0] == "beech"


def test_an_archived_study_is_out_of_the_way_until_it_is_asked_for(
    study: Study, owner: User
) -> None:
    client = as_user(owner)
    with pytest.raises(StillOpen):
        archive_study(study=study, by=owner)
    client.post(reverse("desk:archive", args=[study.slug]))
    assert slugs(owner) == ["small"]
    close_study(study=study)
    client.post(reverse("desk:archive", args=[study.slug]))
    assert slugs(owner) == []
    assert slugs(owner, "?state=archived") == ["small"]
    client.post(reverse("desk:unarchive", args=[study.slug]))
    assert slugs(owner) == ["small"]


def test_a_new_researcher_is_told_what_to_do_first(client: Client, outsider: User) -> None:
    page = home(outsider).content.decode()
    assert "You have no studies yet" in page
    assert page.count(f'href="{reverse("desk:new-study")}"') == 2
    assert 'role="search"' not in page
