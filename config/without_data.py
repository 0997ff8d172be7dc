"""Commands that read a file and need no data: no database, no folder, nothing left behind."""

import atexit
import os
import secrets
import shutil
import tempfile
from collections.abc import Sequence

# Of them `check_table` is `jurybox check` on the command line of an installed program.
COMMANDS = frozenset({"check_table"})


def leave_no_data(arguments: Sequence[str]) -> None:
    """For such a command a database in memory, and a folder that is removed when it ends. To be
    called before settings are read, which make the folder of data and a key in it."""
    if not arguments or arguments[0] not in COMMANDS:
        return
    folder = tempfile.mkdtemp(prefix="jurybox-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ |= {
        "JURYBOX_DATA": folder,
        "DATABASE_URL": "sqlite://:memory:",
        "BROKER_URL": "memory://",
        "SECRET_KEY": secrets.token_urlsafe(48),
    }
