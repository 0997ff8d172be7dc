"""A team in the form of rounds, and what the form says of what people will share."""

from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Allotment, Place, Study, User
from results.reading.wording import plain
from tests.sessions import as_user
from tests.set_up.steps.studies import Fields, mills, send

pytestmark = pytest.mark.django_db
ROUNDS = "desk:set-up-rounds"


@pytest.fixture
def study(owner: User) -> Study:
    """Twenty summaries of ten reports by two systems."""
    return mills(owner)


@pytest.fixture
def client(owner: User) -> Client:
    return as_user(owner)


def saved(client: Client, study: Study, **typed: Any) -> Study:
    answer = send(client, ROUNDS, study.slug, **typed)
    assert answer.status_code == 302, answer.content.decode()
    return Study.objects.get(pk=study.pk)


def told(client: Client, study: Study, **typed: Any) -> str:
    return plain(send(client, ROUNDS, study.slug, go="cost", **typed).content.decode())


def test_choosing_a_team_and_saving_is_enough(client: Client, study: Study) -> None:
    made = saved(client, study, batches="team")
    assert (made.team_members, made.overlap) == (3, 3)
    assert Counter(Allotment.objects.values_list("seat__number", flat=True)) == {
        1: 20,
        2: 20,
        3: 20,
    }


def test_where_everybody_answers_everything_units_get_as_many_answers_as_there_are_members(
    client: Client, study: Study
) -> None:
    assert saved(client, study, batches="team", team_members="5", overlap="2").overlap == 5


def test_a_team_of_nobody_is_refused_beside_its_field(client: Client, study: Study) -> None:
    answer = send(client, ROUNDS, study.slug, batches="team", team_members="0")
    assert answer.status_code == 422
    assert "A team has at least one member." in answer.content.decode()


def test_members_may_have_a_share(client: Client, study: Study) -> None:
    made = saved(client, study, batches="team", team_members="4", share="share", overlap="2")
    assert (made.team_members, made.overlap) == (4, 2)
    assert sorted(Counter(Allotment.objects.values_list("seat", flat=True)).values()) == [10] * 4


def test_a_form_of_a_crowd_that_is_saved_as_it_is_changes_nothing(
    client: Client, study: Study
) -> None:
    made = saved(client, study)
    assert (made.batches, made.team_members, made.overlap) == ("composed", 0, study.overlap)


def test_a_team_that_becomes_another_and_a_crowd_again_wants_the_answers_that_were_typed(
    client: Client, study: Study
) -> None:
    saved(client, study, batches="team", team_members="5")
    saved(client, study, batches="team", team_members="2", share="share", overlap="5")
    saved(client, study, batches="team", team_members="4", share="share", overlap="3")
    assert set(Place.objects.values_list("wanted", flat=True)) == {3}
    saved(client, study, batches="composed", overlap="2")
    assert set(Place.objects.values_list("wanted", flat=True)) == {2}
    assert not Allotment.objects.exists()


def test_a_button_puts_a_calibration_before_the_first_round(client: Client, study: Study) -> None:
    page = send(client, ROUNDS, study.slug, go="calibrate", batches="team", base="1.50")
    fields = Fields(page.content.decode()).posted
    sent = {**{key: values[0] for key, values in fields.items()}, "go": "save"}
    assert (sent["r0-name"], sent["r1-name"]) == ("calibration", study.rounds.get().name)
    sent["r0-calibration"] = "2"
    assert client.post(reverse(ROUNDS, args=[study.slug]), sent).status_code == 302
    first, second = study.rounds.order_by("position")
    assert (first.calibration_sources, second.calibration_sources) == (2, 0)
    assert first.normal_per_batch == second.normal_per_batch
    assert Place.objects.filter(round=first).count() == 4
    assert Place.objects.filter(round=second).count() == 16


@pytest.mark.parametrize("number", ["x", "-1", "²", "9" * 40, ""])
def test_a_number_of_rounds_that_is_none_breaks_nothing(
    client: Client, study: Study, number: str
) -> None:
    assert send(client, ROUNDS, study.slug, go="calibrate", rounds=number).status_code == 200


def test_the_form_says_what_a_team_would_share(client: Client, study: Study) -> None:
    said = told(client, study, batches="team")
    assert "3 people answer 20 units each. Each shares 20 with each of 2 others" in said
    assert "Every system is the first of a source equally often" in said
    assert "Each person meets outputs of all 2 systems." in said


def test_the_form_warns_of_a_team_of_one_and_of_members_who_share_nothing(
    client: Client, study: Study
) -> None:
    assert "One person answers everything" in told(client, study, batches="team", team_members="1")
    apart = told(client, study, batches="team", share="share", overlap="1")
    assert "Each unit is answered by one person" in apart


def test_the_form_says_what_a_crowd_and_fixed_batches_would_share(
    client: Client, study: Study
) -> None:
    crowd = told(
        client, study, batches="composed", overlap="2", r0__normal="5", r0__max_batches="1"
    )
    assert "how strict people are can be told" in crowd
    fixed = told(client, study, batches="fixed", overlap="2", r0__normal="5", r0__max_batches="1")
    assert "groups of 2 that share no unit with each other" in fixed


def test_only_a_crowd_is_told_that_nobody_meets_a_source_twice(
    client: Client, study: Study
) -> None:
    assert "Nobody meets a source twice" in told(client, study)
    assert "Nobody meets a source twice" not in told(client, study, batches="team")


def test_the_cost_is_that_of_the_members(client: Client, study: Study) -> None:
    """20 units for each of 3 in batches of 5 are 12 batches, at 2.00 each."""
    said = told(client, study, batches="team", r0__normal="5", r0__base="2.00")
    assert "<strong>24.00 USD</strong>" in said
