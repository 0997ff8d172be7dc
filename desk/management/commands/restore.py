"""`restore`: an empty installation is filled with a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from desk.installation.backups.archive import opened
from desk.installation.backups.restoration import refuse_unfitting, restore_backup


class Command(BaseCommand):
    help = (
        "Fill an empty installation with a backup, whole or not at all, and bring it up to this "
        "version. Stop the program first."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE.zip", type=Path, help="made by backup")
        parser.add_argument(
            "--check",
            action="store_true",
            help="read it to its end and say what it holds; nothing is changed",
        )

    def handle(self, *args: Any, file: Path, check: bool, **options: Any) -> None:
        if check:
            with opened(file) as (_archive, manifest):
                refuse_unfitting(manifest)
            self.stdout.write(f"{file} is whole: {manifest.content}.")
            return
        manifest = restore_backup(file, say=self.stdout.write)
        self.stdout.write(
            f"Restored {manifest.content}. Whoever withdrew or was erased after that is in the "
            "data again: erase them once more before you open a study."
        )
