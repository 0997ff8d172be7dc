"""`export STUDY --format FORMAT --out DIR`: a study as files."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from annotation.management.studies import study_by_slug
from annotation.models.changes import log_change, logged_by_name
from estimates.data.options import consensus_names
from exports.choice import USUAL, WITH, WITHOUT, choice_in, unknown_in
from exports.files import StudyChanging, write_export
from exports.formats import FORMATS, NAMELESS
from exports.tables.answers import imported_names
from exports.workbook import TooLarge


class Command(BaseCommand):
    """Write a study's answers and material, or its ratings and estimates."""

    help = (
        "Write a study as files: dataset (texts with their labels, a row per item); huggingface "
        "(the same with all ratings, a card and Croissant metadata); jsonl (material and answers, "
        "to be imported again); label-studio (tasks with annotations and predictions); csv, "
        "parquet or xlsx (ratings and estimates); or bundle (one archive of everything that "
        "estimates rest on). People who answered here appear by "
        "pseudonym, imported ones by the name in their file. Formats: docs/export.md."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's slug")
        parser.add_argument("--format", choices=sorted(FORMATS), required=True)
        parser.add_argument(
            "--out", type=Path, required=True, metavar="DIR", help="the folder to write into"
        )
        parser.add_argument(
            "--consensus",
            choices=consensus_names(),
            default="",
            help="how several people become one label in a dataset, where the kind of value allows "
            "it (default: union for sets, majority for labels, mean for numbers)",
        )
        parser.add_argument("--facet", default="", help="labels and ratings of this facet alone")
        parser.add_argument("--subset", default="", help="of the units in this subset alone")
        parser.add_argument("--round", default="", help="of the answers of this round alone")
        parser.add_argument(
            "--excluded",
            choices=(WITH, WITHOUT),
            default=USUAL,
            help="excluded answers: with them in labels too, or without them among ratings too "
            "(default: flagged among ratings, and in no label)",
        )
        parser.add_argument(
            "--personal",
            choices=(WITH,),
            default=USUAL,
            help="with what people wrote beside their answers and told in the questionnaire, which "
            "is personal data (default: left out)",
        )

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        folder: Path = options["out"]
        choice = choice_in(options)
        if unknown := unknown_in(choice, study):
            raise CommandError(unknown)
        try:
            with tqdm(unit=" lines", disable=None, leave=False) as bar:
                written = write_export(
                    study=study,
                    format_name=options["format"],
                    folder=folder,
                    choice=choice,
                    watch=bar.update,
                )
        except OSError as error:
            raise CommandError(f"{folder}: {error.strerror}") from error
        except (StudyChanging, TooLarge) as error:
            raise CommandError(str(error)) from error
        subject = options["format"]
        log_change(study=study, by=None, action="export.written", subject=subject)
        for path in written:
            self.stdout.write(str(path))
        if options["format"] not in NAMELESS and (imported := imported_names(study)):
            self.stderr.write(
                f"{imported} imported people are named as in their file. Check these names before "
                "you publish."
            )
