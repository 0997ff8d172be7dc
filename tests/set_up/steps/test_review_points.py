"""What reviewers of a paper ask, as the checklist answers it."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Change, Member, Study, User
from results.studies.registration import register
from set_up.steps.review_points import ReviewPoint, review_points
from tests.cast import join
from tests.sessions import as_user
from tests.set_up.steps.studies import mills

pytestmark = pytest.mark.django_db
ROUND = {"name": "main", "batch": {"normal": 5}, "expected_minutes": 10}
EARNED = {
    **ROUND,
    "batch": {"normal": 5, "positive": 1},
    "pass": 0.7,
    "pay": {"bonus": "1"},
}


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def points(study: Study) -> dict[str, ReviewPoint]:
    return {point.title: point for point in review_points(Study.objects.get(pk=study.pk))}


def test_a_bare_study_says_what_it_lacks(owner: User) -> None:
    found = {title: (point.answer, point.good) for title, point in points(mills(owner)).items()}
    assert found == {
        "Sample size": ("20 units of 10 sources", True),
        # Ten sources with two units each, three answers to each, nobody meets a source twice.
        "Number of raters": ("at least 6 people", True),
        "Agreement": ("3 answers per unit", True),
        "Instructions": ("none", False),
        "Training of raters": (
            "no worked examples, training or questions about the instructions",
            False,
        ),
        "Attention checks": ("none", False),
        "Consent and ethics review": ("none", False),
        "Pay": ("0.00: is the work unpaid?", False),
        "Pre-registration": ("none", False),
    }


def test_each_point_is_answered_by_what_the_study_holds(owner: User) -> None:
    controls = [
        {"unit": f"{n}/alder", "role": role, "answers": {"likert": {"scores": {"quality": 4}}}}
        for n, role in ((1, "positive"), (2, "positive"), (3, "example"))
    ]
    pay = {"pay": {"base": "1.50", "currency": "EUR"}}
    study = mills(
        owner,
        instructions="Read both.",
        consent={"text": "I agree.", "version": "1"},
        ethics={"board": "Board of the faculty"},
        rounds=[{**ROUND, "batch": {"normal": 5, "positive": 1}, **pay}],
        picked=controls,
    )
    register(study=study, by=owner)
    found = points(study)
    assert {title: point.answer for title, point in found.items()} | {"Pre-registration": ""} == {
        "Sample size": "15 units of 10 sources",
        "Number of raters": "at least 6 people",
        "Agreement": "3 answers per unit",
        "Instructions": "2 words",
        "Training of raters": "1 worked example",
        "Attention checks": "2 controls, 1 in a batch",
        "Consent and ethics review": "Board of the faculty",
        # 1.50 for 10 minutes.
        "Pay": "9.00 EUR an hour",
        "Pre-registration": "",
    }
    assert found["Pre-registration"].answer.endswith(", 0 answers before it")
    assert all(point.good for point in found.values())


@pytest.mark.parametrize(
    ("keys", "title", "words"),
    [
        ({"overlap": 1}, "Agreement", "agreement between people cannot be computed"),
        ({"rounds": []}, "Sample size", "20 units"),
        (
            {"rounds": [{**ROUND, "pay": {"base": "1"}}], "minimum_hourly_pay": "12"},
            "Pay",
            "6.00 USD an hour",
        ),
        ({"rounds": [EARNED]}, "Pay", "0.00 USD an hour"),
        ({"consent": {"text": "Yes."}}, "Consent and ethics review", "no ethics board"),
    ],
)
def test_a_weak_point_is_said(owner: User, keys: dict[str, Any], title: str, words: str) -> None:
    point = points(mills(owner, **keys))[title]
    assert words in point.answer
    assert point.good == (title == "Sample size")


def test_a_bonus_that_everybody_gets_is_pay(owner: User) -> None:
    point = points(mills(owner, rounds=[{**ROUND, "pay": {"bonus": "1"}}]))["Pay"]
    assert (point.answer, point.good) == ("6.00 USD an hour", True)


def test_pay_of_nothing_is_asked_about_until_one_click_says_that_it_is_meant(
    owner: User, colleague: User, outsider: User
) -> None:
    study, client = mills(owner), as_user(owner)
    join(study, colleague, Member.Role.VIEWER)
    page = reverse("desk:set-up", args=[study.slug])
    address = reverse("desk:set-up-unpaid", args=[study.slug])
    assert "Yes, it is unpaid" in client.get(page).content.decode()
    assert as_user(colleague).post(address).status_code == 403
    assert as_user(outsider).post(address).status_code == 404
    assert points(study)["Pay"].asks
    answer = client.post(address, follow=True).content.decode()
    assert "Yes, it is unpaid" not in answer
    assert (points(study)["Pay"].answer, points(study)["Pay"].good) == ("unpaid", True)
    assert Change.objects.get(action="study.unpaid").by == owner


def test_the_checklist_takes_few_queries(owner: User, django_assert_max_num_queries: Any) -> None:
    study, client = mills(owner), as_user(owner)
    with django_assert_max_num_queries(60):
        page = client.get(reverse("desk:set-up", args=[study.slug])).content.decode()
    assert "What reviewers of a paper ask" in page
    assert Client().get(reverse("desk:set-up", args=[study.slug])).status_code == 302
