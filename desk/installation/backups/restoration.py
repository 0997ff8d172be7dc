"""An installation out of a backup: whole, or not at all."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from zipfile import ZipFile

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from annotation.models import Study, User
from desk.installation.backups import postgres, sqlite
from desk.installation.backups.archive import Manifest, known_keys, opened
from desk.installation.backups.folders import refuse_files, restored_files
from desk.installation.database import prepare_database
from jobs.models import Heartbeat

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def restore_backup(path: Path, *, say: Callable[[str], object]) -> Manifest:
    """Fill an empty installation with a backup, then bring it up to this version of the program.

    CommandError, in one sentence and with nothing changed, where the file is damaged, of another
    kind of database, of a newer version or under another key, and where the installation holds
    accounts, studies or files, is in use, or is being restored already.
    """
    with one_restore(), opened(path) as (archive, manifest):
        refuse_unfitting(manifest)
        refuse_filled()
        _restore(archive, manifest)
    # Now other rows are there than those that the connection has seen.
    connection.close()
    prepare_database(say=say)
    # Of workers where the backup was made: none of them works here.
    Heartbeat.objects.all().delete()
    return manifest


def refuse_unfitting(manifest: Manifest) -> None:
    """CommandError where this installation cannot take the backup."""
    if manifest.database != connection.vendor:
        theirs, ours = NAMES.get(manifest.database, "another database"), NAMES[connection.vendor]
        raise CommandError(f"The backup is of {theirs}; this installation is on {ours}.")
    if manifest.key not in known_keys():
        raise CommandError(
            f"The backup needs the SECRET_KEY named {manifest.key}; this installation has "
            f"{' and '.join(sorted(known_keys()))}. Without it no personal link, no second factor "
            "and no stored key of an endpoint could be read."
        )
    known = MigrationLoader(None).disk_migrations
    if ahead := [f"{app}.{name}" for app, name in manifest.migrations if (app, name) not in known]:
        raise CommandError(
            f"The backup was made by version {manifest.version}, which is newer: this one does not "
            f"know {ahead[-1]}. Install that version."
        )


def refuse_filled() -> None:
    """CommandError where the installation holds accounts, studies or files."""
    refuse_files()
    tables = set(connection.introspection.table_names())
    for held, model in {"accounts": User, "studies": Study}.items():
        if model._meta.db_table in tables and model._default_manager.exists():
            raise CommandError(
                f"The database holds {held}. Restore into an empty "
                "installation: another JURYBOX_DATA or DATABASE_URL."
            )
    if connection.vendor == "sqlite":
        connection.close()
        sqlite.refuse_others()


def _restore(archive: ZipFile, manifest: Manifest) -> None:
    try:
        with ExitStack() as stack:
            if connection.vendor == "sqlite":
                stack.enter_context(sqlite.restored_database(archive, manifest.rows))
            else:
                stack.enter_context(postgres.restored_database(archive, manifest))
            stack.enter_context(restored_files(archive))
    except (DatabaseError, OSError, KeyError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(
            f"The backup could not be restored: {reason}. Nothing was kept."
        ) from error


@contextmanager
def one_restore() -> Iterator[None]:
    """CommandError where another restore into this folder of data is under way."""
    with (Path(settings.DATA_DIR) / "restore.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError("Another restore into this installation is under way.") from None
        yield
