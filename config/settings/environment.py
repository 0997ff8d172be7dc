"""What every other module asks: the variables, and the folders of the program."""

from pathlib import Path

import environ

from config.embedded import data_folder, is_installed

BASE_DIR = Path(__file__).resolve().parents[2]
env = environ.Env()


def addresses(name: str) -> list[tuple[str, int]]:
    """(address, port) of a variable that lists `address:port`."""
    entries = (entry.rpartition(":") for entry in env.list(name, default=[]))
    return [(address.strip("[]"), int(port)) for address, _, port in entries]


# What its command is called.
PROGRAM = "jurybox" if is_installed(BASE_DIR) else "manage.py"

# --- Where the program keeps what it writes -----------------------------------------------------

# JURYBOX_DATA (`./var`; installed, `~/.local/share/jurybox`): the folder of everything the program
#   writes: database, broker, secret key, static files, `bench.json`. The demo of an installed
#   program uses `demo` in it. On a Mac `~/Library/Application Support/jurybox`.
DATA_DIR = data_folder(BASE_DIR)
# Of an installed program it lies among a user's own files, and is for nobody else.
DATA_DIR.mkdir(mode=0o700 if is_installed(BASE_DIR) else 0o777, parents=True, exist_ok=True)
