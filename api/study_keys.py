"""A study, and items of one, from what is sent to the API: by the verbs of study files."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotation.models import Study, User
from files.errors import ImportFailure
from files.skipped import SkippedRecords
from imports.study_file.writing import as_yaml, study_keys, study_yaml
from imports.uploads import keep_upload
from set_up.study_files.application import edit_study, make_study, uploads_of, version_of


def made_study(*, keys: Mapping[str, Any], by: User) -> Study:
    """A new study of the keys of a study file, whose `items` are records. ImportFailure names the
    key that does not fit."""
    wanted, files = dict(keys), {}
    records = wanted.pop("items", [])
    if records:
        name, digest = kept_records(records)
        wanted["items"], files[name] = [name], digest
    with _naming_records(files, "items"):
        return make_study(keys=wanted, files=files, by=by, skipped=SkippedRecords())


def add_items(*, study: Study, records: Sequence[Any], by: User) -> int:
    """Add records of sources, items and units to a study; how many items it has then. ImportFailure
    names the record and the field; nothing is added then."""
    name, digest = kept_records(records)
    standing = study_keys(study)
    listed = standing.get("items", [])
    text = as_yaml({**standing, "items": [*listed, name] if name not in listed else listed})
    with _naming_records([name], "records"):
        edit_study(
            study=study,
            text=text,
            version=version_of(study_yaml(study)),
            keep=True,
            by=by,
            uploads={**uploads_of(study), name: digest},
        )
    return study.items.count()


@contextmanager
def _naming_records(files: Collection[str], key: str) -> Iterator[None]:
    """Say which record of the request does not fit, where a line of the file kept of it is named:
    `records[3].source.key`."""
    try:
        yield
    except ImportFailure as failure:
        file, _, line = failure.where.rpartition(":")
        if Path(file).name not in files or not line.isdecimal():
            raise
        field = f"{key}[{int(line) - 1}].{failure.field}".removesuffix(".record")
        raise ImportFailure(failure.where, field, failure.reason) from failure


def kept_records(records: Sequence[Any]) -> tuple[str, str]:
    """(name, digest) of the file that keeps records, one line for each."""
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            raise ImportFailure("items", f"items[{number}]", "not an object")
    digest = keep_upload(in_lines(records))
    return f"records-{digest[:12]}.jsonl", digest


def in_lines(records: Sequence[Any]) -> Iterator[bytes]:
    """Records as a file of JSON Lines has them."""
    for record in records:
        yield f"{json.dumps(record, ensure_ascii=False, allow_nan=False)}\n".encode()
