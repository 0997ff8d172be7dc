"""Applying a study file: creating the study, or updating it without harm to answers."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from annotation.importing.errors import ImportFailure
from annotation.importing.files.streams import Watch, fingerprint, unwatched
from annotation.importing.findings import Findings
from annotation.importing.formats.jsonl import recorded_entries
from annotation.importing.material.places import open_imported_places
from annotation.importing.material.storage import MaterialWriter
from annotation.importing.skipped import SkippedRecords
from annotation.importing.study_file.changes import (
    change_study,
    has_work,
    lock_to_change,
    make_anew,
)
from annotation.importing.study_file.judge_entries import remember_judges
from annotation.importing.study_file.owner import make_owners
from annotation.importing.study_file.rows import create_study, study_fields
from annotation.importing.study_file.schema import read_study_file
from annotation.models import Study
from annotation.rounds.fixed_batches import fix_batches
from annotation.rounds.opening import missing_to_open


@dataclass(frozen=True)
class Applied:
    """The outcome of applying a study file; `loaded` are the files of records imported."""

    study: Study
    created: bool
    changed: tuple[str, ...]
    loaded: tuple[str, ...]


@transaction.atomic
def apply_study(
    *,
    path: Path,
    owner: str = "",
    watch: Watch = unwatched,
    skipped: SkippedRecords | None = None,
) -> Applied:
    """Create or update the study that a file describes; all or nothing, idempotent.

    ImportFailure names the key of a change that would invalidate answers, or a record that
    cannot be used, unless `skipped` takes it.
    """
    described = read_study_file(path)
    files = {name: fingerprint(path.parent / name) for name in described.items}
    study = lock_to_change(described)
    created = study is None
    changed: list[str] = []
    lacked = [] if study is None else missing_to_open(study)
    if study is None:
        study = create_study(described)
    else:
        changed = change_study(study=study, described=described, where=str(path))
    if created or owner:
        make_owners(study=study, username=owner)
    remember_judges(study=study, of_file=study_fields(described)["judges"])
    loaded = _load_items(study, path, files, watch, skipped or SkippedRecords())
    opened = open_imported_places(study)
    if study.state == Study.State.OPEN:
        _refuse_new_gaps(study, str(path), lacked)
        fix_batches(study=study)
    if loaded or changed or opened:
        study.touch()
    return Applied(study, created, tuple(changed), tuple(loaded))


def _refuse_new_gaps(study: Study, where: str, lacked: Collection[str]) -> None:
    """Refuse a change that takes away what an open study needs. What it lacked before, such as a
    retired control, is no reason to refuse other changes."""
    missing = [need for need in missing_to_open(study) if need not in lacked]
    if missing:
        raise ImportFailure(where, "state", f"the study is open, and needs {'; '.join(missing)}")


def _load_items(
    study: Study, path: Path, files: dict[str, str], watch: Watch, skipped: SkippedRecords
) -> list[str]:
    """Load new files. Files may change or disappear only before any work on the study."""
    loaded_before: dict[str, str] = study.imported.get("items", {})
    lost = [name for name, digest in loaded_before.items() if files.get(name) != digest]
    if lost and has_work(study):
        problem = "has changed" if lost[0] in files else "is no longer listed"
        raise ImportFailure(str(path), "items", f"{lost[0]} {problem}, and the study has answers")
    if lost:
        make_anew(study, str(path), "items")
        loaded_before = {}
    new = [name for name in files if name not in loaded_before]
    if new:
        _write(study, [path.parent / name for name in new], watch, skipped)
        study.imported |= {"items": files}
        study.save(update_fields=["imported"])
    return new


def _write(study: Study, paths: list[Path], watch: Watch, skipped: SkippedRecords) -> None:
    findings = Findings.of(study.imported)
    writer = MaterialWriter(study, findings, skipped)
    for path in paths:
        for entry in recorded_entries(path, skipped, watch=watch):
            writer.add(entry)
    writer.close()
    skipped.refuse_unusable()
    skipped.note_in(findings)
    study.imported |= findings.as_json()
