"""Rows in pages, along their keys."""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.db.models import QuerySet

Rows = TypeVar("Rows", bound=QuerySet[Any])


def pages(rows: Rows, size: int) -> Iterator[Rows]:
    """So many rows after the others, in the order of their keys. Each page is a query that can be
    narrowed further: what is asked about other tables is asked about the rows of one page, where a
    database may otherwise read all of both tables for every page. No cursor stays open, so rows may
    be written between two pages."""
    ordered, last = rows.order_by("pk"), 0
    while keys := list(ordered.filter(pk__gt=last).values_list("pk", flat=True)[:size]):
        last = keys[-1]
        yield ordered.filter(pk__gte=keys[0], pk__lte=last)
        if len(keys) < size:
            return
