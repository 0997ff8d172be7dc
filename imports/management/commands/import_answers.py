"""manage.py import_answers STUDY FILE.jsonl: answers that were given elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.models import Study
from annotation.models.changes import log_change, logged_by_name
from files.errors import ImportFailure
from imports.answers.importing import import_answers
from imports.management.skipped_records import add_skip_arguments, skipped_records, write_outcome


class Command(BaseCommand):
    """Record a file of answers."""

    help = "Import answers into a study: all of the file, or nothing. Format: docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the slug of the study")
        parser.add_argument("file", metavar="FILE.jsonl", type=Path, help="an answer on each line")
        parser.add_argument(
            "--pseudonyms",
            action="store_true",
            help="name people rater-1, rater-2, … instead of as in the file",
        )
        add_skip_arguments(parser, strict=True)

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        slug, path = options["study"], options["file"]
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise CommandError(f"study {slug}: slug: no such study")
        size = path.stat().st_size if path.is_file() else None
        try:
            with (
                skipped_records(options, [path]) as skipped,
                # disable=None: no bar where nobody watches, that is, where stderr is no terminal.
                tqdm(total=size, unit="B", unit_scale=True, disable=None, leave=False) as bar,
            ):
                counts = import_answers(
                    study=study,
                    path=path,
                    watch=bar.update,
                    skipped=skipped,
                    pseudonyms=options["pseudonyms"],
                )
        except ImportFailure as failure:
            raise CommandError(str(failure)) from failure
        total = sum(counts.values())
        line = f"{total} answers of {len(counts)} raters recorded in {study.title}"
        detail = {"answers": total, "raters": len(counts)}
        log_change(study=study, by=None, action="answers.imported", detail=detail)
        values = {"study": study.slug, "answers": counts}
        write_outcome(self.stdout, options, skipped, lines=[line], values=values)
