"""In which language a page answers."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotation.entry.invitations import invite
from annotation.models import Study, User
from tests.annotation.workers import lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

ARABIC = '<html lang="ar" dir="rtl">'
ENGLISH = '<html lang="en" dir="ltr">'


@pytest.fixture
def arabic() -> Study:
    return make_study(language="ar", sources=2)


def text(client: Client, address: str, language: str) -> str:
    return client.get(address, follow=True, headers={"accept-language": language}).text


def come_back(client: Client, study: Study) -> str:
    """A worker with a batch; the address of its first question."""
    batch = lease(newcomer(study))
    client.get(reverse("annotation:return", args=[batch.participation.token]))
    return reverse("annotation:question", args=[batch.public_id, 1, 1])


@pytest.mark.parametrize("browser", ["en", "de", "ar"])
def test_a_workers_page_is_in_the_language_of_the_study(
    client: Client, arabic: Study, browser: str
) -> None:
    question = come_back(client, arabic)
    for address in (question, reverse("annotation:lobby", args=[arabic.slug])):
        assert ARABIC in text(client, address, browser)


def test_an_english_study_stays_english_in_an_arabic_browser(client: Client) -> None:
    assert ENGLISH in text(client, come_back(client, make_study()), "ar")


def test_an_invitation_is_in_the_language_of_its_study(client: Client, arabic: Study) -> None:
    link = reverse("annotation:join", args=[invite(study=arabic, created_by=None).token])
    page = text(client, link, "en")
    assert ARABIC in page
    assert "ندعوك إلى المشاركة" in page


def test_an_arrival_from_a_panel_is_in_the_language_of_its_study(
    client: Client, arabic: Study
) -> None:
    Study.objects.update(recruitment={"panel": "prolific"})
    assert ARABIC in text(
        client, reverse("annotation:arrive", args=[arabic.slug, "prolific"]), "en"
    )


def test_who_is_signed_out_reads_it_in_the_browsers_language(client: Client, arabic: Study) -> None:
    lobby = reverse("annotation:lobby", args=[arabic.slug])
    assert ARABIC in text(client, lobby, "ar-EG, fr;q=0.5")
    assert '<html lang="zh-hans" dir="ltr">' in text(client, lobby, "zh-CN, fr;q=0.5")
    assert '<html lang="de" dir="ltr">' in text(client, lobby, "de-AT")
    assert '<html lang="es" dir="ltr">' in text(client, lobby, "es-MX")
    assert ENGLISH in text(client, lobby, "fr")


def test_a_page_that_is_not_there_answers_in_the_browsers_language(client: Client) -> None:
    assert ARABIC in text(client, reverse("annotation:join", args=["nobody"]), "ar")


def test_researchers_pages_are_never_half_translated(
    client: Client, arabic: Study, owner: User
) -> None:
    arabic.members.create(user=owner, role="owner")
    client.force_login(owner)
    assert ENGLISH in text(client, arabic.get_absolute_url(), "ar")


def test_the_researchers_are_told_that_a_language_is_not_proofread(
    client: Client, arabic: Study, owner: User
) -> None:
    arabic.members.create(user=owner, role="owner")
    client.force_login(owner)
    told = "pages in Arabic have not been proofread"
    assert told in client.get(arabic.get_absolute_url()).text
    Study.objects.update(language="en")
    assert "proofread" not in client.get(arabic.get_absolute_url()).text


def test_the_language_of_one_page_does_not_reach_the_next(client: Client, arabic: Study) -> None:
    before = translation.get_language()
    response = client.get(come_back(client, arabic), headers={"accept-language": "en"})
    assert response.headers["Content-Language"] == "ar"
    assert translation.get_language() == before


@pytest.mark.parametrize(
    ("code", "amount"), [("ar", "1,50"), ("de", "1,50"), ("es", "1,50"), ("zh-hans", "1.50")]
)
def test_amounts_are_written_as_the_language_writes_them(
    client: Client, code: str, amount: str
) -> None:
    study = make_study(language=code, sources=2)
    come_back(client, study)
    lobby = text(client, reverse("annotation:lobby", args=[study.slug]), "en")
    assert f'<html lang="{code}"' in lobby
    assert f"<bdi>{amount} USD</bdi>" in lobby


def test_an_answer_that_is_refused_is_refused_in_the_language_of_the_study(
    client: Client, arabic: Study
) -> None:
    refused = client.post(come_back(client, arabic), {"go": "next", "revision": "0"})
    assert ARABIC in refused.text
    assert "يُرجى اختيار جملة واحدة على الأقل" in refused.text
