"""What needs no data of an installation: no database, no folder, nothing is left behind."""

import atexit
import os
import secrets
import shutil
import tempfile
from collections.abc import Sequence

# Of them `check_table` is `jurybox check` on the command line of an installed program.
COMMANDS = frozenset({"check_table", "mcp"})


def leave_no_data(arguments: Sequence[str]) -> None:
    """Use no data for such a command."""
    if arguments and arguments[0] in COMMANDS:
        use_no_data()


def use_no_data() -> None:
    """A database in memory, and a folder that is removed when this process ends. To be called
    before settings are read, which make the folder of data and a key in it."""
    folder = tempfile.mkdtemp(prefix="jurybox-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ |= {
        "JURYBOX_DATA": folder,
        "DATABASE_URL": "sqlite://:memory:",
        "BROKER_URL": "memory://",
        "SECRET_KEY": secrets.token_urlsafe(48),
    }
