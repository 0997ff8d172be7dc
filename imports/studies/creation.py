"""Creating a study from its file in many short transactions, so that others can write meanwhile."""

from collections.abc import Callable
from pathlib import Path

from django.db import transaction

from annotation.models import Study
from files.readers.streams import Watch, fingerprint, unwatched
from files.skipped import SkippedRecords
from imports.material.places import open_imported_places
from imports.sandbox.limits import Limits
from imports.studies.unfinished import publish, refuse_taken, still_importing, unfinished_study
from imports.studies.update import ItemFiles, write_items
from imports.study_file.judge_entries import remember_judges
from imports.study_file.keys import read_keys
from imports.study_file.owner import make_owners
from imports.study_file.rows import row_fields
from imports.study_file.schema import StudyFile, study_described


def create_from_file(
    *,
    path: Path,
    owner: str,
    skipped: SkippedRecords,
    watch: Watch = unwatched,
    begun: Callable[[Study], object] = lambda _study: None,
    written: Callable[[int], object] = lambda _records: None,
    made: Callable[[Study], object] = lambda _study: None,
    limits: Limits | None = None,
) -> Study:
    """Create the study that a file describes, as `apply_study` does; all or nothing. Nobody sees it
    before it is whole. Not to be called in a transaction.

    watch: told the bytes read. begun: called with the study before its items are written, to
    refuse it early. written: called after each group of records with how many there are by now.
    made: called in the transaction in which the study is seen first. What any of them raises
    takes the study back, and so does an ImportFailure. limits: as for `apply_study`.
    """
    described = study_described(path, read_keys(path))
    refuse_taken(described.slug, replace=False)
    items = _items(path, described, watch, skipped, limits)
    with unfinished_study(described) as study:
        remember_judges(study=study, of_file=row_fields(described)["judges"])
        begun(study)

        def after_group(records: int) -> None:
            still_importing(study)
            written(records)

        if items.digests:
            write_items(study, items.paths, items, after_group)
        open_imported_places(study)
        with transaction.atomic():
            publish(study=study, slug=described.slug, replace=False)
            make_owners(study=study, username=owner)
            made(study)
            study.touch()
    return study


def _items(
    path: Path, described: StudyFile, watch: Watch, skipped: SkippedRecords, limits: Limits | None
) -> ItemFiles:
    digests = {name: fingerprint(path.parent / name) for name in described.items}
    return ItemFiles(path, digests, described.columns, watch, skipped, limits)
