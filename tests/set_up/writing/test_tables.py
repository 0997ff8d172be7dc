"""A table of claims in New study: a draft of sources, whose next step is to write texts."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from tests.sessions import as_user

pytestmark = pytest.mark.django_db(transaction=True)
ROWS = (f"The mill number {n} burned down.,false,A fire was seen at mill {n}." for n in range(4))
FORM = {"title": "Mills", "slug": "mills", "overlap": "1", "normal": "3", "go": "make"}
FORM |= {"skip_unusable": "on"}
TABLE = "\n".join(("claim,verdict,evidence", *ROWS, ",false,Nothing was said."))


@pytest.fixture(autouse=True)
def here(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"


def uploaded(client: Client, text: str = TABLE) -> str:
    file = SimpleUploadedFile("claims.csv", text.encode())
    return str(client.post(reverse("desk:new-study-files"), {"file": [file]})["Location"])


def page_of(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_a_table_of_claims_leads_to_write_texts(owner: User) -> None:
    client = as_user(owner)
    reading = uploaded(client)
    page = page_of(client, reading)
    assert "4 claims with passages, no texts yet: models can write them." in page
    assert "once models have written them" in page
    assert "The mill number 0 burned down." in page
    texts = client.post(reading, {"part": "ask", "kind": "importance"})["Location"]
    assert "4 sources without a text" in page_of(client, texts)
    assert client.post(texts, FORM).status_code == 302
    study = Study.objects.get(slug="mills")
    assert (study.sources.count(), study.items.count()) == (4, 0)
    assert reverse("desk:write-texts", args=["mills"]) in page_of(
        client, reverse("desk:set-up", args=["mills"])
    )
    page = page_of(client, reverse("desk:write-texts", args=["mills"]))
    assert "4 claims" in page
    assert '<option value="machine" selected>' in page  # nobody has selected passages
    for name in ("write-texts", "preparation"):  # the list of claims can be prepared, and is not
        page = page_of(client, reverse(f"desk:{name}", args=["mills"]))
        assert "choose “prepared” for Claims under" in page
        assert reverse("desk:set-up-questions", args=["mills"]) in page


def test_what_a_table_of_claims_is_for_is_asked_and_changed_there(owner: User) -> None:
    client = as_user(owner)
    reading = uploaded(client, TABLE.replace(",verdict,", ",label,"))
    assert "these are claims that texts are still to be written about" in page_of(client, reading)
    client.post(reading, {"part": "questions", "question-texts": "unwritten"})
    assert "4 claims with passages, no texts yet" in page_of(client, reading)
    client.post(reading, {"part": "questions", "question-texts": "judged"})
    assert "no texts yet" not in page_of(client, reading)


def test_another_table_of_claims_replaces_the_sources(owner: User) -> None:
    client = as_user(owner)
    texts = client.post(uploaded(client), {"part": "ask", "kind": "importance"})["Location"]
    client.post(texts, FORM)
    table = "\n".join(TABLE.splitlines()[:3])
    file = SimpleUploadedFile("others.csv", table.encode())
    address = reverse("desk:set-up-table", args=["mills"])
    page = client.post(address, {"file": file}, follow=True).content.decode()
    assert "others.csv is loaded: 2 sources without texts" in page
    assert Study.objects.get(slug="mills").sources.count() == 2
