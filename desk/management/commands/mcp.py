"""`jurybox mcp`: tools for a coding agent, over standard input and output."""

from argparse import ArgumentParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from jurybox.agent_tools import SKILL

NEEDED = "jurybox mcp needs its extra: pip install 'jurybox-core[mcp]'"


class Command(BaseCommand):
    help = (
        "Serve tools for a coding agent over standard input and output: check files, have people "
        "mark them, read results of studies. It only reads, and only in this folder, unless you "
        "allow more. The address and the token of a server are JURYBOX_URL and JURYBOX_TOKEN."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--write",
            action="store_true",
            help="let tools write files and start runs of judges, which may cost money",
        )
        parser.add_argument(
            "--folder",
            type=Path,
            action="append",
            default=[],
            metavar="FOLDER",
            help="a folder that may be read in place of this one; may be given several times",
        )
        parser.add_argument(
            "--skill", action="store_true", help="print a skill file that says when to use what"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["skill"]:
            self.stdout.write(SKILL.read_text(encoding="utf-8"))
            return
        folders = [folder.resolve() for folder in options["folder"] or [Path()]]
        for folder in folders:
            if not folder.is_dir():
                raise CommandError(f"--folder: {folder} is no folder")
        if find_spec("mcp") is None:
            raise CommandError(NEEDED)
        from jurybox.agent_tools.door import Door  # late: of an extra
        from jurybox.agent_tools.server import serve

        serve(Door(folders, writes=options["write"]))
