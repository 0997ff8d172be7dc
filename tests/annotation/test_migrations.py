"""What a migration does to rows that are there."""

from datetime import timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation import migrations
from annotation.models import BrowserSession, Participation, User
from annotation.queries.sessions import SessionStore
from tests.annotation.workers import newcomer
from tests.cast import make_study


@pytest.mark.django_db
def test_the_scales_of_imported_scores_are_marked_as_observed() -> None:
    options = {"facet": "score", "compared_with": ["recovery"]}
    blocks = [("citation_recovery", {}), ("slider", options)]
    imported = make_study("imported", blocks=blocks, imported={"files": []})
    written = make_study("written", blocks=blocks)
    (file,) = Path(migrations.__path__[0]).glob("*_mark_observed_ends.py")
    import_module(f"annotation.migrations.{file.stem}").mark(apps, None)
    marked = {
        study.slug: study.blocks.get(key="slider").facets[0].ends_observed
        for study in (imported, written)
    }
    assert marked == {"imported": True, "written": False}


@pytest.mark.django_db
def test_nobody_is_signed_out_when_sessions_move(owner: User) -> None:
    def row(key: str, data: dict[str, Any], days: int) -> Session:
        until = timezone.now() + timedelta(days=days)
        return Session(session_key=key, session_data=SessionStore().encode(data), expire_date=until)

    signed_in = {SESSION_KEY: str(owner.pk)}
    Session.objects.bulk_create(
        [
            row("of-a-researcher", signed_in, 1),
            row("of-a-worker", {"worker": 7}, 1),
            row("long-over", {}, -1),
        ]
    )
    (file,) = Path(migrations.__path__[0]).glob("*_browser_sessions.py")
    import_module(f"annotation.migrations.{file.stem}").move(apps, None)
    moved = dict(BrowserSession.objects.values_list("pk", "account"))
    assert moved == {"of-a-researcher": owner.pk, "of-a-worker": None}
    assert SessionStore("of-a-worker")["worker"] == 7
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_no_worker_is_signed_out_when_browsers_belong_to_participations() -> None:
    person = newcomer(make_study())
    other = newcomer(make_study("other"))
    Participation.objects.filter(pk=other.pk).update(worker=person.worker)
    until = timezone.now() + timedelta(days=1)
    for key, data in (("of-a-worker", {"worker": person.worker_id}), ("of-nobody", {"x": 1})):
        text = SessionStore().encode(data)
        BrowserSession.objects.create(session_key=key, session_data=text, expire_date=until)
    (file,) = Path(migrations.__path__[0]).glob("*_visits.py")
    editor = SimpleNamespace(connection=SimpleNamespace(alias="default"))
    import_module(f"annotation.migrations.{file.stem}").name_places(apps, editor)
    places = {"small": [person.pk, person.own_key], "other": [other.pk, other.own_key]}
    assert SessionStore("of-a-worker")["places"] == places
    assert SessionStore("of-nobody").load() == {"x": 1}
