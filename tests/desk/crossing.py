"""Two studies with a row in every table: what one of them must never show, take or change of the
other. The rows of the second have keys that no row of the first has, each table's beginning at the
same one, and texts and names that stand nowhere else."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from django.apps import apps
from django.db import DatabaseError, connection, models, transaction
from django.db.models import F
from django.utils import timezone

from annotation.models import Item, Round, Source, Study, Subset, User
from tests.api.seeding import with_everything
from tests.cast import make_study

LAST = 100_000
FIRST_KEY = LAST + 1
# In every text of the second study; and the beginning of every name there.
TEXT, NAME = "CANARY-TEXT", "canary-name"

Model = type[models.Model]
VALUES: dict[type["models.Field[Any, Any]"], object] = {
    models.CharField: NAME,
    models.TextField: NAME,
    models.DateTimeField: timezone.now(),
    models.BinaryField: b"x",
    models.JSONField: {},
}


def make_their_study(owner: User) -> Study:
    """The second study. Rows of every table that belongs to studies."""
    begin_keys_after(LAST)
    study = with_everything(make_study("theirs"), owner, ids=("third", "fourth"))
    Study.objects.filter(pk=study.pk).update(title=TEXT, instructions=TEXT)
    Source.objects.filter(study=study).update(claim=TEXT, document=TEXT)
    Item.objects.filter(study=study).update(system=NAME)
    Subset.objects.filter(study=study, name="sample").update(name=NAME)
    Round.objects.filter(study=study).update(name=NAME)
    for model in _of_studies():
        if not model._base_manager.filter(pk__gte=FIRST_KEY).exists():
            _make(model, study, owner)
    return study


def _has(model: Model, name: str) -> bool:
    return name in {field.name for field in model._meta.fields}


def begin_keys_after(last: int) -> None:
    """Let the next row of every table have the key that follows; undone with the test on SQLite,
    and nowhere else."""
    tables = [model._meta.db_table for model in apps.get_models() if _counts(model)]
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            into = "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)"
            cursor.execute(into, [table, last])


def _counts(model: Model) -> bool:
    return isinstance(model._meta.pk, models.AutoField)


def _of_studies() -> list[Model]:
    """Tables of the program whose rows belong to a study, those that others need first."""
    return [model for model in apps.get_models() if _counts(model) and _has(model, "study")]


def _make(model: Model, study: Study, owner: User) -> None:
    """A row with no more than it needs; none where the database wants more of it."""
    with suppress(DatabaseError, LookupError), transaction.atomic():
        needed = [field for field in model._meta.concrete_fields if _is_needed(field)]
        model._base_manager.create(**{each.name: _value(each, study, owner) for each in needed})


def _is_needed(field: "models.Field[Any, Any]") -> bool:
    if field.name == "study":
        return True  # also where a row may belong to none
    return not (field.primary_key or field.null or field.has_default() or field.generated) and not (
        getattr(field, "auto_now_add", False) or getattr(field, "auto_now", False)
    )


def _value(field: "models.Field[Any, Any]", study: Study, owner: User) -> object:
    if field.name == "method":
        return "lexical"
    if isinstance(field, models.ForeignKey):
        target = field.related_model
        if target in (Study, User):
            return study if target is Study else owner
        found = target._base_manager.filter(pk__gte=FIRST_KEY).first()
        if found is None:
            raise LookupError(target)
        return found
    if field.choices:
        return field.choices[0][0]
    for kind, value in VALUES.items():
        if isinstance(field, kind):
            return value[: field.max_length or None] if isinstance(value, str) else value
    return 1


def tables_without_their_rows() -> set[str]:
    return {
        model._meta.label
        for model in _of_studies()
        if not model._base_manager.filter(pk__gte=FIRST_KEY).exists()
    }


def rows_of_theirs(until: int) -> dict[str, list[tuple[object, ...]]]:
    """All that is stored of the second study, which nothing that is done in the first may change.
    until: the last key it has."""
    return {
        model._meta.label: sorted(
            model._base_manager.filter(pk__range=(FIRST_KEY, until)).values_list(), key=str
        )
        for model in apps.get_models()
        if _counts(model)
    }


def rows_that_join_studies() -> Iterator[str]:
    """Rows of one study that refer to a row of another."""
    for model in _of_studies():
        for field in model._meta.concrete_fields:
            target = field.related_model
            if isinstance(target, type) and target is not Study and _has(target, "study"):
                # A judge that belongs to no study is one of all studies.
                named = model._base_manager.exclude(**{f"{field.name}__study": None})
                crossing = named.exclude(**{f"{field.name}__study": F("study")})
                yield from (f"{model._meta.label}.{field.name}: {row.pk}" for row in crossing)
