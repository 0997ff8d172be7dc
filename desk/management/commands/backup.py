"""`backup`: the installation in one file, made while the program runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from desk.installation.backups.backup import make_backup


class Command(BaseCommand):
    help = (
        "Write the database, as it is at one moment, and all files into one ZIP, while the program "
        "runs. It holds people's answers, and no SECRET_KEY, which a restore needs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            metavar="FILE.zip",
            nargs="?",
            type=Path,
            help="a new file; default: one named by the time, in backups in the folder of data",
        )

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        now = timezone.now().strftime("%Y-%m-%dT%H-%M-%SZ")
        path = file or Path(settings.DATA_DIR) / "backups" / f"jurybox-{now}.zip"
        manifest = make_backup(path)
        self.stdout.write(f"{path}: {manifest.content}, {path.stat().st_size / 1e6:,.1f} MB")
        if manifest.missing:
            self.stdout.write(f"Removed while it was made: {', '.join(manifest.missing)}")
        self.stdout.write(f"It needs the SECRET_KEY named {manifest.key}. {_where()}")


def _where() -> str:
    key = Path(settings.DATA_DIR) / "secret.key"
    return f"Keep a copy of {key} apart from it." if key.exists() else "Keep that apart from it."
