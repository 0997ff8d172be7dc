"""`jurybox check` by itself: none of the program's settings, apps, libraries or data."""

import atexit
import gc
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Run the command that `manage.py check_table` is, too; arguments: its own."""
    gc.set_threshold(50_000)  # Modules stay: looking for garbage among them takes a tenth,
    atexit.register(gc.freeze)  # and once more when the process ends.
    from django.conf import settings

    settings.configure(PROGRAM="jurybox", USE_I18N=False, FIELDS_DESCRIBED=False)
    _load_little()
    from label_table.management.commands.check_table import Command

    Command().run_from_argv(["jurybox", "check", *arguments])


def _load_little() -> None:
    """scipy takes everything that numpy names, tools for tests and for Fortran as well, which numpy
    itself loads when they are asked for: a tenth of the time of a check."""
    import numpy

    named = [name for name in dir(numpy) if name not in {"f2py", "testing"}]
    numpy.__all__ = [name for name in numpy.__all__ if name in named]
    vars(numpy)["__dir__"] = lambda: named
