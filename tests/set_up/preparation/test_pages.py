"""The pages on which an editor checks lists: one by one, all shown, by file."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Preparation, Study, User
from imports.preparation.lists import edit
from tests.cast import join, make_user
from tests.imports.preparation.studies import (
    ERROR,
    claims_without_errors,
    proposed,
    responses_without_claims,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
TWO = ["It was built in 1911.", "It is green."]


@pytest.fixture
def mills(tmp_path: Path, owner: User, colleague: User) -> Study:
    made = claims_without_errors(tmp_path)
    join(made, owner, Member.Role.OWNER)
    join(made, colleague, Member.Role.VIEWER)
    return made


@pytest.fixture
def editor(client: Client, mills: Study) -> User:
    user = make_user("editor")
    join(mills, user, Member.Role.EDITOR)
    client.force_login(user)
    return user


def address(study: Study, name: str = "preparation", *more: Any) -> str:
    return reverse(f"desk:{name}", args=[study.slug, *more])


def entered(row: Preparation, *entries: list[str], **more: str) -> dict[str, str]:
    """What the form posts for these entries, in this order."""
    posted = {"version": str(row.version), "count": str(len(entries)), "act": "save"}
    for number, texts in enumerate(entries):
        posted[f"place-{number}"] = str(number + 1)
        posted |= {f"text-{number}-{at}": text for at, text in enumerate(texts)}
    return posted | more


def test_the_study_leads_to_its_lists_where_some_can_be_prepared(
    client: Client, mills: Study, editor: User, study: Study
) -> None:
    set_up = reverse("desk:set-up", args=[mills.slug])
    assert address(mills) in client.get(set_up).content.decode()
    join(study, editor, Member.Role.EDITOR)
    set_up = reverse("desk:set-up", args=[study.slug])
    assert address(study) not in client.get(set_up).content.decode()
    assert "No block of this study" in client.get(address(study)).content.decode()


def test_lists_are_shown_by_state(client: Client, mills: Study, editor: User) -> None:
    proposed(mills, "mill-0", [ERROR])
    page = client.get(address(mills)).content.decode()
    assert "It burnt. – It flooded. – It flooded in May." in page
    assert "Accept the 1 list shown" in page
    missing = client.get(address(mills), {"state": "missing"}).content.decode()
    assert "mill-1" in missing
    assert 'value="mill-0"' not in missing
    for state in ("accepted", "rejected", "nonsense"):
        assert client.get(address(mills), {"state": state, "page": "x"}).status_code == 200


def test_an_editor_changes_moves_adds_and_removes_entries(
    client: Client, tmp_path: Path, owner: User
) -> None:
    study = responses_without_claims(tmp_path)
    join(study, owner, Member.Role.OWNER)
    client.force_login(owner)
    row = proposed(study, "bridge/a", [*TWO, "It is a bridge."])
    posted = entered(row, ["It was built in 1911."], ["It is painted green."], ["It is a bridge."])
    moved = {"place-0": "2", "place-1": "1", "remove-2": "on", "text-3-0": "It stands."}
    assert client.post(address(study, "prepared-list", row.pk), posted | moved).status_code == 302
    row.refresh_from_db()
    assert row.entries == ["It is painted green.", "It was built in 1911.", "It stands."]
    assert (row.state, row.edited_by) == ("proposed", owner)
    page = client.get(address(study, "prepared-list", row.pk)).content.decode()
    assert page.count("<legend>New entry") == 3
    assert "As it was first proposed" in page


def test_a_list_is_accepted_with_what_was_entered_last(
    client: Client, mills: Study, editor: User
) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    here = address(mills, "prepared-list", row.pk)
    posted = entered(row, ["It burnt.", "It flooded.", "Only the roof did."], act="accept")
    page = client.post(here, posted, follow=True).content.decode()
    assert "Accepted: mill-0 (1 units made, 1 changed)." in page
    assert "Only the roof did." in page
    row.refresh_from_db()
    assert (row.state, row.decided_by) == ("accepted", editor)
    assert mills.units.count() == 3
    unit = mills.units.get(key="mill-0/plain")
    seen = client.get(reverse("desk:unit", args=[mills.slug, unit.pk])).content.decode()
    assert "It burnt. – It flooded. – Only the roof did." in seen
    assert "errors: by person, edited True, accepted at 2" in seen
    client.post(address(mills, "reopen-list", row.pk))
    row.refresh_from_db()
    assert row.state == "proposed"
    kept = client.post(here, entered(row, act="reject"), follow=True).content.decode()
    assert "units were made by the list" in kept


def test_a_decision_leads_to_the_next_list_that_waits(
    client: Client, mills: Study, editor: User
) -> None:
    first, second = (proposed(mills, key, [ERROR]) for key in ("mill-0", "mill-1"))
    text = list(ERROR.values())
    sent = client.post(
        address(mills, "prepared-list", first.pk), entered(first, text, act="reject")
    )
    assert sent.url == address(mills, "prepared-list", second.pk)  # type: ignore[attr-defined]
    kept = client.post(address(mills, "prepared-list", second.pk), entered(second, text))
    assert kept.url == address(mills, "prepared-list", second.pk)  # type: ignore[attr-defined]


def test_half_an_entry_is_refused_where_it_is(client: Client, mills: Study, editor: User) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    posted = entered(row, ["It burnt.", "", "It flooded."])
    refused = client.post(address(mills, "prepared-list", row.pk), posted)
    assert refused.status_code == 422
    assert 'id="id_text-0-1_error"' in refused.content.decode()
    row.refresh_from_db()
    assert row.entries == [ERROR]


@pytest.mark.parametrize("count", ["10000", "-1", "x", "", "99999999999999999999"])
def test_a_form_that_no_page_made_changes_nothing(
    client: Client, mills: Study, editor: User, count: str
) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    posted = entered(row, ["a", "b", "c"]) | {"count": count}
    assert client.post(address(mills, "prepared-list", row.pk), posted).status_code == 422
    row.refresh_from_db()
    assert row.entries == [ERROR]


def test_the_second_of_two_editors_sees_both_versions(
    client: Client, mills: Study, editor: User, owner: User
) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    posted = entered(row, ["My own text.", "b", "c"], act="accept")
    other = ERROR | {"sentence": "The other editor's text."}
    edit(preparation=row, entries=[other], version=row.version, by=owner)
    here = address(mills, "prepared-list", row.pk)
    told = client.post(here, posted)
    assert told.status_code == 409
    page = told.content.decode()
    assert "Somebody else changed this list" in page
    assert "The other editor&#x27;s text." in page
    assert "My own text." in page
    assert f'name="version" value="{row.version}"' in page
    assert client.post(here, posted | {"version": str(row.version)}).status_code == 302
    assert Preparation.objects.get().state == "accepted"


def test_all_that_a_page_showed_are_accepted_but_not_what_changed_since(
    client: Client, mills: Study, editor: User
) -> None:
    rows = [proposed(mills, key, [ERROR]) for key in ("mill-0", "mill-1")]
    seen = [f"{row.pk}:{row.version}" for row in rows]
    edit(preparation=rows[1], entries=[], version=rows[1].version, by=None)
    junk = ["x", "1:", "9" * 30 + ":1", "999999:0"]
    page = client.post(address(mills, "accept-lists"), {"seen": seen + junk}, follow=True)
    text = page.content.decode()
    assert "1 list is accepted: 1 units made, 1 changed." in text
    assert "mill-1: somebody else changed" in text
    assert Preparation.objects.accepted().get() == rows[0]


def test_a_list_is_written_by_hand(client: Client, mills: Study, editor: User) -> None:
    begun = client.post(address(mills, "write-list"), {"source": "mill-1"})
    row = Preparation.objects.get()
    assert begun.url == address(mills, "prepared-list", row.pk)  # type: ignore[attr-defined]
    assert (row.provenance, row.entries, row.edited_by) == ({"by": "person"}, [], editor)
    again = client.post(address(mills, "write-list"), {"source": "mill-1"}, follow=True)
    assert "waits for a decision already" in again.content.decode()
    none = client.post(address(mills, "write-list"), {"item": "nothing"}, follow=True)
    assert "nothing with that name" in none.content.decode()


def test_the_file_goes_out_and_comes_back(client: Client, mills: Study, editor: User) -> None:
    proposed(mills, "mill-0", [ERROR])
    sent = client.get(address(mills, "list-file"))
    record = json.loads(sent.getvalue())
    assert "small" not in sent["Content-Disposition"]
    missing = client.get(address(mills, "list-file"), {"missing": "1"})
    assert json.loads(missing.getvalue())["source"] == "mill-1"
    record["entries"][0]["reason"] = "Rain."
    file = SimpleUploadedFile("l.jsonl", json.dumps(record).encode())
    page = client.post(address(mills, "upload-lists"), {"file": file, "accept": "on"}, follow=True)
    assert "0 new, 1 edited, 0 unchanged; 1 accepted: 1 units made" in page.content.decode()
    broken = SimpleUploadedFile("broken.jsonl", b'{"source": "mill-1"}\n')
    refused = client.post(address(mills, "upload-lists"), {"file": broken})
    assert refused.status_code == 422
    assert "broken.jsonl:1: entries: missing" in refused.content.decode()
    assert client.post(address(mills, "upload-lists"), {}).status_code == 422


def test_where_a_models_list_is_from_is_shown_with_its_raw_reply(
    client: Client, mills: Study, editor: User
) -> None:
    row = proposed(mills, "mill-0", [ERROR])
    row.provenance = {
        "by": "model",
        "model": "oracle-1",
        "prompt_hash": "abc123",
        "parameters": {"temperature": 0.5, "replies": ""},
        "replies": [{"step": "errors", "text": '{"subclaims": ["raw"]}'}],
    }
    row.save()
    page = client.get(address(mills, "prepared-list", row.pk)).content.decode()
    for text in ("oracle-1", "abc123", "temperature", "&quot;raw&quot;", "by a model"):
        assert text in page


# The method, the name of the address, and how many numbers it has.
ADDRESSES = [
    ("get", "preparation", 0),
    ("get", "prepared-list", 1),
    ("get", "list-file", 0),
    ("post", "prepared-list", 1),
    ("post", "reopen-list", 1),
    ("post", "accept-lists", 0),
    ("post", "write-list", 0),
    ("post", "upload-lists", 0),
]


@pytest.mark.parametrize("who", [("outsider", 404), ("colleague", 403)])
@pytest.mark.parametrize("address_of", ADDRESSES)
def test_who_may_not_edit_sees_and_decides_nothing(
    client: Client,
    mills: Study,
    outsider: User,
    who: tuple[str, int],
    address_of: tuple[str, str, int],
) -> None:
    (username, status), (method, name, n_numbers) = who, address_of
    row = proposed(mills, "mill-0", [ERROR])
    client.force_login(User.objects.get(username=username))
    where = address(mills, name, *[row.pk][:n_numbers])
    posted = entered(row, act="accept") | {"seen": f"{row.pk}:0", "source": "mill-1"}
    answer = client.get(where) if method == "get" else client.post(where, posted)
    assert answer.status_code == status
    assert list(Preparation.objects.values_list("state", flat=True)) == ["proposed"]
    client.logout()
    assert client.get(where).status_code in (302, 405)


def test_another_studys_list_is_not_reached(
    client: Client, mills: Study, editor: User, tmp_path: Path
) -> None:
    from tests.imports.small_files import import_lines

    other = import_lines(tmp_path, [
        {"study": {"title": "A", "task_type": "actionability"}},
        {"source": {"key": "x", "claim": "X."}, "items": [{"key": "x/1", "text": "No."}]},
    ], slug="other")  # fmt: skip
    row = proposed(other, "x", [ERROR])
    assert client.get(address(mills, "prepared-list", row.pk)).status_code == 404
    client.post(address(mills, "accept-lists"), {"seen": f"{row.pk}:0"})
    row.refresh_from_db()
    assert row.state == "proposed"


@pytest.mark.parametrize("state", ["proposed", "missing"])
def test_the_page_asks_for_as_little_with_many_lists_as_with_few(
    client: Client, editor: User, tmp_path: Path, django_assert_max_num_queries: Any, state: str
) -> None:
    from tests.imports.small_files import import_lines

    def filled(slug: str, number: int) -> Study:
        opening = {"study": {"title": "A", "task_type": "actionability"}}
        records = [
            {"source": {"key": f"x{n}", "claim": "X."}, "items": [{"key": f"x{n}/1", "text": "N."}]}
            for n in range(number)
        ]
        made = import_lines(tmp_path, [opening, *records], slug=slug)
        join(made, editor, Member.Role.EDITOR)
        if state == "proposed":
            for n in range(number):
                proposed(made, f"x{n}", [ERROR])
        return made

    for slug, number in (("few", 2), ("many", 20)):
        study = filled(slug, number)
        with django_assert_max_num_queries(17):
            page = client.get(address(study), {"state": state})
        assert page.content.decode().count("x1") > 0


def test_a_nugget_is_entered_with_its_importance_as_a_choice(
    client: Client, editor: User, tmp_path: Path
) -> None:
    folder = tmp_path / "bridges"
    folder.mkdir()
    study = responses_without_claims(folder, slug="bridges")
    study.blocks.update(options={"parts": ["importance", "nuggets"], "claims": "prepared"})
    join(study, editor, Member.Role.EDITOR)
    row = proposed(study, "bridge", [{"text": TWO[0], "importance": "vital"}])
    there = address(study, "prepared-list", row.pk)
    assert '<option value="vital" selected>' in client.get(there).content.decode()
    assert client.post(there, entered(row, [TWO[0], "central"])).status_code == 422
    assert client.post(there, entered(row, [TWO[0], "vital"], [TWO[1], "okay"])).status_code == 302
    row.refresh_from_db()
    assert [entry["importance"] for entry in row.entries] == ["vital", "okay"]
    overview = client.get(address(study), {"list": "importance/nuggets"}).content.decode()
    assert "Nuggets of the query: 1 source without an accepted list has no recall" in overview
    assert (
        "bridge"
        in client.get(address(study), {"state": "missing", "list": "9" * 5000}).content.decode()
    )
