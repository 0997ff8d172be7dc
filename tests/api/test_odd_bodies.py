"""Bodies that are hardly JSON are refused in a sentence, and never a fault of the server."""

import json
from typing import Any

import pytest
from django.test import Client

from annotation.models import Study, User
from tests.api.conftest import Caller

# PostgreSQL keeps no NUL.
pytestmark = pytest.mark.both_databases

STUDIES = "/api/v1/studies/"
DEEP = b'{"slug": "s", "title": "S", "items": ' + b"[" * 5000 + b"]" * 5000 + b"}"
HALF = rb'{"slug": "s", "title": "S", "items": [{"source": {"key": "\ud800"}}]}'
PAIR = rb'{"slug": "s", "title": "S \ud83d\ude00", "task_type": "slider"}'


def sent(client: Client, body: bytes, content_type: str = "application/json") -> Any:
    return client.generic("POST", STUDIES, body, content_type=content_type)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (DEEP, 400, "nested too deeply"),
        (HALF, 422, "surrogate"),
        (b'{"slug": NaN}', 400, "JSON"),
        (b'{"slug": "\xff"}', 400, "JSON"),
    ],
)
def test_a_body_that_cannot_be_stored_is_refused(
    owner: User, as_program: Caller, body: bytes, status: int, words: str
) -> None:
    answer = sent(as_program(owner), body)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert words in answer.json()["detail"]
    assert not Study.objects.exists()


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (rb"\u0000", None),
        (rb"\\\u0000", None),
        (rb"\\\\\u0000", None),
        (rb"\\u0000", r"\u0000"),
        (rb"\\\\u0000", r"\\u0000"),
        (rb"u0000 \u00000", None),
    ],
)
def test_a_nul_character_is_refused_and_a_text_about_it_is_not(
    owner: User, as_program: Caller, escaped: bytes, text: str | None
) -> None:
    body = b'{"slug": "s", "title": "a' + escaped + b'b", "task_type": "slider"}'
    assert ("\0" in json.loads(body)["title"]) == (text is None)
    answer = sent(as_program(owner), body)
    if text is None:
        assert (answer.status_code, Study.objects.exists()) == (422, False)
        assert answer.json()["detail"] == "No text has a NUL character."
    else:
        assert answer.status_code == 201, answer.content
        assert Study.objects.get().title == f"a{text}b"


def test_such_a_text_comes_back_from_answers_records_and_the_study_file(
    owner: User, study: Study, as_program: Caller
) -> None:
    client, text = as_program(owner), r"Escape it as \u0000."
    record = {"source": {"key": "s2", "document": text}, "items": [{"key": "i2", "text": text}]}
    added = post(client, "small/items/", {"records": [record]})
    assert added.status_code == 201, added.content
    assert study.sources.get(key="s2").document == text
    file = f"{STUDIES}small/file/"
    read = client.get(file)
    changed = client.put(
        file,
        json.dumps({**read.json(), "title": text}),
        content_type="application/json",
        headers={"If-Match": read["ETag"]},
    )
    assert changed.status_code == 200, changed.content
    assert client.get(file).json()["title"] == text


def post(client: Client, path: str, body: Any) -> Any:
    return client.post(f"{STUDIES}{path}", json.dumps(body), content_type="application/json")


def test_json_in_another_encoding_is_refused(owner: User, as_program: Caller) -> None:
    # Otherwise a NUL character would pass in it that is looked for in UTF-8.
    body = '{"slug": "s", "title": "a\\u0000b"}'.encode("utf-16")
    assert sent(as_program(owner), body, "application/json; charset=utf-16").status_code == 415


def test_a_whole_pair_is_a_character(owner: User, as_program: Caller) -> None:
    answer = sent(as_program(owner), PAIR)
    assert answer.status_code == 201, answer.content
    assert Study.objects.get().title == "S \N{GRINNING FACE}"
