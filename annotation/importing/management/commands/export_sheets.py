"""manage.py export_sheets STUDY --raters NAME… --out DIR: a spreadsheet per annotator."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.models import Study
from annotation.sheets.layout import SheetRefused
from annotation.sheets.writer import write_sheets


class Command(BaseCommand):
    """Write spreadsheets to be filled in."""

    help = (
        "Write a spreadsheet per annotator, to be filled in and read back by import_sheets. "
        "See docs/spreadsheets.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the slug of the study")
        parser.add_argument(
            "--raters", nargs="+", required=True, metavar="NAME", help="the annotators, a file each"
        )
        parser.add_argument(
            "--out", type=Path, required=True, metavar="DIR", help="the folder to write into"
        )
        parser.add_argument("--block", default="", metavar="KEY", help="where several would do")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"study {options['study']}: slug: no such study")
        try:
            names = options["raters"]
            with tqdm(total=len(names), unit=" files", disable=None, leave=False) as bar:
                files = write_sheets(
                    study=study,
                    annotators=names,
                    folder=options["out"],
                    block_key=options["block"],
                    watch=bar.update,
                )
        except SheetRefused as refused:
            raise CommandError(str(refused)) from refused
        except OSError as error:
            raise CommandError(f"{error.filename}: file: {error.strerror}") from error
        for path in files:
            self.stdout.write(str(path))
