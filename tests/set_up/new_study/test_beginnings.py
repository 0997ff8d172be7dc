"""What a new study can begin with: each purpose makes an ordinary study."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Study, User
from imports.study_file.schema import StudyFile
from set_up.models import NewStudy
from set_up.new_study.beginnings import asked_in_words, beginning_choices, kinds, purposes
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
OUTPUTS = "".join(
    json.dumps(
        {
            "source": {
                "key": f"s{n}",
                "document": "A mill burned. Nobody was hurt.",
                "passages": [{"index": 1, "text": "A mill burned."}],
            },
            "items": [
                {"key": f"s{n}/{system}", "system": system, "text": f"It burned [1]. So {system}."}
                for system in ("alder", "birch")
            ],
        }
    )
    + "\n"
    for n in range(4)
)
FACETS = {
    "summaries": ["coherence", "consistency", "fluency", "relevance"],
    "direct_assessment": ["adequacy"],
    "faithful": ["faithful"],
    "attribution": ["attribution"],
    "preference": ["preference"],
    "errors": ["error"],
    "quality_ranks": ["quality"],
}


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.parametrize("purpose", purposes(), ids=lambda purpose: purpose.slug)
def test_a_purpose_makes_an_ordinary_study(purpose: Any, owner: User) -> None:
    assert purpose.keys.keys() <= StudyFile.model_fields.keys()
    client = as_user(owner)
    page = client.get(reverse("desk:new-study")).content.decode()
    assert purpose.title in page
    assert f"After {purpose.source}" in page
    begun = client.post(reverse("desk:new-study"), {"origin": "template", "kind": purpose.slug})
    draft = NewStudy.objects.get()
    client.post(begun["Location"], {"file": SimpleUploadedFile("x.jsonl", OUTPUTS.encode())})
    texts = reverse("desk:new-study-texts", args=[draft.pk])
    shown = client.get(texts)
    preview = client.get(reverse("desk:new-study-unit", args=[draft.pk, 0])).content.decode()
    options = purpose.keys["blocks"][0]["options"]
    assert options.get("criteria", [options])[0]["question"] in preview
    form = shown.context["form"]
    typed = {name: form[name].value() or "" for name in form.fields} | {"title": "Mills"}
    made = client.post(texts, {**typed, "go": "make"})
    assert made.status_code == 302, made.content.decode()
    study = Study.objects.get(slug="mills")
    assert [facet.name for facet in study.blocks.get().facets] == FACETS[purpose.slug]
    assert study.instructions == purpose.keys["instructions"].strip()
    assert study.units.exists()


def test_purposes_and_kinds_have_names_of_their_own() -> None:
    slugs = [slug for slug, _title in beginning_choices()]
    assert len(set(slugs)) == len(slugs) == len(purposes()) + len(kinds())
    assert {purpose.slug for purpose in purposes()} == FACETS.keys()


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({}, ""),
        ({"blocks": ["x"]}, ""),
        ({"blocks": [{"task_type": "none"}]}, ""),
        ({"blocks": [{"task_type": "likert", "options": {"criteria": 3}}]}, ""),
        ({"blocks": [{"task_type": "likert"}]}, "Rating by criteria (Quality)"),
    ],
)
def test_what_a_draft_asks_is_said_where_its_keys_say_it(keys: Any, words: str) -> None:
    assert asked_in_words(keys) == words


def test_something_must_be_chosen_where_nothing_is_asked_yet(owner: User) -> None:
    client = as_user(owner)
    file = SimpleUploadedFile("x.csv", b"document,summary\nA mill burned.,It burned.\n")
    to = client.post(reverse("desk:new-study-files"), {"file": file})["Location"]
    page = client.post(to, {"part": "ask"})
    assert page.status_code == 422
    assert "Choose one." in page.content.decode()
    page = client.post(to, {"part": "ask", "kind": "faithful"})
    assert page.status_code == 302
    assert NewStudy.objects.get().keys["blocks"][0]["options"]["per_sentence"]
