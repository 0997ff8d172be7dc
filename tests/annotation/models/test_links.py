"""Tokens of links: not to be read in the database, and found all the same."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from annotation.entry.invitations import invite, invite_many
from annotation.models import Invitation, Study, Worker
from annotation.models.links import UNREADABLE, opened_by
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
    worker = newcomer(study).worker
    invitations = [
        invite(study=study, created_by=None),
        *invite_many(study=study, created_by=None, number=2, personal=True),
        *Invitation.objects.bulk_create([Invitation(study=study, worker=worker)]),
    ]
    assert len({one.token for one in invitations}) == 4
    for row in (worker, *invitations):
        assert len(row.token) == 22
        assert row.token not in columns(row._meta.db_table)
        assert type(row).objects.get(opened_by(row.token)) == row
        hashed = {
            Client().get(reverse(f"annotation:{name}", args=[row.token_hash])).status_code
            for name in ("join", "return")
        }
        assert hashed == {404}


def test_a_link_outlives_a_new_key_as_long_as_the_old_one_is_a_fallback(
    study: Study, settings: Any
) -> None:
    worker = newcomer(study).worker
    token, old = worker.return_token, settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 8, [old]
    assert Worker.objects.get(opened_by(token)).return_token == token
    settings.SECRET_KEY_FALLBACKS = []
    assert not Worker.objects.filter(opened_by(token)).exists()
    assert Worker.objects.get().return_token == UNREADABLE
    assert Client().get(reverse("annotation:return", args=[UNREADABLE])).status_code == 404


def test_links_of_earlier_versions_keep_working() -> None:
    migration = import_module("annotation.migrations.0026_sealed_links")
    row = SimpleNamespace(return_token="t" * 22, token="t" * 22)
    rows = SimpleNamespace(bulk_update=lambda *_: None, only=lambda *_: [row])
    rows.using = lambda _alias: rows
    apps = SimpleNamespace(get_model=lambda *_: SimpleNamespace(objects=rows))
    editor: Any = SimpleNamespace(connection=SimpleNamespace(alias="default"))
    migration.seal_tokens(apps, editor)
    sealed = Worker(sealed_token=row.sealed_token)
    assert sealed.token == "t" * 22
    Worker.objects.create(panel="p", external_id="x", sealed_token=row.sealed_token)
    assert Worker.objects.get(opened_by("t" * 22)).token_hash == row.token_hash
    row.return_token = row.token = ""
    migration.open_tokens(apps, editor)
    assert (row.return_token, row.token) == ("t" * 22, "t" * 22)
