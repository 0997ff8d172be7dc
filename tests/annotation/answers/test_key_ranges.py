"""Keys that have no row yet, and what remains of them when rows come."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.answers.key_ranges import PATIENCE, Gap, gaps_between, keys_in, still_missing
from annotation.models import User

NOW = timezone.now()
AT = int(NOW.timestamp())


def people(*keys: int) -> None:
    User.objects.bulk_create(User(pk=key, username=f"person {key}") for key in keys)


@pytest.mark.django_db
def test_the_keys_without_a_row_lie_between_those_with_one() -> None:
    people(1001, 1003, 1004, 1007, 1010)
    gaps = gaps_between(User.objects.all(), after=1001, through=1007, now=NOW)
    assert gaps == [(1002, 1002, AT), (1005, 1006, AT)]


@pytest.mark.django_db
def test_only_keys_that_were_missing_are_said_to_have_come() -> None:
    people(1001, 1002, 1005, 1006, 1009)
    rows = User.objects.order_by("pk")
    assert keys_in(rows, [(1002, 1003, AT), (1006, 1008, AT)]) == [1002, 1006]
    assert keys_in(rows, []) == []


@pytest.mark.parametrize(
    ("came", "left"),
    [
        ([], [(5, 8)]),
        ([6], [(5, 5), (7, 8)]),
        ([5], [(6, 8)]),
        ([8], [(5, 7)]),
        ([8, 5], [(6, 7)]),
        ([4, 9], [(5, 8)]),
        ([5, 6, 7, 8], []),
    ],
)
def test_keys_that_came_are_missing_no_longer(came: list[int], left: list[tuple[int, int]]) -> None:
    assert still_missing([(5, 8, AT)], came, NOW) == [(*part, AT) for part in left]


def test_a_key_is_waited_for_no_longer_than_a_transaction_can_last() -> None:
    gap: Gap = (5, 8, AT)
    assert still_missing([gap], [], NOW + PATIENCE) == [gap]
    assert still_missing([gap], [], NOW + PATIENCE + timedelta(seconds=2)) == []
