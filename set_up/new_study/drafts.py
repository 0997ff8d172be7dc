"""Studies that are being made: beginning, filling in, making and forgetting them."""

from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.models import Study, User, log_change
from files.errors import ImportFailure
from files.skipped import SkippedRecords
from imports.sandbox.calls import call_apart
from imports.study_file.keys import SINGLE_BLOCK, read_keys
from imports.study_file.writing import study_keys
from imports.uploads import forget_uploads, placed_study_file
from judges.definitions.proposals import copied_judges
from judges.definitions.trust import names_of_server, refuse_untrusted
from set_up.imports.jobs import SMALL_BYTES
from set_up.imports.read_outputs import keep_outputs, laid_out, tables_in
from set_up.imports.skipped_rows import KEY, SkippedRows
from set_up.imports.tool_files import FILES, upload_key, weight
from set_up.models import KEPT_FOR, ImportJob, NewStudy
from set_up.new_study.beginnings import beginning_keys
from set_up.study_files.application import make_study, uploads_of

# Tables that are larger in either way are imported in the background.
SMALL_ROWS = 2000


def begin_from_template(*, by: User, slug: str) -> NewStudy:
    """A study of a purpose or a kind of question, with texts and rules to begin with."""
    return NewStudy.objects.create(owner=by, keys=beginning_keys(slug, by=by))


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


def change_draft(*, draft: NewStudy, keys: Mapping[str, Any]) -> None:
    """Keep what was typed, valid or not; an empty value takes the key away."""
    merged = {**draft.keys, **keys}
    draft.keys = {name: value for name, value in merged.items() if value not in ("", None, {}, [])}
    draft.save()


def finish_draft(*, draft: NewStudy, by: User) -> tuple[Study, SkippedRecords]:
    """Make the study; the draft is gone then. ImportFailure leaves it as it is."""
    with SkippedRows(strict=not draft.skip_unusable) as rows:
        keys, files = draft.keys, draft.files
        if draft.reading:
            skipped, uploads = rows.skipped, draft.uploads
            keys, files = keep_outputs(
                keys=keys, uploads=uploads, reading=draft.reading, skipped=skipped
            )
        with transaction.atomic():
            study = make_study(keys=keys, files=files, by=by, skipped=rows.skipped)
            rows.keep_for(study)
            draft.delete()
    return study, rows.skipped


def is_large(draft: NewStudy) -> bool:
    """Whether the items of a draft are imported in the background, since that takes long."""
    files = draft.uploads or draft.files
    try:
        with laid_out(files) as folder:
            size = weight({upload_key(FILES, name): token for name, token in files.items()})
            return size > SMALL_BYTES or call_apart(_has_more_rows, folder, SMALL_ROWS)
    except ImportFailure:
        return False  # told where it is imported


def _has_more_rows(folder: Path, number: int) -> bool:
    rows = chain.from_iterable(table.rows() for table in tables_in(folder))
    return sum(1 for _ in islice(rows, number + 1)) > number


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
