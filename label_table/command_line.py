"""`jurybox check` by itself: none of the program's settings, apps, libraries or data."""

import gc
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Run the command that `manage.py check_table` is, too; arguments: its own."""
    gc.set_threshold(50_000)  # Modules stay: looking for garbage among them takes a tenth.
    from django.conf import settings

    settings.configure(PROGRAM="jurybox", USE_I18N=False)
    from label_table.management.commands.check_table import Command

    Command().run_from_argv(["jurybox", "check", *arguments])
