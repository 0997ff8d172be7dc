"""What it takes to bring the database up to this version of the program."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations import RunPython, RunSQL
from django.db.migrations.operations.models import CreateModel
from django.utils import timezone
from django.utils.timesince import timesince

from desk.installation.database import COPIES_KEPT, has_file, kept_copies
from desk.installation.findings import Finding, fails, note, ok
from desk.installation.health.figures import last_backup
from jurybox import __version__
from results.reading.wording import counted

# Of a table that is written anew with its indexes: a third of what SQLite did with 400,000 rows on
# two processors that others used as well (115 MB in 8 s).
BYTES_PER_SECOND = 5_000_000
RECENT = timedelta(days=1)


def upgrade_findings() -> Iterator[Finding]:
    """The migrations that are due, the tables that they change, how long that takes at most, and
    what to do first; one line where nothing is due."""
    if not has_file():
        return
    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not executor.loader.applied_migrations:
            return
        due = [migration for migration, _backwards in plan]
        if due:
            yield from _upgrade(due, executor)
        else:
            yield ok(f"upgrade: none is due, the database is of version {__version__}")
    except DatabaseError:
        return  # which the services report
    if copies := kept_copies():
        size = sum(copy.stat().st_size for copy in copies)
        kept = counted(len(copies), "copy", "copies")
        yield note(
            f"upgrade: {kept} from before earlier ones take {_mb(size)}; the newest {COPIES_KEPT} "
            f"stay, and may be removed once all is well: {copies[0].parent}"
        )


def _upgrade(due: list[Migration], executor: MigrationExecutor) -> Iterator[Finding]:
    sizes = _sizes()
    touched = {table: sizes[table] for table in _touched(due, executor) if table in sizes}
    size = sum(touched.values())
    names = ", ".join(f"{migration.app_label}.{migration.name}" for migration in due[:5])
    more = f" and {len(due) - 5} more" if len(due) > 5 else ""
    yield note(f"upgrade: {counted(len(due), 'migration')} to version {__version__}: {names}{more}")
    largest = sorted(touched, key=lambda table: -touched[table])[:3]
    tables = ", ".join(f"{table} ({_mb(touched[table])})" for table in largest)
    longest = _duration((size + _to_copy()) / BYTES_PER_SECOND)
    yield note(
        f"upgrade: it changes {counted(len(touched), 'table')}{': ' if tables else ''}{tables}; "
        f"about {longest} at most, while pages that need them wait"
    )
    if _to_copy() > (free := shutil.disk_usage(settings.DATA_DIR).free):
        yield fails(
            f"upgrade: the copy kept of the database needs {_mb(_to_copy())}, {_mb(free)} free"
        )
    yield _backup()


def _touched(due: list[Migration], executor: MigrationExecutor) -> set[str]:
    """Tables that the operations of these migrations are about; all of an app whose code they run,
    which may be about any."""
    apps = executor.loader.project_state().apps
    found = set()
    for migration in due:
        label = migration.app_label
        for operation in migration.operations:
            if isinstance(operation, CreateModel):
                continue
            if isinstance(operation, RunPython | RunSQL):
                found |= {
                    model._meta.db_table
                    for model in apps.get_models()
                    if model._meta.app_label == label
                }
                continue
            name = getattr(operation, "model_name", getattr(operation, "name", ""))
            found |= {
                model._meta.db_table
                for model in apps.get_models()
                if (model._meta.app_label, model._meta.model_name) == (label, name.lower())
            }
    return found


def _sizes() -> dict[str, int]:
    """Bytes of each table with its indexes. SQLite does not tell: each may be the whole file, so
    that its share of all rows is taken."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
            )
            return dict(cursor.fetchall())
        rows = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608
            rows[table] = cursor.fetchone()[0]
    whole, every = _to_copy(), sum(rows.values()) or 1
    return {table: whole * number // every for table, number in rows.items()}


def _to_copy() -> int:
    """Bytes of an SQLite file, of which a copy is kept."""
    if connection.vendor != "sqlite":
        return 0
    file = Path(str(connection.settings_dict["NAME"]))
    return sum(
        part.stat().st_size for part in file.parent.glob(f"{file.name}*") if "old" not in part.name
    )


def _backup() -> Finding:
    made, now = last_backup(), timezone.now()
    advice = f"make one first, with the version that runs now: {settings.PROGRAM} backup"
    if made is None:
        return note(f"upgrade: no backup has been made; {advice}")
    if now - made > RECENT:
        return note(f"upgrade: the last backup was made {timesince(made, now)} ago; {advice}")
    return ok("upgrade: there is a backup of the last day")


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} seconds" if seconds >= 5 else "5 seconds"
    return f"{seconds / 60:.0f} minutes"
