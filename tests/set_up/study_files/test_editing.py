"""The study file in the browser: who may have it, what it changes, and what it must not."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Study, User
from files.errors import ImportFailure
from files.skipped import SkippedRecords
from imports.study_file.writing import as_yaml, study_keys, study_yaml
from imports.uploads import keep_upload
from set_up.models import NewStudy
from set_up.new_study.drafts import finish_draft
from set_up.new_study.study_tables import load_table
from set_up.study_files.application import edit_study, make_study, version_of
from set_up.study_files.beginnings import pack
from set_up.study_files.keys import change_keys, version_of_keys
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


def begun_with(client: Client, study: Study) -> dict[str, str]:
    """The hidden fields of the form as the page has it."""
    form = client.get(reverse("desk:edit-study", args=[study.slug])).context["form"]
    return {name: str(form[name].value()) for name in ("version",)} | {
        "begun": pack(form["begun"].initial)
    }


def test_of_two_editors_who_changed_different_keys_the_second_sees_both_joined(
    made: Study, owner: User
) -> None:
    client = as_user(owner)
    begun = begun_with(client, made)
    text = study_yaml(made).replace("title: Mine", "title: Ours")
    edit(client, made, "slug: mine", "slug: mine\noverlap: 4")
    made.refresh_from_db()
    address = reverse("desk:edit-study", args=[made.slug])
    page = client.post(address, {"text": text, "go": "apply", **begun})
    assert page.status_code == 409
    joined = page.context["joined"]
    assert (joined.merge.mine, joined.merge.theirs) == (["title"], ["overlap"])
    assert not joined.conflicts
    form = page.context["form"]
    sent = {"text": form["text"].value(), "version": form["version"].value(), "go": "apply"}
    assert client.post(address, sent).status_code == 302
    made.refresh_from_db()
    assert (made.title, made.overlap) == ("Ours", 4)


def test_what_both_changed_waits_for_a_choice(made: Study, owner: User) -> None:
    client = as_user(owner)
    begun, text = begun_with(client, made), study_yaml(made)
    edit(client, made, "title: Mine", "title: Theirs")
    made.refresh_from_db()
    address = reverse("desk:edit-study", args=[made.slug])
    mine = {"text": text.replace("title: Mine", "title: Ours"), "go": "apply", **begun}
    page = client.post(address, mine)
    assert page.status_code == 409
    shown = page.content.decode()
    for word in ("Theirs", "Ours", "Take theirs", "Take mine"):
        assert word in shown
    assert 'name="text" id="id_text"' not in shown  # nothing to apply before the choice
    fields = {"begun": begun["begun"], "typed": page.context["packed"], "go": "join"}
    again = client.post(address, {**fields, "take:title": "mine"})
    assert again.status_code == 200
    assert "title: Ours" in again.context["form"]["text"].value()
    theirs = client.post(address, {**fields, "take:title": "theirs"})
    assert theirs.context["joined"].difference == []


def test_a_text_that_cannot_be_read_is_kept_in_a_conflict(made: Study, owner: User) -> None:
    client = as_user(owner)
    begun = begun_with(client, made)
    edit(client, made, "title: Mine", "title: Theirs")
    sent = {"text": "title: [", "go": "show", **begun}
    page = client.post(reverse("desk:edit-study", args=[made.slug]), sent)
    assert page.status_code == 409
    assert page.content.decode().count("title: [") == 2


def test_who_was_removed_while_editing_gets_back_what_they_typed(
    made: Study, owner: User, outsider: User
) -> None:
    join(made, outsider, Member.Role.EDITOR)
    client = as_user(outsider)
    begun = begun_with(client, made)
    made.members.filter(user=outsider).delete()
    address = reverse("desk:edit-study", args=[made.slug])
    page = client.post(address, {"text": "title: typed for an hour", "go": "apply", **begun})
    assert page.status_code == 404
    shown = page.content.decode()
    assert "title: typed for an hour" in shown
    assert made.title not in shown
    assert begun["begun"] not in shown
    file = client.post(reverse("desk:download-typed"), {"text": "title: typed for an hour"})
    assert file.content == b"title: typed for an hour"
    assert "attachment" in file["Content-Disposition"]


def test_who_was_made_a_viewer_or_signed_out_gets_it_back_too(
    made: Study, colleague: User, client: Client
) -> None:
    address, sent = reverse("desk:edit-study", args=[made.slug]), {"text": "my text", "go": "show"}
    for who in (as_user(colleague), client):
        page = who.post(address, sent)
        assert page.status_code == 403
        assert "my text" in page.content.decode()


def test_an_edit_is_logged_with_the_lines_that_differ_and_without_codes(
    made: Study, owner: User
) -> None:
    new = "title: Ours\nrecruitment:\n  completion_code: SECRET-1"
    edit(as_user(owner), made, "title: Mine", new)
    row = made.changes.of_action("study.edited").get()
    assert row.by == owner
    assert {"-title: Mine", "+title: Ours"} <= set(row.detail["difference"])
    assert "SECRET-1" not in str(row.detail)
    assert any("completion_code: (hidden)" in line for line in row.detail["difference"])
    assert made.changes.of_action("study.made").count() == 1


def test_only_editors_have_the_file(made: Study, outsider: User, colleague: User) -> None:
    for name in ("desk:study-file", "desk:edit-study"):
        address = reverse(name, args=[made.slug])
        assert as_user(outsider).get(address).status_code == 404
        assert as_user(colleague).get(address).status_code == 403


ROWS = 200
UNUSABLE = {7: "D7,,Note.", 54: "D54,,Note.", 99: ",A text.,Note.", 150: "D150,,Note."}


@pytest.fixture
def made_without(owner: User, client: Client, tmp_path: Path, settings: Any) -> Study:
    """A study of 200 rows, of which four were left out: as the steps in the browser make it."""
    settings.MEDIA_ROOT = tmp_path
    rows = (UNUSABLE.get(n, f"D{n},Text {n}.,{'Note.' if n >= 20 else ''}") for n in range(ROWS))
    digest = keep_upload(["\n".join(["document,summary,note", *rows]).encode()])
    draft = NewStudy.objects.create(
        owner=owner, keys=KEYS, file_name="t.csv", digest=digest, skip_unusable=True
    )
    study, _ = finish_draft(draft=draft, by=owner)
    assert study.units.count() == ROWS - len(UNUSABLE)
    return study


def test_a_study_made_without_some_rows_can_be_edited(made_without: Study, owner: User) -> None:
    study, client = made_without, as_user(owner)
    left_out = study.imported["counts"]["records_skipped"], study.imported["skipped_file"]

    page = edit(client, study, "How good is this text?", "How fluent is it?", go="show")
    assert page.status_code == 200
    assert "+" in page.content.decode()
    assert edit(client, study, "How good is this text?", "How fluent is it?").status_code == 302

    study.refresh_from_db()
    question = study.questions.first()
    assert question is not None
    assert question.payload["criteria"][0]["question"] == "How fluent is it?"
    assert study.units.count() == ROWS - len(UNUSABLE)
    assert left_out[0] == len(UNUSABLE)
    counts = study.imported["counts"]
    assert (counts["records_skipped"], study.imported["skipped_file"]) == left_out


def test_a_criterion_is_added_to_a_study_made_without_some_rows(
    made_without: Study, owner: User
) -> None:
    keys = study_keys(made_without)
    (block,) = keys["blocks"]
    criteria = [
        {"key": key, "question": f"How {key}?", "low": 1, "high": 5} for key in ("clear", "short")
    ]
    block["options"]["criteria"] = criteria
    version = version_of_keys(study_keys(made_without), {"blocks": [block]})
    change_keys(study=made_without, keys={"blocks": [block]}, version=version, keep=True, by=owner)
    facets = Study.objects.get().blocks.get().facets
    assert [facet.name for facet in facets] == ["clear", "short"]
    assert made_without.units.count() == ROWS - len(UNUSABLE)


def test_no_more_rows_are_left_out_than_the_study_was_made_without(
    made_without: Study, owner: User
) -> None:
    """Twenty rows have no note, which would be the text that is asked about."""
    keys = study_keys(made_without) | {"columns": {"text": "note", "document": "document"}}
    version = version_of(study_yaml(made_without))
    with pytest.raises(ImportFailure, match=r"t.csv:2: note: empty \(1\d records") as refused:
        edit_study(study=made_without, text=as_yaml(keys), version=version, keep=True, by=owner)
    assert "would be left out" in str(refused.value)
    assert made_without.units.count() == ROWS - len(UNUSABLE)


def test_another_file_is_read_strictly(made_without: Study, owner: User) -> None:
    with pytest.raises(ImportFailure, match="summary: empty"):
        load_table(
            study=made_without, name="u.csv", chunks=[b"document,summary\nA.,One.\nB.,\n"], by=owner
        )
