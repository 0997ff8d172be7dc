"""The study file in the browser: who may have it, what it changes, and what it must not."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.importing.skipped import SkippedRecords
from annotation.importing.study_file.writing import study_yaml
from annotation.importing.uploads import keep_upload
from annotation.models import Member, Study, User
from desk.study_files.application import make_study, version_of
from tests.cast import join
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
KEYS = {
    "slug": "mine",
    "title": "Mine",
    "blocks": [{"task_type": "likert", "options": {}}],
    "items": ["t.csv"],
    "columns": {"text": "summary", "document": "document"},
}


@pytest.fixture
def made(owner: User, colleague: User, tmp_path: Path, settings: Any) -> Study:
    settings.MEDIA_ROOT = tmp_path
    digest = keep_upload([b"document,summary\nA.,One.\nB.,Two.\n"])
    study = make_study(keys=KEYS, files={"t.csv": digest}, by=owner, skipped=SkippedRecords())
    join(study, colleague, Member.Role.VIEWER)
    return study


def edit(client: Client, study: Study, old: str, new: str, go: str = "apply", **data: str) -> Any:
    standing = study_yaml(study)
    assert old in standing
    sent = {"text": standing.replace(old, new), "version": version_of(standing), "go": go} | data
    return client.post(reverse("desk:edit-study", args=[study.slug]), sent)


def test_what_changes_is_shown_before_it_is_applied(made: Study, owner: User) -> None:
    client = as_user(owner)
    page = edit(client, made, "title: Mine", "title: Ours", go="show").content.decode()
    assert "-title: Mine" in page
    assert "+title: Ours" in page
    made.refresh_from_db()
    assert made.title == "Mine"
    assert edit(client, made, "title: Mine", "title: Ours").status_code == 302
    made.refresh_from_db()
    assert made.title == "Ours"


def test_another_question_is_asked_about_the_uploaded_items(made: Study, owner: User) -> None:
    page = edit(as_user(owner), made, "How good is this text?", "How fluent is it?")
    assert page.status_code == 302
    question = made.questions.first()
    assert question is not None
    assert question.payload["criteria"][0]["question"] == "How fluent is it?"
    assert made.units.count() == 2


def test_items_that_could_not_be_loaded_again_are_not_lost(
    made: Study, owner: User, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "gone"
    page = edit(as_user(owner), made, "How good is this text?", "How fluent is it?")
    assert page.status_code == 422
    assert "the items would be lost" in page.content.decode()
    assert made.units.count() == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("slug: mine", "slug: other", "slug: cannot change"),
        ("title: Mine", "title: Mine\nOverlap: 3", "Overlap: unknown field"),
        ("title: Mine", "title: My: own", "put quotes around a text"),
        ("- t.csv", "- /etc/passwd", "/etc/passwd was not uploaded"),
    ],
)
def test_what_cannot_change_is_named_and_what_is_typed_stays(
    made: Study, owner: User, old: str, new: str, words: str
) -> None:
    page = edit(as_user(owner), made, old, new)
    assert page.status_code == 422
    assert words in page.content.decode()
    assert new.splitlines()[-1] in page.content.decode()


def test_the_second_of_two_editors_sees_the_conflict(made: Study, owner: User) -> None:
    client, version = as_user(owner), version_of(study_yaml(made))
    edit(client, made, "title: Mine", "title: Ours")
    made.refresh_from_db()
    page = edit(client, made, "title: Ours", "title: Theirs", version=version)
    assert page.status_code == 409
    assert "Somebody else changed the study" in page.content.decode()
    assert "title: Theirs" in page.content.decode()


def test_only_editors_have_the_file(made: Study, outsider: User, colleague: User) -> None:
    for name in ("desk:study-file", "desk:edit-study"):
        address = reverse(name, args=[made.slug])
        assert as_user(outsider).get(address).status_code == 404
        assert as_user(colleague).get(address).status_code == 403
