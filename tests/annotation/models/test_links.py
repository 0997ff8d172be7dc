"""Tokens of links: not to be read in the database, and found all the same."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from annotation.entry.invitations import invite, invite_many
from annotation.models import Invitation, Participation, Study
from annotation.models.links import UNREADABLE, new_token, opened_by
from annotation.pay.payouts import PLAIN_ID
from tests.annotation.workers import newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return make_study()


def columns(table: str) -> str:
    """All that a copy of the table holds."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
        return repr(cursor.fetchall())


def test_a_copy_of_the_database_opens_no_link(study: Study) -> None:
    person = newcomer(study)
    worker = person.worker
    invitations = [
        invite(study=study, created_by=None),
        *invite_many(study=study, created_by=None, number=2, personal=True),
        *Invitation.objects.bulk_create([Invitation(study=study, worker=worker)]),
    ]
    assert len({one.token for one in invitations}) == 4
    for row in (person, *invitations):
        assert len(row.token) == 22
        assert row.token not in columns(row._meta.db_table)
        assert type(row)._default_manager.get(opened_by(row.token)) == row
        hashed = {
            Client().get(reverse(f"annotation:{name}", args=[row.token_hash])).status_code
            for name in ("join", "return")
        }
        assert hashed == {404}


def test_a_link_outlives_a_new_key_as_long_as_the_old_one_is_a_fallback(
    study: Study, settings: Any
) -> None:
    token, old = newcomer(study).token, settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 8, [old]
    assert Participation.objects.get(opened_by(token)).token == token
    settings.SECRET_KEY_FALLBACKS = []
    assert not Participation.objects.filter(opened_by(token)).exists()
    assert Participation.objects.get().token == UNREADABLE
    assert Client().get(reverse("annotation:return", args=[UNREADABLE])).status_code == 404


def test_a_token_begins_with_nothing_that_a_pay_file_cannot_hold() -> None:
    assert all(PLAIN_ID.fullmatch(new_token()) for _ in range(2000))
