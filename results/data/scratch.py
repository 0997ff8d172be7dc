"""A database in memory, for figures of a study that is not in the standing one."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.utils import load_backend

ENGINE = "django.db.backends.sqlite3"


@contextmanager
def database_in_memory() -> Iterator[None]:
    """Within the block, this thread's queries go to an empty database that is gone afterwards.

    The standing connection is set aside as it is, an open transaction of it included.
    """
    settings = {DEFAULT_DB_ALIAS: {"ENGINE": ENGINE, "NAME": ":memory:"}}
    described = connections.configure_settings(settings)[DEFAULT_DB_ALIAS]
    standing = connections[DEFAULT_DB_ALIAS]
    connection = load_backend(ENGINE).DatabaseWrapper(described, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = connection
    try:
        with connection.schema_editor() as editor:
            for model in apps.get_models():
                editor.create_model(model)
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = standing
        connection.close()
