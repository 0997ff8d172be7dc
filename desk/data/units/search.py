"""Searching the units of a study by the words of their keys, sources and outputs.

The words of sources and items are kept folded in a table of their own: neither database folds JSON,
and SQLite folds ASCII alone. Sources and items are never changed in place, so a text that is kept
stays right.
"""

import re
from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, F, Lookup, Model, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.db.models.sql.compiler import SQLCompiler

from annotation.models import Item, Source, Study, Unit, UnitItem
from annotation.queries.pages import pages
from desk.models import MaterialText
from jobs.kinds import JobOutcome, Kind
from jobs.models import Job
from jobs.queue import ask
from jobs.reports import Report

Compiled = tuple[str, list[Any]]

BATCH = 1_000
# So many texts are read while somebody waits; more are left to a worker.
AT_ONCE = 20_000
MOST_WORDS = 8
# Units of which the keys are read, so that the texts are looked through once and not by each query
# of the page.
MOST_KEYS = 100_000
_WORDS = re.compile(r'"([^"]+)"|(\S+)')
# The texts are looked through once for all words: a column of `texts` for each.
_UNITS = """
WITH texts AS (SELECT source_id, item_id, {columns} FROM {texts} WHERE study_id = %s)
SELECT id FROM {units} WHERE study_id = %s AND {conditions}
"""
_COLUMN = r"text LIKE %s ESCAPE '\' AS word{n}"
# The key comes last: to fold it takes longer than to look up the others.
_CONDITION = r"""(source_id IN (SELECT source_id FROM texts WHERE word{n} AND source_id IS NOT NULL)
OR id IN (SELECT unit_id FROM {unit_items} JOIN texts USING (item_id) WHERE word{n})
OR LOWER(key) LIKE %s ESCAPE '\')"""
# All keys as one text, as `Among` takes it.
_KEYS = {"sqlite": "json_group_array(id)", "postgresql": "array_agg(id)::text"}


def words_of(text: str) -> list[str]:
    """What is searched for: words, and phrases in quotation marks, folded."""
    parts = [phrase or word for phrase, word in _WORDS.findall(text)]
    return [part.casefold() for part in parts if part.strip()][:MOST_WORDS]


def matching(study: Study, text: str) -> Q:
    """Units of which the key, the source or an output holds each of the words, or parts of words.

    The texts of the study have to be kept: see `keep_texts_soon`.
    """
    words = words_of(text)
    if not words:
        return Q()
    units, parameters = _units_with(study, words)
    keys = _KEYS[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COUNT(*), {keys} FROM ({units} LIMIT %s) AS units",  # noqa: S608 (no user's text)
            [*parameters, MOST_KEYS + 1],
        )
        n, found = cursor.fetchone()
    if n > MOST_KEYS:
        return Q(pk__in=RawSQL(units, parameters))  # noqa: S611 (no user's text)
    return Q(Among(F("pk"), Value(found))) if n else Q(pk__in=[])


def _units_with(study: Study, words: list[str]) -> tuple[str, list[str | int]]:
    """The query for the units that hold each of the words, and its parameters."""
    tables = {
        "texts": MaterialText._meta.db_table,
        "units": Unit._meta.db_table,
        "unit_items": UnitItem._meta.db_table,
    }
    conditions = " AND ".join(_CONDITION.format(n=n, **tables) for n, _ in enumerate(words))
    columns = ", ".join(_COLUMN.format(n=n) for n, _ in enumerate(words))
    patterns = [f"%{_escaped(word)}%" for word in words]
    query = _UNITS.format(columns=columns, conditions=conditions, **tables)
    return query, [*patterns, study.pk, study.pk, *patterns]


def _escaped(word: str) -> str:
    """A word in which no character stands for others in LIKE."""
    return re.sub(r"([\\%_])", r"\\\1", word)


class Among(Lookup):
    """Whether a key stands in a text of many keys. One parameter: lists of parameters are limited,
    and slow to plan."""

    lookup_name = "among"
    prepare_rhs = False

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Compiled:
        return self._compile(compiler, connection, "{} IN (SELECT value FROM json_each({}))")

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Compiled:
        return self._compile(compiler, connection, "{} = ANY({}::bigint[])")

    def _compile(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, form: str
    ) -> Compiled:
        key, of_key = self.process_lhs(compiler, connection)
        keys, of_keys = self.process_rhs(compiler, connection)
        return form.format(key, keys), [*of_key, *of_keys]


def keep_texts_soon(study: Study) -> bool:
    """Whether all texts of the study can be searched: a few that are missing are read now, many by
    a worker."""
    missing = count_missing(study)
    if missing > AT_ONCE:
        ask(INDEX, study=study, parameters={})
        return False
    if missing:
        keep_texts(study=study)
    return True


class Index(Kind):
    """Let the texts of a study be searched."""

    name, title, waits = "index_texts", "Reading texts for the search", True

    def run(self, job: Job, report: Report) -> JobOutcome:
        """Keep those that are missing; how many."""
        assert job.study is not None  # these jobs are all of a study
        return {"texts": keep_texts(study=job.study)}


INDEX = Index()


def count_missing(study: Study) -> int:
    """How many sources and items of the study cannot be searched yet."""
    kept = MaterialText.objects.filter(study=study).count()
    return study.sources.count() + study.items.count() - kept


def keep_texts(*, study: Study) -> int:
    """Keep the words of sources and items that are not kept yet; how many. Short transactions."""
    return _keep(study, study.sources.all(), "source") + _keep(study, study.items.all(), "item")


def _keep(study: Study, rows: QuerySet[Any], field: str) -> int:
    there, n = MaterialText.objects.filter(**{field: OuterRef("pk")}), 0
    for page in pages(rows, BATCH):
        missing = list(page.exclude(Exists(there)))
        # Two at once keep the same text twice: once is enough.
        MaterialText.objects.bulk_create(
            [MaterialText(study=study, text=_folded(row), **{field: row}) for row in missing],
            ignore_conflicts=True,
        )
        n += len(missing)
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
