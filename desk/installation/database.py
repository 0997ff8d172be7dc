"""The database of an installation, brought up to the version of the program."""

import sqlite3
from collections.abc import Callable, Collection
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from jurybox import __version__
from jurybox.packages import PACKAGES

# Copies of an SQLite database from before an upgrade: the newest so many stay.
COPIES_KEPT = 2

OWN_APPS = frozenset(PACKAGES)
# Every database of the present chain of migrations has it, and none of the one before.
FIRST = ("estimates", "0001_initial")


def prepare_database(*, say: Callable[[str], object], replace: bool = False) -> None:
    """Make the database, or migrate an older one, of which a copy is kept where it is SQLite; where
    a migration fails there, the database is put back as it was.
    replace: an SQLite file of the former chain of migrations is moved aside, for a new one.

    CommandError, in one sentence, where a newer version made it, one of the former chain, or where
    a migration fails.
    """
    try:
        if replace and connection.vendor == "sqlite" and of_former_chain():
            say(f"An older demonstration was moved aside, to {_move_aside()}")
        reason = of_former_chain() or newer_than_program()
        is_older = pending_migrations() and MigrationLoader(connection).applied_migrations
        copy = _keep_copy() if is_older and not reason else None
    except (DatabaseError, sqlite3.Error, OSError) as error:
        raise _not_brought_up(error) from error
    if reason:
        raise CommandError(reason)
    if is_older:
        kept = f"; a copy of it as it was is {copy}" if copy else ""
        say(f"Bringing the database up to version {__version__}{kept}")
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except Exception as error:
        if isinstance(error, CommandError):  # in a sentence already, before anything was done
            raise
        raise _not_brought_up(error, _put_back(copy) if copy else "") from error
    _remove_old_copies()
    version_file().write_text(__version__, encoding="ascii")


def _not_brought_up(error: Exception, after: str = "") -> CommandError:
    name = connection.settings_dict["NAME"]
    reason = f"the database {name} could not be brought up to version {__version__}: {error}"
    return CommandError(f"{reason}{after}")


def has_file() -> bool:
    """Whether there is a database; SQLite would make one on the first connection."""
    name = str(connection.settings_dict["NAME"])
    return connection.vendor != "sqlite" or "memory" in name or Path(name).is_file()


def refuse_unusable() -> None:
    """CommandError where the database is not of this version of the program."""
    if reason := of_former_chain() or newer_than_program():
        raise CommandError(reason)
    if pending_migrations():
        name = connection.settings_dict["NAME"]
        raise CommandError(f"the database {name} is not up to date with the program: migrate it")


def newer_than_program() -> str:
    """Why the database cannot be used, where a newer version of the program made it; else empty.

    It holds migrations of ours then that this version has not got.
    """
    loader = MigrationLoader(connection)
    migrations = loader.disk_migrations
    replaced = {old for migration in migrations.values() for old in migration.replaces}
    ours = {key for key in loader.applied_migrations if key[0] in OWN_APPS}
    ahead = sorted(ours - set(migrations) - replaced)
    if not ahead:
        return ""
    last = f", last by {last_version()}" if last_version() not in ("", __version__) else ""
    return (
        f"the database {connection.settings_dict['NAME']} was used by a newer version of Jurybox"
        f"{last}; this is {__version__}, which does not know {'.'.join(ahead[-1])}. "
        "Install the newer version, or choose another folder by JURYBOX_DATA."
    )


def of_former_chain() -> str:
    """Why the database cannot be used, where it was made before each app had one initial
    migration; else empty."""
    applied = MigrationLoader(connection).applied_migrations
    if FIRST in applied or not any(app in OWN_APPS for app, _name in applied):
        return ""
    return (
        f"the database {connection.settings_dict['NAME']} was made by a development version of "
        "Jurybox from before its migrations were joined, and cannot be brought up to date. With "
        "that version, `export STUDY --format jsonl` saves material and answers (no accounts, pay "
        "or drafts). Then choose another folder by JURYBOX_DATA, and import them there."
    )


@register(Tags.database)
def check_chain(*, databases: Collection[str] | None = None, **_options: Any) -> list[Error]:
    """Let `migrate` refuse a database of the former chain, which it would only half understand."""
    try:
        reason = of_former_chain() if databases else ""
    except DatabaseError:  # not there, or not reached, which others report
        return []
    return [Error(f"{reason[0].upper()}{reason[1:]}", id="desk.E001")] if reason else []


def pending_migrations() -> list[str]:
    """Names of the migrations that the database has not got yet, in order."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]


def version_file() -> Path:
    """Where the version is written that last brought the database up to date."""
    return Path(settings.DATA_DIR) / "program-version"


def last_version() -> str:
    """The version that last brought the database up to date; empty where none has written it."""
    file = version_file()
    return file.read_text(encoding="ascii").strip() if file.is_file() else ""


def _move_aside() -> Path:
    """Rename an SQLite file, with the log beside it, and begin with none; its new name."""
    connection.close()
    file = Path(str(connection.settings_dict["NAME"]))
    number = next(n for n in count(1) if not file.with_name(f"{file.name}.old-{n}").exists())
    for suffix in ("", "-wal", "-shm"):
        part = file.with_name(f"{file.name}{suffix}")
        if part.exists():
            part.rename(file.with_name(f"{file.name}.old-{number}{suffix}"))
    return file.with_name(f"{file.name}.old-{number}")


def _keep_copy() -> Path | None:
    """Copy an SQLite file beside itself, named by the version that it is brought up to."""
    file = Path(str(connection.settings_dict["NAME"]))
    if connection.vendor != "sqlite" or not file.is_file():
        return None
    copy = file.with_name(f"{file.stem}.before-{__version__}-{len(pending_migrations())}.sqlite3")
    if not copy.exists():
        # It bears its name once it is whole: one that a full disk cut off would be taken for it.
        aside = copy.with_name(f".{copy.name}.part")
        aside.unlink(missing_ok=True)
        aside.touch(mode=0o600)
        try:
            _copy(file, aside)
            aside.rename(copy)
        finally:
            aside.unlink(missing_ok=True)
    return copy


def _copy(file: Path, to: Path) -> None:
    """The database has a log of its own beside it, which a copy of the file alone would lose."""
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)


def _put_back(copy: Path) -> str:
    """Bring the database back to what it was before a migration failed; what to say of it."""
    connection.close()
    _copy(copy, Path(str(connection.settings_dict["NAME"])))
    return ". It is as it was before"


def kept_copies() -> list[Path]:
    """Copies of the database from before upgrades, the newest first."""
    if connection.vendor != "sqlite":
        return []
    file = Path(str(connection.settings_dict["NAME"]))
    copies = file.parent.glob(f"{file.stem}.before-*.sqlite3")
    return sorted(copies, key=lambda copy: copy.stat().st_mtime, reverse=True)


def _remove_old_copies() -> None:
    for copy in kept_copies()[COPIES_KEPT:]:
        copy.unlink()
