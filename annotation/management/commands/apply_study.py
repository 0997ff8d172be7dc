"""manage.py apply_study study.yaml: create a study, or bring it up to its file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.importing.errors import ImportFailure
from annotation.importing.studies import summary
from annotation.importing.study_file.update import Applied, apply_study
from annotation.management.skipped_records import (
    add_skip_arguments,
    skipped_records,
    write_outcome,
)


class Command(BaseCommand):
    """Bring a study in the database up to its file."""

    help = "Create or update a study from its file; applying it twice is harmless."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="STUDY.yaml", type=Path, help="a study file")
        parser.add_argument("--owner", default="", help="its owner (default: every superuser)")
        add_skip_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with (
                skipped_records(options, [options["file"]]) as skipped,
                # disable=None: no bar where nobody watches, that is, where stderr is no terminal.
                tqdm(unit="B", unit_scale=True, disable=None, leave=False) as bar,
            ):
                applied = apply_study(
                    path=options["file"],
                    owner=options["owner"],
                    watch=bar.update,
                    skipped=skipped,
                )
        except ImportFailure as failure:
            raise CommandError(str(failure)) from failure
        write_outcome(
            self.stdout, options, skipped, lines=_in_words(applied), values=_as_json(applied)
        )


def _in_words(applied: Applied) -> list[str]:
    study = applied.study
    outcome = "created" if applied.created else "updated"
    if not (applied.created or applied.changed or applied.loaded):
        outcome = "already as its file says"
    lines = [f"{study.title} ({study.slug}): {outcome}"]
    if applied.changed:
        lines.append(f"  changed: {', '.join(applied.changed)}")
    if applied.loaded:
        lines += [f"  {line}" for line in summary(study.imported)]
    return lines


def _as_json(applied: Applied) -> dict[str, Any]:
    study = applied.study
    return {
        "study": study.slug,
        "title": study.title,
        "created": applied.created,
        "changed": applied.changed,
        "loaded": applied.loaded,
        **study.imported,
    }
