"""Applying a study file: creating the study, or updating it without harm to answers."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.models import Study
from annotation.rounds.fixed_batches import fix_batches
from annotation.rounds.opening import missing_to_open
from files.errors import ImportFailure
from files.findings import Findings
from files.readers.streams import Watch, fingerprint, unwatched
from files.skipped import SkippedRecords, left_out
from imports.material.places import open_imported_places
from imports.material.questions import open_blocks
from imports.material.records import MaterialEntry
from imports.material.storage import MaterialWriter
from imports.sandbox.items import ItemFile
from imports.sandbox.limits import Limits
from imports.studies.changes import (
    OF_THE_TABLE,
    change_study,
    has_work,
    lock_to_change,
    make_anew,
)
from imports.studies.groups import refuse_no_groups
from imports.study_file.fields import current_settings
from imports.study_file.item_columns import ItemColumns
from imports.study_file.judge_entries import entry_name, remember_judges
from imports.study_file.keys import named_keys, read_keys
from imports.study_file.owner import make_owners
from imports.study_file.picked import pick_units, picked_units
from imports.study_file.rows import create_study, row_fields
from imports.study_file.schema import StudyFile, study_described

# What a study remembers of its files: their fingerprints by name, and which columns held what.
ITEMS, COLUMNS = "items", "columns"


@dataclass(frozen=True)
class Applied:
    """The outcome of applying a study file.

    loaded: the files of records imported. judges: the names of judges that are new or changed, or
    that other blocks are asked of now. owners: the user names of those who were made owners.
    """

    study: Study
    created: bool
    changed: tuple[str, ...]
    loaded: tuple[str, ...]
    judges: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()


@transaction.atomic
def apply_study(
    *,
    path: Path,
    owner: str = "",
    watch: Watch = unwatched,
    skipped: SkippedRecords | None = None,
    aliases: bool = False,
    limits: Limits | None = None,
) -> Applied:
    """Create or update the study that a file describes; all or nothing, idempotent.

    Of an existing study, what the file does not name stays as it is. ImportFailure names the key of
    a change that would invalidate answers, or a record that cannot be used, unless `skipped` takes
    it. skipped: None: files that the study is made of are read again as they were read before,
    without the records that could not be used then, and others strictly. aliases: as for
    `read_keys`. limits: those of a process of its own that reads the items, as it is to be where a
    stranger has sent them.
    """
    keys = read_keys(path, aliases=aliases)
    described = _described(path, keys)
    files = {name: fingerprint(path.parent / name) for name in described.items}
    study = lock_to_change(described)
    created = study is None
    changed: list[str] = []
    judges = [] if study is None else study.judges
    lacked = [] if study is None else missing_to_open(study)
    before = {} if study is None else dict(study.imported)
    grouped = [] if study is None else study.group_by
    if study is None:
        study = create_study(described)
    else:
        changed = change_study(
            study=study, described=described, named=named_keys(keys), where=str(path)
        )
    owners = make_owners(study=study, username=owner) if created or owner else []
    if created or "judges" in keys:
        remember_judges(study=study, of_file=row_fields(described)["judges"])
    again = skipped or skipped_again(before, files)
    items = ItemFiles(path, files, described.columns, watch, again, limits)
    loaded = _load_items(study, items) if ITEMS in keys else []
    if skipped is None and loaded and before.get(ITEMS) == files:
        _keep_as_made(study, again, before)
    changed += pick_units(study=study, wanted=described.picked, where=str(path))
    refuse_no_groups(study, grouped, str(path))
    opened = open_imported_places(study)
    if study.state == Study.State.OPEN:
        _refuse_new_gaps(study, str(path), lacked)
    if study.state == Study.State.OPEN or study.has_team:
        fix_batches(study=study, anew=not set(OF_THE_TABLE).isdisjoint(changed))
    if loaded or changed or opened:
        study.touch()
    other_blocks = any(name.startswith("blocks.") for name in changed)
    fresh = [entry for entry in study.judges if other_blocks or entry not in judges]
    names = tuple(map(entry_name, fresh))
    return Applied(study, created, tuple(changed), tuple(loaded), names, tuple(owners))


def files_of(path: Path) -> list[Path]:
    """The study file of a command, and the files of records that it names."""
    described = _described(path, read_keys(path, aliases=True))
    return [path, *(path.parent / name for name in described.items)]


def _described(path: Path, keys: Mapping[str, Any]) -> StudyFile:
    """The study as it is to be: what the file does not name is as in the existing study."""
    standing = Study.objects.filter(slug=str(keys.get("slug", ""))).first()
    if standing is None:
        return study_described(path, keys)
    named = named_keys(keys)
    before = {**current_settings(standing), "picked": picked_units(standing)}
    kept = {key: value for key, value in before.items() if key not in named}
    return study_described(path, {**kept, **keys})


def _refuse_new_gaps(study: Study, where: str, lacked: Collection[str]) -> None:
    """Refuse a change that takes away what an open study needs. What it lacked before, such as a
    retired control, is no reason to refuse other changes."""
    missing = [need for need in missing_to_open(study) if need not in lacked]
    if missing:
        raise ImportFailure(where, "state", f"the study is open, and needs {'; '.join(missing)}")


@dataclass(frozen=True)
class ItemFiles:
    """The files of items that a study file names, with their fingerprints, and how they are read:
    columns None for records, or tables with customary names. limits: see `apply_study`."""

    study_file: Path
    digests: dict[str, str]
    columns: ItemColumns | None
    watch: Watch
    skipped: SkippedRecords
    limits: Limits | None = None

    @property
    def as_read(self) -> dict[str, Any] | None:
        """What of the columns is remembered with the study."""
        if self.columns is None:
            return None
        return self.columns.model_dump(mode="json", exclude_defaults=True)

    @property
    def paths(self) -> list[Path]:
        """Where the files are."""
        return [self.study_file.parent / name for name in self.digests]

    def entries(self, path: Path, study: Study, findings: Findings) -> Iterator[MaterialEntry]:
        """The entries of one of the files."""
        file = ItemFile(path, self.columns, open_blocks(study), study.seed)
        if self.limits is None:
            return file.entries(self.skipped, findings, self.watch)
        return file.entries_apart(self.limits, self.skipped, findings, self.watch)


def _keep_as_made(study: Study, again: SkippedRecords, before: Mapping[str, Any]) -> None:
    """Keep what the study knows of its making, such as the file of the rows left out.
    ImportFailure where more are left out now."""
    again.refuse_more_than(before)
    told = {name: value for name, value in before.items() if name != COLUMNS}
    study.imported = {**told, **study.imported}
    study.save(update_fields=["imported"])


def skipped_again(imported: Mapping[str, Any], files: Mapping[str, str]) -> SkippedRecords:
    """What may be left out of files: nothing, unless the study was made of the very same ones
    without some of their records."""
    return SkippedRecords(strict=not (imported.get(ITEMS) == files and left_out(imported)))


def _load_items(study: Study, files: ItemFiles) -> list[str]:
    """Load new files. Files may change or disappear only before any work on the study."""
    loaded_before: dict[str, str] = study.imported.get(ITEMS, {})
    where, digests = str(files.study_file), files.digests
    lost = [name for name, digest in loaded_before.items() if digests.get(name) != digest]
    if loaded_before and not lost and study.imported.get(COLUMNS) != files.as_read:
        if has_work(study):
            raise ImportFailure(where, COLUMNS, "cannot change (the study has answers)")
        lost = list(loaded_before)
    if lost and has_work(study):
        problem = "has changed" if lost[0] in digests else "is no longer listed"
        raise ImportFailure(where, ITEMS, f"{lost[0]} {problem}, and the study has answers")
    if lost:
        make_anew(study, where, ITEMS)
        loaded_before = {}
    new = [name for name in digests if name not in loaded_before]
    if new:
        write_items(study, [files.study_file.parent / name for name in new], files)
    return new


def write_items(
    study: Study,
    paths: list[Path],
    files: ItemFiles,
    after_group: Callable[[int], object] = lambda _records: None,
) -> None:
    """Write the entries of files into the study, in groups, and tell it what it was made of.
    after_group: called with the records written so far, outside of any transaction of ours."""
    findings = Findings.of(study.imported)

    def written() -> None:
        after_group(findings.counts["records"])

    writer = MaterialWriter(study, findings, files.skipped, after_group=written)
    for path in paths:
        for entry in files.entries(path, study, findings):
            writer.add(entry)
    writer.close()
    files.skipped.refuse_unusable()
    files.skipped.note_in(findings)
    study.imported |= {**findings.as_json(), ITEMS: files.digests}
    if files.as_read is not None:
        study.imported |= {COLUMNS: files.as_read}
    study.save(update_fields=["imported"])
