"""Which data a command works on, and whether there is a database for it.

What is here runs before settings are read, and before a command meets a missing table.
"""

import os
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from config.embedded import data_folder, is_installed
from config.without_data import use_no_data

BASE = Path(__file__).resolve().parent.parent
# They prepare the database themselves, or need none.
PREPARE = frozenset({"demo", "start", "doctor", "restore", "mark"})
PROGRAM = "jurybox" if is_installed(BASE) else "manage.py"
WHICH = f"Set JURYBOX_DATA (or DATABASE_URL) to yours, or make one: {PROGRAM} migrate"


def choose_data(arguments: Sequence[str]) -> None:
    """Let `--data` name the folder of data; give the demo of an installed program its own, and a
    file that is marked one beside it."""
    if not arguments or arguments[0] not in PREPARE:
        return
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data")
    named = parser.parse_known_args(arguments[1:])[0].data
    if named:
        os.environ["JURYBOX_DATA"] = str(Path(named).expanduser().resolve())
    elif arguments[0] == "mark":
        _choose_marks(arguments[1:])
    elif arguments[0] == "demo" and is_installed(BASE) and not os.environ.get("JURYBOX_DATA"):
        os.environ["JURYBOX_DATA"] = str(data_folder(BASE) / "demo")


def _choose_marks(arguments: Sequence[str]) -> None:
    """A folder beside the first file or folder that is named and is there. Without one nothing is
    left behind: the command says what is wrong."""
    named = (Path(text).expanduser() for text in arguments if not text.startswith("-"))
    file = next((path.resolve() for path in named if path.exists()), None)
    if file is None or {"-h", "--help"} & {*arguments}:
        use_no_data()
    else:
        os.environ["JURYBOX_DATA"] = str(file.with_name(f"{file.name}.marks"))


def missing_database(arguments: Sequence[str]) -> str:
    """Why a command of this program cannot run, where its SQLite file is missing; else empty.

    Settings are not read for it: they create the folder of data, in the checkout where a shell
    has lost `JURYBOX_DATA`.
    """
    if os.environ.get("DATABASE_URL") or not _reads_database(arguments):
        return ""
    folder = data_folder(BASE)
    return "" if (folder / "jurybox.sqlite3").exists() else f"no database in {folder}. {WHICH}"


def _reads_database(arguments: Sequence[str]) -> bool:
    """Whether it is a command of our own that does more than to print its help or read a bundle."""
    if not arguments or {"-h", "--help"} & {*arguments} or arguments[0] in PREPARE:
        return False
    ours = any(BASE.glob(f"*/management/commands/{arguments[0]}.py"))
    return ours and not any(text.endswith(".zip") for text in arguments[1:])


def failed_migration(arguments: Sequence[str], error: Exception) -> str:
    """What became of a database whose migration failed; empty for other commands. Of the error its
    first line: PostgreSQL quotes rows in the further ones."""
    if arguments[:1] != ["migrate"]:
        return ""
    from django.db import connection

    first = str(error).partition("\n")[0].rstrip(".")
    return (
        f"the database {connection.settings_dict['NAME']} could not be migrated: {first}. The "
        "migration that failed left nothing; those before it stay, and the older version can run on"
    )


def missing_migrations() -> str:
    """Why the database cannot be used, where it is behind or ahead of the program; else empty."""
    from django.db import DatabaseError, connection

    from desk.installation.database import newer_than_program, pending_migrations

    try:
        newer, pending = newer_than_program(), pending_migrations()
    except DatabaseError:
        return ""
    name = connection.settings_dict["NAME"]
    behind = f"the database {name} is not up to date with the program. {WHICH}" if pending else ""
    return newer or behind
