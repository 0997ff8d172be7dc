"""A worker's agreement with the others is the figure of the report, on every page."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from annotation.work.review import exclude
from desk.people.workers.order import in_order
from desk.worker_records.agreement import agreement
from estimates.catalogue.agreement import WITH_OTHERS
from estimates.report.cache import report_of
from tests.annotation.workers import RECOVERY, SLIDER, newcomer
from tests.cast import make_study
from tests.desk.worker_records.batches import work_through
from tests.sessions import as_user

pytestmark = pytest.mark.django_db

# What three workers say of four texts, one worker a row: the sentences that can cite the reason,
# and a number.
SENTENCES = [["0", "1", "0", "2"], ["0", "1", "0", "2"], ["0", "2", "1", "2"]]
NUMBERS = [[20, 40, 60, 80], [25, 45, 60, 90], [90, 10, 50, 20]]


@pytest.fixture
def study() -> Study:
    study = make_study(sources=4, overlap=3, per_batch=4)
    for sentences, numbers in zip(SENTENCES, NUMBERS, strict=True):
        said = dict(zip(texts(study), zip(sentences, numbers, strict=True), strict=True))

        def posted(unit: object, said: dict[int, tuple[str, int]] = said) -> object:
            sentence, number = said[unit.unit_id]  # type: ignore[attr-defined]
            return {RECOVERY: {"sentences": [sentence]}, SLIDER: {"value": [str(number)]}}

        work_through(newcomer(study), posted)  # type: ignore[arg-type]
    return study


def texts(study: Study) -> list[int]:
    return list(study.units.order_by("pk").values_list("pk", flat=True))


def reported(study: Study) -> dict[tuple[str, str], float]:
    """(worker, facet) -> the report's figure."""
    rows = report_of(study).rows
    return {
        (row.raters, row.facet): float(row.estimate)
        for row in rows
        if row.metric == WITH_OTHERS and row.estimate.value is not None
    }


def test_it_is_the_reports_of_every_worker_and_facet(study: Study) -> None:
    found = agreement(study)
    name_of = {one.pk: one.pseudonym for one in study.participations.all()}
    ours = {
        (name_of[who], facet): value
        for who, per_facet in found.items()
        for facet, value in per_facet.items()
    }
    assert len(ours) == 6
    assert ours == pytest.approx(reported(study))


def test_by_hand(study: Study) -> None:
    # Numbers: of the pairs of one text the first two differ by 5, 5, 0, 10: squares sum to 150.
    # The third is 70, 30, 10, 60 from the first and 65, 35, 10, 70 from the second: 9500, 10450.
    # D of the first: (150 + 9500) / 8; of the second (150 + 10450) / 8; of the third 19950 / 8.
    # Expected: 12 numbers with the sum 590 and squares 37450, 2 (12 37450 - 590^2) / (12 11).
    expected = 2 * (12 * 37450 - 590**2) / 132
    values = [1 - pairs / 8 / expected for pairs in (9650, 10600, 19950)]
    found = agreement(study)
    people = study.participations.order_by("number").values_list("pk", flat=True)
    numbers = [[found[who]["utility"]] for who in people]
    assert numbers == [[pytest.approx(value)] for value in values]


def test_pages_show_and_order_by_it_and_name_the_facet(study: Study) -> None:
    by_worker: dict[str, list[float]] = {}
    for (worker, _facet), value in reported(study).items():
        by_worker.setdefault(worker, []).append(value)
    lowest = {worker: min(values) for worker, values in by_worker.items()}
    client = reviewer(study)
    page = client.get(reverse("desk:workers", args=[study.slug]), {"sort": "agreement"})
    text = page.content.decode()
    order = re.findall(r">(worker-\d+)</a>", text)
    assert order == sorted(lowest, key=lambda worker: lowest[worker])
    for value in lowest.values():
        assert f">{value:.2f} <span" in text
    assert "Agreement with the others" in text
    record = client.get(reverse("desk:worker", args=[study.slug, 3])).content.decode()
    assert "Agreement with the others" in record
    for (worker, _facet), value in reported(study).items():
        assert (f" {value:.2f}" in record) or worker != "worker-3"


def reviewer(study: Study) -> Client:
    user = User.objects.create_user("reviewer")
    study.members.create(user=user, role="reviewer")
    return as_user(user)


def test_who_shares_too_few_units_has_none_and_comes_last() -> None:
    study = make_study(sources=1, overlap=3, per_batch=1)
    same = {RECOVERY: {"sentences": ["0"]}, SLIDER: {"value": ["40"]}}
    for _ in range(2):
        work_through(newcomer(study), lambda _unit: same)
    assert agreement(study) == {}
    keys, newest = in_order(study, "agreement")
    assert len(keys) == 2
    assert newest is not None
    assert all(figures.least_agreement is None for figures in newest.figures.values())


def test_excluded_answers_are_not_in_it(study: Study) -> None:
    careless = study.participations.get(number=3)
    exclude(assignments=list(careless.assignments.all()), reason="careless", by=None)
    found = agreement(study)
    assert careless.pk not in found
    assert set(found) == set(
        study.participations.exclude(pk=careless.pk).values_list("pk", flat=True)
    )
