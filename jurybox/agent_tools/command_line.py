"""`jurybox mcp` by itself, as `label_table.command_line` runs a check."""

from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Run the command that `manage.py mcp` is, too; arguments: its own."""
    from django.conf import settings

    settings.configure(PROGRAM="jurybox", USE_I18N=False)
    from desk.management.commands.mcp import Command

    Command().run_from_argv(["jurybox", "mcp", *arguments])
