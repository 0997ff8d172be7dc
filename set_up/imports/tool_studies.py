"""Studies made of other tools' files, as `import_study` makes them, for somebody in a browser."""

from annotation.models import Study, log_change
from files.errors import ImportFailure, files_shown
from files.readers.first_reads import first_reads
from files.reading.model import Reading
from files.skipped import SkippedRecords
from imports.formats.contract import Format, FormatInput
from imports.formats.registry import every_format
from imports.studies.importing import import_study
from imports.studies.unfinished import Listener
from judges.definitions.trust import refuse_untrusted
from set_up.imports.shown_names import shown_in
from set_up.imports.tool_files import ADDRESS, FILES, READING, PlacedFiles, limits_of, place
from set_up.models import ImportJob
from set_up.study_files.application import Progress

# What stands in the keys of an import besides the study's title and slug.
KEEP_NAMES, TASK_TYPE, TEXT = "keep_names", "task_type", "text"
TITLES = {"tool": "Tools", "published": "Published data sets"}


def offered_formats() -> dict[str, dict[str, type[Format]]]:
    """The formats that are offered in the browser by the title of their group, each by name."""
    return {
        title: {name: kind for name, kind in every_format().items() if kind.taken.group == group}
        for group, title in TITLES.items()
    }


def offered_format(name: str) -> type[Format] | None:
    """The format of that name, if it is offered."""
    kind = every_format().get(name)
    return kind if kind is not None and kind.taken.group else None


def make_tool_study(*, job: ImportJob, skipped: SkippedRecords, progress: Progress) -> Study:
    """The study of an import's files. ImportFailure names them as they were uploaded; nothing is
    made then. Not to be called in a transaction."""

    def alive() -> None:
        progress.read(0)

    slug, kind = str(job.keys["slug"]), every_format()[job.format_name]
    if Study.with_unfinished.filter(slug=slug).exists():
        raise ImportFailure("study", "slug", f"{slug!r} is the name of another study")
    placed = place(job=job, kind=kind, watch=progress.read)
    skipped.after_record, skipped.shown = alive, placed.shown
    stages = _Stages(progress)
    with files_shown(placed.shown), first_reads(stages.looked_through):
        study, _lines = import_study(
            format_name=job.format_name,
            format_input=_input(job, placed, skipped, stages),
            slug=slug,
            title=str(job.keys["title"]),
            owner=job.owner.get_username() if job.owner else "",
            pseudonyms=False if job.keys.get(KEEP_NAMES) else None,
            listener=_listener(job, placed, progress, stages),
            limits=limits_of(job),
        )
    return study


class _Stages:
    """The files are looked through before the study has a row, and read again as it is written:
    the bytes of the one are not added to those of the other."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._is_written = progress, False

    def begun(self, study: Study) -> None:
        refuse_untrusted({"judges": study.judges})
        self._is_written = True
        self._progress.begun(study)

    def looked_through(self, n_bytes: int) -> None:
        if not self._is_written:
            self._progress.read(n_bytes)

    def read(self, n_bytes: int) -> None:
        if self._is_written:
            self._progress.read(n_bytes)


def _input(
    job: ImportJob, placed: PlacedFiles, skipped: SkippedRecords, stages: _Stages
) -> FormatInput:
    return FormatInput(
        files=placed.files,
        columns=placed.columns,
        chains=placed.chains,
        task_type=job.keys.get(TASK_TYPE, ""),
        config=placed.config,
        text=job.keys.get(TEXT, ""),
        reading=_reading(job),
        origin=placed.origin,
        watch=stages.read,
        skipped=skipped,
    )


def _reading(job: ImportJob) -> Reading | None:
    return Reading.model_validate(job.keys[READING]) if READING in job.keys else None


def _listener(job: ImportJob, placed: PlacedFiles, progress: Progress, stages: _Stages) -> Listener:
    def made(study: Study) -> None:
        study.imported = shown_in(study.imported, placed.shown)
        study.save(update_fields=["imported"])
        uploads = [key.partition("/")[2] for key in job.files if key.startswith(f"{FILES}/")]
        names = [job.keys[ADDRESS]] if job.keys.get(ADDRESS) else uploads
        detail = {"format": job.format_name, "files": names}
        log_change(study=study, by=job.owner, action="study.imported", detail=detail)
        progress.made(study)

    return Listener(begun=stages.begun, written=progress.written, made=made)
