"""A study of a million answers, each row of a table a copy of one that the models made.

Five systems explain every claim; four people and a judge answer both blocks of every unit. An
answer is drawn from the number of its row, so that every build is the same.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import Model

    from annotation.models import Study

SYSTEMS, PEOPLE, PER_QUESTION = 5, 80, 5
# Rows that the models made, and copies are made of.
PATTERNS = 10
# Copies are numbered from here on.
APART = 1_000_000_000
# A fraction of a row's number that looks like chance: Lehmer's generator, once.
CHANCE = "((({n}) * 48271 + {salt}) % 2147483647 % 1000)"


def build(annotations: int) -> "Study":
    """The study with about so many answers. The tables must be empty."""
    from django.core.management.color import no_style
    from django.db import connection, transaction

    from annotation import models
    from tests.cast import make_study

    units = annotations // (2 * PER_QUESTION)
    with transaction.atomic():
        study = make_study("large", sources=PATTERNS)
        _people(study)
        _material(models, units)
        _answers(models, study, 2 * units)
        tables = [models.Source, models.Item, models.Unit, models.UnitItem, models.Question]
        tables += [models.Annotation, models.Rating, models.Unit.subsets.through]
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            _execute(statement)
    _execute("ANALYZE")
    return study


def _people(study: "Study") -> None:
    from annotation.models import Rater

    people = [Rater(study=study, name=f"worker-{n}", kind="human") for n in range(PEOPLE)]
    judge = Rater(study=study, name="lexical", kind="judge", version=1)
    Rater.objects.bulk_create([*people, judge])


def _material(models: Any, units: int) -> None:
    system, source = f"(n % {SYSTEMS})", f"{APART} + n / {SYSTEMS}"
    key = {"id": f"{APART} + n", "key": "'copy-' || n"}
    _copy(models.Source, units // SYSTEMS + 1, key)
    _copy(models.Item, units, {**key, "source_id": source, "system": f"'System ' || {system}"})
    _copy(models.Unit, units, {**key, "source_id": source})
    both = {"id": key["id"], "unit_id": key["id"]}
    _copy(models.UnitItem, units, {**both, "item_id": key["id"]})
    through = models.Unit.subsets.through
    for offset, name in ((0, "full"), (units, "sample")):
        chosen = models.Subset.objects.get(name=name).pk
        fields = {"id": f"{offset} + {APART} + n", "unit_id": key["id"], "subset_id": str(chosen)}
        _copy(through, units if name == "full" else units // 5, fields)
    # Patterns alternate between the blocks, and so must the copies.
    _copy(models.Question, 2 * units, {"id": key["id"], "unit_id": f"{APART} + n / 2"})


def _answers(models: Any, study: "Study", questions: int) -> None:
    """Row n answers question n / 5; even questions are sets, odd ones numbers."""
    from tests.results.answers import choose, rate
    from tests.results.answers import questions as asked

    raters = list(study.raters.order_by("pk"))
    choose(raters[0], asked(study)[0], 0, 2)
    rate(raters[0], asked(study, block=1)[0], 50)
    first, judge = raters[0].pk, raters[-1].pk
    question = f"(n / {PER_QUESTION})"
    person = f"{first} + ({question} * 7 + n) % {PEOPLE}"
    rater = f"CASE WHEN n % {PER_QUESTION} = 0 THEN {judge} ELSE {person} END"
    copies = questions * PER_QUESTION
    identity = {"id": f"{APART} + n", "replicate": "0"}
    about = {"question_id": f"{APART} + {question}", "rater_id": rater}
    pick = f"{question} % 2 + 1"
    _copy(models.Annotation, copies, {**identity, **about}, pattern=pick, patterns=2)
    _copy(
        models.Rating,
        copies,
        {
            "id": identity["id"],
            "annotation_id": identity["id"],
            "members": _as_json(f"CASE WHEN {question} % 2 = 0 THEN {_members(question)} END"),
            "number": f"CASE WHEN {question} % 2 = 1 THEN {_number(question)} END",
        },
        pattern=pick,
        patterns=2,
    )


def _members(question: str) -> str:
    """Seven in ten give the right answer, the others one of three."""
    chance = CHANCE.format(n="n", salt=7)
    return (
        f"CASE WHEN {chance} < 700 THEN '[0, 2]' WHEN {chance} < 800 THEN '[0]' "
        f"WHEN {chance} < 900 THEN '[]' ELSE '[1, 2]' END"
    )


def _number(question: str) -> str:
    """Around a value of the question, from 0 to 100."""
    own, noise = CHANCE.format(n=question, salt=3), CHANCE.format(n="n", salt=11)
    return f"({own} * 7 + {noise} * 3) / 100"


def _as_json(text: str) -> str:
    from django.db import connection

    return f"({text})::jsonb" if connection.vendor == "postgresql" else text


def _copy(
    model: "type[Model]",
    times: int,
    new: Mapping[str, str],
    *,
    pattern: str = f"n % {PATTERNS} + 1",
    patterns: int = PATTERNS,
) -> None:
    """Copy the first rows of a table, with what differs given as SQL over the number `n`.

    pattern: which of the rows, from 1, number n is a copy of.
    """
    from django.db import connection
    from django.db.models import GeneratedField

    table = model._meta.db_table
    fields = [
        field for field in model._meta.concrete_fields if not isinstance(field, GeneratedField)
    ]
    columns = [field.column for field in fields if field.column]
    values = [new.get(column, f"t.{column}") for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    if connection.vendor == "postgresql":
        numbers = f"generate_series(0::bigint, {times - 1}) AS s(n)"
    else:
        numbers = (
            "(WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s "
            f"WHERE n < {times - 1}) SELECT n FROM s) AS s"
        )
    ranked = f"SELECT *, row_number() OVER (ORDER BY id) AS rank FROM {table} ORDER BY id"
    # SQLite would otherwise work the numbered patterns out again for every copy.
    _execute(f"CREATE TEMPORARY TABLE patterns AS {ranked} LIMIT {patterns}")
    _execute(
        f"INSERT INTO {table} ({names}) SELECT {', '.join(values)} "
        f"FROM {numbers} JOIN patterns AS t ON t.rank = {pattern} ORDER BY n"
    )
    _execute("DROP TABLE patterns")


def _execute(statement: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement)
