"""manage.py apply_study study.yaml: create a study, or bring it up to its file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.importing.errors import ImportFailure
from annotation.importing.studies import summary
from annotation.importing.study_file.owner import NO_OWNER
from annotation.importing.study_file.update import Applied, apply_study


class Command(BaseCommand):
    """Bring a study in the database up to its file."""

    help = "Create or update a study from its file; applying it twice is harmless."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="STUDY.yaml", type=Path, help="a study file")
        parser.add_argument("--owner", default="", help="its owner (default: every superuser)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            # disable=None: no bar where nobody watches, that is, where stderr is no terminal.
            with tqdm(unit="B", unit_scale=True, disable=None, leave=False) as bar:
                applied = apply_study(
                    path=options["file"], owner=options["owner"], watch=bar.update
                )
        except ImportFailure as failure:
            raise CommandError(str(failure)) from failure
        self._report(applied)

    def _report(self, applied: Applied) -> None:
        study = applied.study
        outcome = "created" if applied.created else "updated"
        if not (applied.created or applied.changed or applied.loaded):
            outcome = "already as its file says"
        self.stdout.write(f"{study.title} ({study.slug}): {outcome}")
        if applied.changed:
            self.stdout.write(f"  changed: {', '.join(applied.changed)}")
        if applied.loaded:
            for line in summary(study.imported):
                self.stdout.write(f"  {line}")
        if not study.members.exists():
            self.stdout.write(f"  {NO_OWNER}")
