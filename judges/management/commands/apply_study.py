"""manage.py apply_study study.yaml: create a study, or bring it up to its file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from tqdm import tqdm

from annotation.models.changes import log_change, logged_by_name
from files.errors import ImportFailure, OpenQuestion
from files.readers.streams import Watch
from files.skipped import SkippedRecords
from imports.management.skipped_records import add_skip_arguments, skipped_records, write_outcome
from imports.studies.importing import summary
from imports.studies.update import Applied, apply_study, files_of
from imports.study_file.owner import NO_OWNER
from judges.runs.plans.scope import RunRefused, refuse_unusable


class Command(BaseCommand):
    """Bring a study in the database up to its file."""

    help = "Create or update a study from its file; applying it twice is harmless."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="STUDY.yaml", type=Path, help="a study file")
        parser.add_argument("--owner", default="", help="its owner (default: every superuser)")
        add_skip_arguments(parser)

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with (
                skipped_records(options, files_of(options["file"])) as skipped,
                # disable=None: no bar where nobody watches, that is, where stderr is no terminal.
                tqdm(unit="B", unit_scale=True, disable=None, leave=False) as bar,
            ):
                applied = self._apply(options["file"], options["owner"], bar.update, skipped)
        except OpenQuestion as question:
            raise CommandError(str(question), returncode=2) from question
        except ImportFailure as failure:
            raise CommandError(str(failure)) from failure
        except RunRefused as refusal:
            raise CommandError(f"{options['file']}: {refusal}") from refusal
        write_outcome(
            self.stdout, options, skipped, lines=_in_words(applied), values=_as_json(applied)
        )

    @transaction.atomic
    def _apply(self, file: Path, owner: str, watch: Watch, skipped: SkippedRecords) -> Applied:
        applied = apply_study(path=file, owner=owner, watch=watch, skipped=skipped, aliases=True)
        refuse_unusable(applied.study, applied.judges)
        if applied.created or applied.changed or applied.loaded:
            action = "study.made" if applied.created else "study.edited"
            detail = {"changed": applied.changed, "loaded": applied.loaded}
            log_change(study=applied.study, by=None, action=action, detail=detail)
        return applied


def _in_words(applied: Applied) -> list[str]:
    study = applied.study
    outcome = "created" if applied.created else "updated"
    if not (applied.created or applied.changed or applied.loaded or applied.owners):
        outcome = "already as its file says"
    lines = [f"{study.title} ({study.slug}): {outcome}"]
    if applied.changed:
        lines.append(f"  changed: {', '.join(applied.changed)}")
    if applied.owners and not applied.created:
        lines.append(f"  now an owner: {', '.join(applied.owners)}")
    if applied.loaded:
        lines += [f"  {line}" for line in summary(study.imported, text_form=study.text_form)]
    if not study.members.exists():
        lines.append(f"  {NO_OWNER}")
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
