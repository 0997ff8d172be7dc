"""Files of any form by the API: how they are read, what is open, and the study made of them."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotation.models import Study, User
from set_up.models import NewStudy
from tests.api.conftest import Caller

pytestmark = pytest.mark.django_db(transaction=True)
READINGS = "/api/v1/readings/"
JSON = "application/json"
TABLE = b"""document,summary,system,annotator,fluency
A mill burned.,It burned.,alder,ann,4
A mill burned.,It burned.,alder,ben,5
A mill burned.,It fell.,birch,ann,2
A mill burned.,It fell.,birch,ben,1
It rained.,It was wet.,alder,ann,5
It rained.,It was wet.,alder,ben,5
It rained.,It was dry.,birch,ann,1
It rained.,It was dry.,birch,ben,2
"""


@pytest.fixture(autouse=True)
def here(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def upload(client: Client, *files: tuple[str, bytes]) -> Any:
    several = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(READINGS, {"files": several})


def make(client: Client, number: int, **body: Any) -> Any:
    sent = {"title": "Mills", "slug": "mills", **body}
    return client.post(f"{READINGS}{number}/study/", sent, content_type=JSON)


@pytest.mark.operations("readings_create")
def test_files_are_read_and_become_a_study_with_their_answers(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    answer = upload(client, ("ratings.csv", TABLE))
    assert answer.status_code == 201, answer.content
    read = answer.json()
    assert (read["questions"], read["counts"]["answers"]) == ([], 8)
    assert client.get(answer["Location"]).json() == read
    asked = make(client, read["id"])
    assert asked.status_code == 202, asked.content
    study = Study.objects.get(slug="mills")
    assert study.imported["counts"]["answers"] == 8
    assert client.get(asked["Location"]).json()["title"] == "Mills"
    assert client.get(answer["Location"]).status_code == 404
    assert make(as_program(owner), upload(client, ("r.csv", TABLE)).json()["id"]).status_code == 409


def test_another_reading_takes_the_place_of_the_proposed_one(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    read = upload(client, ("ratings.csv", TABLE)).json()
    (table,) = read["reading"]["tables"]
    for column in table["columns"]:
        column["holds"] = "kept" if column["column"] == "annotator" else column["holds"]
    table["numbered_raters"] = True
    assert make(client, read["id"], reading=read["reading"]).status_code == 202
    study = Study.objects.get(slug="mills")
    assert study.raters.count() == 2
    assert study.imported["reading"]["tables"][0]["numbered_raters"]


def test_a_reading_says_what_results_are_grouped_by(owner: User, as_program: Caller) -> None:
    client = as_program(owner)
    read = upload(client, ("ratings.csv", TABLE)).json()
    (table,) = read["reading"]["tables"]
    by_name = {column["column"]: column for column in table["columns"]}
    by_name["system"] |= {"holds": "kept", "of": "answer", "groups": True}
    refused = make(client, read["id"], reading=read["reading"])
    assert refused.status_code in (400, 422), refused.content
    assert "results are grouped by what is kept" in refused.content.decode()
    by_name["system"]["of"] = "output"
    assert make(client, read["id"], reading=read["reading"]).status_code == 202
    assert client.get("/api/v1/studies/mills/").json()["group_by"] == ["item.system"]


def test_texts_without_answers_become_a_draft_that_asks_about_them(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    texts = (
        b"document,summary,system\nA mill burned.,It burned.,alder\nIt rained.,It was wet.,alder\n"
    )
    number = upload(client, ("texts.csv", texts)).json()["id"]
    refused = make(client, number)
    assert refused.status_code == 422
    assert "say by `task_type` what is asked" in refused.content.decode()
    assert make(client, number, task_type="likert").status_code == 202
    study = Study.objects.get(slug="mills")
    assert (study.state, study.units.count()) == (Study.State.DRAFT, 2)
    number = upload(client, ("ratings.csv", TABLE)).json()["id"]
    refused = make(client, number, slug="more", task_type="likert")
    assert "The files hold answers" in refused.json()["detail"]


def test_a_reading_that_cannot_be_is_refused_with_its_place(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    number = upload(client, ("ratings.csv", TABLE)).json()["id"]
    refused = make(client, number, reading={"tables": [{"files": ["ratings.csv"]}]})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "reading.tables[0].columns"


def test_files_that_cannot_be_read_are_refused_and_removed(
    owner: User, as_program: Caller, tmp_path: Path
) -> None:
    client = as_program(owner)
    for files in ([("empty.csv", b"")], [("a.csv", TABLE), ("a.csv", TABLE)], []):
        assert upload(client, *files).status_code == 422
    assert NewStudy.objects.count() == 0
    assert list((tmp_path / "media/uploads").iterdir()) == []


def test_files_that_are_too_large_are_not_read(
    owner: User, as_program: Caller, settings: Any
) -> None:
    settings.UPLOAD_MIB = 0
    assert upload(as_program(owner), ("ratings.csv", TABLE)).status_code == 413


def test_others_do_not_find_the_files(owner: User, outsider: User, as_program: Caller) -> None:
    number = upload(as_program(owner), ("ratings.csv", TABLE)).json()["id"]
    other = as_program(outsider)
    assert other.get(f"{READINGS}{number}/").status_code == 404
    assert make(other, number).status_code == 404
    assert NewStudy.objects.count() == 1


def test_whoever_may_make_no_studies_sends_no_files(
    outsider: User, as_program: Caller, settings: Any
) -> None:
    settings.STUDY_MAKERS = "permitted"
    assert upload(as_program(outsider), ("ratings.csv", TABLE)).status_code == 403


def test_an_upload_that_is_gone_is_said(owner: User, as_program: Caller, tmp_path: Path) -> None:
    client = as_program(owner)
    number = upload(client, ("ratings.csv", TABLE)).json()["id"]
    NewStudy.objects.update(uploads={"ratings.csv": "0" * 32})
    refused = make(client, number)
    assert refused.status_code == 422
    assert "no longer kept" in refused.json()["detail"]


def test_what_an_address_takes_is_told_as_of_others(owner: User, as_program: Caller) -> None:
    client = as_program(owner)
    number = upload(client, ("ratings.csv", TABLE)).json()["id"]

    for address in (READINGS, f"{READINGS}{number}/", f"{READINGS}{number}/study/"):
        assert client.options(address).status_code == client.options("/api/v1/studies/").status_code


def test_claims_without_texts_become_sources_that_models_can_write_about(
    owner: User, as_program: Caller
) -> None:
    client = as_program(owner)
    rows = (f"The mill number {n} burned down.,false,A fire was seen at {n}." for n in range(4))
    table = "\n".join(("claim,verdict,evidence", *rows)).encode()
    read = upload(client, ("claims.csv", table)).json()
    assert read["sentence"] == "4 claims with passages, no texts yet: models can write them."
    assert (read["questions"], read["counts"]["sources"]) == ([], 4)
    assert make(client, read["id"]).status_code == 422
    assert make(client, read["id"], task_type="importance").status_code == 202
    study = Study.objects.get(slug="mills")
    assert (study.sources.count(), study.items.count()) == (4, 0)
