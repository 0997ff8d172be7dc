"""Keys and names of another study, in every address and parameter that takes one: they show and
change nothing."""

import re
from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse
from django.utils import timezone
from pytest_django import Settings

from annotation.models import Study, User
from api.scopes import Scope
from api.tokens import make_token
from exports.jobs import exports_of, link_token, path_of
from jobs.models import Job, JobState
from tests.api.operations import schema_of
from tests.api.seeding import with_everything
from tests.desk.crossing import (
    FIRST_KEY,
    NAME,
    TEXT,
    begin_keys_after,
    make_their_study,
    rows_of_theirs,
    rows_that_join_studies,
    tables_without_their_rows,
)
from tests.desk.routes import NOT_ALLOWED, routes_in
from tests.sessions import as_user

# What addresses name beside keys, as it is called in the other study.
WORDS = {"name": NAME, "version": "1", "token": NAME, "other": "theirs", "key": NAME, "form": NAME}
# Parts of a page of one's own, whichever they are: no row stands behind them.
OF_NO_ROW = {"results:datasheet-part", "desk:change-file"}
# Parameters of pages and fields of forms, by what they name: there, a name or a key.
NAMES = (
    "judge", "subset", "system", "facet", "panel", "condition", "view", "label", "rater",
    "name", "group", "raters", "search", "token", "q", "judges", "method", "compared_with",
)  # fmt: skip
KEYS = (
    "unit", "block", "round", "worker", "batch", "listed", "units", "rule", "run", "job",
    "assignment", "case", "action", "chosen", "again", "annotation", "audit-block", "gold",
    "list", "item", "source",
)  # fmt: skip
STUDIES = ("other", "study", "copy", "against")
THEIRS = {
    **dict.fromkeys(NAMES, NAME),
    **dict.fromkeys(KEYS, str(FIRST_KEY)),
    **dict.fromkeys(STUDIES, "theirs"),
}
# What a form needs beside these to be looked at further.
BESIDE = {"format": "csv", "kind": "retire", "of": "chosen", "action": "accept", "personal": "on",
          "number": "1", "size": "1", "audit-size": "1", "contested-most": "1"}  # fmt: skip
# Pages that read more than one of them: each is also asked for by itself.
WITH_FILTERS = {
    "desk:units": ("subset", "system", "block", "judge", "round", "q", "condition"),
    "desk:reviews": ("round", "worker"),
    "desk:changes": ("q", "panel"),
    "desk:pay": ("panel",),
    "judges:compare": ("run", "judge"),
    "results:planning": ("facet",),
    "results:units": ("facet", "rater", "judge"),
}


WRITE = re.compile(r"\s*(INSERT|UPDATE|DELETE)", re.IGNORECASE)


@pytest.fixture
def mine(study: Study, owner: User) -> Study:
    return with_everything(study, owner)


@pytest.fixture
def theirs(mine: Study, outsider: User, settings: Settings) -> Study:
    settings.PROLIFIC_OWNERS = ["*"]  # who may not spend is refused before rows are looked for
    return make_their_study(outsider)


def routes(*, with_keys: bool) -> Iterator[tuple[str, dict[str, str]]]:
    """(name, what its address takes beside the study) of the routes of a study."""
    for name, entry in routes_in(get_resolver()):
        taken = {field: kind.regex for field, kind in entry.pattern.converters.items()}
        if taken.pop("slug", None) and bool(taken) == with_keys:
            yield name, {field: _theirs(field, regex) for field, regex in taken.items()}


def _theirs(field: str, regex: str) -> str:
    return WORDS.get(field, str(FIRST_KEY)) if regex == "[0-9]+" else WORDS[field]


def test_the_other_study_has_a_row_of_every_kind(theirs: Study) -> None:
    # What is searched in the texts of units has no address or name of its own.
    assert tables_without_their_rows() == {"desk.MaterialText"}


def finished_export(study: Study) -> Job:
    """An export whose link would hand out a file in its own study."""
    job = exports_of(study).earliest("pk")
    job.state, job.ended_at = JobState.DONE, timezone.now()
    job.save()
    path_of(job).parent.mkdir(parents=True, exist_ok=True)
    path_of(job).write_bytes(TEXT.encode())
    return job


@pytest.mark.parametrize("method", ["get", "post"])
def test_rows_of_another_study_are_not_there(
    mine: Study, theirs: Study, owner: User, method: str
) -> None:
    client, asked = as_user(owner), 0
    token = link_token(finished_export(theirs))
    for name, taken in routes(with_keys=True):
        named = taken | ({"token": token} if "token" in taken else {})
        address = reverse(name, kwargs={"slug": mine.slug, **named})
        with transaction.atomic():
            status = getattr(client, method)(address).status_code
            transaction.set_rollback(True)
        asked += status != NOT_ALLOWED
        assert status in (404, NOT_ALLOWED) or name in OF_NO_ROW, (name, status)
    assert asked > 15


def queries_of(name: str) -> list[dict[str, str]]:
    return [THEIRS, *({one: THEIRS[one]} for one in WITH_FILTERS.get(name, ()))]


def test_no_page_shows_anything_of_another_study_whatever_its_address_names(
    mine: Study, theirs: Study, owner: User
) -> None:
    client, names = as_user(owner), []
    for name, _taken in routes(with_keys=False):
        names.append(name)
        for query in queries_of(name):
            page = client.get(reverse(name, args=[mine.slug]), query)
            assert page.status_code < 500, (name, query)
            assert TEXT.encode() not in page.getvalue(), (name, query)
            if NAME not in query.values():
                assert NAME.encode() not in page.getvalue(), (name, query)
    assert WITH_FILTERS.keys() <= set(names)


def test_no_form_reaches_into_another_study(mine: Study, theirs: Study, owner: User) -> None:
    client, until = as_user(owner), FIRST_KEY + 999
    before = rows_of_theirs(until)
    assert list(rows_that_join_studies()) == []
    begin_keys_after(until)
    for name, _taken in routes(with_keys=False):
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            page = client.post(reverse(name, args=[mine.slug]), {**THEIRS, **BESIDE})
            assert page.status_code < 500, name
            assert TEXT.encode() not in page.getvalue(), name
            if any(WRITE.match(query["sql"]) for query in queries.captured_queries):
                assert rows_of_theirs(until) == before, name
                assert list(rows_that_join_studies()) == [], name
            transaction.set_rollback(True)


def test_the_api_names_nothing_of_another_study(mine: Study, theirs: Study, owner: User) -> None:
    """Each parameter of each operation by itself, as the schema lists them."""
    _row, secret = make_token(owner=owner, name="x", scopes=tuple(Scope), days=1)
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    paths, asked = schema_of(client)["paths"], 0
    for path, methods in paths.items():
        if "{slug}" not in path or "get" not in methods:
            continue
        address = path.replace("{slug}", mine.slug).replace("{id}", str(FIRST_KEY))
        for parameter in methods["get"].get("parameters", ()):
            if parameter["in"] != "query":
                continue
            numeric = parameter["schema"].get("type") == "integer"
            answer = client.get(address, {parameter["name"]: FIRST_KEY if numeric else NAME})
            asked += 1
            assert answer.status_code < 500
            assert TEXT.encode() not in answer.content
            if answer.status_code == 200:
                assert NAME.encode() not in answer.content.replace(b"=" + NAME.encode(), b"")
    assert asked > 30
