"""Each app begins with one migration, which makes its tables at once."""

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations import AddField, CreateModel
from django.db.migrations.loader import MigrationLoader

from jurybox.first_migration import FirstMigration
from jurybox.packages import PACKAGES


def test_each_app_begins_with_one_that_holds_nothing_but_tables() -> None:
    disk = MigrationLoader(None).disk_migrations
    first = [one for (app, name), one in disk.items() if app in PACKAGES and name[:4] == "0001"]
    assert first
    for migration in first:
        assert isinstance(migration, FirstMigration)
        assert {type(operation) for operation in migration.operations} <= {CreateModel, AddField}


@pytest.mark.django_db
def test_the_tables_have_all_columns_of_the_models() -> None:
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = connection.introspection.get_table_description(cursor, model._meta.db_table)
            columns = {field.column for field in model._meta.concrete_fields}
            assert {column.name for column in table} == columns, model
