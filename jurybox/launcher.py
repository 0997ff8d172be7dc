"""The command `jurybox`: the program's own packages first, then manage.py."""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from jurybox import __version__
from jurybox.overview import overview
from jurybox.packages import come_first, take_names

# Django has a `check` of its own, for developers; manage.py keeps that one.
RENAMED = {"check": "check_table"}
# What needs no settings, apps, libraries or data of the program, and who runs it.
ALONE = {"check": "label_table.command_line", "mcp": "jurybox.agent_tools.command_line"}


def main() -> None:
    """Run a command of the program; without one, list them."""
    asked = sys.argv[1:]
    if asked in ([], ["help"], ["--help"], ["-h"]):
        print(overview(__version__))  # noqa: T201 (what was asked for)
    elif asked in (["--version"], ["version"]):
        print(f"jurybox {__version__}")  # noqa: T201 (what was asked for)
    elif asked[0] in ALONE:
        come_first()
        import_module(ALONE[asked[0]]).main(asked[1:])
    elif find_spec("celery") is None:
        sys.exit(f"jurybox {asked[0]} needs the whole program: pip install jurybox")
    else:
        _run_program()


def _run_program() -> None:
    if Path(sys.argv[0]).name == "__main__.py":
        sys.argv[0] = "jurybox"  # for lines on how it is used
    # Another project's settings are of no use here.
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    if sys.argv[1:]:
        sys.argv[1] = RENAMED.get(sys.argv[1], sys.argv[1])
    take_names()
    import_module("manage").main()
