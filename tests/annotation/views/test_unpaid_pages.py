"""A study that pays nothing never names an amount, whatever page a worker looks at."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.invitations import invite
from annotation.models import Assignment, Participation, Study
from annotation.work.submission import submit
from tests.annotation.views.training import CHECK
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import make_study

pytestmark = pytest.mark.django_db

AMOUNT = re.compile(r"\d[.,]\d\d\b|USD|Earned|You have earned|is paid|be paid")
BATCH_PAGES = ("review", "done")
STUDY_PAGES = ("lobby", "leave", "statement", "my-data", "debrief", "withdraw", "comprehension")


@pytest.fixture
def unpaid() -> Study:
    study = make_study(sources=4, comprehension=CHECK)
    study.rounds.update(base_pay=0, bonus_pay=0)
    return study


def words(client: Client, address: str) -> str:
    """What stands on the page, without its marks."""
    page = client.get(address, follow=True)
    assert page.status_code == 200, address
    body = page.content.decode().partition("<main")[2]
    return " ".join(re.sub(r"<[^>]*>", " ", body).split())


def assert_no_amount(client: Client, participation: Participation, batch: Assignment) -> None:
    slug = participation.study.slug
    addresses = [reverse(f"annotation:{name}", args=[slug]) for name in STUDY_PAGES]
    addresses += [reverse(f"annotation:{name}", args=[batch.public_id]) for name in BATCH_PAGES]
    addresses += [reverse("annotation:question", args=[batch.public_id, 1, 1])]
    for address in addresses:
        text = words(client, address)
        found = AMOUNT.search(text)
        assert not found, (address, text[max(0, found.start() - 60) : found.end() + 40])


def test_no_page_of_an_unpaid_study_names_an_amount(client: Client, unpaid: Study) -> None:
    invitation = invite(study=unpaid, created_by=None)
    asked = words(client, reverse("annotation:join", args=[invitation.token]))
    assert "This study is unpaid." in asked
    assert not AMOUNT.search(asked)
    worker = newcomer(unpaid)
    client.get(reverse("annotation:return", args=[worker.token]))
    batch = lease(worker)
    assert_no_amount(client, worker, batch)
    submit(assignment=answer_all(batch), now=timezone.now())
    assert_no_amount(client, worker, batch)
    assert_no_amount(client, worker, lease(worker))
    for name in ("leave", "withdraw"):
        page = client.post(reverse(f"annotation:{name}", args=[unpaid.slug]), follow=True)
        assert not AMOUNT.search(re.sub(r"<[^>]*>", " ", page.content.decode())), name


def test_what_was_added_by_hand_is_told(client: Client, unpaid: Study) -> None:
    worker = newcomer(unpaid)
    client.get(reverse("annotation:return", args=[worker.token]))
    submit(assignment=answer_all(lease(worker)), now=timezone.now())
    worker.ledger.create(kind="adjustment", amount=Decimal("1.50"), currency="USD", note="thanks")
    assert "1.50 USD" in words(client, reverse("annotation:lobby", args=[unpaid.slug]))
