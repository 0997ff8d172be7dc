"""manage.py erase_expired: erase now what the nightly task would erase."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.rights.retention import erase_expired


class Command(BaseCommand):
    """Erase identifiers and drafts whose time is over."""

    help = (
        "Erase the identifiers and drafts of studies whose retention time is over, and the "
        "identifiers of workers who withdrew and were paid. Runs every night by itself."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what would be erased")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        erased = erase_expired(now=timezone.now(), dry_run=dry_run)
        self.stdout.write(f"{'Would erase' if dry_run else 'Erased'}: {erased}")
