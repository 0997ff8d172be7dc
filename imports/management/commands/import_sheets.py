"""manage.py import_sheets STUDY FILE…: spreadsheets that annotators have filled in."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from annotation.models.changes import log_change, logged_by_name
from files.errors import ImportFailure
from imports.sheets.reader import SheetFailures, import_sheets


class Command(BaseCommand):
    """Record the answers of filled-in spreadsheets."""

    help = (
        "Read spreadsheets of export_sheets that were filled in: all of them, or nothing. "
        "See docs/spreadsheets.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the slug of the study")
        parser.add_argument(
            "files", metavar="FILE", nargs="+", type=Path, help="the filled-in files"
        )

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"study {options['study']}: slug: no such study")
        try:
            counts = import_sheets(study=study, paths=options["files"])
        except (ImportFailure, SheetFailures) as failure:
            raise CommandError(str(failure)) from failure
        total = sum(counts.values())
        detail = {"answers": total, "raters": len(counts)}
        log_change(study=study, by=None, action="answers.imported", detail=detail)
        self.stdout.write(f"{total} answers of {len(counts)} annotators recorded in {study.title}")
