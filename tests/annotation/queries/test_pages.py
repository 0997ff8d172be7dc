"""Pages of rows along their keys."""

import pytest
from django.db.models import Exists, OuterRef
from pytest_django import DjangoAssertNumQueries

from annotation.models import Place, Unit
from annotation.queries.pages import pages
from tests.cast import make_study


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_each_row_comes_once_in_the_order_of_the_keys(db: None, size: int) -> None:
    make_study(sources=7)
    found = [list(page) for page in pages(Unit.objects.order_by("-key"), size)]
    assert [unit for page in found for unit in page] == list(Unit.objects.order_by("pk"))
    assert [len(page) for page in found[:-1]] == [size] * (len(found) - 1)


def test_rows_that_are_left_out_of_a_page_take_nothing_from_the_next(db: None) -> None:
    """What is looked for between two pages may change by what was done with the first."""
    study = make_study(sources=7)
    Place.objects.filter(unit__study=study).delete()
    placed = Place.objects.filter(unit=OuterRef("pk"))
    opened = []
    for page in pages(study.units.all(), 2):
        for unit in page.exclude(Exists(placed)):
            opened.append(unit.pk)
            Place.objects.create(
                round=study.rounds.get(), unit=unit, source=unit.source, role=unit.role, shuffle=1
            )
    assert opened == list(study.units.order_by("pk").values_list("pk", flat=True))


def test_a_page_asks_for_no_row_of_another(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_study(sources=7)
    with django_assert_num_queries(4 + 4) as asked:
        assert sum(len(page) for page in pages(Unit.objects.all(), 2)) == 7
    of_pages = [query["sql"] for query in asked.captured_queries if " >= " in query["sql"]]
    assert len(of_pages) == 4
    assert all(" <= " in sql for sql in of_pages)
