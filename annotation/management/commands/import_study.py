"""manage.py import_study FORMAT FILE… --slug S: a study from published or own files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.importing.errors import ImportFailure
from annotation.importing.formats.contract import FormatInput
from annotation.importing.formats.scales import LEVELS
from annotation.importing.studies import FORMATS, import_study
from annotation.importing.study_file.owner import NO_OWNER
from annotation.management.skipped_records import (
    add_skip_arguments,
    skipped_records,
    write_outcome,
)
from annotation.models.changes import log_change, logged_by_name


class Command(BaseCommand):
    """Make a study of files in one of the known formats."""

    help = (
        "Import a study from files. Records that cannot be used are skipped and listed. "
        "Formats: docs/import.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", choices=sorted(FORMATS))
        parser.add_argument(
            "files", metavar="FILE", nargs="+", type=Path, help="files of that format, or a folder"
        )
        parser.add_argument("--slug", required=True, help="the study's name in addresses")
        parser.add_argument("--title", default="", help="what the study is called")
        parser.add_argument("--owner", default="", help="its owner (default: every superuser)")
        parser.add_argument(
            "--replace", action="store_true", help="remove the study of that slug first"
        )
        parser.add_argument("--chains", type=Path, help="fcexp: the file of human evidence chains")
        parser.add_argument(
            "--columns", type=Path, help="table and ratings: what the columns mean (YAML)"
        )
        parser.add_argument(
            "--task-type",
            default="",
            help="table: what is asked about each output, or about several",
        )
        parser.add_argument(
            "--level", choices=LEVELS, default="", help="raters: what may be done with the values"
        )
        names = parser.add_mutually_exclusive_group()
        names.add_argument(
            "--pseudonyms",
            action="store_true",
            help="name people rater-1, rater-2, … instead of as in the file (the default for files "
            "of annotation tools)",
        )
        names.add_argument(
            "--keep-names",
            action="store_true",
            help="name people as in the file, also where these are accounts or addresses",
        )
        add_skip_arguments(parser)

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        source = FORMATS[options["format"]]
        for name in ("chains", "columns", "level", "task_type"):
            flag = name.replace("_", "-")
            if options[name] and name not in source.options:
                raise CommandError(f"--{flag} means nothing to the format {options['format']}")
            if name in source.needs and not options[name]:
                raise CommandError(f"--{flag}: the format {options['format']} needs it")
        try:
            self._import(options)
        except ImportFailure as failure:
            raise CommandError(str(failure)) from failure

    def _import(self, options: dict[str, Any]) -> None:
        files: list[Path] = options["files"]
        size = sum(path.stat().st_size for path in files if path.is_file())
        read = [*files, options["chains"], options["columns"]]
        with (
            skipped_records(options, read) as skipped,
            # disable=None: no bar where nobody watches, that is, where stderr is no terminal.
            tqdm(total=size, unit="B", unit_scale=True, disable=None, leave=False) as bar,
        ):
            study, lines = import_study(
                format_name=options["format"],
                format_input=FormatInput(
                    files=files,
                    chains=options["chains"],
                    columns=options["columns"],
                    level=options["level"],
                    task_type=options["task_type"],
                    watch=bar.update,
                    skipped=skipped,
                ),
                slug=options["slug"],
                title=options["title"],
                owner=options["owner"],
                replace=options["replace"],
                pseudonyms=_pseudonyms(options),
            )
        detail = {"format": options["format"], "files": [path.name for path in files]}
        log_change(study=study, by=None, action="study.imported", detail=detail)
        shown = [f"{study.title} ({study.slug})", *(f"  {line}" for line in lines)]
        if not study.members.exists():
            shown.append(f"  {NO_OWNER}")
        write_outcome(
            self.stdout,
            options,
            skipped,
            lines=shown,
            values={"study": study.slug, "title": study.title, **study.imported},
        )


def _pseudonyms(options: dict[str, Any]) -> bool | None:
    """Whether people get other names than in the files; None: as the format has it."""
    if options["keep_names"]:
        return False
    return True if options["pseudonyms"] else None
