"""Applying a study file that was written in the browser: as `apply_study` does, for one member."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import transaction

from annotation.models import Study, User, log_change
from files.errors import ImportFailure
from files.skipped import SkippedRecords
from imports.sandbox.limits import Limits
from imports.studies.creation import create_from_file
from imports.studies.update import Applied, apply_study
from imports.study_file.judge_entries import entry_name, previous_entries
from imports.study_file.keys import read_keys
from imports.study_file.schema import study_described
from imports.study_file.writing import as_yaml, study_yaml
from imports.uploads import STUDY_FILE, kept_upload, placed_study_file
from judges.definitions.trust import refuse_untrusted
from judges.runs.plans.scope import RunRefused, refuse_unusable
from set_up.study_files.edit_log import difference, log_edit


class JustChanged(Exception):
    """Somebody else changed the study since its file was read."""


class NameTaken(ImportFailure):
    """There is another study of that name."""

    def __init__(self, slug: str) -> None:
        super().__init__(STUDY_FILE, "slug", f"{slug!r} is the name of another study")


class Progress(Protocol):
    """What the making of a large study is told to. Whatever it raises takes the study back."""

    def begun(self, study: Study) -> None:
        """The study has a row, which nobody sees yet."""

    def read(self, n_bytes: int) -> None:
        """So many more bytes of the files were read."""

    def written(self, records: int) -> None:
        """So many records are written by now."""

    def made(self, study: Study) -> None:
        """The study is whole: called in the transaction in which others see it first."""


@dataclass(frozen=True)
class Edited:
    """What an edited file changes: names as `apply_study` gives them, and the file line by line."""

    changed: tuple[str, ...]
    difference: tuple[str, ...]


def make_study(
    *, keys: Mapping[str, Any], files: Mapping[str, str], by: User, skipped: SkippedRecords
) -> Study:
    """A new study from the keys of a study file, with its maker as the owner. ImportFailure
    otherwise; nothing is made then. files: uploads by name."""
    refuse_untrusted(keys, files=files)
    with placed_study_file(as_yaml(dict(keys)), files) as path, transaction.atomic():
        slug = str(keys.get("slug", ""))
        _refuse_taken(slug)
        limits = Limits.waited_for()
        applied = apply_study(path=path, owner=by.get_username(), skipped=skipped, limits=limits)
        if not applied.created:
            raise NameTaken(slug)
        _refuse_judges(applied)
        log_change(study=applied.study, by=by, action="study.made")
    return applied.study


def check_study(*, keys: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """ImportFailure where no study can be made of these keys, whatever the items are."""
    refuse_untrusted(keys, files=files)
    with placed_study_file(as_yaml(dict(keys)), files) as path:
        study_described(path, read_keys(path))
    _refuse_taken(str(keys.get("slug", "")))


def make_large_study(
    *,
    keys: Mapping[str, Any],
    files: Mapping[str, str],
    by: User,
    skipped: SkippedRecords,
    progress: Progress,
) -> Study:
    """The same study as `make_study` makes, in many short transactions: others can write meanwhile,
    and nobody sees it before it is whole. Not to be called in a transaction."""
    refuse_untrusted(keys, files=files)
    _refuse_taken(str(keys.get("slug", "")))

    def begun(study: Study) -> None:
        _refuse_unusable_judges(study, [entry_name(entry) for entry in study.judges])
        progress.begun(study)

    def made(study: Study) -> None:
        # Once more, as their examples may name units.
        _refuse_unusable_judges(study, [entry_name(entry) for entry in study.judges])
        log_change(study=study, by=by, action="study.made")
        progress.made(study)

    paths = filter(None, map(kept_upload, files.values()))
    size = sum(path.stat().st_size for path in paths)
    with placed_study_file(as_yaml(dict(keys)), files) as path:
        return create_from_file(
            path=path,
            owner=by.get_username(),
            skipped=skipped,
            watch=progress.read,
            begun=begun,
            written=progress.written,
            made=made,
            limits=Limits.in_background(size),
        )


def _refuse_taken(slug: str) -> None:
    if Study.with_unfinished.filter(slug=slug).exists():
        raise NameTaken(slug)


def edit_study(
    *,
    study: Study,
    text: str,
    version: str,
    keep: bool,
    by: User | None = None,
    uploads: Mapping[str, str] | None = None,
) -> Edited:
    """Apply an edited file to its study; not `keep`: only say what would change. ImportFailure
    names what cannot change. version: of the file that was edited; JustChanged where the study has
    another by now. uploads: new files of items, names to digests."""
    files = {**uploads_of(study), **(uploads or {})}
    with transaction.atomic():
        # The study is not locked here: `apply_study` locks places before it, as submissions do.
        # Its members' rows let one editor after the other in.
        list(study.members.order_by("pk").select_for_update(no_key=True).values_list("pk"))
        standing = study_yaml(Study.objects.get(pk=study.pk))
        if version != version_of(standing):
            raise JustChanged
        with placed_study_file(text, files) as path:
            applied = _applied(study, read_keys(path), files)
        after = study_yaml(Study.objects.get(pk=study.pk))
        if not keep:
            transaction.set_rollback(True)
        elif after != standing or applied.changed:
            log_edit(study=applied.study, before=standing, after=after, by=by)
    return Edited(applied.changed, tuple(difference(standing, after)))


def _applied(study: Study, keys: dict[str, Any], files: Mapping[str, str]) -> Applied:
    if keys.get("slug") != study.slug:
        raise ImportFailure(STUDY_FILE, "slug", f"cannot change (it is {study.slug!r})")
    if keys.get("items") == list(study.imported.get("items", {})) and not files:
        # Files that lie elsewhere, as those of the command line do: the items stay as they are.
        keys = {name: value for name, value in keys.items() if name not in ("items", "columns")}
    refuse_untrusted(keys, files=files, standing=[*study.judges, *previous_entries(study)])
    had_items = study.sources.exists()
    with placed_study_file(as_yaml(keys), files) as path:
        applied = apply_study(path=path, limits=Limits.waited_for())
    _refuse_judges(applied)
    if had_items and not applied.study.sources.exists():
        reason = "the items would be lost, since their file was not uploaded here (use apply_study)"
        raise ImportFailure(STUDY_FILE, "blocks", reason)
    return applied


def uploads_of(study: Study) -> dict[str, str]:
    """The files of the study's items that are kept here, all of them or none."""
    files: dict[str, str] = study.imported.get("items", {})
    return files if all(kept_upload(digest) for digest in files.values()) else {}


def version_of(text: str) -> str:
    """What tells one file of a study from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _refuse_judges(applied: Applied) -> None:
    _refuse_unusable_judges(applied.study, applied.judges)


def _refuse_unusable_judges(study: Study, names: Collection[str]) -> None:
    try:
        refuse_unusable(study, names)
    except RunRefused as refusal:
        name, _, reason = str(refusal).partition(": ")
        raise ImportFailure(STUDY_FILE, name, reason) from refusal
