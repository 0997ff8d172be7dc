"""A backup, made while the program runs."""

from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from annotation.models.changes import log_change
from desk.installation.backups import postgres, sqlite
from desk.installation.backups.archive import Manifest, new_archive, present_key, put_json
from desk.installation.backups.folders import file_names, put_files, refuse_within
from desk.installation.database import refuse_unusable
from desk.installation.health.figures import BACKED_UP
from jurybox import __version__


def make_backup(path: Path) -> Manifest:
    """Write the database, as it is at one moment, and the files beside it into a new ZIP.

    Files are looked for before that moment and after it: one that is thrown away meanwhile has its
    name in the manifest's `missing`. The SECRET_KEY is not in it; the manifest names it.
    CommandError where the file exists, cannot be written, or lies among those that it holds.
    """
    refuse_unusable()
    refuse_within(path)
    with new_archive(path) as archive:
        before = file_names()
        made_at = timezone.now()
        database = postgres if connection.vendor == "postgresql" else sqlite
        facts = database.put_database(archive)
        names = before | file_names()
        missing = put_files(archive, names)
        manifest = Manifest(
            version=__version__,
            commit=settings.COMMIT,
            made_at=made_at.isoformat(timespec="seconds"),
            database=connection.vendor,
            migrations=sorted([*key] for key in MigrationLoader(connection).applied_migrations),
            key=present_key(),
            files=len(names) - len(missing),
            missing=missing,
            **facts,
        )
        put_json(archive, manifest)
    # After it, so that no backup holds itself.
    log_change(study=None, by=None, action=BACKED_UP, detail={"rows": sum(manifest.rows.values())})
    return manifest
