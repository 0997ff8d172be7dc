"""The study file by the API: two who edit it do not write over one another."""

import json
from typing import Any

import pytest
from django.test import Client

from annotation.models import Change, Member, Study, User
from api.models import KeyedWrite
from tests.api.conftest import Caller
from tests.cast import join, make_user

FILE, JSON = "/api/v1/studies/small/file/", "application/json"


def put(client: Client, keys: Any, tag: str = "", query: str = "", **headers: str) -> Any:
    named = {"If-Match": tag} if tag else {}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    return client.put(f"{FILE}{query}", json.dumps(keys), content_type=JSON, headers=named)


def read(client: Client) -> tuple[dict[str, Any], str]:
    answer = client.get(FILE)
    return answer.json(), answer.headers["ETag"]


@pytest.mark.operations("studies_file_update")
def test_a_file_is_changed_by_whoever_has_read_it_as_it_stands(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    keys, tag = read(client)
    changed = put(client, {**keys, "title": "Mine"}, tag)
    assert changed.status_code == 200, changed.content
    assert changed.json()["applied"]
    assert "+title: Mine" in changed.json()["difference"]
    assert changed.headers["ETag"] == client.get(FILE).headers["ETag"] != tag
    study.refresh_from_db()
    assert study.title == "Mine"
    assert Change.objects.filter(study=study, by=owner, action="study.edited").exists()


def test_the_second_of_two_is_told_to_read_again(
    owner: User, study: Study, as_program: Caller
) -> None:
    colleague = make_user("editor")
    join(study, colleague, Member.Role.EDITOR)
    first, second = as_program(owner), as_program(colleague)
    (keys, tag), (theirs, their_tag) = read(first), read(second)
    assert tag == their_tag
    assert put(first, {**keys, "title": "First"}, tag).status_code == 200
    late = put(second, {**theirs, "title": "Second"}, their_tag)
    assert late.status_code == 412
    assert "Read it again" in late.json()["detail"]
    blind = put(second, {**theirs, "title": "Second"})
    assert blind.status_code == 428
    study.refresh_from_db()
    assert study.title == "First"
    assert put(second, {**theirs, "title": "Second"}, "*").status_code == 200


def test_what_would_change_is_told_without_changing_it(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    keys, tag = read(client)
    told = put(client, {**keys, "title": "Mine"}, tag, "?check=true").json()
    assert (told["applied"], "+title: Mine" in told["difference"]) == (False, True)
    assert read(client) == (keys, tag)


def test_a_file_that_does_not_fit_changes_nothing_and_the_key_is_named(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    keys, tag = read(client)
    for wrong, field in (({"overlap": -1}, "overlap"), ({"slug": "other"}, "slug")):
        refused = put(client, {**keys, **wrong}, tag)
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["field"] == field
    assert put(client, ["no object"], tag).status_code == 422
    assert put(client, keys, "no tag").status_code == 422
    assert read(client) == (keys, tag)


def test_a_change_is_made_once_for_its_key(owner: User, study: Study, as_program: Caller) -> None:
    client = as_program(owner)
    keys, tag = read(client)
    first = put(client, {**keys, "title": "Mine"}, tag, Idempotency_Key="a")
    again = put(client, {**keys, "title": "Mine"}, tag, Idempotency_Key="a")
    assert first.status_code == again.status_code == 200
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.json() == again.json()
    assert again.headers["ETag"] == first.headers["ETag"] != tag
    # With it the next change can be made, without reading the file again.
    assert put(client, {**keys, "title": "Ours"}, again.headers["ETag"]).status_code == 200
    # What was answered then is answered, and not what stands now.
    later = put(client, {**keys, "title": "Mine"}, tag, Idempotency_Key="a")
    assert later.headers["ETag"] == first.headers["ETag"] != read(client)[1]


def test_an_answer_that_an_earlier_version_kept_has_no_headers(
    owner: User, study: Study, as_program: Caller
) -> None:
    client = as_program(owner)
    keys, tag = read(client)
    first = put(client, {**keys, "title": "Mine"}, tag, Idempotency_Key="a")
    KeyedWrite.objects.update(headers={})
    again = put(client, {**keys, "title": "Mine"}, tag, Idempotency_Key="a")
    assert (again.status_code, again.json()) == (200, first.json())
    assert "ETag" not in again.headers
