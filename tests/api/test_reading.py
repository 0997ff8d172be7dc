"""What the API lets whom read."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotation.models import Member, Study, User
from api.views.studies import Studies
from tests.api.conftest import Caller
from tests.api.operations import every_operation, row_of
from tests.api.seeding import with_everything
from tests.cast import join, make_study

BASE = "/api/v1/studies/small/"
COLLECTIONS = (
    *("sources", "items", "units", "questions", "answers", "raters", "rounds", "judges", "runs"),
    *("calls", "reviews", "exports", "problems", "events", "invitations"),
    *("pay/workers", "controls", "unit-actions", "workers", "members", "jobs"),
)


@pytest.mark.both_databases
@pytest.mark.parametrize("name", COLLECTIONS)
def test_a_collection_takes_the_same_queries_whatever_its_size(
    name: str,
    owner: User,
    study: Study,
    as_program: Caller,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    join(make_study("big", sources=30), owner, Member.Role.OWNER)
    client = as_program(owner)
    client.get(BASE)  # notes the use
    for slug in ("small", "big"):
        with django_assert_max_num_queries(6):
            answer = client.get(f"/api/v1/studies/{slug}/{name}/")
        assert answer.status_code == 200


def test_pages_by_cursor_show_each_row_once(owner: User, study: Study, as_program: Caller) -> None:
    client, address, keys = as_program(owner), f"{BASE}units/?limit=2", []
    while address:
        page = client.get(address).json()
        keys += [row["key"] for row in page["results"]]
        address = page["next"]
    assert sorted(keys) == sorted(study.units.values_list("key", flat=True))


def test_filters_and_fields_narrow_what_is_sent(
    owner: User, study: Study, as_program: Caller
) -> None:
    rows = as_program(owner).get(f"{BASE}items/?system=Alder&fields=key,system").json()["results"]
    assert rows == [{"key": "claim-1/alder", "system": "Alder"}]


def test_own_columns_are_shown_and_filter_rows(
    owner: User, study: Study, as_program: Caller
) -> None:
    item = study.items.earliest("pk")
    study.items.filter(pk=item.pk).update(metadata={"topic of text": "mills", "n": 3})
    client = as_program(owner)
    for query in ("metadata[n]=3", "metadata[topic of text]=mills"):
        (row,) = client.get(f"{BASE}items/?{query}").json()["results"]
        assert (row["key"], row["metadata"]) == (item.key, {"topic of text": "mills", "n": 3})
    assert not client.get(f"{BASE}items/?metadata[n]=mills").json()["results"]
    for name in ("sources", "units", "answers"):
        assert client.get(f"{BASE}{name}/?metadata[n]=3").json()["results"] == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("metadata=3", "metadata"),
        ("metadata[]=3", "metadata[]"),
        ("rol=normal", "rol"),
        ("role=unknown", "role"),
        ("limit=0", "limit"),
        ("limit=many", "limit"),
        ("fields=key,nothing", "fields"),
        ("key=%00", "key"),
    ],
)
def test_a_wrong_parameter_is_named(
    query: str, field: str, owner: User, study: Study, as_program: Caller
) -> None:
    answer = as_program(owner).get(f"{BASE}units/?{query}")
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_what_has_not_changed_is_not_sent_again(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    tag = client.get(f"{BASE}units/").headers["ETag"]
    again = client.get(f"{BASE}units/", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    study.units.first().delete()  # type: ignore[union-attr]
    assert client.get(f"{BASE}units/", headers={"If-None-Match": tag}).status_code == 200


def test_single_rows_and_estimates_are_there(owner: User, study: Study, as_program: Caller) -> None:
    client = as_program(owner)
    unit = study.units.get(key="claim-0/alder/1")
    assert client.get(f"{BASE}units/{unit.pk}/").json()["subsets"] == ["full", "sample"]
    assert client.get(BASE).json()["role"] == "owner"
    assert client.get(f"{BASE}file/").json()["slug"] == "small"
    assert "estimates" in client.get(f"{BASE}estimates/").json()
    assert client.get(f"{BASE}units/{2**70}/").status_code == 404


def test_each_row_is_read_alone_as_it_is_in_its_list(
    program: Client, owner: User, study: Study
) -> None:
    with_everything(study, owner)
    reads = {each.path: each for each in every_operation() if not each.writes}
    compared = 0
    for path, alone in reads.items():
        every = reads.get(path.removesuffix("{id}/"))
        # Of pay one reads a file, or the statement of a worker.
        if every in (None, alone) or "/pay/" in path:
            continue
        number = row_of(study, alone)
        (row,) = [
            each for each in every.ask(program, study).json()["results"] if each["id"] == number
        ]
        read = alone.ask(program, study, number).json()
        assert {name: read[name] for name in row} == row, alone
        compared += 1
    assert compared >= 35


def test_a_fault_of_the_server_is_logged_and_answered_as_a_problem(
    owner: User,
    study: Study,
    as_program: Caller,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("nobody expected this")

    client = as_program(owner)
    client.raise_request_exception = False
    monkeypatch.setattr(Studies, "retrieve", fail)
    answer = client.get(BASE)
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "application/problem+json")
    assert "nobody expected this" not in answer.content.decode()
    assert "nobody expected this" in caplog.text
