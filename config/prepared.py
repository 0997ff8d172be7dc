"""Whether there is a database for a command, before it meets a missing table."""

import os
from collections.abc import Sequence
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
# It prepares the database itself.
PREPARES = "demo"
WHICH = "Set JURYBOX_DATA (or DATABASE_URL) to yours, or make one: manage.py migrate"


def missing_database(arguments: Sequence[str]) -> str:
    """Why a command of this program cannot run, where its SQLite file is missing; else empty.

    Settings are not read for it: they create the folder of data, in the checkout where a shell
    has lost `JURYBOX_DATA`.
    """
    if os.environ.get("DATABASE_URL") or not _reads_database(arguments):
        return ""
    folder = Path(os.environ.get("JURYBOX_DATA") or BASE / "var").expanduser().resolve()
    return "" if (folder / "jurybox.sqlite3").exists() else f"no database in {folder}. {WHICH}"


def _reads_database(arguments: Sequence[str]) -> bool:
    """Whether it is a command of our own that does more than to print its help or read a bundle."""
    if not arguments or {"-h", "--help"} & {*arguments} or arguments[0] == PREPARES:
        return False
    ours = any(BASE.glob(f"*/management/commands/{arguments[0]}.py"))
    return ours and not any(text.endswith(".zip") for text in arguments[1:])


def missing_migrations() -> str:
    """Why the database cannot be used, where it is behind the program; else empty."""
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    try:
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return ""
    name = connection.settings_dict["NAME"]
    return f"the database {name} is not up to date with the program. {WHICH}" if plan else ""
