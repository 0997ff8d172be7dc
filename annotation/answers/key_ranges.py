"""Keys of rows that may still come: a row whose transaction commits later than one that began after
it has the smaller key."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import Coalesce, Lag

from annotation.models import Annotation

# (first, last, when they were missed, in seconds since 1970).
Gap = tuple[int, int, int]
# No transaction lasts longer; keys that have no row by then were given back.
PATIENCE = timedelta(hours=12)
# So many gaps are asked about in one query.
_AT_ONCE = 100
# Of more gaps than this the newest are kept: the others are of transactions that were given up.
_MOST = 500


def gaps_between(rows: QuerySet[Any], *, after: int, through: int, now: datetime) -> list[Gap]:
    """The keys above `after`, up to `through`, that no row of the whole table has."""
    within = rows.filter(pk__gt=after, pk__lte=through)
    before = Coalesce(Window(Lag("pk"), order_by=F("pk").asc()), after)
    ends = within.annotate(before=before).filter(pk__gt=F("before") + 1).order_by("pk")
    at = int(now.timestamp())
    return [(low + 1, key - 1, at) for key, low in ends.values_list("pk", "before")]


def open_gaps(*, through: int, now: datetime) -> list[Gap]:
    """The keys of answers up to `through` that may still get a row: those above the last answer
    that is older than any transaction can be."""
    old = Annotation.objects.filter(pk__lte=through, created_at__lt=now - PATIENCE)
    before = old.order_by("-pk").values_list("pk", flat=True).first() or 0
    gaps = gaps_between(Annotation.objects.all(), after=before, through=through, now=now)
    return gaps[-_MOST:]


def still_missing(gaps: Iterable[Gap], came: Iterable[int], now: datetime) -> list[Gap]:
    """The gaps without the keys that have a row now, and without those of long ago."""
    oldest = int((now - PATIENCE).timestamp())
    keys = sorted(came)
    return [part for gap in gaps if gap[2] >= oldest for part in _without(gap, keys)]


def _without(gap: Gap, keys: Sequence[int]) -> list[Gap]:
    first, last, at = gap
    parts = []
    for key in keys:
        if first <= key <= last:
            parts.append((first, key - 1, at))
            first = key + 1
    parts.append((first, last, at))
    return [part for part in parts if part[0] <= part[1]]


def keys_in(rows: QuerySet[Any], gaps: Sequence[Gap]) -> list[int]:
    """The keys of rows that were missing and have come."""
    keys: list[int] = []
    for start in range(0, len(gaps), _AT_ONCE):
        wanted = Q(pk__in=[])
        for first, last, _at in gaps[start : start + _AT_ONCE]:
            wanted |= Q(pk__gte=first, pk__lte=last)
        keys += rows.filter(wanted).values_list("pk", flat=True)
    return keys
