"""The command `jurybox`: the program's own packages first, then manage.py."""

import os
import sys
from importlib import import_module
from pathlib import Path

from jurybox import __version__
from jurybox.overview import overview
from jurybox.packages import take_names

# Django has a `check` of its own, for developers; manage.py keeps that one.
RENAMED = {"check": "check_table"}


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
