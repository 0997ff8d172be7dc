"""The pages of the datasheet and of the registration."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from annotation.models import Member, Study, User
from estimates.report.cache import report_of
from results.models import Datasheet, Registration
from results.studies.registration import register
from tests.cast import join
from tests.services.browser import scrolls_sideways, violations_in_both_schemes
from tests.sessions import as_user, sign_in

pytestmark = pytest.mark.django_db


def address(study: Study, name: str, *more: object) -> str:
    return reverse(f"results:{name}", args=[study.slug, *more])


@pytest.fixture
def editor(answered: Study) -> Client:
    user = User.objects.create_user("editor")
    join(answered, user, Member.Role.EDITOR)
    return as_user(user)


def test_members_read_it_and_editors_complete_it(
    answered: Study, colleague: User, editor: Client
) -> None:
    edit = address(answered, "datasheet-part", "ethics")
    page = as_user(colleague).get(address(answered, "datasheet")).content.decode()
    assert "Example board, reference E-1." in page
    assert edit not in page
    assert edit in editor.get(address(answered, "datasheet")).content.decode()
    assert as_user(colleague).get(edit).status_code == 403
    posted = {"edition": 0, "text-5.4": "None was needed."}
    assert editor.post(edit, posted).status_code == 302
    page = as_user(colleague).get(address(answered, "datasheet")).content.decode()
    assert "None was needed." in page
    sheet = as_user(colleague).get(address(answered, "datasheet-file")).json()
    assert sheet["sections"][-1]["answers"][3]["answered_by"] == "editors"


def test_what_the_second_editor_typed_is_kept(answered: Study, editor: Client) -> None:
    edit = address(answered, "datasheet-part", "systems")
    editor.post(edit, {"edition": 0, "text-2.4": "German", "chosen-2.1": ["text: document"]})
    late = editor.post(
        edit, {"edition": 0, "text-2.4": "English", "chosen-2.1": ["speech", "visual"]}
    )
    assert late.status_code == 422
    page = late.content.decode()
    assert "Somebody else has changed the sheet." in page
    assert "English" in page
    assert page.count(" checked") == 2
    again = {"edition": 1, "text-2.4": "English", "chosen-2.1": ["speech", "visual"]}
    assert editor.post(edit, again).status_code == 302
    assert Datasheet.objects.get().answers["2.1"]["chosen"] == ["speech", "visual"]


def test_an_option_that_is_not_offered_is_refused(answered: Study, editor: Client) -> None:
    edit = address(answered, "datasheet-part", "systems")
    assert editor.post(edit, {"edition": 0, "chosen-2.1": ["smell"]}).status_code == 422
    assert not Datasheet.objects.exists()


def test_owners_register_and_members_read(answered: Study, owner: User, colleague: User) -> None:
    page = address(answered, "registration")
    assert as_user(colleague).post(page).status_code == 403
    assert as_user(owner).post(page).status_code == 302
    row = Registration.objects.get()
    assert "Nothing has changed." in as_user(colleague).get(page).content.decode()
    kept = as_user(owner).get(address(answered, "registration-file", row.pk))
    assert kept.json()["sha256"] == row.digest
    assert as_user(owner).post(page, {"reason": ""}).status_code == 422
    assert Registration.objects.count() == 1


def test_an_outsider_sees_nothing(answered: Study, owner: User, outsider: User) -> None:
    row = register(study=answered, by=owner)
    report_of(answered)
    for name, more in (
        ("datasheet", ()),
        ("datasheet-file", ()),
        ("datasheet-part", ("ethics",)),
        ("registration", ()),
        ("registration-file", (row.pk,)),
    ):
        assert as_user(outsider).get(address(answered, name, *more)).status_code == 404
    assert as_user(outsider).post(address(answered, "registration")).status_code == 404


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    answered: Study, owner: User, new_page: Callable[..., Page]
) -> None:
    answered.conclusions = [{"text": "A is better.", "metric": "mean", "better": "A", "worse": "B"}]
    answered.save()
    register(study=answered, by=owner)
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, owner)
    for name, more in (("datasheet", ()), ("datasheet-part", ("systems",)), ("registration", ())):
        page.goto(address(answered, name, *more))
        assert not scrolls_sideways(page)
        assert violations_in_both_schemes(page) == []


def test_viewers_do_not_read_the_codes_of_a_registered_study_file(
    answered: Study, owner: User, colleague: User
) -> None:
    answered.recruitment = {"panel": "prolific", "completion_code": "FORMERCODE"}
    answered.save()
    row = register(study=answered, by=owner)
    answered.recruitment = {"panel": "prolific", "completion_code": "LATERCODE"}
    answered.save()
    report_of(answered)
    page, file = address(answered, "registration"), address(answered, "registration-file", row.pk)
    assert as_user(colleague).get(file).status_code == 403
    seen = as_user(colleague).get(page).content.decode()
    assert "The study was changed." in seen
    assert "CODE" not in seen
    assert file not in seen
    assert "LATERCODE" in as_user(owner).get(page).content.decode()
