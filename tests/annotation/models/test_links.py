"""Tokens of links: not to be read in the database, and found all the same."""

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from annotation import migrations
from annotation.entry.invitations import invite, invite_many
from annotation.models import Invitation, Participation, Study
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


@pytest.mark.parametrize("back", [False, True])
def test_links_of_earlier_versions_keep_working(study: Study, back: bool) -> None:
    """The migration's own functions, on rows as they are after and before it."""
    (file,) = Path(migrations.__path__[0]).glob("*_sealed_links.py")
    migration = import_module(f"annotation.migrations.{file.stem}")
    person, invitation = newcomer(study), invite(study=study, created_by=None)
    stored: dict[str, list[Any]] = {}

    class Rows(list[Any]):
        """Rows of one model, of which the migration reads and writes columns."""

        model = SimpleNamespace

        def values_list(self, *_names: str, **_flat: bool) -> "Rows":
            return self

        def order_by(self, _name: str) -> "Rows":
            return self

        def bulk_update(self, changed: list[Any], names: tuple[str, ...]) -> None:
            stored[names[0]] = stored.get(names[0], []) + changed

    rows = {
        "Participation": Rows([(7, person.sealed_token if back else "t" * 22)]),
        "Invitation": Rows([(8, invitation.sealed_token if back else "i" * 22)]),
        "Worker": Rows([7, 9]),
    }
    apps = SimpleNamespace(
        get_model=lambda _app, name: SimpleNamespace(
            objects=SimpleNamespace(using=lambda _alias: rows[name])
        )
    )
    editor: Any = SimpleNamespace(connection=SimpleNamespace(alias="default"))
    if back:
        migration.open_tokens(apps, editor)
        first, unknown = stored["return_token"]
        assert (first.return_token, len(unknown.return_token)) == (person.token, 22)
        assert stored["token"][0].token == invitation.token
        return
    migration.seal_tokens(apps, editor)
    sealed = {row.pk: row for row in stored["sealed_token"]}
    Participation.objects.update(
        sealed_token=sealed[7].sealed_token, token_hash=sealed[7].token_hash
    )
    assert Participation.objects.get(opened_by("t" * 22)).token == "t" * 22
    assert Invitation(sealed_token=sealed[8].sealed_token).token == "i" * 22
