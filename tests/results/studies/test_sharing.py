"""What the page of sample sizes says of what people will share."""

import pytest
from django.urls import reverse

from annotation.models import Member, Study, User
from annotation.rounds.team.table import take_table
from results.reading.wording import plain
from results.studies.sharing import said_of_study
from tests.annotation.rounds.team.teams import make_team_study
from tests.cast import join, make_study
from tests.sessions import as_user

pytestmark = pytest.mark.django_db


def page(study: Study, user: User) -> str:
    address = reverse("results:planning", args=[study.slug])
    return plain(as_user(user).get(address).content.decode())


def test_it_says_what_a_crowd_will_share_and_under_which_assumption(owner: User) -> None:
    study = make_study(sources=12, overlap=2, per_batch=4, state=Study.State.DRAFT)
    join(study, owner, Member.Role.OWNER)
    told = page(study, owner)
    assert "how strict people are can be told from what they read" in told
    assert "If people come one after another" in told


def test_it_says_what_a_team_will_share_without_the_names_of_members(owner: User) -> None:
    study = make_team_study(sources=4, systems=2, members=3, overlap=1)
    study.seats.filter(number=1).update(name="Ann")
    join(study, owner, Member.Role.OWNER)
    told = page(study, owner)
    assert "Each unit is answered by one person" in told
    assert "Every system is the first of a source equally often" in told
    assert "If people come" not in told
    assert "Ann" not in told


def test_members_are_named_only_where_that_is_wanted() -> None:
    study = make_team_study(sources=2, systems=1, members=3, overlap=3)
    take_table(study=study, text="member,unit\n1,d0/S0\n2,d1/S0\n3,d1/S0\n", by=None)
    study.seats.filter(number=1).update(name="Ann")
    assert any("Ann" in said.text for said in said_of_study(study, by_name=True))
    assert any("Member 1" in said.text for said in said_of_study(study))
