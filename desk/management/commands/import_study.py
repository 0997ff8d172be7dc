"""manage.py import_study FORMAT FILE… --slug S: a study from published or own files, or from a
dataset on the Hugging Face Hub."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.models import Study
from annotation.models.changes import log_change, logged_by_name
from files.errors import ImportFailure, OpenQuestion, files_shown
from imports.formats.contract import FormatInput
from imports.formats.registry import every_format
from imports.formats.scales import LEVELS
from imports.management.reading_options import add_reading_arguments, reading_of, stated_by
from imports.management.shown_readings import shown_reading
from imports.management.skipped_records import add_skip_arguments, skipped_records, write_outcome
from imports.studies.importing import import_study
from imports.studies.unfinished import Listener
from imports.study_file.owner import NO_OWNER
from set_up.imports.hub.addresses import dataset_address, is_address
from set_up.imports.hub.downloads import (
    HubDataset,
    fetch_dataset,
    reads_hub,
    token_of_environment,
)
from set_up.imports.shown_names import shown_in


class Command(BaseCommand):
    """Make a study of files in one of the known formats."""

    help = (
        "Import a study from files. Records that cannot be used are skipped and listed. "
        "Formats: docs/import.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", choices=sorted(every_format()))
        parser.add_argument(
            "files",
            metavar="FILE",
            nargs="+",
            help="files of that format, or a folder; instead of them a dataset on the Hugging Face "
            "Hub, hf://datasets/OWNER/NAME or with @REVISION",
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
        parser.add_argument(
            "--text",
            default="",
            metavar="FIELD",
            help="huggingface, label-studio, argilla: the field that holds the outputs, where no "
            "name tells it",
        )
        add_reading_arguments(parser)
        parser.add_argument(
            "--human", action="append", default=[], help="table: a column or rater of a person"
        )
        parser.add_argument(
            "--judge",
            action="append",
            default=[],
            help="table: a column or rater that is a machine",
        )
        parser.add_argument(
            "--show-reading",
            action="store_true",
            help="table: print how the files are read, and import nothing",
        )
        hub = parser.add_argument_group("of a dataset on the hub")
        hub.add_argument(
            "--config", default="", help="its configuration (default: as its card says)"
        )
        hub.add_argument(
            "--split", default="", help="its split, or several as a+b (default: the only one)"
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
        _check(options)
        try:
            if options["show_reading"]:
                self._show_reading(options)
            else:
                self._import(options)
        except OpenQuestion as question:
            raise CommandError(str(question), returncode=2) from question
        except ImportFailure as failure:
            raise CommandError(str(failure)) from failure

    def _show_reading(self, options: dict[str, Any]) -> None:
        files = [Path(name) for name in options["files"]]
        for line in shown_reading(files, reading_of(options), stated_by(options)):
            self.stdout.write(line)

    def _import(self, options: dict[str, Any]) -> None:
        # disable=None: no bar where nobody watches, that is, where stderr is no terminal.
        with (
            tqdm(unit="B", unit_scale=True, disable=None, leave=False) as bar,
            _material(options, bar) as material,
            skipped_records(options, [*material.files, *_read_beside(options)]) as skipped,
        ):
            bar.reset(total=sum(path.stat().st_size for path in material.files if path.is_file()))
            skipped.shown = material.shown
            study, lines = import_study(
                format_name=options["format"],
                format_input=FormatInput(
                    files=material.files,
                    chains=options["chains"],
                    columns=options["columns"],
                    level=options["level"],
                    task_type=options["task_type"],
                    config=material.config,
                    text=options["text"],
                    reading=reading_of(options),
                    stated=stated_by(options),
                    origin=material.origin,
                    watch=bar.update,
                    skipped=skipped,
                ),
                slug=options["slug"],
                title=options["title"],
                owner=options["owner"],
                replace=options["replace"],
                pseudonyms=_pseudonyms(options),
                listener=Listener(made=lambda study: _show_names(study, material)),
            )
        names = [name if is_address(name) else Path(name).name for name in options["files"]]
        detail = {"format": options["format"], "files": names}
        log_change(study=study, by=None, action="study.imported", detail=detail)
        shown = [f"{study.title} ({study.slug})", *(f"  {line}" for line in lines)]
        if material.origin:
            shown.insert(1, f"  {material.origin['dataset']}@{material.origin['commit']}")
        if not study.members.exists():
            shown.append(f"  {NO_OWNER}")
        write_outcome(
            self.stdout,
            options,
            skipped,
            lines=shown,
            values={"study": study.slug, "title": study.title, **study.imported},
        )


def _check(options: dict[str, Any]) -> None:
    """CommandError where the format does not take an option, or needs another."""
    name, source = options["format"], every_format()[options["format"]]
    of_readings = (
        *("held", "groups", "names", "decided", "repeated"),
        *("human", "judge", "show_reading"),
    )
    if "reading" not in source.options and any(options[option] for option in of_readings):
        raise CommandError(f"what says how tables are read means nothing to the format {name}")
    for option in ("chains", "columns", "level", "task_type", "text", "reading"):
        flag = option.replace("_", "-")
        if options[option] and option not in source.options:
            raise CommandError(f"--{flag} means nothing to the format {name}")
        if option in source.needs and not options[option]:
            raise CommandError(f"--{flag}: the format {name} needs it")
    if not any(map(is_address, options["files"])):
        for option in ("config", "split"):
            if options[option]:
                raise CommandError(f"--{option} is for a dataset on the hub (hf://datasets/…)")
    elif not reads_hub(source):
        raise CommandError(f"{options['files'][0]}: the format {name} is not read from the hub")
    elif len(options["files"]) > 1:
        raise CommandError("give one address on the hub, or files without it")


@contextmanager
def _material(options: dict[str, Any], bar: "tqdm[Any]") -> Iterator[HubDataset]:
    """The files that are read: those that were named, or those that the hub hands out."""
    names: list[str] = options["files"]
    if not is_address(names[0]):
        yield HubDataset(Path(), [Path(name) for name in names], "")
        return
    with (
        TemporaryDirectory(prefix="jurybox-") as folder,
        files_shown(lambda text: text.replace(f"{folder}/", "")),
    ):
        yield fetch_dataset(
            address=dataset_address(names[0]),
            folder=Path(folder),
            kind=every_format()[options["format"]],
            config=options["config"],
            split=options["split"],
            token=token_of_environment(),
            watch=bar.update,
            begun=bar.reset,
        )


def _read_beside(options: dict[str, Any]) -> list[Path]:
    return [path for path in (options["chains"], options["columns"]) if path is not None]


def _show_names(study: Study, material: HubDataset) -> None:
    """Name the files of a dataset without the folder that they lay in for a while."""
    if material.origin:
        study.imported = shown_in(study.imported, material.shown)
        study.save(update_fields=["imported"])


def _pseudonyms(options: dict[str, Any]) -> bool | None:
    """Whether people get other names than in the files; None: as the format has it."""
    if options["keep_names"]:
        return False
    return True if options["pseudonyms"] else None
