"""After an import the database knows how large its tables have become."""

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from annotation.models import Source, Study
from imports.material.row_counts import count_rows


def sources(study: Study, number: int) -> None:
    Source.objects.bulk_create(Source(study=study, key=f"more {at}") for at in range(number))


def test_postgresql_knows_at_once_what_was_written(study: Study) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("PostgreSQL alone goes by counts")
    sources(study, 1200)
    count_rows([Source])
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE relname = 'annotation_source'")
        (known,) = cursor.fetchone()
    assert known >= 1200


def test_elsewhere_nothing_is_asked(
    study: Study, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1 if connection.vendor == "postgresql" else 0):
        count_rows([Source])
