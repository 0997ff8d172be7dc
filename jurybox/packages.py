"""Where the program's own packages are, and their names, which others use, too."""

import sys
from importlib import import_module
from pathlib import Path

# Others have packages of these names, too: in the environment, or where a user works.
PACKAGES = (
    "agreement",
    "tasktypes",
    "files",
    "telemetry",
    "jobs",
    "accounts",
    "annotation",
    "imports",
    "retrieval",
    "endpoints",
    "judges",
    "generators",
    "estimates",
    "workbench",
    "exports",
    "results",
    "label_table",
    "marking",
    "alerts",
    "recruitment",
    "set_up",
    "desk",
    "api",
    "config",
)


def program_folder() -> Path:
    """Where manage.py and the packages are: this folder in a wheel, the one above in a checkout."""
    here = Path(__file__).resolve().parent
    return here if (here / "manage.py").is_file() else here.parent


def come_first() -> None:
    """Have the program's packages found before others of their names."""
    folder = str(program_folder())
    sys.path[:] = [folder, *(entry for entry in sys.path if entry != folder)]


def take_names() -> None:
    """Have the names of the program's packages mean these packages in this process.

    gunicorn and Celery put the folder that a user works in before everything else on the path, so
    the packages are loaded before those are.
    """
    come_first()
    for name in PACKAGES:
        import_module(name)
