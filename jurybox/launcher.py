"""The command `jurybox`: the program's own packages first, then manage.py."""

import os
import sys
from importlib import import_module
from pathlib import Path

from jurybox import __version__
from jurybox.overview import overview

# Others have packages of these names, too: in the environment, or where a user works.
PACKAGES = ("agreement", "tasktypes", "annotation", "judges", "results", "desk", "config")

# Django has a `check` of its own, for developers; manage.py keeps that one.
RENAMED = {"check": "check_table"}


def program_folder() -> Path:
    """Where manage.py and the packages are: this folder in a wheel, the one above in a checkout."""
    here = Path(__file__).resolve().parent
    return here if (here / "manage.py").is_file() else here.parent


def take_names() -> None:
    """Have the names of the program's packages mean these packages in this process.

    gunicorn and Celery put the folder that a user works in before everything else on the path, so
    the packages are loaded before those are.
    """
    folder = str(program_folder())
    sys.path[:] = [folder, *(entry for entry in sys.path if entry != folder)]
    for name in PACKAGES:
        import_module(name)


def main() -> None:
    """Run a command of the program; without one, list them."""
    if sys.argv[1:] in ([], ["help"], ["--help"], ["-h"]):
        print(overview(__version__))  # noqa: T201 (what was asked for)
        return
    if Path(sys.argv[0]).name == "__main__.py":
        sys.argv[0] = "jurybox"  # for lines on how it is used
    # Another project's settings are of no use here.
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    if sys.argv[1:]:
        sys.argv[1] = RENAMED.get(sys.argv[1], sys.argv[1])
    take_names()
    import_module("manage").main()
