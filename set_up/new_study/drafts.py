"""Studies that are being made: beginning, filling in, making and forgetting them."""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.models import Study, User, log_change
from files.columns.names import OUTPUTS, customary
from files.errors import ImportFailure
from files.readers.detection import TableForm
from files.readers.heads import form_and_names, has_more_rows
from files.skipped import SkippedRecords
from imports.sandbox.calls import call_apart
from imports.study_file.keys import SINGLE_BLOCK, read_keys
from imports.study_file.writing import study_keys
from imports.uploads import forget_uploads, kept_upload, placed_study_file
from judges.definitions.proposals import copied_judges
from judges.definitions.trust import names_of_server, refuse_untrusted
from set_up.imports.jobs import SMALL_BYTES
from set_up.imports.skipped_rows import KEY, SkippedRows
from set_up.models import KEPT_FOR, ImportJob, NewStudy
from set_up.steps.defaults import ETHICS, default_text
from set_up.study_files.application import make_study, uploads_of
from tasktypes.registry import task_type

# Tables that are larger in either way are imported in the background.
SMALL_ROWS = 2000


def begin_from_template(*, by: User, slug: str) -> NewStudy:
    """A study of one task type, with texts and rules to begin with."""
    return NewStudy.objects.create(owner=by, keys=template_keys(slug))


def template_keys(slug: str) -> dict[str, Any]:
    """The keys of a study of one task type, with texts and rules to begin with."""
    kind = task_type(slug)
    return {
        "blocks": [{"task_type": kind.slug, "options": {}}],
        "instructions": kind.instructions,
        "consent": {"text": default_text("consent"), "version": "1"},
        "debrief": default_text("debrief"),
        "ethics": dict(ETHICS),
        "overlap": 3,
        "rounds": [{"name": "main", "batch": {"normal": 5}, "expected_minutes": 10}],
    }


def begin_from_study(*, by: User, study: Study) -> NewStudy:
    """A copy of what a study is, with its items where their file is kept here. Its judges come
    along without their examples."""
    keys = study_keys(study)
    keys |= {"title": f"Copy of {study.title}"[:200], "slug": f"{study.slug}-copy"[:80]}
    files = uploads_of(study)
    names = list(files) if len(files) == 1 else []
    # A copy is no longer the operator's, who alone may name files of the server.
    judges = [each for each in keys.get("judges", ()) if not names_of_server(each)]
    keys["judges"] = copied_judges(judges)
    log_change(study=study, by=by, action="study.copied")
    if not names:
        keys = {name: value for name, value in keys.items() if name not in ("items", "columns")}
    return NewStudy.objects.create(
        owner=by,
        keys=keys,
        file_name=names[0] if names else "",
        digest=files[names[0]] if names else "",
    )


def begin_from_file(*, by: User, text: str) -> NewStudy:
    """A study of an uploaded study file; its items are uploaded in the next step. ImportFailure
    names the line that cannot be read."""
    with placed_study_file(text, {}) as path:
        keys = read_keys(path)
    if SINGLE_BLOCK & keys.keys() and "blocks" not in keys:
        single = {name: keys.pop(name) for name in SINGLE_BLOCK if name in keys}
        keys["blocks"] = [single]
    keys.pop("items", None)
    refuse_untrusted(keys)
    _refuse_other_shapes(keys)
    try:
        # As JSON has it: YAML knows dates, and keys that are no texts.
        return NewStudy.objects.create(owner=by, keys=deepcopy(keys))
    except TypeError as error:
        raise ImportFailure("study.yaml", "YAML", f"{error} (put dates in quotes)") from error


# What the forms of the steps go through; everything else is told where the study is made.
_SHAPES: Mapping[str, type] = {"blocks": list, "rounds": list, "columns": dict, "ethics": dict}


def _refuse_other_shapes(keys: Mapping[str, Any]) -> None:
    for name, shape in _SHAPES.items():
        if not isinstance(keys.get(name) or shape(), shape):
            wanted = "a list" if shape is list else "a mapping of keys"
            raise ImportFailure("study.yaml", name, f"not {wanted}")


def take_table(*, draft: NewStudy, name: str, digest: str) -> None:
    """Take a file of items that is kept here for the draft, and guess its columns. ImportFailure
    where it can be no table."""
    path = kept_upload(digest)
    assert path is not None
    form, names = _read_head(path, name)
    draft.file_name, draft.digest = name, digest
    draft.keys["items"] = [name]
    if is_records(names, form.kind):
        draft.keys.pop("columns", None)
    else:
        kept = draft.keys.get("columns") or {}
        draft.keys["columns"] = {
            role: column for role, column in kept.items() if column in names
        } or guessed_columns(names)
    draft.save()


def _read_head(path: Path, name: str) -> tuple[TableForm, tuple[str, ...]]:
    """(form, columns) of an upload; a failure names it as the researcher does."""
    try:
        return call_apart(form_and_names, path, head_alone=True)
    except ImportFailure as failure:
        raise renamed(failure, path, name) from failure


def renamed(failure: ImportFailure, path: Path, name: str) -> ImportFailure:
    """The failure with the name of the upload in place of where it is kept."""
    where, reason = (text.replace(str(path), name) for text in (str(failure.where), failure.reason))
    return ImportFailure(where, failure.field, reason)


def is_records(names: Iterable[str], kind: str) -> bool:
    """Whether a file of JSON lines holds our own records, whose keys need no map."""
    return kind == "lines" and {"source", "items"} <= set(names)


def guessed_columns(names: Sequence[str]) -> dict[str, str]:
    """What columns hold, by their names alone."""
    found = {
        role: customary(names, wanted, lambda name: name.strip().lower())
        for role, wanted in OUTPUTS.items()
    }
    return {role: column for role, column in found.items() if column}


def change_draft(*, draft: NewStudy, keys: Mapping[str, Any]) -> None:
    """Keep what was typed, valid or not; an empty value takes the key away."""
    merged = {**draft.keys, **keys}
    draft.keys = {name: value for name, value in merged.items() if value not in ("", None, {}, [])}
    draft.save()


def finish_draft(*, draft: NewStudy, by: User) -> tuple[Study, SkippedRecords]:
    """Make the study; the draft is gone then. ImportFailure leaves it as it is."""
    with SkippedRows(strict=not draft.skip_unusable) as rows, transaction.atomic():
        study = make_study(keys=draft.keys, files=draft.files, by=by, skipped=rows.skipped)
        rows.keep_for(study)
        draft.delete()
    return study, rows.skipped


def is_large(draft: NewStudy) -> bool:
    """Whether the items of a draft are imported in the background, since that takes long."""
    path = path_of(draft)
    if path is None:
        return False
    if path.stat().st_size > SMALL_BYTES:
        return True
    try:
        return call_apart(has_more_rows, path, SMALL_ROWS)
    except ImportFailure:
        return False  # told where it is imported


def forget_old_drafts(*, now: datetime) -> int:
    """Remove drafts that were given up, and uploads that neither a draft nor a study uses."""
    gone, _ = NewStudy.objects.filter(touched_at__lt=now - KEPT_FOR).delete()
    used = set(NewStudy.objects.values_list("digest", flat=True))
    for uploads in NewStudy.objects.values_list("uploads", flat=True):
        used |= set(uploads.values())
    for job in ImportJob.objects.all():
        # Files of other tools are of no use once their import has ended.
        files = {} if job.format_name and not job.is_under_way else job.files
        used |= {*files.values(), job.skipped_digest}
    for imported in Study.with_unfinished.values_list("imported", flat=True).iterator():
        used |= {*imported.get("items", {}).values(), imported.get(KEY)}
    forget_uploads(used=used, now=now)
    return gone


def path_of(draft: NewStudy) -> Path | None:
    """Where the uploaded file of a draft is kept."""
    return kept_upload(draft.digest) if draft.digest else None
