"""Searching the units of a study by the words of their keys, sources and outputs.

The words of sources and items are kept folded in a table of their own: neither database folds JSON,
and SQLite folds ASCII alone. Sources and items are never changed in place, so a text that is kept
stays right.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import StrIndex

from annotation.models import Item, Source, Study, UnitItem
from desk.models import MaterialText
from judges.runs.queue import send_task

BATCH = 1_000
# So many texts are read while somebody waits; more are left to a worker.
AT_ONCE = 20_000
INDEX, PATIENCE = "desk.tasks.index_texts", timedelta(minutes=5)
MOST_WORDS = 8
# Texts that hold a word, of which the keys are read, so that the texts are looked through once and
# not by each query of the page.
MOST_KEYS = 100_000
# One parameter for many keys: lists of parameters are limited, and slow to plan.
_KEYS = {
    "sqlite": "SELECT value FROM json_each(%s)",
    "postgresql": "SELECT value::bigint FROM jsonb_array_elements_text(%s::jsonb)",
}
_WORDS = re.compile(r'"([^"]+)"|(\S+)')


def words_of(text: str) -> list[str]:
    """What is searched for: words, and phrases in quotation marks, folded."""
    found = [phrase or word for phrase, word in _WORDS.findall(text)]
    return [word.casefold() for word in found if word.strip()][:MOST_WORDS]


def matching(study: Study, text: str) -> Q:
    """Units of which the key, the source or an output holds each of the words, or parts of words.

    The texts of the study have to be kept: see `keep_texts_soon`.
    """
    held = Q()
    for word in words_of(text):
        holding = _holding(study, word)
        if holding is None:
            return Q(pk__in=[])
        held &= holding
    return held


def _holding(study: Study, word: str) -> Q | None:
    """Units that hold a word; None where no text and no key does."""
    texts = MaterialText.objects.filter(study=study)
    texts = texts.alias(at=StrIndex("text", Value(word))).filter(at__gt=0)
    holding = list(texts.values_list("source", "item")[: MOST_KEYS + 1])
    if not holding and not study.units.filter(key__icontains=word).exists():
        return None
    sources: Any = _keys(source for source, _ in holding if source is not None)
    items: Any = _keys(item for _, item in holding if item is not None)
    if len(holding) > MOST_KEYS:
        sources = texts.filter(source__isnull=False).values("source")
        items = texts.filter(item__isnull=False).values("item")
    return (
        Q(key__icontains=word)
        | Q(source__in=sources)
        | Q(pk__in=UnitItem.objects.filter(item__in=items).values("unit"))
    )


def _keys(keys: Iterable[int]) -> RawSQL:
    return RawSQL(_KEYS[connection.vendor], [json.dumps(list(keys))])  # noqa: S611 (no user's text)


def keep_texts_soon(study: Study) -> bool:
    """Whether all texts of the study can be searched: a few that are missing are read now, many by
    a worker."""
    missing = count_missing(study)
    if missing > AT_ONCE:
        send_task(INDEX, study.pk, expires=PATIENCE)
        return False
    if missing:
        keep_texts(study=study)
    return True


def count_missing(study: Study) -> int:
    """How many sources and items of the study cannot be searched yet."""
    kept = MaterialText.objects.filter(study=study).count()
    return study.sources.count() + study.items.count() - kept


def keep_texts(*, study: Study) -> int:
    """Keep the words of sources and items that are not kept yet; how many. Short transactions."""
    return _keep(study, study.sources.all(), "source") + _keep(study, study.items.all(), "item")


def _keep(study: Study, rows: QuerySet[Any], field: str) -> int:
    there = MaterialText.objects.filter(**{field: OuterRef("pk")})
    missing = rows.exclude(Exists(there)).order_by("pk")
    n, last = 0, 0
    while batch := list(missing.filter(pk__gt=last)[:BATCH]):
        # Two at once keep the same text twice: once is enough.
        MaterialText.objects.bulk_create(
            [MaterialText(study=study, text=_folded(row), **{field: row}) for row in batch],
            ignore_conflicts=True,
        )
        n, last = n + len(batch), batch[-1].pk
    return n


def _folded(row: Model) -> str:
    # A character that PostgreSQL cannot store stands in no text that it has given out.
    return "\n".join(part for part in _texts(row) if part).casefold()


def _texts(row: Model) -> Iterator[str]:
    if isinstance(row, Source):
        yield from (row.key, row.claim, row.verdict, row.query, row.document)
        for part in (*row.passages, *row.nuggets, *row.turns):
            yield str(part.get("text", ""))
    elif isinstance(row, Item):
        yield row.key
        for sentence in row.sentences:
            yield str(sentence.get("text", ""))
